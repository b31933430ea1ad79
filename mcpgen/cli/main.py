"""The console script: one process reads the command line while another loads the generator.

Loading typer and what it needs takes as long as loading the generator, and longer than finding out
that nothing has changed. For an unchanged server, a check takes 0.07 of the time of a generation if
its command line is read here by hand (`_plain`), and 0.18 if typer reads it in the same process. So
`_plain` reads the command lines that hooks and CI use, and typer all others.
"""

from __future__ import annotations

import sys
import warnings
from functools import partial
from glob import has_magic
from importlib import import_module
from pathlib import Path

from ..processes.background import Background
from .invocation import Invocation
from .process_exit import run

_ACTIONS = "mcpgen.cli.actions"
_GENERATING = (_ACTIONS, "mcpgen.generate")
_NEEDED = {
    "from-openapi": _GENERATING,
    "from-schema": _GENERATING,
    "serve": (*_GENERATING, "mcpgen.cli.serving"),
    "update": _GENERATING,
    "check": (_ACTIONS,),
}
"""What the commands load that are worth two processes."""
_OVER_SERVERS = ("update", "check")
_READERS = {"from-openapi": "openapi", "from-schema": "tools"}


def main() -> None:
    """Run the command line, and end the process."""
    warnings.simplefilter("ignore", SyntaxWarning)  # what people write is for their linters to tell
    run(_main)


def _main() -> None:
    command = sys.argv[1] if len(sys.argv) > 1 else ""
    if (plain := _plain(command, sys.argv[2:])) is not None:
        sys.exit(plain.perform())
    if command in _NEEDED:
        reading = Background(partial(_decide, command))
        for module in _NEEDED[command]:
            import_module(module)
        if (invocation := reading.result()) is not None:
            sys.exit(invocation.perform())
    from .app import command_line

    command_line(command)()


def _plain(command: str, arguments: list[str]) -> Invocation | None:
    """The invocation of a command line that has only paths; None for any other."""
    match arguments:
        case [source, "-o" | "--output", folder] if command in _READERS:
            if _is_option(source) or _is_option(folder):
                return None
            asked = {"source": source, "reader": _READERS[command]}
            return Invocation("generate", {"folder": Path(folder), "flags": asked})
    if command in _OVER_SERVERS and not any(
        _is_option(each) or has_magic(each) for each in arguments
    ):
        return Invocation(command, {"folders": list(dict.fromkeys(map(Path, arguments)))})
    return None


def _is_option(argument: str) -> bool:
    return argument.startswith("-")


def _decide(command: str) -> Invocation | None:
    from .app import decide  # brings typer

    return decide(command)
