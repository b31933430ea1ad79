"""Skills: files that explain to agents how to use the server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...calls.server import ServerParts


def install(parts: ServerParts) -> Any:
    """Install this part in a server; its modules are loaded only then."""
    from .skills import install

    return install(parts)
