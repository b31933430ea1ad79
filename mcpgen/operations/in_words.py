"""Descriptions of operations in plain words, for documents without descriptions."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..api import Schema
from ..schemas.subschemas import referred_key

_DOES = {
    "GET": "Reads",
    "HEAD": "Looks at",
    "OPTIONS": "Asks what can be done at",
    "QUERY": "Queries",
    "POST": "Posts to",
    "PUT": "Writes",
    "PATCH": "Changes",
    "DELETE": "Deletes",
}
_NAME = re.compile(r"[A-Za-z][\w.-]{0,63}")
_ONLY_WORDS = re.compile(
    rf"(?:\w+\s+)?(?:{'|'.join(_DOES.values())}|Sends [A-Z]+ to) /\S*?(?:; answers [^\s].*)?\."
    rf"|(?:{'|'.join(_DOES)}|TRACE) /\S*"
)


def in_words(method: str, path: str, answer: Schema | None) -> str:
    """The effect of an operation in words: `Reads /orders/{id}; answers Order.`"""
    does = f"{_DOES.get(method, f'Sends {method} to')} {path}"
    name = _answer(answer)
    return f"{does}; answers {name}." if name else f"{does}."


def says_only_that(description: str) -> bool:
    """Whether a description only has the method and path, or only the text that `in_words`
    writes.
    """
    return bool(_ONLY_WORDS.fullmatch(description.strip()))


def _answer(schema: Schema | None) -> str:
    """The name of the answer's schema; empty if it has no name."""
    if not isinstance(schema, Mapping):
        return ""
    items = schema.get("items")
    key = referred_key(schema) or (referred_key(items) if isinstance(items, Mapping) else "") or ""
    if not _NAME.fullmatch(key):
        return ""
    return key if referred_key(schema) else f"a list of {key}"
