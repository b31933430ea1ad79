"""`true` and `false` as schemas, written as objects, since some clients refuse booleans."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .subschemas import LISTS, MAPS, SINGLE

_MAY_BE_BOOLEAN = frozenset({"additionalProperties", "unevaluatedProperties", "unevaluatedItems"})
"""Keywords under which every client knows a boolean."""
_HOLDERS = frozenset({*SINGLE, *LISTS, *MAPS, "$defs"})
"""Keywords that hold schemas."""


def as_objects(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema with `{}` for `true` and `{"not": {}}` for `false` (JSON Schema 4.3.2)."""
    if _HOLDERS.isdisjoint(schema):
        return schema
    changed = {
        keyword: new
        for keyword, value in schema.items()
        if keyword in _HOLDERS and (new := _changed(keyword, value)) is not value
    }
    return {**schema, **changed} if changed else schema


def _changed(keyword: str, value: Any) -> Any:
    """The new value of a keyword, or the same object if nothing in it changes."""
    if keyword in SINGLE:
        return value if keyword in _MAY_BE_BOOLEAN and isinstance(value, bool) else _object(value)
    if keyword in LISTS:
        items = [_object(item) for item in value]
        return value if all(a is b for a, b in zip(items, value, strict=True)) else items
    changes = {name: new for name, item in value.items() if (new := _object(item)) is not item}
    return {**value, **changes} if changes else value


def _object(schema: Any) -> Any:
    if isinstance(schema, bool):
        return {} if schema else {"not": {}}
    return as_objects(schema) if isinstance(schema, (dict, Mapping)) else schema
