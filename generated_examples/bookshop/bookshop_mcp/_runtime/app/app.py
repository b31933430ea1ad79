"""The server of a generated package, and the ways to run it: ASGI and the command line."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..values.environment import LOG_LEVELS, is_placeholder, patterns
from ..values.seams import FLAGS, SURFACES, way_to
from ..values.settings import ConfigurationError, Settings
from ..values.urls import check_base_url
from .builder import Builder
from .commands import Command, add_missing
from .logs import log_of_process, print_lines

if TYPE_CHECKING:
    import argparse

    import httpx2
    from starlette.applications import Starlette


logger = logging.getLogger(__name__)


class App(Builder):
    """A generated package as an MCP server; nothing is loaded before `create_server` or `main`."""

    def create_app(
        self,
        settings: Settings | None = None,
        *,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> Starlette:
        """Build the ASGI application that serves HTTP; takes the arguments of `create_server`.

        Without `settings`, an unusable environment is reported on stderr and ends the process, so
        that uvicorn and gunicorn do not restart their workers for ever. If logging is not
        configured, the log goes to stderr.
        """
        for _, create in self.parts.having("create_app"):
            app: Starlette = create(self, settings, transport)
            return app
        raise ConfigurationError(way_to(FLAGS["--http"]))

    def main(self, argv: Sequence[str] | None = None) -> int:
        """Run the command line; returns the exit code."""
        try:
            return _run(self, argv)
        except KeyboardInterrupt:
            return 130


def _run(app: Builder, argv: Sequence[str] | None) -> int:
    """Serve over stdio, or do what a flag asks for; returns the exit code."""
    commands: list[Command] = [command for _, command in app.parts.having("COMMAND")]
    parser = _parser(app, commands)
    flags = _flags(parser, argv, commands)
    serving = next((command for command in commands if command.serves(flags)), None)
    try:
        for command in commands:
            if (code := command.run(app, flags)) is not None:
                return code
        settings = _merge(app.settings(), flags)
        reached = [command.prepare(app, flags, settings) for command in commands]
        is_served = any(reached)
        told = app.remarks(settings, is_served=is_served)
        if flags.check or (serving is not None and not flags.mock):
            app.check_files(settings)
        if flags.list and not (app.may_change or settings.read_only or settings.only_tools):
            return _list(app.catalogue.tools)
        log_of_process(settings.log_level, settings.log_format)
        transport = None
        if flags.mock:
            from .once import MockTransport

            transport = MockTransport(app.package)
        for text in () if flags.check else told:
            logger.warning("%s", text)
        server = app.create_server(settings, transport=transport)
        if flags.check:
            lacking = app.missing(settings, is_served=is_served)
            return print_lines((*lacking, *told, "the settings can be used"))
    except ConfigurationError as problem:
        print(f"{parser.prog}: {problem}", file=sys.stderr)
        return 2
    if flags.list or flags.call is not None:
        from . import once

        if flags.list:
            return _list(once.tools_of(server))
        return once.call(server, flags.call, flags.arguments or "{}")
    if serving is not None:
        return serving.serve(app, server, flags, settings, parser.prog)
    from .stdio import serve

    if sys.stdin is not None and sys.stdin.isatty():
        notice = "waiting for an MCP client on stdin; Ctrl+C stops it, --help shows the other ways"
        print(f"{parser.prog}: {notice}", file=sys.stderr)
    return serve(server, settings.shutdown_timeout)


def _flags(
    parser: argparse.ArgumentParser, argv: Sequence[str] | None, commands: Sequence[Command]
) -> argparse.Namespace:
    """Parse the flags; a flag without effect is a usage error, such as `--arguments` without
    `--call`.
    """
    flags = parser.parse_args(argv)
    if flags.arguments is not None and flags.call is None:
        parser.error("argument --arguments: not allowed without argument --call")
    for command in commands:
        command.verify(parser, flags)
    return flags


def _parser(app: Builder, commands: Sequence[Command]) -> argparse.ArgumentParser:
    import argparse  # not where an ASGI server or a test imports the server

    prefix = app.api.env_prefix
    ways = " or ".join(("stdio", *(each.transport for each in commands if each.transport)))
    parser = argparse.ArgumentParser(
        prog=app.package.rpartition(".")[2].replace("_", "-"),
        description=f"MCP server, over {ways}: {app.info.title or app.info.name}.",
        epilog=f"Everything else is set by environment variables, {prefix}_...; see DEPLOY.md.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--base-url", metavar="URL", help=f"where the API is (also {prefix}_BASE_URL)"
    )
    once = parser.add_mutually_exclusive_group()
    once.add_argument(
        "--check", action="store_true", help="say whether the settings can be used and exit"
    )
    once.add_argument("--list", action="store_true", help="print the tools and exit")
    once.add_argument("--call", metavar="TOOL", help="call a tool, print its result and exit")
    for command in commands:
        command.add_flags(parser, once)
    add_missing(parser)
    parser.add_argument(
        "--arguments",
        metavar="JSON",
        help="what --call gives the tool: a JSON object ({} unless given)",
    )
    parser.add_argument("--mock", action="store_true", help="answer from examples, without the API")
    parser.add_argument("--surface", choices=("tools", *SURFACES), help="how the tools are shown")
    parser.add_argument("--read-only", action="store_true", help="offer only tools that read")
    parser.add_argument(
        "--only-tools",
        metavar="LIST",
        help="offer only these groups, tools or globs; ! excludes one",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="show requests that write instead of sending them"
    )
    parser.add_argument("--page-size", type=int, metavar="N", help="tools on a page of tools/list")
    parser.add_argument(
        "--log-level", type=str.upper, choices=LOG_LEVELS, help="level of the log on stderr"
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"{app.info.name} {app.info.version}".rstrip() + f" ({app.made_with})",
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
    if flags.read_only:
        settings = replace(settings, read_only=True)
    if flags.dry_run:
        settings = replace(settings, dry_run="writes")
    if flags.only_tools is not None:
        if is_placeholder(flags.only_tools):
            raise ConfigurationError("--only-tools holds `${...}`, which was not replaced")
        try:
            settings = replace(settings, only_tools=patterns(flags.only_tools))
        except ValueError as problem:
            raise ConfigurationError(f"--only-tools {problem}") from None
    if flags.list:
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
