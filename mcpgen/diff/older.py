"""The words of older dialects of JSON Schema in those of 2020-12.

Hand-written schemas keep them. What only an older dialect has is told by its form, so that the
dialect need not be known.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .joins import Shape

_LIMITS = (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum"))
_NEWER = {"prefixItems": list, "dependentRequired": Mapping, "dependentSchemas": Mapping}
"""Keywords that are none to older dialects, where they may hold anything."""


def extended(schema: Mapping[str, Any]) -> list[Any]:
    """The schemas that a schema joins: its `allOf`, and draft-03's `extends`."""
    found = schema.get("extends", [])
    return [*schema.get("allOf", ()), *(found if isinstance(found, list) else [found])]


def in_new_words(said: Shape) -> Shape:
    """The keywords in 2020-12's words."""
    said = {key: value for key, value in said.items() if isinstance(value, _NEWER.get(key, object))}
    _draft_3(said)
    if isinstance(said.get("items"), list):
        said["prefixItems"] = said.pop("items")
        if "additionalItems" in said:
            said["items"] = said.pop("additionalItems")
    for limit, exclusive in _LIMITS:
        if isinstance(said.get(exclusive), bool) and said.pop(exclusive) and limit in said:
            said[exclusive] = said.pop(limit)
    rules = said.pop("dependencies", {})
    for name, rule in rules.items():
        keyword = "dependentRequired" if isinstance(rule, (list, str)) else "dependentSchemas"
        needed = [rule] if isinstance(rule, str) else rule
        said[keyword] = {**said.get(keyword, {}), name: needed}
    return said


def _draft_3(said: Shape) -> None:
    """Replace what only draft-03 has: its words for types, and `required` in each property."""
    if isinstance(said.get("required"), bool):
        del said["required"]
    members = said.get("properties", {})
    needed = [
        name
        for name, member in members.items()
        if isinstance(member, Mapping) and member.get("required") is True
    ]
    if needed:
        said["required"] = needed
    if "divisibleBy" in said:
        said["multipleOf"] = said.pop("divisibleBy")
    if "disallow" in said:
        said["not"] = {"type": said.pop("disallow")}
    kinds = said.get("type")
    named = [kinds] if isinstance(kinds, str) else kinds or []
    if "any" in named:
        del said["type"]
    elif not all(isinstance(kind, str) for kind in named):
        forms = [{"type": kind} if isinstance(kind, str) else kind for kind in named]
        said["anyOf"] = forms
        del said["type"]
