"""Keywords that JSON Schema does not know and that are all but one it does."""

from __future__ import annotations

import difflib
from functools import lru_cache
from typing import TYPE_CHECKING

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


def report_misspelled(node: Node, diagnostics: Diagnostics) -> None:
    """Report the keywords of a schema, and of those inside it, that say nothing as they are."""
    stack = [node]
    while stack:
        for key, child in stack.pop().items():
            if key in _MAPS:
                stack += [inner for _, inner in child.items()]
            elif key in _HOLDERS:
                stack += [child, *child.elements()]
            elif near := _near(key):
                message = f"`{key}` is no keyword of JSON Schema and says nothing"
                diagnostics.warning("keyword", message, child, f"Did you mean `{near}`?")


@lru_cache(maxsize=1_000)
def _near(key: str) -> str:
    """The keyword that is meant; empty where it is one, or like none."""
    if key in _KNOWN or key.startswith("x-"):
        return ""
    plain = key.replace("_", "").replace("-", "").lower()
    same = [known for known in _CURRENT if known.lower() == plain]
    return (same or difflib.get_close_matches(key, sorted(_CURRENT), 1, _ALIKE) or [""])[0]
