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
    said: Shape = {
        key: each for key, each in schema.items() if isinstance(each, _NEWER.get(key, object))
    }
    if draft_3:
        _draft_3(said)
    if isinstance(said.get("items"), list):
        said["prefixItems"] = said.pop("items")
        if "additionalItems" in said:
            said["items"] = said.pop("additionalItems")
    for limit, exclusive in _LIMITS:
        if isinstance(said.get(exclusive), bool) and said.pop(exclusive) and limit in said:
            said[exclusive] = said.pop(limit)
    rules: Mapping[str, Any] = said.pop("dependencies", {})
    for keyword, fits in (("dependentRequired", _are_names), ("dependentSchemas", _is_schema)):
        found = {**said.pop(keyword, {}), **rules}
        if fitting := {name: rule for name, rule in found.items() if fits(rule)}:
            said[keyword] = fitting
    return said


def _are_names(rule: Any) -> bool:
    return isinstance(rule, list) and all(isinstance(name, str) for name in rule)


def _is_schema(rule: Any) -> bool:
    return isinstance(rule, (Mapping, bool))


def _draft_3(said: Shape) -> None:
    """Replace what only draft-03 has: its words for types, `extends`, `required` in a property."""
    said.pop("required", None)
    members = said.get("properties", {}).items()
    needed = [n for n, each in members if isinstance(each, Mapping) and each.get("required")]
    if needed:
        said["required"] = needed
    if "extends" in said:
        found = said.pop("extends")
        said["allOf"] = found if isinstance(found, list) else [found]
    if "divisibleBy" in said:
        said["multipleOf"] = said.pop("divisibleBy")
    if "disallow" in said:
        said["not"] = {"type": said.pop("disallow")}
    if "dependencies" in said:
        rules = said["dependencies"].items()
        said["dependencies"] = {n: [rule] if isinstance(rule, str) else rule for n, rule in rules}
    kinds = said.get("type", "any")
    named = [kinds] if isinstance(kinds, str) else kinds
    if "any" in named:
        said.pop("type", None)
    elif not all(isinstance(kind, str) for kind in named):
        said["anyOf"] = [{"type": kind} if isinstance(kind, str) else kind for kind in named]
        del said["type"]
