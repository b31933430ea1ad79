"""The schema of an answer after fields were removed or masked for agents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..api import Schema
from ..runtime.parts.shaping import END, REDACTED, Places, below, start
from ..text.words import numbered
from .output_clean import any_for_one
from .subschemas import reference_to, referred_key

_MASKED: Schema = {
    "type": "string",
    "const": REDACTED,
    "description": "This server does not show the value.",
}
_SAME_PLACE = frozenset({"allOf", "anyOf", "oneOf"})
_MAY_FAIL = frozenset(
    {
        "const", "contains", "default", "dependentRequired", "dependentSchemas", "else", "enum",
        "examples", "if", "maxContains", "minContains", "minItems", "minProperties", "not",
        "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties", "uniqueItems",
    }
)  # fmt: skip
"""Keywords that a shaped value may violate, or that would reveal removed data."""


_REST = {"patternProperties": "additionalProperties", "prefixItems": "items"}
"""Pairs: if the first keyword is removed, the second would apply to its members."""
_OF_MEMBERS = frozenset({"properties", "$ref", *_SAME_PLACE, *_REST, *_REST.values()})


def shaped(
    schema: Schema, pool: Mapping[str, Schema], *, redact: Iterable[str], fields: Iterable[str]
) -> tuple[Schema, dict[str, Schema]]:
    """An answer's schema after `fields` and `redact`, and the pool extended for it.

    Without `fields`, nothing is removed.
    """
    whole = dict(pool)
    if places := start(fields):
        schema = _Shaper(whole, keeps=True).of(schema, places)
    if masked := start(redact):
        schema = _Shaper(whole, keeps=False).of(schema, masked)
    return schema, whole


def names_a_field(schema: Schema, pool: Mapping[str, Schema], path: str) -> bool:
    """Whether the schema describes, or at least allows, a field at this path."""
    shaper = _Shaper(dict(pool), keeps=False)
    shaper.of(schema, start([path]))
    return shaper.arrived


def _is_silent(schema: Mapping[str, Any]) -> bool:
    """Whether a schema allows members or items, but does not describe them."""
    types = schema.get("type", "object")
    return _OF_MEMBERS.isdisjoint(schema) and ("object" in types or "array" in types)


class _Shaper:
    """Walks a schema as the runtime walks a value; each place gets its own copy of a definition.

    A copy has its definition's name as a title, so that alternatives can be distinguished.
    """

    def __init__(self, pool: dict[str, Schema], *, keeps: bool) -> None:
        self._pool = pool
        self._keeps = keeps
        self._copies: dict[tuple[str, Places], str] = {}
        self.arrived = False

    def of(self, schema: Schema, places: Places) -> Schema:
        """The schema of a value that has only these places, or in which these places are masked."""
        if END in places:
            self.arrived = True
            return schema if self._keeps else _MASKED
        if isinstance(schema, bool) or not (places or self._keeps):
            self.arrived |= schema is True
            return schema
        out: dict[str, Any] = {}
        for keyword, value in schema.items():
            new = self._keyword(schema, keyword, value, places)
            if new is not None:
                out["anyOf" if keyword == "oneOf" and "anyOf" not in schema else keyword] = new
        if "oneOf" in out:
            any_for_one(out)
        for keyword, rest in _REST.items():
            if keyword in schema and keyword not in out:
                out.pop(rest, None)
        self.arrived |= _is_silent(schema)
        return out

    def _keyword(
        self, schema: Mapping[str, Any], keyword: str, value: Any, places: Places
    ) -> Any | None:
        """The new value of a keyword, or None to remove the keyword."""
        if keyword == "$ref":
            key = referred_key(schema)
            return value if key is None else reference_to(self._definition(key, places))["$ref"]
        if keyword in _SAME_PLACE:
            return [self.of(inner, places) for inner in value]
        if keyword == "properties":
            return self._properties(value, places)
        if keyword == "required" and self._keeps:
            names = [name for name in value if END in below(places, name)]
            return names or None
        if keyword == "items":
            return self._inside(value, below(places, None))
        if keyword == "prefixItems":
            inside = below(places, None)
            return None if self._keeps else [self.of(inner, inside) for inner in value]
        if keyword == "additionalProperties":
            return self._unnamed(value, places)
        if keyword == "patternProperties":
            schemas = {name: self._unnamed(inner, places) for name, inner in value.items()}
            return None if None in schemas.values() else schemas
        return None if keyword in _MAY_FAIL else value

    def _properties(self, value: Mapping[str, Schema], places: Places) -> dict[str, Schema]:
        pairs = ((name, inner, below(places, name)) for name, inner in value.items())
        return {
            name: self.of(inner, inside)
            for name, inner, inside in pairs
            if inside or not self._keeps
        }

    def _inside(self, value: Schema, inside: Places) -> Schema | None:
        return self.of(value, inside) if inside or not self._keeps else None

    def _unnamed(self, value: Schema, places: Places) -> Schema | None:
        """The shaped schema of members without a declared name; None if a path may name one of
        them.
        """
        if any(path and path[0].name is not None for path in places):
            self.arrived |= value is not False
            return None if value is not False or self._keeps else value
        return self._inside(value, below(places, None))

    def _definition(self, key: str, places: Places) -> str:
        if (key, places) not in self._copies:
            name = numbered(f"{key}_shown", self._pool)
            self._copies[key, places] = name
            self._pool[name] = True
            part = self.of(self._pool.get(key, True), places)
            if not isinstance(part, bool) and "$ref" not in part:
                part = {"title": key, **part}
            self._pool[name] = part
        return self._copies[key, places]
