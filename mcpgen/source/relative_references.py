"""Finds the relative references of a file without knowing what its parts are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..text.pointer import escape

_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")


def is_uri(reference: str) -> bool:
    """Whether a reference begins with a scheme, so that it may be a name and no place."""
    return _URI.match(reference) is not None


def relative_references(value: Any) -> Iterator[tuple[str, str]]:
    """The references in a value that lead to other files, each after the pointer of its object."""
    stack = [("", value)]
    while stack:
        pointer, each = stack.pop()
        if isinstance(each, list):
            stack += ((f"{pointer}/{index}", item) for index, item in enumerate(each))
        elif isinstance(each, dict):
            stack += ((f"{pointer}/{escape(key)}", item) for key, item in each.items())
            text = each.get("$ref")
            if isinstance(text, str) and not text.startswith("#") and not is_uri(text):
                yield pointer, text
