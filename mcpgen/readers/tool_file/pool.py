"""The schemas of all tools in one pool of JSON Schema 2020-12, for types and samples.

The advertised schemas stay as they are written; later stages read this pool. A definition that
several tools share is in the pool once, and its key never depends on the other tools.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...api import Schema
from ...schemas.definitions import Definitions
from ...source.document import Node
from ...source.identifiers import Identifiers
from ...source.refscan import Scanner
from ...text import pointer as pointers
from ..conversion_host import Host
from ..dialect_rules import DRAFT_2020, rules_of
from ..dynamic_scope import Scope
from ..schema_conversion import Conversion
from ..schema_loops import break_loops

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")
_DEFINITIONS = ("$defs", "definitions")
_STRUCTURE = frozenset({"properties", "items", *_DEFINITIONS})
_NOTHING = "Anything."
"""The key for dangling references: no other key has a dot."""


@dataclass
class Resource:
    """One schema, in which references can be looked up."""

    label: str
    root: Node
    keys: dict[str, str] = field(default_factory=dict)
    """Keys in the pool by pointer."""
    _parts: dict[str, tuple[str, set[str]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._names = Identifiers()
        self._names.add_value("", "", self.root.value)

    def pointer(self, reference: str, at: str) -> str | None:
        """The pointer to a reference's target within the schema.

        None if the target is outside of the schema, or does not exist.
        """
        uri, _, fragment = reference.partition("#")
        resource = self._names.find("", at, uri)
        if resource is None:
            return None
        place = pointers.from_fragment(fragment)
        if place and not place.startswith("/"):
            return self._names.anchor("", resource[1], place)
        return self._at(resource[1] + place)

    def pointer_of(self, node: Node) -> str:
        """The pointer of a node, relative to the schema's root."""
        return node.pointer.removeprefix(self.root.pointer)

    def part(self, pointer: str) -> tuple[str, set[str]]:
        """The JSON at a pointer as a string, and the pointers to which its references lead."""
        if pointer not in self._parts:
            node = self.node(pointer)
            value = None if node is None else node.value
            targets = (self.pointer(text, pointer + at) for at, text in references(value))
            text = json.dumps([pointer, value], sort_keys=True)
            self._parts[pointer] = text, {at for at in targets if at is not None}
        return self._parts[pointer]

    def _at(self, pointer: str) -> str | None:
        return pointer if self.node(pointer) is not None else None

    def node(self, pointer: str) -> Node | None:
        """The node at a pointer that starts at the schema's root; None if there is none."""
        try:
            return self.root.below(*pointers.split(pointer))
        except ValueError:
            return None


def references(value: Any) -> Iterator[tuple[str, str]]:
    """Yield the JSON Pointer to each reference in a value, and the reference itself."""
    for each in Scanner().scan("", "schema", value):
        if each.kind in ("schema", "dynamic"):
            yield each.pointer, each.reference


class Pool:
    """Converts the schemas of tools; all of them must be added before the first is converted."""

    def __init__(self) -> None:
        self.definitions = Definitions()
        self.with_values: list[tuple[Node, dict[str, Any]]] = []
        """Schemas with values, both as written and as converted."""
        self._resources: list[Resource] = []
        self._done = False

    def add(self, label: str, root: Node) -> Resource:
        """Add a schema; `label` is used in keys of definitions without a name."""
        added = Resource(label, root)
        self._resources.append(added)
        return added

    def convert(self, resource: Resource) -> Schema:
        """The schema in 2020-12; the definitions that it refers to are added to `definitions`."""
        if not self._done:
            self._done = True
            self._convert_definitions()
        return self._converted(resource, resource.root)

    def _converted(self, owner: Resource, node: Node) -> Schema:
        root = owner.root.value
        dialect = root.get("$schema") if isinstance(root, Mapping) else None
        return Conversion(_Host(self, owner)).run(node, rules_of(dialect, DRAFT_2020))

    def _convert_definitions(self) -> None:
        targets: list[tuple[Resource, str, str, str]] = []
        contents: dict[str, set[str]] = defaultdict(set)
        for owner in self._resources:
            for pointer in owner.part("")[1]:
                name, content = _name(owner, pointer), _content(owner, pointer)
                targets.append((owner, pointer, name, content))
                contents[name].add(content)
        for owner, pointer, name, content in targets:
            alike = len(contents[name]) == 1
            owner.keys[pointer] = name if alike else f"{name}_{content[:8]}"
        for owner, pointer, _, _ in targets:
            key, node = owner.keys[pointer], owner.node(pointer)
            if key not in self.definitions and node is not None:
                self.definitions.add(key, self._converted(owner, node))
        # What refers only to itself is advertised as written, and told there.
        break_loops(self.definitions, set(self.definitions), _derived)

    def nothing(self) -> str:
        """The key of an empty definition, which replaces the targets of dangling references."""
        if _NOTHING not in self.definitions:
            self.definitions.add(_NOTHING, {})
        return _NOTHING


def _derived(key: str, suffix: str) -> str:
    return f"{key}_{suffix}"


def _name(owner: Resource, pointer: str) -> str:
    tokens = pointers.split(pointer)
    if len(tokens) > 1 and tokens[-2] in _DEFINITIONS:
        words = [tokens[-1]]
    else:
        words = [owner.label, *(token for token in tokens if token not in _STRUCTURE)]
    return _UNSAFE.sub("_", "_".join(words)).strip("_-")[-100:].strip("_-") or "Schema"


def _content(owner: Resource, pointer: str) -> str:
    """A hash of a definition and of all definitions that it reaches."""
    places = {pointer}
    stack = [pointer]
    while stack:
        new = owner.part(stack.pop())[1] - places
        places |= new
        stack += new
    parts = ", ".join(owner.part(at)[0] for at in sorted(places))
    return hashlib.sha256(f"[{json.dumps(pointer)}, [{parts}]]".encode()).hexdigest()


class _Host(Host):
    """The `Host` of a schema conversion; it uses the definitions of the pool and reports
    nothing.
    """

    def __init__(self, pool: Pool, owner: Resource) -> None:
        self._pool = pool
        self._owner = owner

    def refer(self, node: Node, reference: str, scope: Scope, *, opened: bool = False) -> str:
        pointer = self._owner.pointer(reference, self._owner.pointer_of(node))
        return self._pool.nothing() if pointer is None else self._owner.keys[pointer]

    def has_values(self, node: Node, schema: dict[str, Any]) -> None:
        self._pool.with_values.append((node, schema))
