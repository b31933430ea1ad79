"""Schemas that refer back to themselves for the same value; a validator would never finish."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from enum import Enum, auto
from typing import Any, NamedTuple

from ..api import Schema
from ..schemas.definitions import Definitions
from ..schemas.graphs import strongly_connected
from ..schemas.subschemas import reference_to, referred_key


class LoopKind(Enum):
    """The kind of a reference loop, and what is done about it."""

    ENDLESS = auto()
    """A loop of only `$ref` and `allOf`, which is an error."""
    EXTENSION = auto()
    """A base lists its extensions as alternatives; they will extend it without the alternatives."""
    ALTERNATIVE = auto()
    """Alternatives that lead back to themselves, which are left out."""


Derive = Callable[[str, str], str]

_ALTERNATIVES = ("anyOf", "oneOf")
_OTHERS = ("not", "if", "then", "else")
_NAMING = {"$ref", "title", "description"}
"""Keywords of a definition that is only another name for a definition."""


class Edge(NamedTuple):
    """A reference from one definition to another, where both apply to the same value."""

    target: str
    holder: dict[str, Any]
    optional: tuple[dict[str, Any], str] | None
    """The outermost keyword on the way that is neither `$ref` nor `allOf`, and its schema."""


def break_loops(
    definitions: Definitions, new: Collection[str], derive: Derive
) -> list[tuple[LoopKind, list[str]]]:
    """Change the new definitions so that none refers back to itself for the same value.

    Returns the loops that were found, each with its kind and the sorted keys of its schemas.
    """
    names = set(new)
    edges = {key: _edges(definitions[key], names) for key in sorted(names)}
    loops: list[tuple[LoopKind, list[str]]] = []
    for loop in _loops(edges):
        loops += _Loop(definitions, loop, edges, derive).break_up()
    return loops


class _Loop:
    def __init__(
        self,
        definitions: Definitions,
        keys: list[str],
        edges: dict[str, list[Edge]],
        derive: Derive,
    ) -> None:
        self._definitions = definitions
        self._edges = _within(edges, keys)
        self._derive = derive

    def break_up(self) -> Iterator[tuple[LoopKind, list[str]]]:
        """Change the loop's definitions until no loop is left; yields each kind of loop found."""
        bound = {key: [e for e in es if e.optional is None] for key, es in self._edges.items()}
        endless = list(_loops(bound))
        for loop in endless:
            yield LoopKind.ENDLESS, loop
            _cut(_within(bound, loop))
        if endless:
            return
        if self._extend_bases():
            yield LoopKind.EXTENSION, list(self._edges)
        for loop in _loops(self._current()):
            yield LoopKind.ALTERNATIVE, loop
            for edges in _within(self._current(), loop).values():
                for edge in edges:
                    if edge.optional is not None:
                        _leave_out(*edge.optional, set(loop))

    def _current(self) -> dict[str, list[Edge]]:
        names = set(self._edges)
        return {key: _edges(self._definitions[key], names) for key in self._edges}

    def _extend_bases(self) -> bool:
        """Point extensions to a copy of their base without its alternatives.

        Returns whether there are any.
        """
        bases: dict[str, str] = {}
        for key, edges in self._edges.items():
            if self._real_key(key) != key:
                continue
            for edge in edges:
                target = self._real_key(edge.target)
                if edge.optional is None and any(e.optional for e in self._edges[target]):
                    base = bases[target] = self._derive(target, "base")
                    edge.holder.update(reference_to(base))
        for key, base in bases.items():
            gone = [edge.optional for edge in self._edges[key] if edge.optional is not None]
            places = {(id(schema), keyword) for schema, keyword in gone}
            places |= {(id(schema), "discriminator") for schema, _ in gone}
            self._definitions.add(base, _without(self._definitions[key], places))
        return bool(bases)

    def _real_key(self, key: str) -> str:
        """The key at the end of a chain of definitions that only refer to another one."""
        while (schema := self._definitions[key]) and not isinstance(schema, bool):
            inner = referred_key(schema)
            if inner not in self._edges or not schema.keys() <= _NAMING:
                break
            key = inner
        return key


def _without(schema: Schema, places: set[tuple[int, str]]) -> Schema:
    """A copy of the schema and its `allOf` without the keywords in `places`.

    Each place is the `id()` of a schema and a keyword.
    """
    if isinstance(schema, bool):
        return schema
    rest = {name: value for name, value in schema.items() if (id(schema), name) not in places}
    if "allOf" in rest:
        rest["allOf"] = [_without(member, places) for member in rest["allOf"]]
    return rest


def _within(edges: dict[str, list[Edge]], keys: list[str]) -> dict[str, list[Edge]]:
    names = set(keys)
    return {key: [edge for edge in edges[key] if edge.target in names] for key in keys}


def _cut(edges: dict[str, list[Edge]]) -> None:
    for inner in edges.values():
        for edge in inner:
            edge.holder.pop("$ref", None)


def _leave_out(schema: dict[str, Any], keyword: str, keys: set[str]) -> None:
    value = schema.get(keyword)
    if keyword in _ALTERNATIVES and isinstance(value, list):
        branches = [branch for branch in value if not _edges(branch, keys)]
        if branches:
            schema[keyword] = branches
            return
    schema.pop(keyword, None)
    schema.pop("discriminator", None)


def _edges(schema: Schema, names: set[str]) -> list[Edge]:
    return [edge for edge in _all_edges(schema) if edge.target in names]


def _all_edges(schema: Schema) -> Iterator[Edge]:
    stack: list[tuple[Any, tuple[dict[str, Any], str] | None]] = [(schema, None)]
    while stack:
        current, optional = stack.pop()
        if not isinstance(current, dict):
            continue
        key = referred_key(current)
        if key is not None:
            yield Edge(key, current, optional)
        stack += [(member, optional) for member in current.get("allOf", ())]
        for keyword in _ALTERNATIVES:
            stack += [(part, optional or (current, keyword)) for part in current.get(keyword, ())]
        for keyword in _OTHERS:
            if keyword in current:
                stack.append((current[keyword], optional or (current, keyword)))
        for part in current.get("dependentSchemas", {}).values():
            stack.append((part, optional or (current, "dependentSchemas")))


def _loops(edges: dict[str, list[Edge]]) -> Iterator[list[str]]:
    """The sets of keys that reach each other, each set sorted."""
    graph = {key: [edge.target for edge in group] for key, group in edges.items()}
    return map(sorted, strongly_connected(graph))
