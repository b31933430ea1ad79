"""The server of a generated package, and the ways to run it: ASGI and the command line."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..values.environment import LOG_LEVELS, SURFACES, actual
from ..values.errors import ToolError, optional
from ..values.settings import ConfigurationError, Settings
from ..values.urls import check_base_url
from .builder import Builder
from .logs import log_of_package, log_of_process, print_lines

if TYPE_CHECKING:
    import argparse

    import httpx2
    from starlette.applications import Starlette


logger = logging.getLogger(__name__)


class App(Builder):
    """A generated package as an MCP server; nothing happens before `create_server` or `main`."""

    def create_app(
        self,
        settings: Settings | None = None,
        *,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> Starlette:
        """Build the ASGI application that serves Streamable HTTP; takes what `create_server` does.

        Without `settings`, an unusable environment is reported on stderr and ends the process, so
        that uvicorn and gunicorn do not restart their workers for ever, and the log goes to stderr
        where nobody configured another.
        """
        from ..parts.http import asgi

        is_given, is_mock = settings is not None, getattr(transport, "is_mock", False)
        try:
            if settings is None:
                settings = self.settings()
                self.check_files(settings)
                log_of_package(self.package, settings.log_level, settings.log_format)
            elif settings.http_anonymous is None:
                settings = replace(settings, http_anonymous=self.defaults.http_anonymous)
            server = self.create_server(settings, transport=transport)
            for line in self.remarks(settings, is_served=not is_mock):
                logger.warning("%s", line)
            return asgi.create_app(server, settings, self.api.env_prefix)
        except ConfigurationError as problem:
            if is_given:
                raise
            print(f"{self.info.name}: {problem}", file=sys.stderr)
            raise SystemExit(asgi.STARTUP_FAILURE) from None

    def main(self, argv: Sequence[str] | None = None) -> int:
        """Run the command line; returns the exit code."""
        try:
            return _run(self, argv)
        except KeyboardInterrupt:
            return 130


def _run(app: Builder, argv: Sequence[str] | None) -> int:
    """Serve over stdio, or do what a flag says; returns the exit code."""
    parser = _parser(app)
    flags = _flags(parser, argv)
    prefix = app.api.env_prefix
    address = None
    try:
        if getattr(flags, "new_token", None) is not None:
            path = actual(os.environ.get(f"{prefix}_HTTP_TOKENS_FILE", ""))
            return print_lines([optional("parts.http.tokens").create(flags, path, prefix)])
        settings = _merge(app.settings(), flags)
        if flags.http is not None:
            from ..parts.http import listen

            address = listen.Address.read(flags.http or listen.DEFAULT)
            listen.check(address, settings, prefix)
        is_served = address is not None or (flags.check and settings.public_hosts)
        told = app.remarks(settings, is_served=bool(is_served and not flags.mock))
        if flags.check or (address is not None and not flags.mock):
            app.check_files(settings)
        if flags.list and not app.may_change:
            return _list(app.catalogue.tools)
        log_of_process(settings.log_level, settings.log_format)
        transport = None
        if flags.mock:
            from .once import MockTransport

            transport = MockTransport(app.package)
        server = app.create_server(settings, transport=transport)
        if flags.check:
            return print_lines((*app.missing(settings), *told, "the settings can be used"))
        for line in told:
            logger.warning("%s", line)
    except ConfigurationError as problem:
        print(f"{parser.prog}: {problem}", file=sys.stderr)
        return 2
    if flags.list or flags.call is not None:
        from . import once

        if flags.list:
            return _list(once.listed(server))
        return once.call(server, flags.call, flags.arguments or "{}")
    if address is not None:
        return listen.serve(server, address, settings, parser.prog, prefix)
    from .stdio import serve

    if sys.stdin is not None and sys.stdin.isatty():
        notice = "waiting for an MCP client on stdin; Ctrl+C stops it, --help shows the other ways"
        print(f"{parser.prog}: {notice}", file=sys.stderr)
    return serve(server)


def _flags(parser: argparse.ArgumentParser, argv: Sequence[str] | None) -> argparse.Namespace:
    """Parse the flags; a flag that would have no effect beside the others is a usage error."""
    flags = parser.parse_args(argv)
    if flags.arguments is not None and flags.call is None:
        parser.error("argument --arguments: not allowed without argument --call")
    for name in ("scopes", "expires"):
        if getattr(flags, name, None) is not None and flags.new_token is None:
            parser.error(f"argument --{name}: not allowed without argument --new-token")
    if flags.http is not None and (flags.list or flags.call is not None):
        parser.error("argument --http: not allowed with argument --list or --call")
    return flags


def _parser(app: Builder) -> argparse.ArgumentParser:
    import argparse  # not where an ASGI server or a test imports the server

    prefix = app.api.env_prefix
    parser = argparse.ArgumentParser(
        prog=app.package.rpartition(".")[2].replace("_", "-"),
        description=f"MCP server, over stdio or HTTP: {app.info.title or app.info.name}.",
        epilog=f"Everything else is set by environment variables, {prefix}_...; see .env.example.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--base-url", metavar="URL", help=f"where the API is (also {prefix}_BASE_URL)"
    )
    parser.add_argument(
        "--http",
        nargs="?",
        const="",
        metavar="HOST:PORT",
        help="serve Streamable HTTP instead of stdio (127.0.0.1:8000 unless given)",
    )
    once = parser.add_mutually_exclusive_group()
    once.add_argument(
        "--check", action="store_true", help="say whether the settings can be used and exit"
    )
    once.add_argument("--list", action="store_true", help="print the tools and exit")
    once.add_argument("--call", metavar="TOOL", help="call a tool, print its result and exit")
    with suppress(ToolError):  # of a server whose callers have no tokens with names
        optional("parts.http.tokens").add_flags(parser, once)
    parser.add_argument(
        "--arguments",
        metavar="JSON",
        help="what --call gives the tool: a JSON object ({} unless given)",
    )
    parser.add_argument("--mock", action="store_true", help="answer from examples, without the API")
    parser.add_argument("--surface", choices=SURFACES, help="how the tools are shown")
    parser.add_argument("--page-size", type=int, metavar="N", help="tools on a page of tools/list")
    parser.add_argument("--log-level", type=str.upper, choices=LOG_LEVELS, help="what stderr gets")
    parser.add_argument(
        "--version", action="version", version=f"{app.info.name} {app.info.version}".strip()
    )
    return parser


def _merge(settings: Settings, flags: argparse.Namespace) -> Settings:
    if flags.base_url is not None:
        try:
            settings = replace(settings, base_url=check_base_url(flags.base_url))
        except ValueError as problem:
            raise ConfigurationError(f"--base-url {problem}") from None
    if flags.page_size is not None:
        if flags.page_size < 1:
            raise ConfigurationError("--page-size must be a whole number above 0")
        settings = replace(settings, page_size=flags.page_size)
    if flags.list or flags.call is not None:
        settings = replace(settings, surface="tools")
    elif flags.surface is not None:
        settings = replace(settings, surface=flags.surface)
    if flags.log_level is not None:
        settings = replace(settings, log_level=flags.log_level)
    return settings


def _list(tools: Iterable[Mapping[str, Any]]) -> int:
    rows = [(tool["name"], _effect(tool), _summary(tool)) for tool in tools]
    name, effect = (min(44, max((len(row[i]) for row in rows), default=0)) for i in (0, 1))
    return print_lines(f"{row[0]:<{name}}  {row[1]:<{effect}}  {row[2]}".rstrip() for row in rows)


def _effect(tool: Mapping[str, Any]) -> str:
    hints = tool.get("annotations") or {}
    if hints.get("readOnlyHint"):
        return "reads"
    return "writes" if hints.get("destructiveHint") is False else "destructive"


def _summary(tool: Mapping[str, Any]) -> str:
    text = " ".join(str(tool.get("title") or tool.get("description") or "").split())
    return "".join(char if char.isprintable() else "?" for char in text)[:100]
