"""Readers turn a document into IR 1, `mcpgen.api`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..source.document import Document


def is_tool_file(document: Document) -> bool:
    """Whether a document describes tools rather than an HTTP API: seen by its members."""
    fields = set(document.root.value)
    return fields.isdisjoint({"openapi", "swagger"}) and not fields.isdisjoint(
        {"tools", "result", "server"}
    )
