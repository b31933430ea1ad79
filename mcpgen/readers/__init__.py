"""Readers turn a document into IR 1, `mcpgen.api`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..source.document import Document


def is_tool_file(document: Document) -> bool:
    """Whether a document describes tools rather than an HTTP API: seen by its members."""
    fields = document.root.value
    if isinstance(fields, list):
        return True
    if not isinstance(fields, dict) or fields.keys() & {"openapi", "swagger"}:
        return False
    return bool(fields.keys() & {"tools", "result", "server"})
