"""Cleans the titles and descriptions inside schemas, as all text for agents is cleaned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from ...schemas.subschemas import walk
from .agent_text import clean, report_hidden, spells, texts_in
from .html_text import as_markdown

if TYPE_CHECKING:
    from ...api import Schema
    from ...diagnostics import Diagnostics
    from ...source.document import Node

_TEXTS = ("title", "description")
_NAMES = ("properties", "patternProperties")
_VALUES = ("default", "const", "enum", "examples")


def clean_schema(schema: Schema, at: Node, limit: int, diagnostics: Diagnostics) -> Schema:
    """Clean the texts of a converted schema in place and return it; empty texts are removed.

    Titles of properties that only repeat the name in words are removed too. Names and values are
    never changed; hidden characters in them are reported.
    """
    for part in walk(schema):
        report_hidden(_names_and_values(part), at, diagnostics)
        for keyword in _TEXTS:
            text = part.get(keyword)
            markdown = as_markdown(text) if text and keyword == "description" else text
            visible = clean(markdown, at, limit, diagnostics) if markdown else ""
            if not visible:
                cast(dict[str, Any], part).pop(keyword, None)
            elif visible != text:
                cast(dict[str, Any], part)[keyword] = visible
        for name, inner in part.get("properties", {}).items():
            if not isinstance(inner, bool) and spells(inner.get("title"), name):
                del inner["title"]
    return schema


def _names_and_values(part: Mapping[str, Any]) -> Iterator[str]:
    """The names in one schema (not in its subschemas), and the strings among its values."""
    for keyword in _NAMES:
        yield from part.get(keyword, ())
    yield from texts_in(part[keyword] for keyword in _VALUES if keyword in part)


def clean_schemas(
    pool: Mapping[str, Schema], root: Node, limit: int, diagnostics: Diagnostics
) -> None:
    """Clean every schema of a pool in place; problems are reported at its component."""
    for key, schema in pool.items():
        clean_schema(schema, _component(key, root), limit, diagnostics)


def _component(key: str, root: Node) -> Node:
    return root.below("components", "schemas", key) or root.below("definitions", key) or root
