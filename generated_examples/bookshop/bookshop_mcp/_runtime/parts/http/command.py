"""`--http` and `--healthcheck` on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...app.commands import Command

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from mcp.server.lowlevel import Server

    from ...app.builder import Builder
    from .settings import HttpSettings


class HttpCommand(Command):
    """Serves Streamable HTTP instead of stdio."""

    transport = "HTTP"

    def add_flags(self, parser: ArgumentParser, once: Any) -> None:
        """Add `--http` and `--healthcheck`."""
        once.add_argument(
            "--healthcheck",
            action="store_true",
            help="check that the server at --http, or in this container, is running, and exit",
        )
        parser.add_argument(
            "--http",
            nargs="?",
            const="",
            metavar="HOST:PORT",
            help="serve Streamable HTTP instead of stdio (127.0.0.1:8000 unless given)",
        )

    def verify(self, parser: ArgumentParser, flags: Namespace) -> None:
        """Refuse `--http` together with `--list` or `--call`."""
        if flags.http is not None and (flags.list or flags.call is not None):
            parser.error("argument --http: not allowed with argument --list or --call")

    def run(self, app: Builder, flags: Namespace) -> int | None:
        """Check the health of a server, if asked to; returns the exit code."""
        if not flags.healthcheck:
            return None
        from . import health

        return health.code(flags.http)

    def serves(self, flags: Namespace) -> bool:
        """Whether `--http` is given."""
        return flags.http is not None

    def prepare(self, app: Builder, flags: Namespace, settings: HttpSettings) -> bool:
        """Check the options for HTTP; returns whether clients can reach the server over HTTP.

        Raises ConfigurationError.
        """
        if flags.http is not None:
            from . import listen

            address = listen.Address.read(flags.http or listen.DEFAULT)
            listen.check(address, settings, app.api.env_prefix)
        is_meant = settings.public_hosts or settings.http_json or settings.http_stateless
        is_served = flags.http is not None or (flags.check and is_meant)
        return bool(is_served and not flags.mock)

    def serve(
        self,
        app: Builder,
        server: Server[Any],
        flags: Namespace,
        settings: HttpSettings,
        name: str,
    ) -> int:
        """Serve until a signal ends it; returns the exit code."""
        from . import listen

        address = listen.Address.read(flags.http or listen.DEFAULT)
        return listen.serve(app, server, address, settings, name)
