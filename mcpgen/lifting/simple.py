"""The subset of JSON Schema from which Python types are made.

It consists of `{}` (any value), `type` of a scalar, `enum` of scalars, `array` with `items`,
`object` with `additionalProperties` (a map), `anyOf` that is not nested, and `$ref`. A `$ref` has
the key of a `Place`, from which a class's name is made. At its top level, a named schema may also
be an `object` with `properties`, `required` and `description`. Such a schema becomes a class, and
any other named schema an alias.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

Simple = dict[str, Any]

_MAX_MEMBERS = 300


def union(members: Iterable[Simple]) -> Simple:
    """A union of the members; it allows anything if a member does, or if there are no members."""
    parts: dict[str, Simple] = {}
    for member in members:
        for part in member.get("anyOf", [member]):
            if not part:
                return {}
            parts.setdefault(repr(part), part)
    flat = list(parts.values())
    if {"type": "number"} in flat:
        flat = [part for part in flat if part != {"type": "integer"}]
    if {"type": "string"} in flat:
        flat = [p for p in flat if not all(isinstance(v, str) for v in p.get("enum", [0]))]
    flat = _one_enumeration(flat)
    flat.sort(key=lambda part: part == {"type": "null"})
    if not flat or len(flat) > _MAX_MEMBERS:
        return {}
    return flat[0] if len(flat) == 1 else {"anyOf": flat}


def _one_enumeration(parts: list[Simple]) -> list[Simple]:
    """The members, with all enumerations merged into one, at the place of the first.

    A `oneOf` of constants, for example, becomes one enumeration.
    """
    enumerations = [part["enum"] for part in parts if "enum" in part]
    if len(enumerations) < 2:
        return parts
    first = next(index for index, part in enumerate(parts) if "enum" in part)
    values = {(type(value), value): value for values in enumerations for value in values}
    rest = [part for part in parts[first:] if "enum" not in part]
    return [*parts[:first], {"enum": list(values.values())}, *rest]


def references(simple: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    """Yield each name that a schema refers to, and whether it does so directly.

    A reference inside a union is direct; one inside an array or object is not.
    """
    if "$ref" in simple:
        yield simple["$ref"], True
    for part in simple.get("anyOf", ()):
        yield from references(part)
    for key in ("items", "additionalProperties"):
        if key in simple:
            yield from ((name, False) for name, _ in references(simple[key]))
    for part in simple.get("properties", {}).values():
        yield from ((name, False) for name, _ in references(part))


def substitute(simple: Simple, replace: Callable[[str], Simple]) -> Simple:
    """The schema with every reference replaced."""
    if "$ref" in simple:
        return replace(simple["$ref"])
    if "anyOf" in simple:
        return union(substitute(part, replace) for part in simple["anyOf"])
    changed: Simple = {
        key: substitute(simple[key], replace)
        for key in ("items", "additionalProperties")
        if key in simple
    }
    if "properties" in simple:
        changed["properties"] = {
            name: substitute(part, replace) for name, part in simple["properties"].items()
        }
    return {**simple, **changed}
