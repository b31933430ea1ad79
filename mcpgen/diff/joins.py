"""Joins the schemas of an `allOf` into one schema, as far as that is possible."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from ..schemas.rules import LIMITS, Part, Rules, conjunction, conjuncts
from ..schemas.types import without_integers

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


def text(schema: Any) -> str:
    """A schema as a string that does not depend on the order of its keywords."""
    return " ".join(sorted(map(_written, conjuncts(schema))))


def join(parts: Sequence[Shape]) -> Shape:
    """Merge schemas that must all hold; keeps the first title, description and default."""
    if len(parts) < 2:
        return parts[0] if parts else {}
    rules = Rules(map(Part, parts))
    out: Shape = {}
    for part in reversed(parts):
        out.update(part)
    for key in _WAYS.keys() & out.keys():
        out[key] = _WAYS[key](rules)
    out |= rules.limits
    if rules.values is not None and len([*rules.each("enum"), *rules.each("const")]) > 1:
        out.pop("const", None)
        out["enum"] = rules.values
    if length := max(map(len, rules.each("prefixItems")), default=0):
        out["prefixItems"] = [conjunction(rules.item(index)) for index in range(length)]
    if "items" in out:
        out["items"] = conjunction(rules.item(length))
    apart: list[tuple[str, ...]] = [] if _join_members(rules, out) else [_MEMBERS]
    keywords = {*_WAYS, *LIMITS, *WORDS, *_MEMBERS, *_JOINED}
    apart += dict.fromkeys(_group(key) for key in sorted(out.keys() - keywords) if key[:2] != "x-")
    left = [part for group in apart for part in _set_apart(parts, group, out)]
    return {**out, "allOf": left} if left else out


def conditions(schema: Shape, group: Sequence[str]) -> list[Shape]:
    """What a schema sets for the keywords of a group: a list of conditions that must all hold."""
    rules = [{key: each[key] for key in group if key in each} for each in (schema, *_left(schema))]
    return [each for each in rules if each]


def without(schema: Shape, group: Sequence[str]) -> Shape:
    """A shape without the keywords of a group."""
    return {key: value for key, value in schema.items() if key not in group}


def groups(schema: Shape) -> set[tuple[str, ...]]:
    """The keyword groups for which the shape's `allOf` has conditions that cannot be joined."""
    return {_group(next(iter(part))) for part in _left(schema)}


def _left(schema: Shape) -> Sequence[Shape]:
    subschemas: Sequence[Shape] = schema.get("allOf", ())
    return subschemas


def _group(key: str) -> tuple[str, ...]:
    return next((group for group in _GROUPS if key in group), (key,))


def _set_apart(parts: Sequence[Shape], group: tuple[str, ...], out: Shape) -> list[Shape]:
    """Set the keywords of a group in `out`, if all schemas agree on them.

    If they agree, returns an empty list. Otherwise the group is removed from `out`, and each
    schema's values of its keywords are returned.
    """
    by_text = {text(each): each for part in parts for each in conditions(part, group)}
    for key in group:
        out.pop(key, None)
    if len(by_text) > 1:
        return list(by_text.values())
    out.update(next(iter(by_text.values()), {}))
    return []


def values(schema: Shape) -> frozenset[str] | None:
    """The values in a schema's `enum` and `const`, as JSON; None if it has neither."""
    listings: list[frozenset[str]] = []
    if isinstance(schema.get("enum"), list):
        listings.append(frozenset(map(literal, schema["enum"])))
    if "const" in schema:
        listings.append(frozenset([literal(schema["const"])]))
    return frozenset.intersection(*listings) if listings else None


def literal(value: Any) -> str:
    """A value as JSON; equal numbers give the same string: 1.0 is written as 1."""
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


def _join_members(rules: Rules, out: Shape) -> bool:
    """Join the schemas of properties into `out`; False if `patternProperties` prevent it."""
    patterned, others = rules.each("patternProperties"), rules.each("additionalProperties")
    objects = sum(not part.keys().isdisjoint(_MEMBERS) for part, _ in rules.parts)
    if objects > 1 and patterned and (len(patterned) > 1 or any(x is not True for x in others)):
        return False
    if names := rules.properties:
        out["properties"] = {name: conjunction(rules.member(name)) for name in names}
    if others:
        out["additionalProperties"] = conjunction(others)
    return True


def _rules(rules: Rules) -> dict[str, list[str]]:
    """All `dependentRequired` merged: for each property, every property that it requires."""
    names: dict[str, list[str]] = {}
    for each in rules.each("dependentRequired"):
        for name, others in each.items():
            names.setdefault(name, []).extend(others)
    return names


def _step(rules: Rules) -> int | float:
    """The least common multiple of all `multipleOf`s."""
    steps = [Fraction(str(each)) for each in rules.each("multipleOf")]
    step = Fraction(
        lcm(*(each.numerator for each in steps)), gcd(*(each.denominator for each in steps))
    )
    return int(step) if step.denominator == 1 else float(step)


_WAYS: dict[str, Callable[[Rules], Any]] = {
    "type": lambda rules: sorted(without_integers(rules.types)),
    "required": lambda rules: rules.required,
    "dependentRequired": _rules,
    "uniqueItems": lambda rules: any(rules.each("uniqueItems")),
    "multipleOf": _step,
}
_JOINED = ("default", "const", "enum", "items", "prefixItems")
