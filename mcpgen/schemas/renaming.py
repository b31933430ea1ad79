"""Renames definitions, since two documents may use one name for different schemas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..api import Schema
from .subschemas import REFERENCE, with_inner


def renamed(schema: Schema, keys: Mapping[str, str]) -> Schema:
    """The schema with every reference renamed; `keys` maps old keys to new ones."""
    if isinstance(schema, bool):
        return schema
    out = with_inner(schema, lambda inner: renamed(inner, keys))
    if "$ref" in out:
        out["$ref"] = _reference(out["$ref"], keys)
    if "$defs" in out:
        out["$defs"] = {
            keys.get(key, key): renamed(each, keys) for key, each in out["$defs"].items()
        }
    discriminator = out.get("discriminator")
    if isinstance(discriminator, Mapping) and discriminator.get("mapping"):
        mapping = {
            name: _reference(value, keys) for name, value in discriminator["mapping"].items()
        }
        out["discriminator"] = {**discriminator, "mapping": mapping}
        if "defaultMapping" in discriminator:
            out["discriminator"]["defaultMapping"] = _reference(
                discriminator["defaultMapping"], keys
            )
    return out


def _reference(value: Any, keys: Mapping[str, str]) -> Any:
    if not isinstance(value, str) or not value.startswith(REFERENCE):
        return value
    key = value.removeprefix(REFERENCE)
    return REFERENCE + keys.get(key, key)
