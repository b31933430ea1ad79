"""Schema objects of OpenAPI 2.0, 3.0 and 3.1 as JSON Schema 2020-12.

Each schema of the document that a `$ref` names becomes a definition of its own, so nothing is ever
inlined and each is converted once. Values (`enum`, `const`, `default`, `examples`) are data and stay
as they are. What JSON Schema does not allow is left out with a warning that says where.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from ..api import Schema
from ..definitions import Definitions
from ..diagnostics import Diagnostic, Diagnostics
from ..document import Document, Node, ReferenceProblem
from ..subschemas import ANNOTATIONS, LISTS, MAPS, SINGLE, reference_to, references
from .keywords import CHECKS, DATA, Unfit
from .schema_keys import SchemaKeys


class Dialect(StrEnum):
    """Which schema objects a document has."""

    OAS20 = "2.0"
    OAS30 = "3.0"
    OAS31 = "3.1"
    """JSON Schema 2020-12: OpenAPI 3.1 and 3.2."""


class SchemaPool:
    """The schemas of a document, converted when they are added or referred to."""

    def __init__(self, document: Document, dialect: Dialect, diagnostics: Diagnostics) -> None:
        self._document = document
        self._dialect = dialect
        self._diagnostics = diagnostics
        self._definitions = Definitions()
        self._keys = SchemaKeys(document.root.file, _component_names(document.root))
        self._broken: dict[str, Diagnostic] = {}
        self._added: dict[tuple[str, str, bool], Schema] = {}
        self._todo: list[tuple[str, Node]] = []
        self._known: set[str] = set()

    @property
    def schemas(self) -> Definitions:
        """Every definition so far, by its key."""
        return self._definitions

    def add(self, node: Node, *, parameter: bool = False) -> Schema:
        """The schema at a node; whatever it refers to is in `schemas` afterwards.

        `parameter`: the node is a 2.0 parameter, header or items object, whose own keywords are
        not those of a schema (`required`, `description`).
        """
        place = (node.file, node.pointer, parameter)
        if place not in self._added:
            self._added[place] = self._convert(node, parameter)
            self._drain()
        return self._added[place]

    def broken(self, schema: Schema) -> Diagnostic | None:
        """The first dangling reference that a schema reaches."""
        if not self._broken:
            return None
        reached = self._definitions.closure(references(schema))
        return next((self._broken[key] for key in sorted(reached & self._broken.keys())), None)

    def _drain(self) -> None:
        while self._todo:
            key, node = self._todo.pop()
            self._definitions.add(key, self._convert(node, False))

    def _convert(self, node: Node, parameter: bool) -> Schema:
        return _Conversion(self._dialect, self._refer, self._diagnostics).run(node, parameter)

    def _refer(self, node: Node) -> str:
        """The key of what a node's reference names."""
        try:
            target = node.target()
        except ReferenceProblem as problem:
            key = self._keys.key(node.file, node.pointer)
            self._broken[key] = problem.diagnostic
            self._diagnostics.extend([problem.diagnostic])
            self._definitions.add(key, {})
            return key
        key = self._keys.key(target.file, target.pointer)
        if key not in self._known:
            self._known.add(key)
            self._todo.append((key, target))
        return key


class _Work(NamedTuple):
    """A schema still to be converted, and where the result goes."""

    node: Node
    holder: Any
    place: Any


_NOT_IN_PARAMETERS = frozenset({"required", "description"})
_NULLABLE = ("nullable", "x-nullable")
_APPLIED = ("$ref", "allOf", "anyOf", "oneOf", "not", "const", "if")


class _Conversion:
    """Converts the schema at one node, with everything inside it."""

    def __init__(
        self, dialect: Dialect, refer: Callable[[Node], str], diagnostics: Diagnostics
    ) -> None:
        self._old = dialect is not Dialect.OAS31
        self._refer = refer
        self._diagnostics = diagnostics
        self._work: list[_Work] = []

    def run(self, node: Node, parameter: bool) -> Schema:
        """The converted schema."""
        result = self._schema(node, _NOT_IN_PARAMETERS if parameter else frozenset())
        while self._work:
            work = self._work.pop()
            work.holder[work.place] = self._schema(work.node)
        return result

    def _schema(self, node: Node, ignored: frozenset[str] = frozenset()) -> Schema:
        source = node.value
        if isinstance(source, bool):
            return source
        if not isinstance(source, Mapping):
            self._warn(node, "a schema must be an object or a boolean; anything is accepted here")
            return {}
        out: dict[str, Any] = {}
        is_ref = isinstance(source.get("$ref"), str)
        if is_ref:
            out.update(reference_to(self._refer(node)))
        only_annotations = is_ref and self._old
        for keyword, value in source.items():
            if keyword in ignored or keyword == "$ref":
                continue
            if only_annotations and keyword not in ANNOTATIONS and keyword != "example":
                continue
            self._keyword(node, keyword, value, out)
        self._limits(out)
        if self._old and any(source.get(name) is True for name in _NULLABLE):
            return _or_null(out)
        return out

    def _keyword(self, node: Node, keyword: str, value: Any, out: dict[str, Any]) -> None:
        if keyword in DATA:
            out[keyword] = value
        elif keyword == "example":
            out.setdefault("examples", [value])
        elif keyword == "type" and value == "file":
            out.update(type="string", format="binary")
        elif keyword in _LIMITS and isinstance(value, bool):
            out[keyword] = value
        elif keyword in CHECKS:
            try:
                out[keyword] = CHECKS[keyword](value)
            except Unfit as problem:
                self._warn(node.child(keyword), f"`{keyword}` {problem}; it is ignored")
        elif keyword == "items" and isinstance(value, list):
            self._list(node, keyword, "prefixItems", out)
        elif keyword == "additionalItems":
            if isinstance(node.value.get("items"), list):
                self._single(node, keyword, "items", out)
        elif keyword in SINGLE:
            self._single(node, keyword, keyword, out)
        elif keyword in LISTS:
            self._list(node, keyword, keyword, out)
        elif keyword in MAPS:
            self._map(node, keyword, out)

    def _single(self, node: Node, keyword: str, place: str, out: dict[str, Any]) -> None:
        child = node.child(keyword)
        if isinstance(child.value, (bool, Mapping)):
            out[place] = None
            self._work.append(_Work(child, out, place))
        else:
            self._warn(child, f"`{keyword}` must be a schema; it is ignored")

    def _list(self, node: Node, keyword: str, place: str, out: dict[str, Any]) -> None:
        child = node.child(keyword)
        value = child.value
        if not isinstance(value, list) or not value:
            self._warn(child, f"`{keyword}` must be a list of at least one schema; it is ignored")
            return
        elements = list(child.elements())
        if not all(isinstance(element.value, (bool, Mapping)) for element in elements):
            self._warn(child, f"`{keyword}` must hold schemas only; it is ignored")
            return
        out[place] = [None] * len(elements)
        self._work.extend(
            _Work(element, out[place], index) for index, element in enumerate(elements)
        )

    def _map(self, node: Node, keyword: str, out: dict[str, Any]) -> None:
        child = node.child(keyword)
        if not isinstance(child.value, Mapping):
            self._warn(child, f"`{keyword}` must be an object of schemas; it is ignored")
            return
        out[keyword] = dict.fromkeys(child.value)
        self._work.extend(_Work(item, out[keyword], name) for name, item in child.items())

    def _limits(self, out: dict[str, Any]) -> None:
        """Draft 4's `exclusiveMinimum: true` beside `minimum`."""
        for exclusive, limit in _LIMITS.items():
            if isinstance(out.get(exclusive), bool):
                if out.pop(exclusive) and limit in out:
                    out[exclusive] = out.pop(limit)

    def _warn(self, node: Node, message: str) -> None:
        self._diagnostics.warning("schema-keyword", message, node)


_LIMITS = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}


def _or_null(schema: dict[str, Any]) -> Schema:
    """The schema, or null: what `nullable: true` means."""
    if any(keyword in schema for keyword in _APPLIED):
        outside = {name: schema.pop(name) for name in tuple(schema) if name in ANNOTATIONS}
        return {**outside, "anyOf": [schema, {"type": "null"}]}
    if "type" in schema:
        names = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
        schema["type"] = names if "null" in names else [*names, "null"]
    if "enum" in schema and None not in schema["enum"]:
        schema["enum"] = [*schema["enum"], None]
    return schema


def _component_names(root: Node) -> list[str]:
    names: list[str] = []
    value = root.value if isinstance(root.value, Mapping) else {}
    components = value.get("components")
    for holder in (
        components.get("schemas") if isinstance(components, Mapping) else None,
        value.get("definitions"),
    ):
        if isinstance(holder, Mapping):
            names.extend(str(name) for name in holder)
    return names
