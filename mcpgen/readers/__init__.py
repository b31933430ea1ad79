"""Readers turn a document into IR 1 (`mcpgen.api`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..source.document import Document


def is_tool_file(document: Document) -> bool:
    """Whether a document's members show that it describes tools rather than an HTTP API."""
    return are_of_tool_file(document.root.value)


def are_of_tool_file(members: Iterable[str]) -> bool:
    """Whether the names of a document's members are those of a tool file."""
    fields = set(members)
    return fields.isdisjoint({"openapi", "swagger"}) and not fields.isdisjoint(
        {"tools", "result", "server"}
    )
