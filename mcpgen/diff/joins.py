"""Joining the schemas of an `allOf` into one, as far as one schema can express it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from math import lcm
from typing import Any

_written = json.JSONEncoder(sort_keys=True).encode

Shape = dict[str, Any]
"""The keywords of a schema, without references; in its `allOf` is only what cannot be joined."""

WORDS = frozenset(
    {"title", "description", "examples", "example", "deprecated", "$comment", "$defs", "$schema",
     "$id", "definitions", "id", "readOnly", "writeOnly", "externalDocs", "xml", "discriminator"}
)  # fmt: skip
_MEMBERS = ("properties", "patternProperties", "additionalProperties")
_GROUPS = (_MEMBERS, ("contains", "minContains", "maxContains"), ("if", "then", "else"))
"""Keywords that have their meaning from those beside them."""


def both(*schemas: Any) -> Any:
    """The schema of the values that fit all parts; equal parts are joined once, so that it ends."""
    parts = {text(part): part for each in schemas for part in split(each)}
    if len(parts) > 1:
        parts = {key: part for key, part in parts.items() if part is not True and part != {}}
    return {"allOf": list(parts.values())} if len(parts) > 1 else next(iter(parts.values()), True)


def split(schema: Any) -> list[Any]:
    """The parts of a schema that consists only of `allOf`; any other schema alone."""
    if isinstance(schema, Mapping) and schema.keys() == {"allOf"}:
        return list(schema["allOf"])
    return [schema]


def text(schema: Any) -> str:
    """A schema as a key that does not depend on the order of its parts."""
    return " ".join(sorted(map(_written, split(schema))))


def join(parts: Sequence[Shape]) -> Shape:
    """The schemas as one; of titles, descriptions and defaults, the first counts."""
    if len(parts) < 2:
        return parts[0] if parts else {}
    out: Shape = {}
    for part in reversed(parts):
        out.update(part)
    for key in _WAYS.keys() & out.keys():
        out[key] = reduce(_WAYS[key], [part[key] for part in parts if key in part])
    _join_values(parts, out)
    _join_items(parts, out)
    apart: list[tuple[str, ...]] = [] if _join_members(parts, out) else [_MEMBERS]
    keywords = {*_WAYS, *WORDS, *_MEMBERS, "default", "const", "enum", "items", "prefixItems"}
    apart += dict.fromkeys(_group(key) for key in sorted(out.keys() - keywords) if key[:2] != "x-")
    left = [part for group in apart for part in _set_apart(parts, group, out)]
    return {**out, "allOf": left} if left else out


def conditions(schema: Shape, group: Sequence[str]) -> list[Shape]:
    """What a shape says with some keywords: one condition, or several that all hold."""
    rules = [{key: each[key] for key in group if key in each} for each in (schema, *_left(schema))]
    return [each for each in rules if each]


def without(schema: Shape, group: Sequence[str]) -> Shape:
    """A shape without some keywords."""
    return {key: value for key, value in schema.items() if key not in group}


def groups(schema: Shape) -> set[tuple[str, ...]]:
    """The groups of keywords with which a shape states several conditions."""
    return {_group(next(iter(part))) for part in _left(schema)}


def _left(schema: Shape) -> Sequence[Shape]:
    subschemas: Sequence[Shape] = schema.get("allOf", ())
    return subschemas


def _group(key: str) -> tuple[str, ...]:
    return next((group for group in _GROUPS if key in group), (key,))


def _set_apart(parts: Sequence[Shape], group: tuple[str, ...], out: Shape) -> list[Shape]:
    """The conditions of keywords that cannot be joined, side by side, where the parts differ."""
    by_text = {text(each): each for part in parts for each in conditions(part, group)}
    for key in group:
        out.pop(key, None)
    if len(by_text) > 1:
        return list(by_text.values())
    out.update(next(iter(by_text.values()), {}))
    return []


def values(schema: Shape) -> frozenset[str] | None:
    """The listed values as JSON; None if any value is allowed."""
    listings: list[frozenset[str]] = []
    if isinstance(schema.get("enum"), list):
        listings.append(frozenset(map(literal, schema["enum"])))
    if "const" in schema:
        listings.append(frozenset([literal(schema["const"])]))
    return frozenset.intersection(*listings) if listings else None


def literal(value: Any) -> str:
    """A value as JSON, with equal numbers written alike: 1.0 is 1, but not true."""
    return _written(_plain(value))


def _plain(value: Any) -> Any:
    match value:
        case float() if value.is_integer():
            return int(value)
        case list():
            return [_plain(each) for each in value]
        case dict():
            return {key: _plain(each) for key, each in value.items()}
    return value


def _join_values(parts: Sequence[Shape], out: Shape) -> None:
    lists = [listed for part in parts if (listed := values(part)) is not None]
    if len(lists) > 1:
        out.pop("const", None)
        out["enum"] = [json.loads(each) for each in sorted(frozenset.intersection(*lists))]


def _join_items(parts: Sequence[Shape], out: Shape) -> None:
    length = max(len(part.get("prefixItems", ())) for part in parts)
    if length:
        out["prefixItems"] = [
            both(*(_item(part, index) for part in parts)) for index in range(length)
        ]
    if "items" in out:
        out["items"] = both(*(part.get("items", True) for part in parts))


def _item(part: Shape, index: int) -> Any:
    """The schema of an array's item at a place."""
    first = part.get("prefixItems", ())
    return first[index] if index < len(first) else part.get("items", True)


def _join_members(parts: Sequence[Shape], out: Shape) -> bool:
    """Join the schemas of properties, unless `patternProperties` say more about them."""
    objects = [part for part in parts if any(key in part for key in _MEMBERS)]
    others = [part.get("additionalProperties", True) for part in objects]
    patterned = sum("patternProperties" in part for part in objects)
    if len(objects) > 1 and patterned and (patterned > 1 or any(x is not True for x in others)):
        return False
    names = dict.fromkeys(name for part in objects for name in part.get("properties", ()))
    if names:
        out["properties"] = {
            name: both(*(_member(part, name) for part in objects)) for name in names
        }
    if "additionalProperties" in out:
        out["additionalProperties"] = both(*others)
    return True


def _member(part: Shape, name: str) -> Any:
    """The schema of an object's property."""
    return part.get("properties", {}).get(name, part.get("additionalProperties", True))


def _types(one: Any, other: Any) -> list[str]:
    first, second = ({kind} if isinstance(kind, str) else set(kind) for kind in (one, other))
    types = first & second
    for mine, others in ((first, second), (second, first)):
        if "integer" in mine and "number" in others:  # an integer is a number
            types.add("integer")
    return sorted(types)


def _rules(one: Mapping[str, list[str]], other: Mapping[str, list[str]]) -> dict[str, list[str]]:
    return {
        name: [*one.get(name, ()), *other.get(name, ())] for name in dict.fromkeys([*one, *other])
    }


def _step(one: Any, other: Any) -> Any:
    """The least common multiple of two `multipleOf`s."""
    first, second = Fraction(str(one)), Fraction(str(other))
    step = Fraction(
        lcm(first.numerator * second.denominator, second.numerator * first.denominator),
        first.denominator * second.denominator,
    )
    return int(step) if step.denominator == 1 else float(step)


_WAYS: dict[str, Callable[[Any, Any], Any]] = {
    "type": _types,
    "required": lambda one, other: list(dict.fromkeys([*one, *other])),
    "dependentRequired": _rules,
    "uniqueItems": lambda one, other: one or other,
    "multipleOf": _step,
    **dict.fromkeys(("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"), max),
    **dict.fromkeys(("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"), min),
}
