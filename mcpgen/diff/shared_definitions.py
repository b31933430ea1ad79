"""The definitions that schemas of many tools share, and which of them both versions have."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from msgspec import Struct

from ..schemas import definitions as pools
from .joins import Shape, text

_REFERENCE = re.compile(r'"\$ref": ("(?:[^"\\]|\\.)*")')
_ELSEWHERE = re.compile(r'"\$ref": "(?!#/\$defs/)')


class Definitions:
    """Schemas by name, and a cache of facts about schemas that refer to them."""

    def __init__(self, schemas: Mapping[str, Any], texts: Mapping[str, str]) -> None:
        self.schemas = pools.Definitions(schemas)
        self.texts = texts
        self.shapes: dict[int, tuple[Any, Shape]] = {}
        """By the identity of a part, which is held so that no other gets it."""
        self._written: dict[int, tuple[Any, str, frozenset[str]]] = {}
        self._same: dict[Definitions, frozenset[str]] = {}

    def text(self, part: Any) -> str:
        """A schema as a string, as `joins.text` writes it."""
        return self._serialize(part)[1]

    def references(self, part: Any) -> frozenset[str]:
        """The names of the definitions that a schema refers to."""
        return self._serialize(part)[2]

    def _serialize(self, part: Any) -> tuple[Any, str, frozenset[str]]:
        if id(part) not in self._written:
            written = text(part)
            self._written[id(part)] = part, written, references(written)
        return self._written[id(part)]

    def same(self, other: Definitions) -> frozenset[str]:
        """The names of definitions that are equal in both versions, if all they refer to is equal
        too.
        """
        if other not in self._same:
            same = {name for name, one in self.texts.items() if other.texts.get(name) == one}
            needs = {name: references(self.texts[name]) for name in same}
            while lost := {name for name in same if not needs[name] <= same}:
                same -= lost
            self._same[other] = frozenset(same)
        return self._same[other]


class Root(Struct, frozen=True):
    """A schema, split into its definitions and the rest."""

    schema: Any
    definitions: Definitions

    def target(self, reference: str) -> Any:
        """The target of a reference; `True`, which allows any value, if it leads nowhere."""
        if not reference.startswith("#"):
            return True
        node: Any = {"$defs": self.definitions.schemas}
        if isinstance(self.schema, Mapping):
            node = {**self.schema, **node}
        for step in reference.split("/")[1:]:
            key = _unescaped(step)
            if isinstance(node, list) and key.isdecimal() and int(key) < len(node):
                node = node[int(key)]
            elif isinstance(node, Mapping):
                node = node.get(key, True)
            else:
                return True
        return node


class Versions:
    """The two versions that are compared: an old and a new root, each with its definitions."""

    def __init__(self, old: Root, new: Root) -> None:
        self.old = old
        self.new = new

    @cached_property
    def _same(self) -> frozenset[str]:
        return self.old.definitions.same(self.new.definitions)

    def are_identical(self, old: Any, new: Any) -> bool:
        """Whether two schemas are equal, and also all definitions that they refer to."""
        before, after = self.old.definitions, self.new.definitions
        return before.text(old) == after.text(new) and before.references(old) <= self._same

    def texts(self, old: Any, new: Any) -> tuple[str, str]:
        """The old and the new schema as strings."""
        return self.old.definitions.text(old), self.new.definitions.text(new)


NOWHERE = Root(True, Definitions({}, {}))
"""That of a schema without references."""


def roots(schemas: Iterable[Any]) -> list[Root]:
    """The root of each schema; all share their definitions, except schemas that conflict."""
    texts: dict[str, str] = {}
    together = Definitions({}, texts)
    result = []
    for each in schemas:
        held = each.get("$defs") if isinstance(each, Mapping) else None
        held = held if isinstance(held, Mapping) else {}
        written = {name: text(schema) for name, schema in held.items()}
        rest = {key: value for key, value in each.items() if key != "$defs"} if held else each
        if _is_apart(written, text(rest), texts):
            result.append(Root(rest, Definitions(held, written)))
            continue
        for name in written.keys() - texts.keys():
            together.schemas.add(name, held[name])
            texts[name] = written[name]
        result.append(Root(rest, together))
    return result


def _is_apart(written: Mapping[str, str], rest: str, texts: Mapping[str, str]) -> bool:
    """Whether a schema uses a shared name for another definition, or refers to a non-definition."""
    for name, one in written.items():
        if name in texts and texts[name] != one:
            return True
        if name not in texts and _ELSEWHERE.search(one):
            return True
    return _ELSEWHERE.search(rest) is not None


def references(written: str) -> frozenset[str]:
    """The names of the definitions that a schema refers to, found in its JSON."""
    return frozenset(name(json.loads(reference)) for reference in _REFERENCE.findall(written))


def name(reference: str) -> str:
    """The name of the definition that a reference leads to."""
    return _unescaped(reference.removeprefix("#/$defs/"))


def _unescaped(step: str) -> str:
    return step.replace("~1", "/").replace("~0", "~")
