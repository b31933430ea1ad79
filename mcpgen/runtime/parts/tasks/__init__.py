"""Calls that continue as tasks (MCP extension `io.modelcontextprotocol/tasks`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .settings import TaskSettings

if TYPE_CHECKING:
    from ...calls.server import ServerParts

NEEDS = ("asking", "listening")
SETTINGS = TaskSettings


def install(parts: ServerParts) -> Any:
    """Install tasks in a server; the modules of this part are loaded only then."""
    from .tasks import install

    return install(parts)
