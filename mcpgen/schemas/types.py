"""The types of JSON Schema."""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import Any

ALL = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
_OF_VALUES = {
    type(None): "null", bool: "boolean", int: "integer", str: "string", dict: "object",
    list: "array",
}  # fmt: skip


def declared_types(declared: str | Iterable[str]) -> frozenset[str]:
    """The types in the keyword `type`, which is one type or a list."""
    return frozenset([declared] if isinstance(declared, str) else declared)


def with_integers(types: Set[str]) -> Set[str]:
    """The types, and also `integer` if `number` is one of them."""
    return types | {"integer"} if "number" in types else types


def without_integers(types: Set[str]) -> Set[str]:
    """The types, without `integer` if `number` is among them."""
    return types - {"integer"} if "number" in types else types


def type_of(value: Any) -> str:
    """The type of a value; a number that is not an integer is `number`."""
    whole = isinstance(value, float) and value.is_integer()
    return _OF_VALUES.get(type(value), "integer" if whole else "number")
