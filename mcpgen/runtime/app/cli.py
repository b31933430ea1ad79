"""The command line of a generated server."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..values.environment import LOG_LEVELS, SURFACES
from ..values.settings import ConfigurationError, Settings
from ..values.urls import check_base_url
from . import logs
from .printing import print_lines

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

    from ..http.listen import Address
    from .builder import Builder

logger = logging.getLogger(__name__)


def run(app: Builder, argv: Sequence[str] | None) -> int:
    """Serve over stdio, or do what a flag says; returns the exit code."""
    parser = _parser(app)
    given = _given(parser, argv)
    address = None
    try:
        settings = _merge(app.settings(), given)
        if given.http is not None:
            address = _address(given.http, settings, app.api.env_prefix)
        if given.check or (address is not None and not given.mock):
            app.check_files(settings)
        if given.list and not app.may_change:
            return _list(app.catalogue.tools)
        logs.of_process(settings.log_level)
        if given.check:
            app.create_server(settings)  # parts of it read what the environment names
            return _check(app, settings)
        for line in app.misspelled():
            logger.warning(line)
        server = _server(app, settings, given.mock)
    except ConfigurationError as problem:
        print(f"{parser.prog}: {problem}", file=sys.stderr)
        if given.check:
            print_lines(app.misspelled())
        return 2
    if given.list:
        from . import once

        return _list(once.listed(server))
    if given.call is not None:
        from . import once

        return once.call(server, given.call, given.arguments or "{}")
    if address is not None:
        from ..http import listen

        return listen.serve(server, address, settings, parser.prog, app.api.env_prefix)
    from .stdio import serve

    if sys.stdin is not None and sys.stdin.isatty():
        said = "waiting for an MCP client on stdin; Ctrl+C stops it, --help shows the other ways"
        print(f"{parser.prog}: {said}", file=sys.stderr)
    return serve(server)


def _given(parser: argparse.ArgumentParser, argv: Sequence[str] | None) -> argparse.Namespace:
    """Parse the flags; a flag that would have no effect beside the others is a usage error."""
    given = parser.parse_args(argv)
    if given.arguments is not None and given.call is None:
        parser.error("argument --arguments: not allowed without argument --call")
    if given.http is not None and (given.list or given.call is not None):
        parser.error("argument --http: not allowed with argument --list or --call")
    return given


def _check(app: Builder, settings: Settings) -> int:
    return print_lines((*app.misspelled(), *app.missing(settings), "the settings can be used"))


def _server(app: Builder, settings: Settings, mock: bool) -> Server[Any]:
    if not mock:
        return app.create_server(settings)
    from .mock import MockTransport

    return app.create_server(settings, transport=MockTransport(app.package))


def _address(text: str, settings: Settings, prefix: str) -> Address:
    from ..http.listen import DEFAULT, Address, check

    address = Address.read(text or DEFAULT)
    check(address, settings, prefix)
    return address


def _parser(app: Builder) -> argparse.ArgumentParser:
    prefix = app.api.env_prefix
    parser = argparse.ArgumentParser(
        prog=app.package.rpartition(".")[2].replace("_", "-"),
        description=f"MCP server, over stdio or HTTP: {app.info.title or app.info.name}.",
        epilog=f"Everything else is set by environment variables, {prefix}_...; see README.md.",
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


def _merge(settings: Settings, given: argparse.Namespace) -> Settings:
    if given.base_url is not None:
        try:
            settings = replace(settings, base_url=check_base_url(given.base_url))
        except ValueError as problem:
            raise ConfigurationError(f"--base-url {problem}") from None
    if given.page_size is not None:
        if given.page_size < 1:
            raise ConfigurationError("--page-size must be a whole number above 0")
        settings = replace(settings, page_size=given.page_size)
    if given.list or given.call is not None:
        settings = replace(settings, surface="tools")
    elif given.surface is not None:
        settings = replace(settings, surface=given.surface)
    if given.log_level is not None:
        settings = replace(settings, log_level=given.log_level)
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
