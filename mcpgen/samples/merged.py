"""The rules for a sample: those of a schema and of the branches that were chosen for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from ..api import Schema
from ..schemas.rules import Rules, conjunction, is_finite
from ..schemas.types import declared_types, without_integers

_TYPES = ("object", "array", "string", "integer", "number", "boolean", "null")
_HINTS = {
    "object": frozenset(
        {"properties", "required", "additionalProperties", "patternProperties"},
    ),
    "array": frozenset({"items", "prefixItems", "minItems", "uniqueItems", "contains"}),
    "string": frozenset({"pattern", "format", "minLength", "maxLength"}),
    "number": frozenset(
        {"minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"},
    ),
}
_MAX_CONTAINED = 20


class Merged(Rules):
    """The rules for one value, prepared for the code that builds a sample."""

    @cached_property
    def schemas(self) -> list[Mapping[str, Any]]:
        """The schema of each element of `parts`."""
        return [part.schema for part in self.parts]

    @cached_property
    def kinds(self) -> list[str]:
        """The types to try, the most useful first."""
        excluded = [each["type"] for each in self.each("not") if each and [*each] == ["type"]]
        types = self.types.difference(*map(declared_types, excluded))
        if self.each("type"):
            return [kind for kind in _TYPES if kind in without_integers(types)]
        hints = [
            kind
            for schema in self.schemas
            for kind, words in _HINTS.items()
            if not words.isdisjoint(schema)
        ]
        order = [*dict.fromkeys(hints), "string"]
        left = [kind for kind in _TYPES if kind in types]
        if "integer" in left and "number" in left:
            left.remove("number")
        return sorted(left, key=lambda kind: order.index(kind) if kind in order else len(order))

    @cached_property
    def bounds(self) -> dict[str, Any]:
        """The limits of numbers and strings, their formats, patterns and `multipleOf` values."""
        told = {key: self.each(key)[:1] for key in ("format", "contentEncoding")}
        multiples = [each for each in self.each("multipleOf") if is_finite(each) and each > 0]
        return {
            **self.limits,
            **{key: first for key, texts in told.items() for first in texts},
            "patterns": self.each("pattern"),
            "multiples": multiples,
        }

    @cached_property
    def contained(self) -> list[Schema]:
        """The schemas of `contains`, which items at any position may satisfy."""
        return [
            schema["contains"]
            for schema in self.schemas
            if "contains" in schema
            for _ in range(max(1, min(int(schema.get("minContains", 1)), _MAX_CONTAINED)))
        ]

    @cached_property
    def prefix(self) -> int:
        """The number of items that have their own schema (`prefixItems`)."""
        return max(map(len, self.each("prefixItems")), default=0)

    def member_schema(self, name: str) -> Schema:
        """The schema of a property, declared or not; the same object on each call."""
        return self._made(name, self.member)

    def item_schema(self, index: int) -> Schema:
        """The schema of an item; the same object on each call."""
        return self._made(min(index, self.prefix), self.item)

    def _made(self, key: Any, schemas_of: Callable[[Any], list[Schema]]) -> Schema:
        if key not in self._schemas:
            self._schemas[key] = conjunction(schemas_of(key))
        return self._schemas[key]

    @cached_property
    def _schemas(self) -> dict[str | int, Schema]:
        return {}
