"""Prepares schemas for an outline: joins each `allOf`, and inlines definitions used once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import chain
from typing import Any

from ..api import Schema
from .subschemas import HOLDERS, only_reference, referred_key, walk, with_inner
from .types import declared_types, with_integers, without_integers

_JOINED = ("type", "required", "properties", "additionalProperties")
"""Keywords that refuse no more in one joined schema than in several schemas."""

_MAX_REFERENCES = 32
"""The most references in `allOf` that are followed for one schema, since they may multiply."""
_MAX_DEPTH = 16
"""The most levels of a schema in which references are followed."""


def joined(schema: Schema, pool: Mapping[str, Schema]) -> Schema:
    """The schema with the parts of each `allOf` joined into one, references included.

    Every instance of the schema is an instance of the result. If two parts describe one property,
    the later one counts.
    """
    return _Joiner(pool).join(schema, frozenset())


class _Joiner:
    def __init__(self, pool: Mapping[str, Schema]) -> None:
        self._pool = pool
        self._left = _MAX_REFERENCES
        self._depth = 0

    def join(self, schema: Schema, within: frozenset[str]) -> Schema:
        if isinstance(schema, bool) or HOLDERS.isdisjoint(schema):
            return schema
        self._depth += 1
        out = self._without_all_of(
            with_inner(schema, lambda inner: self.join(inner, within)), within
        )
        self._depth -= 1
        return out

    def _without_all_of(self, schema: dict[str, Any], within: frozenset[str]) -> Schema:
        """Join a schema with its own `allOf`, after its inner schemas have been joined."""
        parts: list[Schema] = schema.pop("allOf", [])
        if not parts:
            return schema
        if len(parts) == 1 and not schema:
            return parts[0]
        return _together([*(self._taken_in(part, within) for part in parts), schema])

    def _taken_in(self, part: Schema, within: frozenset[str]) -> Schema:
        """The schema; if it is only a reference, the joined schema to which it refers.

        A reference stays as it is inside its own target, or if a limit is reached.
        """
        key = only_reference(part)
        if key is None or key in within or key not in self._pool:
            return part
        if self._left == 0 or self._depth > _MAX_DEPTH:
            return part
        self._left -= 1
        within |= {key}
        return self._taken_in(self.join(self._pool[key], within), within)


def _together(parts: list[Schema]) -> Schema:
    """One schema for all parts; parts that cannot be joined stay in an `allOf`."""
    out: dict[str, Any] = {}
    apart: list[Schema] = []
    for part in parts:
        if isinstance(part, bool):
            if not part:
                apart.append(part)
            continue
        taken = {keyword: part[keyword] for keyword in _JOINED if keyword in part}
        rest = {keyword: value for keyword, value in part.items() if keyword not in _JOINED}
        apart += [each for each in (*rest.pop("allOf", ()), rest) if each and each not in apart]
        if "type" in taken and "type" in out:
            taken["type"] = _common_type(out["type"], taken["type"])
        if "properties" in taken:
            taken["properties"] = {**out.get("properties", {}), **taken["properties"]}
        if "required" in taken:
            taken["required"] = list(dict.fromkeys([*out.get("required", ()), *taken["required"]]))
        out |= taken
    if len(apart) == 1 and isinstance(apart[0], Mapping):
        return {**out, **apart[0]}
    return {**out, "allOf": apart} if apart else out


def _common_type(one: str | list[str], other: str | list[str]) -> str | list[str]:
    """The types that both schemas allow; if there are none, the types of the later schema."""
    common = with_integers(declared_types(one)) & with_integers(declared_types(other))
    names = sorted(without_integers(common))
    if not names:
        return other
    return names[0] if len(names) == 1 else names


def inlined(schema: Schema, defs: Mapping[str, Schema]) -> tuple[Schema, dict[str, Schema]]:
    """The schema and its definitions, with each definition that is used once inlined."""
    counts: Counter[str] = Counter()
    for part in chain.from_iterable(map(walk, (schema, *defs.values()))):
        if (key := referred_key(part)) is not None:
            counts[key] += 1 if len(part) == 1 else 2  # with keywords beside it, it must stay

    def placed(part: Schema) -> Schema:
        key = only_reference(part)
        while key is not None and counts[key] == 1 and key in defs:
            part = defs[key]
            key = only_reference(part)
        return part if isinstance(part, bool) else with_inner(part, placed)

    return placed(schema), {key: placed(defs[key]) for key in defs if counts[key] > 1}
