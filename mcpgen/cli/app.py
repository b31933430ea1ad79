"""The command line: which function each command runs, and the exit codes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import redirect_stdout, suppress
from importlib import import_module
from io import StringIO
from typing import Annotated

import typer

from .. import __version__
from .flags import with_settings
from .invocation import Invocation

_COMMANDS = {
    "from-openapi": ("generation", "from_openapi"),
    "from-schema": ("generation", "from_schema"),
    "serve": ("serve", "serve"),
    "schema": ("diff_and_settings", "schema"),
    "init": ("init", "init"),
    "update": ("servers", "update"),
    "check": ("servers", "check"),
    "diff": ("diff_and_settings", "diff"),
    "inspect": ("inspect", "inspect"),
    "settings": ("diff_and_settings", "show_settings"),
    "curate": ("curate", "curate"),
    "overlay": ("overlay", "overlay"),
    "runtime-wheel": ("runtime_package", "runtime_wheel"),
    "bundle": ("bundle", "bundle"),
    "templates": ("templates", "app"),
}
"""The module of each command, and its function; or a group's commands."""
_WRITTEN = "nothing was written, or an edit is in conflict"
EXIT_CODES = {
    "from-openapi": {1: _WRITTEN},
    "from-schema": {1: _WRITTEN},
    "settings": {1: "no server or tool of that name"},
    "serve": {1: "nothing could be generated or served"},
    "update": {1: "a server was not updated, or an edit is in conflict"},
    "check": {1: "a server cannot be checked", 3: "a server is stale or broken"},
    "diff": {1: "a side cannot be read", 3: "a change of the level in --fail-on"},
    "inspect": {
        1: "a source cannot be read",
        3: "more than --max-tools or --max-tokens, or the search misses one of --questions",
    },
    "init": {1: "a server or a workflow was not written"},
    "curate": {1: "nothing was written"},
    "overlay": {1: "the document or an overlay cannot be read"},
    "schema": {1: "the file was not written"},
    "runtime-wheel": {1: "nothing was written"},
    "bundle": {1: "nothing was written"},
    "templates eject": {1: "nothing was written"},
    "templates check": {1: "there is no such folder", 3: "a template is for an older mcpgen"},
}
"""What 1 and 3 mean; 0 is always that it is done, and 2 wrong usage."""


def command_line(command: str = "") -> typer.Typer:
    """The command line, with all commands or only `command`.

    It takes longer to set up all commands than to run some of them.
    """
    return _command_line([command] if command in _COMMANDS else _COMMANDS, _perform)


def decide(command: str) -> Invocation | None:
    """The invocation that a command line asks for.

    None for help and for usage errors, both of which `command_line` prints.
    """
    with redirect_stdout(StringIO()), suppress(Exception):
        invocation = _command_line([command])(standalone_mode=False)
        return invocation if isinstance(invocation, Invocation) else None
    return None


def _command_line(names: Iterable[str], then: Callable[..., None] | None = None) -> typer.Typer:
    """A command line with the commands `names`; `then` is called with a command's result."""
    app = typer.Typer(
        name="mcpgen",
        help="Generate MCP servers from OpenAPI documents and tool files.",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,  # its tables cut the names of flags off in 80 columns
        pretty_exceptions_enable=False,
    )
    app.callback(invoke_without_command=True, result_callback=then)(_root)
    for name in names:
        module, member = _COMMANDS[name]
        function = getattr(import_module(f".{module}", __package__), member)
        if isinstance(function, typer.Typer):
            for each in function.registered_commands:
                each.epilog = _exits(f"{name} {each.name}")
            app.add_typer(function, name=name)
        else:
            first, _, _ = (function.__doc__ or "").partition("\n\n")  # -OO leaves none
            function = with_settings(function, name)
            app.command(name, short_help=first, epilog=_exits(name))(function)
    return app


def _exits(command: str) -> str:
    """The exit codes of a command, as text for its help."""
    every = {0: "done", 2: "wrong usage", **EXIT_CODES.get(command, {})}
    return f"Exit codes: {'; '.join(f'{code}: {every[code]}' for code in sorted(every))}."


def _perform(invocation: object, **_: object) -> None:
    if isinstance(invocation, Invocation):
        raise typer.Exit(invocation.perform())


def _root(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        print(__version__)
        raise typer.Exit
