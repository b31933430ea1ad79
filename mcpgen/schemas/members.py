"""An object's schema without some of its members."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any

from ..api import Schema
from .subschemas import referred_key

_BRANCHES = ("allOf", "anyOf", "oneOf")
_VALUES = ("default", "example", "const")


def without_members(
    schema: Schema, names: Set[str], pool: Mapping[str, Schema], inside: Set[str] = frozenset()
) -> Schema:
    """The schema without the members `names`, also in `required` and in examples.

    A reference to a definition of `pool` with one of the names is replaced by a copy without it.
    `inside` has the keys of the definitions that are being copied: a reference back to one of them
    stays.
    """
    if isinstance(schema, bool):
        return schema
    key = referred_key(schema)
    if key is not None and key in pool and key not in inside:
        target = without_members(pool[key], names, pool, {*inside, key})
        if target == pool[key] or isinstance(target, bool):
            return schema
        own = {keyword: value for keyword, value in schema.items() if keyword != "$ref"}
        return without_members({**target, **own}, names, pool, {*inside, key})
    return {
        keyword: _without_names(keyword, value, names, pool, inside)
        for keyword, value in schema.items()
    }


def _without_names(
    keyword: str, value: Any, names: Set[str], pool: Mapping[str, Schema], inside: Set[str]
) -> Any:
    if keyword in ("properties", *_VALUES) and isinstance(value, Mapping):
        return {name: member for name, member in value.items() if name not in names}
    if keyword == "required" and isinstance(value, list):
        return [name for name in value if name not in names]
    if keyword in ("examples", "enum") and isinstance(value, list):
        return [_without_names("example", each, names, pool, inside) for each in value]
    if keyword in _BRANCHES:
        return [without_members(each, names, pool, inside) for each in value]
    return value
