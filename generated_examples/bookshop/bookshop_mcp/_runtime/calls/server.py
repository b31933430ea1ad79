"""A server and its components."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

    from ..credentials.api import Api
    from ..values.settings import Settings
    from .catalogue import Catalogue, ServerInfo

S = TypeVar("S")


@dataclass(frozen=True)
class ServerParts:
    """A server and its components, as the runtime's parts get them when they are installed."""

    server: Server[Any]
    settings: Settings
    package: str
    """The import package."""
    info: ServerInfo
    api: Api
    apis: Mapping[str, Api]
    """The further APIs."""
    catalogue: Catalogue
    may_use: Callable[..., Any] | None
    """The author's `may_use(tool, headers)` in `hooks.py`."""
    may_change: bool = False
    """Whether the list of tools may differ from the package's."""
    parts: Mapping[str, Any] = field(default_factory=dict)
    """What the parts that were installed before gave, by their names."""
    kept: dict[type, Any] = field(default_factory=dict)
    """What several parts share, by its class."""

    def settings_of(self, kind: type[S]) -> S:
        """The server's settings, typed as `kind`, which is the settings class of a part."""
        assert isinstance(self.settings, kind)
        return self.settings
