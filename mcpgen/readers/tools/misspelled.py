"""Finds keywords that JSON Schema does not know and that are nearly ones it does."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from ...nearest import nearest
from ...schemas.subschemas import ANNOTATIONS, HOLDERS, MAPS

if TYPE_CHECKING:
    from ...diagnostics import Diagnostics
    from ...source.document import Node

_OLDER = frozenset(
    {"additionalItems", "definitions", "dependencies", "disallow", "divisibleBy", "extends", "id"}
)
_OPENAPI = frozenset({"discriminator", "example", "externalDocs", "nullable", "xml"})
_MAPS = MAPS | {"$defs", "definitions", "dependencies"}
_HOLDERS = HOLDERS | {"additionalItems", "disallow", "extends"}
_CURRENT = (
    HOLDERS
    | ANNOTATIONS
    | {"type", "enum", "const", "format", "pattern", "multipleOf", "required", "dependentRequired"}
    | {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength"}
    | {"minItems", "maxItems", "uniqueItems", "minContains", "maxContains"}
    | {"minProperties", "maxProperties", "contentEncoding", "contentMediaType"}
    | {"$defs", "$ref", "$id", "$schema", "$anchor", "$comment"}
    | {"$dynamicRef", "$dynamicAnchor", "$vocabulary"}
)
_KNOWN = _CURRENT | _OLDER | _OPENAPI
_ALIKE = 0.85
_LOOKED_AT = 500
"""Keywords without a meaning that are compared with those that have one; each takes a while."""


def report_misspelled(node: Node, diagnostics: Diagnostics) -> None:
    """Report misspelled keywords in a schema and in those inside it."""
    for found in islice(_unknown(node), _LOOKED_AT):
        if near := _near(found.key):
            message = f"`{found.key}` is no keyword of JSON Schema and says nothing"
            diagnostics.warning("keyword", message, found, f"Did you mean `{near}`?")


def _unknown(node: Node) -> Iterator[Node]:
    """The nodes of unknown keywords, in a schema and in those inside it."""
    stack = [node]
    while stack:
        for key, child in stack.pop().items():
            if key in _MAPS:
                stack += [inner for _, inner in child.items()]
            elif key in _HOLDERS:
                stack += [child, *child.elements()]
            elif key not in _KNOWN and not key.startswith("x-"):
                yield child


@lru_cache(maxsize=1_000)
def _near(key: str) -> str:
    """The keyword that was probably meant; empty if there is none."""
    return nearest(key, sorted(_CURRENT), _ALIKE)
