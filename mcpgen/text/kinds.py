"""Plain English words for JSON's types."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "object": "an object",
        "array": "an array",
        "string": "a string",
        "number": "a number",
        "integer": "a whole number",
        "boolean": "true or false",
        "null": "null",
    }
)
"""The words for JSON's types, keyed by their names in JSON Schema."""


def json_type(value: Any) -> str:
    """JSON's name for the type of a value."""
    names = {dict: "an object", list: "an array", str: "a string", bool: "a boolean"}
    return "null" if value is None else names.get(type(value), "a number")
