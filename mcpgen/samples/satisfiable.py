"""Whether any value at all fits a schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..api import Schema
from ..schemas.definitions import Definitions, definitions
from ..schemas.questions import in_place, properties
from ..schemas.subschemas import only_reference
from ..schemas.types import ALL, listed, with_integers
from .checks import Checker

_DEEPEST = 12
_RANGES = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)
_OF = {"minimum": "number", "minLength": "string", "minItems": "array", "minProperties": "object"}


def nothing_fits(schema: Schema, pool: Mapping[str, Schema]) -> bool:
    """Whether a schema is sure to refuse every value, by its own keywords or what it requires."""
    return _Judge(definitions(pool)).refuses_all(schema, 0)


class _Judge:
    def __init__(self, pool: Definitions) -> None:
        self._pool = pool
        self._checker = Checker(pool)
        self._verdicts: dict[str, bool] = pool.memo.setdefault("nothing fits", {})

    def refuses_all(self, schema: Schema, depth: int) -> bool:
        if isinstance(schema, bool):
            return not schema
        key = only_reference(schema)
        if key is None:
            return depth < _DEEPEST and self._refuses_all(schema, depth)
        if key not in self._verdicts:
            self._verdicts[key] = False  # a schema inside itself says nothing of itself
            self._verdicts[key] = depth < _DEEPEST and self._refuses_all(schema, depth)
        return self._verdicts[key]

    def _refuses_all(self, schema: Mapping[str, Any], depth: int) -> bool:
        parts = list(in_place(schema, self._pool, ("allOf",)))
        types = _types(parts)
        if not types or any(_is_empty(part, types) for part in parts):
            return True
        if self._has_no_choice(schema, parts):
            return True
        if types == {"object"} and self._misses(schema, parts, depth):
            return True
        if types == {"array"} and self._lacks_items(parts, depth):
            return True
        return any(
            all(self.refuses_all(branch, depth + 1) for branch in part[keyword])
            for part in parts
            for keyword in ("anyOf", "oneOf")
            if keyword in part
        )

    def _has_no_choice(self, schema: Schema, parts: list[Mapping[str, Any]]) -> bool:
        """Whether all values of an `enum` or `const` are refused by what else is said."""
        return any(
            all(self._checker.refused(value, schema) for value in values)
            for part in parts
            for values in _choices(part)
        )

    def _lacks_items(self, parts: list[Mapping[str, Any]], depth: int) -> bool:
        items = (part.get("items", True) for part in parts if "prefixItems" not in part)
        needed = any(part.get("minItems", 0) > 0 for part in parts)
        return needed and any(self.refuses_all(each, depth + 1) for each in items)

    def _misses(self, schema: Schema, parts: list[Mapping[str, Any]], depth: int) -> bool:
        """Whether an object requires what it forbids, or what can have no value."""
        required = {name for part in parts for name in part.get("required", ())}
        if any(_forbids(part, name) for part in parts for name in required):
            return True
        members = properties(schema, self._pool)
        return any(self.refuses_all(members.get(name, True), depth + 1) for name in required)


def _types(parts: list[Mapping[str, Any]]) -> set[str]:
    types = set(ALL)
    for part in parts:
        if "type" in part:
            types &= with_integers(listed(part["type"]))
    return types - {"integer"} if "number" in types else types


def _is_empty(part: Mapping[str, Any], types: set[str]) -> bool:
    """Whether one schema refuses all values of the types by itself."""
    if part.get("not") in ({}, True) or False in part.get("allOf", ()):
        return True
    return any(
        {kind.replace("integer", "number") for kind in types} == {_OF[least]}
        and part.get(least, 0) > part.get(most, part.get(least, 0))
        for least, most in _RANGES
    )


def _choices(part: Mapping[str, Any]) -> Iterator[list[Any]]:
    if "enum" in part:
        yield part["enum"]
    if "const" in part:
        yield [part["const"]]


def _forbids(part: Mapping[str, Any], name: str) -> bool:
    is_closed = part.get("additionalProperties") is False and "patternProperties" not in part
    return is_closed and name not in part.get("properties", {})
