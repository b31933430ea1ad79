"""Merging a schema, its references and its `allOf` into one set of rules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from msgspec import Struct, field

from ..api import Schema
from ..schemas.subschemas import referred_key
from ..schemas.types import listed, with_integers
from .checks import is_finite, matches
from .scalars import NoSample

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
_LOWER = ("minLength", "minItems", "minProperties", "minimum", "exclusiveMinimum")
_UPPER = ("maxLength", "maxItems", "maxProperties", "maximum", "exclusiveMaximum")
_LIMITS = frozenset({*_LOWER, *_UPPER, "format", "contentEncoding", "pattern", "multipleOf"})


def flatten(
    schema: Schema, pool: Mapping[str, Schema]
) -> tuple[list[Mapping[str, Any]], tuple[str, ...]]:
    """The schema, the targets of its references and its `allOf` members, and the keys it refers to.

    Raises NoSample where one of them is `false` or a reference leads nowhere.
    """
    atoms: list[Mapping[str, Any]] = []
    refs: list[str] = []
    waiting: list[Schema] = [schema]
    while waiting:
        current = waiting.pop(0)
        if current is False:
            raise NoSample("the schema is false")
        if not isinstance(current, Mapping):
            continue
        atoms.append(current)
        key = referred_key(current)
        if key is not None and key not in refs:
            if key not in pool:
                raise NoSample(f"a reference to {key!r} that is not there")
            refs.append(key)
            waiting.append(pool[key])
        waiting += current.get("allOf", ())
    return atoms, tuple(refs)


class Merged(Struct, dict=True):
    """What an instance must fulfil, from all the schemas that apply to it."""

    declared: set[str] = field(default_factory=lambda: set(_TYPES))
    typed: bool = False
    hints: list[str] = field(default_factory=list)
    limits: dict[str, Any] = field(default_factory=dict)
    patterns: list[str] = field(default_factory=list)
    multiples: list[Any] = field(default_factory=list)
    properties: dict[str, Schema] = field(default_factory=dict)
    required: list[str] = field(default_factory=list)
    pattern_properties: dict[str, Schema] = field(default_factory=dict)
    additional: Schema = True
    name_schema: Schema | None = None
    dependents: dict[str, list[str]] = field(default_factory=dict)
    prefix: list[Schema] = field(default_factory=list)
    items: Schema = True
    contains: list[Schema] = field(default_factory=list)
    unique: bool = False

    @cached_property
    def kinds(self) -> list[str]:
        """The types to try, the most telling first; ask only once all rules are merged."""
        left = [kind for kind in _TYPES if kind in self.declared]
        if "number" in left and "integer" in left:
            left.remove("integer" if self.typed else "number")
        if self.typed:
            return left
        order = [*dict.fromkeys(self.hints), "string"]
        return sorted(left, key=lambda kind: order.index(kind) if kind in order else len(order))

    def schema_of(self, name: str) -> Schema:
        """The schema of a property, declared or not."""
        if name in self.properties:
            return self.properties[name]
        schemas = [each for key, each in self.pattern_properties.items() if matches(key, name)]
        return both(*schemas) if schemas else self.additional


def both(*schemas: Schema) -> Schema:
    """The conjunction of the given schemas."""
    parts = [each for each in schemas if each is not True]
    if not parts:
        return True
    return parts[0] if len(parts) == 1 else {"allOf": parts}


def merge(atoms: list[Mapping[str, Any]]) -> Merged:
    """Merge schemas that apply to one value; branches (`anyOf`, `oneOf`) are the caller's."""
    merged = Merged()
    for atom in atoms:
        _merge_types(merged, atom)
        _merge_limits(merged, atom)
        _merge_array(merged, atom)
        _merge_object(merged, atom)
    for atom in atoms:
        if atom.get("additionalProperties") is False:
            _drop_banned(merged, atom)
    if not merged.declared:
        raise NoSample("the types exclude each other")
    return merged


def _merge_types(merged: Merged, atom: Mapping[str, Any]) -> None:
    declared = atom.get("type")
    if declared is not None:
        merged.declared &= with_integers(listed(declared))
        merged.typed = True
    excluded = atom.get("not")
    if isinstance(excluded, Mapping) and excluded.keys() == {"type"}:
        merged.declared -= listed(excluded["type"])
    merged.hints += [kind for kind, words in _HINTS.items() if not words.isdisjoint(atom)]


def _merge_limits(merged: Merged, atom: Mapping[str, Any]) -> None:
    if _LIMITS.isdisjoint(atom):
        return
    limits = merged.limits
    for keywords, pick in ((_LOWER, max), (_UPPER, min)):
        for key in keywords:
            if is_finite(atom.get(key)):
                limits[key] = pick(limits[key], atom[key]) if key in limits else atom[key]
    for key in ("format", "contentEncoding"):
        if isinstance(atom.get(key), str):
            limits.setdefault(key, atom[key])
    if isinstance(atom.get("pattern"), str):
        merged.patterns.append(atom["pattern"])
    if is_finite(atom.get("multipleOf")) and atom["multipleOf"] > 0:
        merged.multiples.append(atom["multipleOf"])


def _merge_array(merged: Merged, atom: Mapping[str, Any]) -> None:
    for at, schema in enumerate(atom.get("prefixItems") or ()):
        if at < len(merged.prefix):
            merged.prefix[at] = both(merged.prefix[at], schema)
        else:
            merged.prefix.append(schema)
    if "items" in atom:
        merged.items = both(merged.items, atom["items"])
    if "contains" in atom:
        merged.contains += [atom["contains"]] * max(1, min(int(atom.get("minContains", 1)), 20))
    merged.unique = merged.unique or atom.get("uniqueItems") is True


def _merge_object(merged: Merged, atom: Mapping[str, Any]) -> None:
    for target, keyword in (
        (merged.properties, "properties"),
        (merged.pattern_properties, "patternProperties"),
    ):
        for name, schema in (atom.get(keyword) or {}).items():
            target[name] = both(target[name], schema) if name in target else schema
    merged.required += [each for each in atom.get("required") or () if each not in merged.required]
    additional = atom.get("additionalProperties", atom.get("unevaluatedProperties", True))
    merged.additional = False if additional is False else both(merged.additional, additional)
    if "propertyNames" in atom:
        earlier = {"type": "string"} if merged.name_schema is None else merged.name_schema
        merged.name_schema = both(earlier, atom["propertyNames"])
    for name, others in (atom.get("dependentRequired") or {}).items():
        merged.dependents.setdefault(name, []).extend(others)


def _drop_banned(merged: Merged, atom: Mapping[str, Any]) -> None:
    declared, patterns = atom.get("properties") or {}, atom.get("patternProperties") or {}
    for name in list(merged.properties):
        if name not in declared and not any(matches(pattern, name) for pattern in patterns):
            del merged.properties[name]
