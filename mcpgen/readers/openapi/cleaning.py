"""Titles and descriptions inside schemas: cleaned like every other text that an agent sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from ...subschemas import walk
from .text import clean

if TYPE_CHECKING:
    from ...api import Schema
    from ...diagnostics import Diagnostics
    from ...document import Node

_TEXTS = ("title", "description")


def clean_schema(schema: Schema, at: Node, limit: int, diagnostics: Diagnostics) -> Schema:
    """Clean the texts of a converted schema in place and give it back."""
    for part in walk(schema):
        for keyword in _TEXTS:
            text = part.get(keyword)
            if text:
                visible = clean(text, at, limit, diagnostics)
                if visible != text:
                    cast(dict[str, Any], part)[keyword] = visible
    return schema


def clean_schemas(
    pool: Mapping[str, Schema], root: Node, limit: int, diagnostics: Diagnostics
) -> None:
    """Clean every schema of a pool in place; findings are reported at its component."""
    for key, schema in pool.items():
        clean_schema(schema, _component(key, root), limit, diagnostics)


def _component(key: str, root: Node) -> Node:
    for path in (("components", "schemas", key), ("definitions", key)):
        node: Node | None = root
        for token in path:
            node = node.get(token) if node is not None else None
        if node is not None:
            return node
    return root
