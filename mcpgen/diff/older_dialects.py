"""The words of older dialects of JSON Schema, which hand-written schemas keep, in 2020-12's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .joins import Shape

_LIMITS = (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum"))
_NUMBER = (int, float)
_NEWER: Mapping[str, type | tuple[type, ...]] = {
    **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), list),
    **dict.fromkeys(("dependentRequired", "dependentSchemas"), Mapping),
    **dict.fromkeys(("multipleOf", "minProperties", "maxProperties"), _NUMBER),
    **dict.fromkeys(("minContains", "maxContains"), _NUMBER),
}
"""What keywords hold that some older dialect does not know: there they may hold anything."""


def is_draft_3(schema: Any) -> bool:
    """Whether a schema says that it is written in draft-03."""
    return isinstance(schema, Mapping) and "draft-03" in str(schema.get("$schema"))


def in_new_words(schema: Mapping[str, Any], *, draft_3: bool) -> Shape:
    """The keywords in 2020-12's words."""
    shape: Shape = {
        key: each for key, each in schema.items() if isinstance(each, _NEWER.get(key, object))
    }
    if draft_3:
        _draft_3(shape)
    if isinstance(shape.get("items"), list):
        shape["prefixItems"] = shape.pop("items")
        if "additionalItems" in shape:
            shape["items"] = shape.pop("additionalItems")
    for limit, exclusive in _LIMITS:
        if isinstance(shape.get(exclusive), bool) and shape.pop(exclusive) and limit in shape:
            shape[exclusive] = shape.pop(limit)
    rules: Mapping[str, Any] = shape.pop("dependencies", {})
    for keyword, fits in (("dependentRequired", _are_names), ("dependentSchemas", _is_schema)):
        all_rules = {**shape.pop(keyword, {}), **rules}
        if fitting := {name: rule for name, rule in all_rules.items() if fits(rule)}:
            shape[keyword] = fitting
    return shape


def _are_names(rule: Any) -> bool:
    return isinstance(rule, list) and all(isinstance(name, str) for name in rule)


def _is_schema(rule: Any) -> bool:
    return isinstance(rule, (Mapping, bool))


def _draft_3(schema: Shape) -> None:
    """Replace what only draft-03 has: its words for types, `extends`, `required` in a property."""
    schema.pop("required", None)
    members = schema.get("properties", {}).items()
    needed = [n for n, each in members if isinstance(each, Mapping) and each.get("required")]
    if needed:
        schema["required"] = needed
    if "extends" in schema:
        bases = schema.pop("extends")
        schema["allOf"] = bases if isinstance(bases, list) else [bases]
    if "divisibleBy" in schema:
        schema["multipleOf"] = schema.pop("divisibleBy")
    if "disallow" in schema:
        schema["not"] = {"type": schema.pop("disallow")}
    if "dependencies" in schema:
        rules = schema["dependencies"].items()
        schema["dependencies"] = {n: [rule] if isinstance(rule, str) else rule for n, rule in rules}
    kinds = schema.get("type", "any")
    types = [kinds] if isinstance(kinds, str) else kinds
    if "any" in types:
        schema.pop("type", None)
    elif not all(isinstance(kind, str) for kind in types):
        schema["anyOf"] = [{"type": kind} if isinstance(kind, str) else kind for kind in types]
        del schema["type"]
