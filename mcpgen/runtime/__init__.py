"""The runtime of a generated MCP server: everything that is the same in every one of them.

To follow a call: `app` serves it, `calls` checks it and runs the handler that `catalogue` finds,
`http` sends what `parameters` and `auth` make of it, and `content` turns the API's `answer` into a
result. These build on the folders: `wire` (values as texts and bytes), `schemas` (JSON Schema),
`backend` (one request), `credentials`, `results`, `serving` (command line, stdio, HTTP) and
`guarding` (callers over HTTP). A module for what only some servers do, such as `tasks`, is only in
these.

Names load on first use (PEP 562): a handler module that needs `UNSET` does not import the MCP SDK.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import style
    from .app import App, ServerInfo
    from .asking import Reply
    from .catalogue import tool
    from .context import Context, Response
    from .description import (
        Api,
        ApiKey,
        Basic,
        Bearer,
        HttpAuth,
        MutualTls,
        OAuth2,
        OpenIdConnect,
        ServerUrl,
        Variable,
    )
    from .errors import ApiError, ArgumentError, ProtocolError, ToolError
    from .results.returned import Media
    from .settings import Settings
    from .unset import UNSET, Unset, if_given
    from .variables import from_env

__version__ = "0.1.0"

__all__ = [
    "UNSET",
    "Api",
    "ApiError",
    "ApiKey",
    "App",
    "ArgumentError",
    "Basic",
    "Bearer",
    "Context",
    "HttpAuth",
    "Media",
    "MutualTls",
    "OAuth2",
    "OpenIdConnect",
    "ProtocolError",
    "Reply",
    "Response",
    "ServerInfo",
    "ServerUrl",
    "Settings",
    "ToolError",
    "Unset",
    "Variable",
    "from_env",
    "if_given",
    "style",
    "tool",
]

_HOME = {
    "App": "app",
    "ServerInfo": "app",
    "tool": "catalogue",
    "Context": "context",
    "Response": "context",
    "ApiError": "errors",
    "ArgumentError": "errors",
    "ProtocolError": "errors",
    "ToolError": "errors",
    "Media": "results.returned",
    "Reply": "asking",
    "Settings": "settings",
    "UNSET": "unset",
    "Unset": "unset",
    "if_given": "unset",
    "from_env": "variables",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "style":
        return import_module(".style", __name__)
    value = getattr(import_module(f".{_HOME.get(name, 'description')}", __name__), name)
    globals()[name] = value
    return value
