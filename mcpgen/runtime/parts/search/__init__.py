"""The search surface: an agent finds, reads and calls tools through a few of the server's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .settings import SearchSettings

if TYPE_CHECKING:
    from ...calls.server import ServerParts

SETTINGS = SearchSettings


def install(parts: ServerParts) -> Any:
    """Install it in a server; its modules load only then."""
    from .search import install

    return install(parts)
