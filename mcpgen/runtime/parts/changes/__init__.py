"""Tools that can be added, replaced, removed and switched off and on while the server runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .settings import ChangeSettings

if TYPE_CHECKING:
    from ...calls.server import ServerParts

NEEDS = ("asking", "branches", "dialects", "listening", "unevaluated")
NEEDS_SESSION = True
SETTINGS = ChangeSettings
MAY_CHANGE = True


def install(parts: ServerParts) -> Any:
    """Install this part in a server; its modules are loaded only then."""
    from .changes import install

    return install(parts)
