"""Examples given as strings: parses the arrays and objects in them.

OpenAPI allows a string for a value that a document cannot contain.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Set
from typing import Any

from ..schemas.rules import types_of

_OWN = ("type", "enum", "const", "properties", "required", "additionalProperties", "items")


def spelled(example: Any, types: Set[str]) -> Any:
    """The example; JSON in a string is parsed, unless the types allow a string."""
    if not isinstance(example, str) or not example.lstrip().startswith(("{", "[")):
        return example
    try:
        value = json.loads(example)
    except (ValueError, RecursionError):
        return example
    kind = "object" if isinstance(value, dict) else "array"
    return value if kind in types and "string" not in types else example


def of_schema(example: str, schema: Mapping[str, Any]) -> Any:
    """The example of a schema, parsed by the types that the schema itself declares."""
    return spelled(example, types_of({key: schema[key] for key in _OWN if key in schema}, {}))
