"""The bounds of a value in words, as far as nothing beside them says the same."""

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
_LONGEST = 80
_UNSAID_FORMATS = ("int32", "int64", "float", "double", "uri", "url")
_OPEN_PATTERN = re.compile(r"[*+]|,\}|^[^^]|[^$]$")
"""A pattern, without its classes, that does not bound how long a text is."""
_CLASS = re.compile(r"\\.|\[[^\[\]]{0,100}\]")
_PATTERN = 700
"""Characters of a pattern that is looked at."""
_MAX = r"(?i)\bmax(?:imum)?\b[^.;]{{0,20}}(?<!\w){}\b"
"""A text that says a bound itself."""


def bounds(schema: Mapping[str, Any], text: str) -> Iterator[str]:
    """What a schema allows of its type, beside a text that is said of it."""
    for key, words in _WORDS.items():
        value = schema.get(key)
        if value not in ("", None) and not _is_said(key, schema, text):
            yield words.format(texts.one_line(str(value), _LONGEST))


def _is_said(key: str, schema: Mapping[str, Any], text: str) -> bool:
    """Whether the type, a pattern of one length, or the text says what a keyword does."""
    if key == "format":
        return schema[key] in _UNSAID_FORMATS
    if key.startswith("max") and re.search(_MAX.format(re.escape(str(schema[key]))), text):
        return True
    pattern = schema.get("pattern")
    if key not in ("minLength", "maxLength") or not isinstance(pattern, str) or not pattern:
        return False
    return len(pattern) < _PATTERN and not _OPEN_PATTERN.search(_CLASS.sub("x", pattern))
