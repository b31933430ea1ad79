"""Checks of JSON Schema keywords that contain no schemas."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ..diagnostics import did_you_mean
from ..schemas.types import ALL

DATA = frozenset({"const", "default"})
"""Keywords whose value is any JSON value."""

_FORMATS = {
    "string": {"date", "date-time", "time", "email", "uri", "uuid", "byte", "binary", "password"},
    "number": {"float", "double"},
    "integer": {"int32", "int64"},
}
"""Formats that people write as types."""


_OTHER_NAMES = {
    "int": ("integer", ""),
    "long": ("integer", "int64"),
    "decimal": ("number", ""),
    "bool": ("boolean", ""),
    "str": ("string", ""),
    "datetime": ("string", "date-time"),
    "file": ("string", "binary"),
    "list": ("array", ""),
    "dict": ("object", ""),
    "map": ("object", ""),
    **{name: (type_, name) for type_, names in _FORMATS.items() for name in names},
}
"""The type and format that names from other languages, and names of formats, mean."""


class Unfit(Exception):
    """A keyword has an invalid value; the message describes valid ones, `hint` suggests one."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise Unfit("must be a string")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Unfit("must be true or false")
    return value


def _number(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise Unfit("must be a number")
    return value


def _divisor(value: Any) -> Any:
    if _number(value) <= 0:
        raise Unfit("must be greater than 0")
    return value


def _count(value: Any) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise Unfit("must be a whole number of at least 0")
    return value


def _names(value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise Unfit("must be a list of property names")
    return list(dict.fromkeys(value))


def _names_by_name(value: Any) -> dict[str, list[str]]:
    if not isinstance(value, dict):
        raise Unfit("must be an object of lists of property names")
    return {name: _names(names) for name, names in value.items()}


def _type(value: Any) -> str | list[str]:
    """The type name, or the list of names; a null in the list, as YAML reads it, is `"null"`."""
    names = [value] if isinstance(value, str) else value
    if value is None:
        raise Unfit('must be a type\'s name or a list of them; null is "null", in quotes')
    if not isinstance(names, list) or not names:
        raise Unfit("must be a type's name or a list of them")
    names = ["null" if name is None else name for name in names]
    for name in names:
        if not isinstance(name, str) or name not in ALL:
            hint = _type_meant(name) if isinstance(name, str) else ""
            raise Unfit("must be one of " + ", ".join(sorted(ALL)), hint)
    return value if isinstance(value, str) else list(dict.fromkeys(names))


def type_meant(name: str) -> tuple[str, str] | None:
    """The standard type and format for a type's unofficial name; None if no type is similar."""
    small = name.lower()
    return (small, "") if small in ALL else _OTHER_NAMES.get(small)


def _type_meant(name: str) -> str:
    """A hint for an unknown type name: it may be the name of a format, or be misspelled."""
    for type_, formats in _FORMATS.items():
        if name in formats:
            return f"Write `type: {type_}` and `format: {name}`."
    return did_you_mean(name, sorted(ALL), "")


def _values(value: Any) -> list[Any]:
    """The values of an `enum`, without duplicates; raises Unfit for an empty `enum`."""
    if not isinstance(value, list) or not value:
        raise Unfit("must be a list of at least one value")
    return distinct(value)


def distinct(values: list[Any]) -> list[Any]:
    """The values without duplicates."""
    if len(values) < 2:
        return values
    return list({_identity(value): value for value in values}.values())


def _identity(value: Any) -> str:
    """A comparison key: the same for 1 and 1.0, as in JSON Schema, but not for 1 and true."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, str) else "\0" + json.dumps(value, sort_keys=True)


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise Unfit("must be a list")
    return value


CHECKS: dict[str, Callable[[Any], Any]] = {
    "type": _type,
    "enum": _values,
    "multipleOf": _divisor,
    "maximum": _number,
    "exclusiveMaximum": _number,
    "minimum": _number,
    "exclusiveMinimum": _number,
    "maxLength": _count,
    "minLength": _count,
    "pattern": _text,
    "maxItems": _count,
    "minItems": _count,
    "uniqueItems": _flag,
    "maxContains": _count,
    "minContains": _count,
    "maxProperties": _count,
    "minProperties": _count,
    "required": _names,
    "dependentRequired": _names_by_name,
    "format": _text,
    "contentEncoding": _text,
    "contentMediaType": _text,
    "title": _text,
    "description": _text,
    "deprecated": _flag,
    "readOnly": _flag,
    "writeOnly": _flag,
    "examples": _list,
}
"""For each keyword, a function that returns the value to use or raises `Unfit`."""
