"""The server of a generated package, and the ways to run it."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..values.settings import ConfigurationError, Settings
from .builder import Builder

if TYPE_CHECKING:
    import httpx2
    from starlette.types import ASGIApp

logger = logging.getLogger(__name__)


class App(Builder):
    """A generated package as an MCP server; nothing happens before `create_server` or `main`."""

    def create_app(
        self,
        settings: Settings | None = None,
        *,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> ASGIApp:
        """Build the ASGI application that serves Streamable HTTP; takes what `create_server` does.

        Without `settings`, an unusable environment is reported on stderr and ends the process, so
        that uvicorn and gunicorn do not restart their workers for ever, and the log goes to stderr
        where nobody configured another.
        """
        from ..http import asgi
        from . import logs

        if settings is not None:
            server = self.create_server(settings, transport=transport)
            return asgi.create_app(server, settings, self.api.env_prefix)
        try:
            settings = self.settings()
            self.check_files(settings)
            server = self.create_server(settings, transport=transport)
        except ConfigurationError as problem:
            print(f"{self.info.name}: {problem}", file=sys.stderr)
            raise SystemExit(asgi.STARTUP_FAILURE) from None
        logs.of_package(self.package, settings.log_level)
        for line in self.misspelled():
            logger.warning(line)
        return asgi.create_app(server, settings, self.api.env_prefix)

    def main(self, argv: Sequence[str] | None = None) -> int:
        """Run the command line; returns the exit code."""
        from .cli import run

        try:
            return run(self, argv)
        except KeyboardInterrupt:
            return 130
