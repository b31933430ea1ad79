"""The search surface: agents find, read and call tools through a few tools of the server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .settings import SearchSettings

if TYPE_CHECKING:
    from ...calls.server import ServerParts

SETTINGS = SearchSettings


def install(parts: ServerParts) -> Any:
    """Load the modules of this part, and install it in a server."""
    from .search import install

    return install(parts)
