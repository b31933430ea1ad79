"""Keywords of older JSON Schema dialects, as in hand-written schemas, translated to 2020-12."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .joins import Shape

_LIMITS = (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum"))
_NEWER: Mapping[str, type | tuple[type, ...]] = {
    "prefixItems": list,
    **dict.fromkeys(("dependentRequired", "dependentSchemas"), Mapping),
    **dict.fromkeys(("minContains", "maxContains"), (int, float)),
}
"""What keywords hold that some older dialect does not know: there they may hold anything."""


def in_new_words(schema: Mapping[str, Any]) -> Shape:
    """The schema with its older keywords translated to 2020-12."""
    shape: Shape = {
        key: each for key, each in schema.items() if isinstance(each, _NEWER.get(key, object))
    }
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
