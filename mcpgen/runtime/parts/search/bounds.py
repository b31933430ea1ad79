"""The limits of a value in words, without those that its description already states."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from . import texts

_WORDS = {
    "minimum": ">= {}",
    "exclusiveMinimum": "> {}",
    "maximum": "<= {}",
    "exclusiveMaximum": "< {}",
    "multipleOf": "a multiple of {}",
    "minLength": "{} characters or more",
    "maxLength": "at most {} characters",
    "minItems": "{} items or more",
    "maxItems": "at most {} items",
    "minProperties": "{} members or more",
    "maxProperties": "at most {} members",
    "pattern": "matches {}",
    "format": "{}",
}
_RANGES = (
    ("minimum", "maximum", "{}"),
    ("minLength", "maxLength", "{} characters"),
    ("minItems", "maxItems", "{} items"),
    ("minProperties", "maxProperties", "{} members"),
)
_MAX_CHARACTERS = 80
_UNSAID_FORMATS = ("int32", "int64", "float", "double", "uri", "url")
_OPEN_PATTERN = re.compile(r"[*+]|,\}|^[^^]|[^$]$")
"""A pattern, without its classes, that does not bound how long a text is."""
_CLASS = re.compile(r"\\.|\[[^\[\]]{0,100}\]")
_MAX_PATTERN_LENGTH = 700
"""Characters of a pattern that is looked at."""
_MAX = r"(?i)\bmax(?:imum)?\b[^.;]{{0,20}}(?<!\w){}\b"
"""A text that says a bound itself."""


def bounds(schema: Mapping[str, Any], text: str) -> Iterator[str]:
    """A schema's limits in words, without those that its description (`text`) already states."""
    left = {
        key: texts.one_line(str(schema[key]), _MAX_CHARACTERS)
        for key in _WORDS
        if schema.get(key) not in ("", None) and not _is_said(key, schema, text)
    }
    for least, most, words in _RANGES:
        if least in left and most in left:
            low, high = left.pop(least), left.pop(most)
            yield words.format(low if low == high else f"{low} to {high}")
    yield from (_WORDS[key].format(value) for key, value in left.items())


def _is_said(key: str, schema: Mapping[str, Any], text: str) -> bool:
    """Whether the type, the description or a fixed-length pattern already states a limit."""
    if key == "format":
        return schema[key] in _UNSAID_FORMATS
    if key.startswith("max") and re.search(_MAX.format(re.escape(str(schema[key]))), text):
        return True
    pattern = schema.get("pattern")
    if key not in ("minLength", "maxLength") or not isinstance(pattern, str) or not pattern:
        return False
    return len(pattern) < _MAX_PATTERN_LENGTH and not _OPEN_PATTERN.search(_CLASS.sub("x", pattern))
