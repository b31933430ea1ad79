"""The console script: the command line is read in one process while another loads the generator.

To load typer, and what it needs to read a command line, takes as long as to load the generator, and
longer than to find that nothing has changed.
"""

from __future__ import annotations

import sys
from functools import partial
from glob import has_magic
from importlib import import_module
from pathlib import Path

from ..background import Background
from .decided import Decided
from .leaving import run

_PERFORMING = "mcpgen.cli.performing"
_GENERATING = (_PERFORMING, "mcpgen.generate")
_NEEDED = {
    "from-openapi": _GENERATING,
    "from-schema": _GENERATING,
    "update": _GENERATING,
    "check": (_PERFORMING,),
}
"""What the commands load that are worth two processes."""
_OVER_SERVERS = ("update", "check")


def main() -> None:
    """Run the command line, and end the process."""
    run(_main)


def _main() -> None:
    named = sys.argv[1] if len(sys.argv) > 1 else ""
    if (plain := _plain(named, sys.argv[2:])) is not None:
        sys.exit(plain.perform())
    if named in _NEEDED:
        reading = Background(partial(_decide, named))
        for module in _NEEDED[named]:
            import_module(module)
        if (decided := reading.result()) is not None:
            sys.exit(decided.perform())
    from .app import command_line

    command_line(named)()


def _plain(named: str, given: list[str]) -> Decided | None:
    """What a command line asks for that gives a command over servers nothing but folders."""
    if named not in _OVER_SERVERS or any(each[:1] == "-" or has_magic(each) for each in given):
        return None
    return Decided(named, {"folders": [Path(each) for each in dict.fromkeys(given or ["."])]})


def _decide(named: str) -> Decided | None:
    from .app import decide  # brings typer

    return decide(named)
