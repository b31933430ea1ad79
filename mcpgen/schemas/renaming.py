"""Definitions under other keys: two documents may mean different things by one name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..api import Schema
from .subschemas import LISTS, MAPS, REFERENCE, SINGLE


def renamed(schema: Schema, keys: Mapping[str, str]) -> Schema:
    """The schema with every reference to a definition in `keys` leading to its new key."""
    if isinstance(schema, bool):
        return schema
    return {keyword: _keyword(keyword, value, keys) for keyword, value in schema.items()}


def _keyword(keyword: str, value: Any, keys: Mapping[str, str]) -> Any:
    if keyword == "$ref":
        return _reference(value, keys)
    if keyword in SINGLE:
        return renamed(value, keys)
    if keyword in LISTS:
        return [renamed(item, keys) for item in value]
    if keyword in MAPS:
        return {name: renamed(item, keys) for name, item in value.items()}
    if keyword == "$defs":
        return {keys.get(key, key): renamed(item, keys) for key, item in value.items()}
    if keyword == "discriminator" and isinstance(value, Mapping):
        mapping = {k: _reference(v, keys) for k, v in value.get("mapping", {}).items()}
        return {**value, "mapping": mapping} if mapping else value
    return value


def _reference(value: Any, keys: Mapping[str, str]) -> Any:
    if not isinstance(value, str) or not value.startswith(REFERENCE):
        return value
    key = value.removeprefix(REFERENCE)
    return REFERENCE + keys.get(key, key)
