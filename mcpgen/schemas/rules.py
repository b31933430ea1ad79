"""The rules that a schema has for a value: its own keywords, and those of `$ref` and `allOf`."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from ..api import Schema
from ..text.literals import json_bytes
from .definitions import Definitions
from .subschemas import only_reference, referred_key
from .types import ALL, declared_types, type_of, with_integers, without_integers

BRANCHES = ("anyOf", "oneOf")
IN_PLACE = ("allOf", *BRANCHES)
_IMPLIED = {
    "additionalProperties": "object",
    "items": "array",
    "patternProperties": "object",
    "prefixItems": "array",
    "properties": "object",
    "required": "object",
}
NOTHING: Mapping[str, Any] = {"not": {}}
"""`false` as an object."""
_TELLING = frozenset({*IN_PLACE, "$ref", "const", "enum"})
"""Keywords that imply types in addition to a declared type."""
LIMITS: Mapping[str, Callable[[list[Any]], Any]] = {
    **dict.fromkeys(("minLength", "minItems", "minProperties"), max),
    **dict.fromkeys(("minimum", "exclusiveMinimum"), max),
    **dict.fromkeys(("maxLength", "maxItems", "maxProperties"), min),
    **dict.fromkeys(("maximum", "exclusiveMaximum"), min),
}
"""Keywords whose tightest value applies."""
_MAX_DEPTH = 200
"""References that lead to each other, and alternatives inside each other, that are followed: no
tool has a schema with longer chains (`readers/schema_chains.py`)."""


def matches(pattern: str, text: str) -> bool | None:
    """Whether `text` has a match of `pattern`; None if servers do not enforce the pattern."""
    from ..runtime.schemas import patterns  # with an engine that few schemas need

    if not patterns.is_enforced(pattern):
        return None
    try:
        return patterns.matches(pattern, text)
    except UnicodeEncodeError:
        return False


def is_finite(value: Any) -> bool:
    """Whether a value is a finite number; an integer may be too large for a float."""
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal in JSON Schema: 1 equals 1.0, and neither equals true."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


class Part(NamedTuple):
    """One of several schemas that all apply to the same value."""

    schema: Mapping[str, Any]
    within: str | None = None
    """The key of the definition that contains it; None if that is the schema in question."""


Sub = tuple[Schema, Part]
"""A schema for something inside a value, and the part that has it."""


def parts(
    schema: Schema,
    pool: Mapping[str, Schema],
    through: tuple[str, ...] = ("allOf",),
    *,
    nearest_first: bool = False,
) -> Iterator[Part]:
    """The schema and all schemas that `$ref` and the given keywords apply to the same value.

    Each definition comes only once, right after its first reference; with `nearest_first`, schemas
    come in the order of their distance. `false` becomes `NOTHING`, and `true` and dangling
    references are left out.
    """
    keys: set[str] = set()
    waiting: deque[tuple[Schema, str | None, int]] = deque([(schema, None, 0)])
    while waiting:
        current, within, depth = waiting.popleft()
        if current is True:
            continue
        part = Part(NOTHING if isinstance(current, bool) else current, within)
        yield part
        inner = [(each, within, depth) for word in through for each in part.schema.get(word, ())]
        key = referred_key(current)
        if key is not None and key not in keys and key in pool and depth < _MAX_DEPTH:
            keys.add(key)
            inner.insert(0, (pool[key], key, depth + 1))
        if nearest_first:
            waiting.extend(inner)
        else:
            waiting.extendleft(reversed(inner))


def in_place(
    schema: Schema, pool: Mapping[str, Schema], through: tuple[str, ...] = IN_PLACE
) -> Iterator[Mapping[str, Any]]:
    """The schema and the schemas that it applies to the same value, alternatives included."""
    return (part.schema for part in parts(schema, pool, through))


def conjunction(schemas: Iterable[Schema]) -> Schema:
    """The schema of the values that fit all of the schemas; duplicates are dropped."""
    several = {json_bytes(part): part for each in schemas for part in conjuncts(each)}
    if len(several) > 1:
        several = {text: part for text, part in several.items() if part is not True and part != {}}
    return (
        {"allOf": [*several.values()]} if len(several) > 1 else next(iter(several.values()), True)
    )


def conjuncts(schema: Schema) -> list[Schema]:
    """The schemas in `allOf` if there is no other keyword; else a list with only the schema."""
    if isinstance(schema, Mapping) and schema.keys() == {"allOf"}:
        return list(schema["allOf"])
    return [schema]


class Rules:
    """The parts of a schema, read as one set of rules; `of` collects the parts."""

    def __init__(self, parts: Iterable[Part]) -> None:
        self.parts = tuple(parts)

    @classmethod
    def of(cls, schema: Schema, pool: Mapping[str, Schema]) -> Rules:
        """The rules of a schema; the pool caches the rules of its definitions."""
        if not isinstance(schema, bool) and "$ref" not in schema and "allOf" not in schema:
            return cls((Part(schema),))  # as most are
        key = only_reference(schema)
        if key is None or not isinstance(pool, Definitions):
            return cls(parts(schema, pool))
        kept: dict[str, Rules] = pool.memo.setdefault("rules", {})
        if key not in kept:
            kept[key] = cls(parts(schema, pool))
        return kept[key]

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys of the definitions that these rules come from."""
        return frozenset(part.within for part in self.parts if part.within is not None)

    def each(self, keyword: str) -> list[Any]:
        """The values of a keyword in all parts."""
        return [part.schema[keyword] for part in self.parts if keyword in part.schema]

    @cached_property
    def types(self) -> frozenset[str]:
        """The declared types (`number` includes `integer`); all types if none is declared."""
        return ALL.intersection(
            *(with_integers(declared_types(each)) for each in self.each("type"))
        )

    @cached_property
    def properties(self) -> dict[str, list[Sub]]:
        """The declared properties, each with all schemas that it must fit."""
        members: dict[str, list[Sub]] = {}
        for part in self.parts:
            for name, schema in part.schema.get("properties", {}).items():
                subs = members.setdefault(name, [])
                if all(schema is not other for other, _ in subs):
                    subs.append((schema, part))
        return members

    @cached_property
    def required(self) -> list[str]:
        """The names of the properties that an object must have, without duplicates."""
        return list(dict.fromkeys(name for names in self.each("required") for name in names))

    @cached_property
    def values(self) -> list[Any] | None:
        """The values that `enum` and `const` allow; None if neither is there."""
        lists = [*self.each("enum"), *([value] for value in self.each("const"))]
        if not lists:
            return None
        *others, values = lists
        return [v for v in values if all(any(same(v, each) for each in other) for other in others)]

    @cached_property
    def alternatives(self) -> list[tuple[list[Schema], Part]]:
        """The lists of `anyOf` and `oneOf`; the value must fit one schema of each list."""
        return [
            (part.schema[keyword], part)
            for part in self.parts
            for keyword in BRANCHES
            if part.schema.get(keyword)
        ]

    @cached_property
    def limits(self) -> dict[str, Any]:
        """The tightest value of each numeric limit."""
        tightest: dict[str, Any] = {}
        for part, _ in self.parts:
            for key in LIMITS.keys() & part.keys():
                if is_finite(part[key]):
                    tightest[key] = LIMITS[key]([tightest.get(key, part[key]), part[key]])
        return tightest

    def either(self) -> dict[str, Any]:
        """The declared properties, each with `anyOf` of all schemas that may apply to the
        property.
        """
        return {
            name: {"anyOf": [schema for schema, _ in subs]}
            for name, subs in self.properties.items()
        }

    def member(self, name: str) -> list[Schema]:
        """The schemas of a property; those that declare the property by name come first."""
        declared: list[Schema] = []
        others: list[Schema] = []
        for part, _ in self.parts:
            own = [part["properties"][name]] if name in part.get("properties", ()) else []
            patterns = part.get("patternProperties", {}).items()
            own += [schema for pattern, schema in patterns if matches(pattern, name)]
            declared += own
            if not own and "additionalProperties" in part:
                others.append(part["additionalProperties"])
        return declared + others or self.each("unevaluatedProperties")

    def item(self, index: int) -> list[Schema]:
        """The schemas that an array's item at an index must fit."""
        schemas: list[Schema] = []
        for part, _ in self.parts:
            first = part.get("prefixItems", ())
            schemas.append(first[index] if index < len(first) else part.get("items", True))
        return schemas


def types_of(schema: Schema, pool: Mapping[str, Schema], *, implied: bool = True) -> set[str]:
    """The types that instances may have; `number` includes `integer`.

    The types are found through `$ref`, `allOf`, `anyOf` and `oneOf`. If a schema allows every type,
    the types are those that its keywords imply (`properties`: an object; `items`: an array), unless
    `implied` is False.
    """
    if not isinstance(schema, bool) and _TELLING.isdisjoint(schema):
        declared = schema.get("type")
        if isinstance(declared, str):
            return {declared}
    memo = pool.memo.setdefault("types_of", {}) if isinstance(pool, Definitions) else {}
    types = _types(schema, pool, memo, 0)
    return set(without_integers(types.best if implied else types.allowed))


class _Types(NamedTuple):
    """The types that a schema allows, and those that its keywords imply."""

    allowed: frozenset[str] = ALL
    implied: frozenset[str] = frozenset()

    @property
    def best(self) -> frozenset[str]:
        return self.allowed if self.allowed != ALL else self.implied or ALL


def _types(
    schema: Schema, pool: Mapping[str, Schema], memo: dict[str, _Types], depth: int
) -> _Types:
    """The types of a schema; a definition inside itself adds no types."""
    key = only_reference(schema)
    if key in memo:
        return memo[key]
    if key is not None:
        memo[key] = _Types()
    if depth > _MAX_DEPTH:
        return _Types()
    rules = Rules.of(schema, pool)
    allowed, implied = rules.types, frozenset[str]()
    for part, _ in rules.parts:
        if "type" not in part:
            implied |= {_IMPLIED[keyword] for keyword in _IMPLIED.keys() & part.keys()}
        if part is NOTHING:
            allowed = frozenset()
    if rules.values is not None:
        allowed &= frozenset(map(type_of, rules.values))
    for forms, _ in rules.alternatives:
        each = [_types(form, pool, memo, depth + 1) for form in forms]
        allowed &= frozenset[str]().union(*(types.allowed for types in each))
        best = frozenset[str]().union(*(types.best for types in each))
        implied |= best if best != ALL else frozenset()
    types = _Types(allowed, implied)
    if key is not None:
        memo[key] = types
    return types
