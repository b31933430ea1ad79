"""Examples in text form, and the arrays and objects that they spell out.

OpenAPI allows text for a value that a document cannot hold.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Set
from typing import Any

from ..schemas.rules import types_of

_OWN = ("type", "enum", "const", "properties", "required", "additionalProperties", "items")


def spelled(example: Any, types: Set[str]) -> Any:
    """The value of an example, read as one of the given types."""
    if not isinstance(example, str) or not example.lstrip().startswith(("{", "[")):
        return example
    try:
        value = json.loads(example)
    except (ValueError, RecursionError):
        return example
    kind = "object" if isinstance(value, dict) else "array"
    return value if kind in types and "string" not in types else example


def of_schema(example: str, schema: Mapping[str, Any]) -> Any:
    """The value of a schema's example, if the schema's own keywords give its type."""
    return spelled(example, types_of({key: schema[key] for key in _OWN if key in schema}, {}))
