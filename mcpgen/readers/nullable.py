"""The ways in which a schema allows null in addition to its type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..schemas.subschemas import ANNOTATIONS
from .dialect_rules import NULLABLE, is_nullable

_BESIDE_NULL = {"type", "title", "description", *NULLABLE}
_NEED_A_BRANCH = frozenset(
    {"$ref", "allOf", "anyOf", "oneOf", "not", "const", "if", "then", "else"}
)
"""Keywords that may refuse null even if `type` allows it."""


def means_null(schema: Any) -> bool:
    """Whether an alternative is meant to allow null, although by the standard it allows any value.

    Such an alternative is only `nullable: true`, or YAML's `type: null`.
    """
    if not isinstance(schema, Mapping) or not schema.keys() <= _BESIDE_NULL:
        return False
    return schema.get("type") is None and ("type" in schema or is_nullable(schema))


def may_be_null(source: Mapping[str, Any]) -> bool:
    """Whether `null` can be a real example; some tools write it when they have no example."""
    types = source.get("type")
    return not isinstance(types, (str, list)) or "null" in types or is_nullable(source)


def or_null(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema, changed to allow null as well; this is the meaning of `nullable: true`."""
    if _NEED_A_BRANCH & schema.keys():
        outside = {name: schema.pop(name) for name in tuple(schema) if name in ANNOTATIONS}
        return {**outside, "anyOf": [schema, {"type": "null"}]}
    if "type" in schema:
        names = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
        schema["type"] = names if "null" in names else [*names, "null"]
    if "enum" in schema and None not in schema["enum"]:
        schema["enum"] = [*schema["enum"], None]
    return schema
