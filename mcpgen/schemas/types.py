"""Which JSON types the instances of a schema may have."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Set
from typing import Any, NamedTuple

from ..api import Schema
from .definitions import Definitions, definitions
from .subschemas import only_reference, reference_to, referred_key

ALL = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
_IMPLIED = {
    "additionalProperties": "object",
    "items": "array",
    "patternProperties": "object",
    "prefixItems": "array",
    "properties": "object",
    "required": "object",
}

_COMBINING = frozenset({"$ref", "allOf", "anyOf", "oneOf"})
_TELLING = frozenset({*_IMPLIED, *_COMBINING, "const", "enum"})


class _Types(NamedTuple):
    """What a schema allows, and what it speaks of where it allows everything."""

    allowed: frozenset[str]
    implied: frozenset[str] = frozenset()

    @property
    def best(self) -> frozenset[str]:
        return self.allowed if self.allowed != ALL else self.implied or ALL


_Step = Generator[Schema, _Types, _Types]


def types_of(schema: Schema, pool: Mapping[str, Schema], *, implied: bool = True) -> set[str]:
    """The types that instances may have; `number` includes `integer`.

    Looks through `$ref`, `allOf`, `anyOf` and `oneOf`. A schema that allows every type has those
    that its keywords speak of: `properties` an object, `items` an array; unless `implied` is False.
    """
    if not isinstance(schema, bool) and _TELLING.isdisjoint(schema):
        declared = schema.get("type")
        if isinstance(declared, str):
            return {declared}
    alone = isinstance(schema, bool) or _COMBINING.isdisjoint(schema)
    solved = _own(schema) if alone else _solve(schema, definitions(pool))
    types = set(solved.best if implied else solved.allowed)
    if "number" in types:
        types.discard("integer")
    return types


def _solve(schema: Schema, pool: Definitions) -> _Types:
    """Run `_step` with an explicit stack: a chain of references has any length."""
    memo: dict[str, _Types] = pool.memo.setdefault("types_of", {})
    stack: list[tuple[str | None, _Step]] = [(None, _step(schema))]
    open_keys: set[str] = set()
    answer: _Types | None = None
    while stack:
        key, step = stack[-1]
        try:
            inner = next(step) if answer is None else step.send(answer)
        except StopIteration as stop:
            answer = stop.value
            stack.pop()
            if key is not None:
                memo[key] = stop.value
                open_keys.discard(key)
            continue
        inner_key = only_reference(inner)
        if inner_key is not None and inner_key in memo:
            answer = memo[inner_key]
        elif inner_key is not None and (inner_key in open_keys or inner_key not in pool):
            answer = _Types(ALL)
        else:
            answer = None
            if inner_key is not None:
                open_keys.add(inner_key)
                inner = pool[inner_key]
            stack.append((inner_key, _step(inner)))
    assert answer is not None
    return answer


def _step(schema: Schema) -> _Step:
    allowed, implied = _own(schema)
    if isinstance(schema, bool):
        return _Types(allowed, implied)
    parts: list[Schema] = list(schema.get("allOf", ()))
    if (key := referred_key(schema)) is not None:
        parts.append(reference_to(key))
    for part in parts:
        types = yield part
        allowed &= types.allowed
        implied |= types.implied
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            union: frozenset[str] = frozenset()
            spoken: frozenset[str] = frozenset()
            for part in schema[keyword]:
                types = yield part
                union |= types.allowed
                spoken |= types.best
            allowed &= union
            implied |= spoken if spoken != ALL else frozenset()
    return _Types(allowed, implied)


def listed(declared: str | Iterable[str]) -> frozenset[str]:
    """The types that the keyword `type` names: one, or a list of them."""
    return frozenset([declared] if isinstance(declared, str) else declared)


def with_integers(types: Set[str]) -> Set[str]:
    """The types, with `integer` where `number` is one of them."""
    return types | {"integer"} if "number" in types else types


def _own(schema: Schema) -> _Types:
    """What a schema's own keywords allow."""
    if isinstance(schema, bool):
        return _Types(ALL if schema else frozenset())
    telling = _IMPLIED.keys() & schema.keys() if "type" not in schema else ()
    implied = frozenset(_IMPLIED[keyword] for keyword in telling)
    return _Types(_declared(schema), implied)


def _declared(schema: Mapping[str, Any]) -> frozenset[str]:
    """What `type`, `enum` and `const` allow."""
    allowed = ALL
    declared = schema.get("type")
    if declared is not None:
        allowed &= with_integers(listed(declared))
    if "const" in schema:
        allowed &= kinds_of(schema["const"])
    if "enum" in schema:
        allowed &= frozenset[str]().union(*(kinds_of(value) for value in schema["enum"]))
    return allowed


def kinds_of(value: Any) -> frozenset[str]:
    """The types of which a value is an instance."""
    if value is None:
        return frozenset({"null"})
    if isinstance(value, bool):
        return frozenset({"boolean"})
    if isinstance(value, int):
        return frozenset({"integer"})
    if isinstance(value, str):
        return frozenset({"string"})
    if isinstance(value, Mapping):
        return frozenset({"object"})
    if isinstance(value, (list, tuple)):
        return frozenset({"array"})
    whole = isinstance(value, float) and value.is_integer()
    return frozenset({"integer", "number"} if whole else {"number"})
