"""The MCP server: its name, its API and its tools put together."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from . import hooks
from ._runtime import (
    App,
    ServerInfo,
    Settings,
    asking,
    branches,
    changes,
    completion,
    dialects,
    forms,
    http,
    links,
    listening,
    loglevels,
    multipart_answers,
    prompts,
    resources,
    tasks,
    unevaluated,
    updates,
)
from .api import API
from .handlers import HANDLERS

if TYPE_CHECKING:
    from httpx2 import AsyncBaseTransport
    from mcp.server.lowlevel import Server
    from starlette.applications import Starlette

APP = App(
    package=__package__ or "",
    info=ServerInfo(
        name="lighthouse",
        version="1.0.0",
        title="The lighthouse",
        instructions="Read lighthouse://watch before you signal.",
    ),
    api=API,
    handlers=HANDLERS,
    hooks=hooks,
    defaults=Settings(),
    parts=[
        asking,
        http,
        branches,
        unevaluated,
        dialects,
        forms,
        multipart_answers,
        listening,
        resources,
        updates,
        links,
        prompts,
        completion,
        loglevels,
        changes,
        tasks,
    ],
)


def create_server(
    settings: Settings | None = None, *, transport: AsyncBaseTransport | None = None
) -> Server[Any]:
    """Build the server, to be run on an MCP transport of your choice.

    `settings` replaces the environment's; `transport` replaces the HTTP connection to the API.
    """
    return APP.create_server(settings, transport=transport)


def create_app(
    settings: Settings | None = None, *, transport: AsyncBaseTransport | None = None
) -> Starlette:
    """Build the ASGI application (Streamable HTTP), for uvicorn or to be mounted in another."""
    return APP.create_app(settings, transport=transport)


def main() -> None:
    """Run the command, which serves stdio, or Streamable HTTP with `--http`."""
    sys.exit(APP.main())
