"""A server and what it is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .access import FILE, Access
from .catalogue import read_json

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

    from ..credentials.api import Api
    from ..values.settings import Settings
    from .catalogue import Catalogue, ServerInfo


@dataclass(frozen=True)
class Parts:
    """A server and what it is made of, as the guard and features see it."""

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

    @cached_property
    def access(self) -> Access:
        """The scopes of its tools; without an issuer, or a file of tokens, nobody has any."""
        alternatives = {}
        if self.settings.http_issuer or self.settings.http_tokens_file:
            with suppress(FileNotFoundError):
                alternatives = read_json(self.package, FILE)
        return Access(alternatives)
