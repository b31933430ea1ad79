"""The runtime of a generated MCP server: everything that is the same in every server.

The exports of this module are for handlers, hooks and tests; other names may move. A module imports
from its own folder and from the folders listed above it:

- `values`: values as texts, and settings
- `schemas`: arguments against JSON Schema
- `bodies`: request bodies
- `credentials`: security schemes, and where credentials come from
- `backend`: one request and its answer
- `results`: an answer as MCP content
- `calls`: one call, from arguments to result
- `app`: puts them together
- `parts`: features that only some servers have

Names load on first use (PEP 562): a handler module that needs `UNSET` does not import the MCP SDK.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_NAMES = {
    "app.app": "App",
    "backend.response": "Response",
    "calls.caller": "Caller",
    "calls.catalogue": "ServerInfo parameters_of tool",
    "calls.context": "Context Reply",
    "calls.inner": "argument_of",
    "credentials.api": "Api",
    "credentials.schemes": "ApiKey Bearer HttpAuth",
    "parts.http.settings": "HttpSettings MetricsSettings TokenSettings",
    "results.returned": "Media",
    "values.arguments": "UNSET Unset if_given",
    "values.errors": "ApiError ArgumentError ProtocolError ToolError",
    "values.settings": "Settings",
    "values": "style",
    "values.urls": "ServerUrl",
}
"""The names of each module."""
PARTS: tuple[str, ...] = ("http",)
"""The names of parts, in the order in which they are installed."""
HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}
HOMES |= dict.fromkeys(PARTS, "parts")


class Part:
    """An optional part that `server.py` names; its module is imported when the server is built."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def load(self) -> ModuleType:
        """The module, imported on the first call."""
        return import_module(f".parts.{self.__name__}", __name__)


if TYPE_CHECKING:
    from .app.app import App as App
    from .backend.response import Response as Response
    from .calls.caller import Caller as Caller
    from .calls.catalogue import ServerInfo as ServerInfo
    from .calls.catalogue import parameters_of as parameters_of
    from .calls.catalogue import tool as tool
    from .calls.context import Context as Context
    from .calls.context import Reply as Reply
    from .calls.inner import argument_of as argument_of
    from .credentials.api import Api as Api
    from .credentials.schemes import ApiKey as ApiKey
    from .credentials.schemes import Bearer as Bearer
    from .credentials.schemes import HttpAuth as HttpAuth
    from .parts import http as http
    from .parts.http.settings import HttpSettings as HttpSettings
    from .parts.http.settings import MetricsSettings as MetricsSettings
    from .parts.http.settings import TokenSettings as TokenSettings
    from .results.returned import Media as Media
    from .values import style as style
    from .values.arguments import UNSET as UNSET
    from .values.arguments import Unset as Unset
    from .values.arguments import if_given as if_given
    from .values.errors import ApiError as ApiError
    from .values.errors import ArgumentError as ArgumentError
    from .values.errors import ProtocolError as ProtocolError
    from .values.errors import ToolError as ToolError
    from .values.settings import Settings as Settings
    from .values.urls import ServerUrl as ServerUrl
else:
    __all__ = [*HOMES]


def __getattr__(name: str) -> Any:
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name in PARTS:
        return Part(name)
    home = import_module(f".{HOMES[name]}", __name__)
    if not hasattr(home, name):
        import_module(f".{name}", home.__name__)
    value = globals()[name] = getattr(home, name)
    return value
