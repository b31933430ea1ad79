"""Simplified schemas (see `lifting`) as Python type expressions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

_SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


class Annotation(Struct, frozen=True):
    """A Python type expression, and the imports that it needs."""

    text: str
    classes: frozenset[str] = frozenset()
    """Names from the models."""
    any: bool = False
    """It uses `typing.Any`."""
    literal: bool = False
    """It uses `typing.Literal`."""


def annotate(simple: Mapping[str, Any], classes: Mapping[str, str]) -> Annotation:
    """A simplified schema as a Python type; `classes` maps the places of schemas to class names."""
    uses: set[str] = set()
    flags: set[str] = set()
    text = _text(simple, classes, uses, flags)
    return Annotation(text, frozenset(uses), "Any" in flags, "Literal" in flags)


def _text(
    simple: Mapping[str, Any], classes: Mapping[str, str], uses: set[str], flags: set[str]
) -> str:
    if "$ref" in simple:
        name = classes[simple["$ref"]]
        uses.add(name)
        return name
    if "anyOf" in simple:
        return " | ".join(_text(part, classes, uses, flags) for part in simple["anyOf"])
    if "enum" in simple:
        flags.add("Literal")
        return f"Literal[{', '.join(_quoted(value) for value in simple['enum'])}]"
    match simple.get("type"):
        case "array":
            return f"list[{_text(simple['items'], classes, uses, flags)}]"
        case "object":
            values = _text(simple["additionalProperties"], classes, uses, flags)
            return f"dict[str, {values}]"
        case str(name):
            return _SCALARS[name]
    flags.add("Any")
    return "Any"


def _quoted(value: Any) -> str:
    """A literal in the style of ruff's formatter: double quotes unless that means more escapes."""
    text = repr(value)
    if isinstance(value, str) and text.startswith("'") and '"' not in text:
        return f'"{text[1:-1]}"'
    return text
