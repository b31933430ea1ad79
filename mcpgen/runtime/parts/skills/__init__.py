"""Skills: files that explain the use of the server to agents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...calls.server import ServerParts


def install(parts: ServerParts) -> Any:
    """Install it in a server; its modules load only then."""
    from .skills import install

    return install(parts)
