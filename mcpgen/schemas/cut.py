"""Cuts a schema to a size; the deepest levels are cut first."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from ..api import Schema
from ..text.literals import json_bytes
from .definitions import Definitions
from .output_clean import any_for_one
from .questions import description
from .rules import types_of
from .subschemas import HOLDERS, LISTS, MAPS, SINGLE, only_reference, referred_key
from .types import ALL

_REFUSING_MORE = frozenset(
    {"not", "if", "then", "else", "maxContains", "unevaluatedItems", "unevaluatedProperties"}
)
"""Keywords that refuse more values if a schema beside or inside them is cut."""


def size(value: Any) -> int:
    """The number of bytes of a value as compact JSON."""
    return len(json_bytes(value))


class Outline(Struct, frozen=True):
    """The first levels of a schema."""

    schema: Schema
    defs: Mapping[str, Schema]
    """The definitions that it refers to."""
    is_whole: bool
    """Nothing was cut."""


def cut(
    schema: Schema,
    pool: Definitions,
    levels: int,
    room: int,
    *,
    with_leaves: bool = False,
    names_only: bool = False,
    has_types: bool = True,
) -> Outline | None:
    """The first `levels` levels of a schema; None if these are sure to exceed `room` bytes.

    With `with_leaves`, the alternatives of a choice are kept, and so are schemas of the next level
    that contain no schemas. With `names_only`, the last level keeps only the names of properties,
    nothing is required, and the result is None if there are no names. Without `has_types`, schemas
    that contain no schemas are emptied on all levels. Every instance of the schema is an instance
    of the result.
    """
    return _Cut(pool, levels, room, with_leaves, names_only, has_types).run(schema)


def stub(schema: Schema, pool: Definitions) -> Schema:
    """A schema with only the types that `schema` allows, and with the description of `schema`."""
    key = only_reference(schema)
    if key is None:
        return _stub(schema, pool)
    stubs: dict[str, Schema] = pool.memo.setdefault("stub", {})
    if key not in stubs:
        stubs[key] = _stub(schema, pool)
    return stubs[key]


def _stub(schema: Schema, pool: Definitions) -> Schema:
    if schema is False:
        return False
    out: dict[str, Any] = {}
    types = types_of(schema, pool, implied=False)
    if types and not ALL - {"integer"} <= types:
        out["type"] = next(iter(types)) if len(types) == 1 else sorted(types)
        if "array" in types:
            out["items"] = {}  # models' APIs refuse an array without it
    if text := description(schema, pool):
        out["description"] = text
    return out


class _Cut:
    def __init__(
        self,
        pool: Definitions,
        levels: int,
        room: int,
        with_leaves: bool,
        names_only: bool,
        has_types: bool,
    ) -> None:
        self._pool = pool
        self._levels = levels
        self._room = room
        self._with_leaves = with_leaves
        self._names_only = names_only
        self._has_types = has_types
        self._queue: deque[tuple[Schema, int, Any, Any]] = deque()
        self._defs: dict[str, Any] = {}
        self._is_whole = True
        self._has_names = False

    def run(self, schema: Schema) -> Outline | None:
        holder: dict[str, Schema] = {}
        self._queue.append((schema, 0, holder, ""))
        while self._queue:
            current, level, place, name = self._queue.popleft()
            place[name] = self._at(current, level)
            if self._room < 0:
                return None
        if self._names_only and not self._has_names:
            return None
        return Outline(holder[""], dict(sorted(self._defs.items())), self._is_whole)

    def _at(self, schema: Schema, level: int) -> Schema:
        """A schema at a level, as the outline shows it.

        A definition counts at the level of the first reference to it.
        """
        if isinstance(schema, bool):
            return schema
        key = referred_key(schema)
        is_known = key in self._defs and len(schema) == 1
        is_silent = not self._has_types and self._is_leaf(schema)
        is_kept = is_known or (self._with_leaves and self._is_leaf(schema))
        if is_silent or (level >= self._levels and not is_kept):
            bare: Schema = {} if self._names_only else stub(schema, self._pool)
            self._room -= size(bare)
            self._is_whole = False
            return bare
        if key is not None and key not in self._defs and key in self._pool:
            self._defs[key] = None
            self._queue.appendleft((self._pool[key], level, self._defs, key))
        return self._whole(schema, level)

    def _is_leaf(self, schema: Schema) -> bool:
        """Whether a schema, or the target of its reference, has no schemas inside."""
        keys: set[str] = set()
        while not isinstance(schema, bool) and HOLDERS.isdisjoint(schema):
            key = referred_key(schema)
            if key is None or key in keys:
                return True
            keys.add(key)
            schema = self._pool.get(key, True)
        return isinstance(schema, bool)

    def _without_forms(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        """The schema without its `anyOf`; its `type` has all types that the alternatives allow."""
        self._is_whole = False
        bare = stub(schema, self._pool)
        keywords = ("type", "items")
        types = {} if isinstance(bare, bool) else {k: v for k, v in bare.items() if k in keywords}
        return {**types, **{k: v for k, v in schema.items() if k not in ("anyOf", "type")}}

    def _whole(self, schema: Any, level: int) -> dict[str, Any]:
        out: dict[str, Any] = {}
        if "oneOf" in schema:
            schema = dict(schema)
            any_for_one(schema)
        if "anyOf" in schema and level + 1 >= self._levels and not self._with_leaves:
            schema = self._without_forms(schema)
        for keyword, value in schema.items():
            if keyword in _REFUSING_MORE or (self._names_only and keyword == "required"):
                continue
            if keyword in SINGLE:
                out[keyword] = None
                self._queue.append((value, level + 1, out, keyword))
            elif keyword in LISTS:
                out[keyword] = [None] * len(value)
                self._queue.extend(
                    (item, level + 1, out[keyword], index) for index, item in enumerate(value)
                )
            elif keyword in MAPS:
                out[keyword] = dict.fromkeys(value)
                self._queue.extend(
                    (item, level + 1, out[keyword], name) for name, item in value.items()
                )
                self._room -= sum(len(name) + 4 for name in value)
                self._has_names |= keyword == "properties" and level + 1 == self._levels
            else:
                out[keyword] = value
                self._room -= len(keyword) + 4
        return out
