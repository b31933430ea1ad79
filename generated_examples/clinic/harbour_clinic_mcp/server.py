"""The MCP server: its name, its API and its tools put together."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from . import hooks
from ._runtime import App, ServerInfo, Settings, forms, http
from .api import API
from .handlers import HANDLERS

if TYPE_CHECKING:
    from httpx2 import AsyncBaseTransport
    from mcp.server.lowlevel import Server
    from starlette.applications import Starlette

APP = App(
    package=__package__ or "",
    info=ServerInfo(
        name="harbour-clinic",
        version="2.7",
        title="Harbour Clinic",
        description="Appointments, patient files and the laboratory of a clinic.",
        instructions="Appointments, patient files and the laboratory of a clinic.",
        icons=[{"src": "https://clinic.example/logo.png"}],
    ),
    api=API,
    handlers=HANDLERS,
    hooks=hooks,
    defaults=Settings(),
    parts=[http, forms],
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
