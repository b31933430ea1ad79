"""`true` and `false` as schemas, written as objects: clients that expect objects refuse them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .subschemas import LISTS, MAPS, SINGLE

_MAY_BE_BOOLEAN = frozenset({"additionalProperties", "unevaluatedProperties", "unevaluatedItems"})
"""Keywords under which every client knows a boolean."""
_HOLDERS = frozenset({*SINGLE, *LISTS, *MAPS, "$defs"})
"""Keywords that hold schemas."""


def as_objects(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The same schema with `{}` for `true` and `{"not": {}}` for `false` (JSON Schema 4.3.2)."""
    out: dict[str, Any] | None = None
    for keyword in _HOLDERS & schema.keys():
        value = schema[keyword]
        changed = _changed(keyword, value)
        if changed is not value:
            out = dict(schema) if out is None else out
            out[keyword] = changed
    return schema if out is None else out


def _changed(keyword: str, value: Any) -> Any:
    """The value of a keyword; itself where nothing in it changes."""
    if keyword in SINGLE:
        return value if keyword in _MAY_BE_BOOLEAN and isinstance(value, bool) else _object(value)
    if keyword in LISTS:
        items = [_object(item) for item in value]
        return value if all(a is b for a, b in zip(items, value, strict=True)) else items
    if keyword in MAPS or keyword == "$defs":
        members = {name: _object(item) for name, item in value.items()}
        return value if all(members[name] is value[name] for name in value) else members
    return value


def _object(schema: Any) -> Any:
    if isinstance(schema, bool):
        return {} if schema else {"not": {}}
    return as_objects(schema) if isinstance(schema, Mapping) else schema
