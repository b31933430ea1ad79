"""What a server is made of, for what is installed in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..credentials.auth import Api
from .catalogue import Catalogue


@dataclass(frozen=True)
class ServerInfo:
    """How the server introduces itself (MCP `Implementation`); icons are in wire format."""

    name: str
    version: str = ""
    title: str | None = None
    description: str | None = None
    instructions: str | None = None
    website_url: str | None = None
    icons: Sequence[Mapping[str, Any]] = ()


class Parts(Protocol):
    """The parts of a server, as the guard and features see them: `App`."""

    package: str
    """The import package."""
    info: ServerInfo
    api: Api
    apis: Mapping[str, Api]
    """The further APIs."""
    catalogue: Catalogue

    @property
    def may_use(self) -> Callable[..., Any] | None:
        """The author's `may_use(tool, headers)` in `hooks.py`."""
        ...
