"""Finds unknown keywords that are almost the same as known ones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from ..schemas.subschemas import ANNOTATIONS, HOLDERS, MAPS
from ..text.nearest import nearest
from .keywords import CHECKS

if TYPE_CHECKING:
    from ..diagnostics import Diagnostics
    from ..source.document import Node

_OLDER = frozenset(
    {"additionalItems", "definitions", "dependencies", "disallow", "divisibleBy", "extends", "id"}
)
_OPENAPI = frozenset({"discriminator", "example", "externalDocs", "nullable", "xml"})
_MAPS = MAPS | {"$defs", "definitions", "dependencies"}
_HOLDERS = HOLDERS | {"additionalItems", "disallow", "extends"}
_CURRENT = (
    HOLDERS
    | ANNOTATIONS
    | CHECKS.keys()
    | {"const", "$defs", "$ref", "$id", "$schema", "$anchor", "$comment"}
    | {"$dynamicRef", "$dynamicAnchor", "$vocabulary"}
)
_KNOWN = _CURRENT | _OLDER | _OPENAPI
_MIN_LIKENESS = 0.85
_MAX_KEYWORDS = 500
"""The number of unknown keywords that are compared with known ones, since that takes time."""


def is_keyword(key: str) -> bool:
    """Whether a key is a keyword of JSON Schema 2020-12."""
    return key in _CURRENT


class Spelling:
    """Suggests corrections of unknown keywords, but only for a limited number of them."""

    def __init__(self) -> None:
        self._looked_at: set[str] = set()

    def meant(self, key: str) -> str:
        """The known keyword closest to an unknown one; empty if none is close.

        A keyword of another draft, or of OpenAPI, is never taken for a misspelling. Only a limited
        number of unknown keywords is compared; for all others the result is empty.
        """
        if key in _KNOWN or key.startswith("x-"):
            return ""
        if key not in self._looked_at and len(self._looked_at) >= _MAX_KEYWORDS:
            return ""
        self._looked_at.add(key)
        return _near(key)


def misspelled(key: str) -> str:
    """The message about a misspelled keyword."""
    return f"`{key}` is not a keyword of JSON Schema and has no effect"


def hint_for(key: str, near: str) -> str:
    """The hint that suggests how to correct a misspelled keyword."""
    if key == "schema":
        return "Write its content here, without `schema`."
    return f"Did you mean `{near}`?"


def report_misspelled(node: Node, diagnostics: Diagnostics) -> None:
    """Report misspelled keywords in a schema and in its subschemas."""
    spelling = Spelling()
    for keyword in _others(node):
        if near := spelling.meant(keyword.key):
            hint = hint_for(keyword.key, near)
            diagnostics.warning("keyword", misspelled(keyword.key), keyword, hint)


def _others(node: Node) -> Iterator[Node]:
    """The values of all keywords that hold no schemas, in a schema and in its subschemas."""
    stack = [node]
    while stack:
        for key, child in stack.pop().items():
            if key in _MAPS:
                stack += [inner for _, inner in child.items()]
            elif key in _HOLDERS:
                stack += [child, *child.elements()]
            else:
                yield child


@lru_cache(maxsize=1_000)
def _near(key: str) -> str:
    """The known keyword closest to an unknown one; empty if none is close."""
    return nearest(key, sorted(_CURRENT), _MIN_LIKENESS)
