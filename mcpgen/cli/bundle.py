"""The command that makes a bundle of a server."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ..diagnostics import Failure, GenerationError
from .output import complain, print_lines, tell


def bundle(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The server's folder.")],
    target: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The file to write.")
    ],
) -> None:
    """Write a server as a bundle for Claude Desktop (.mcpb); needs no network."""
    from .. import servers  # brings the generator

    try:
        data, notes = servers.bundle(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    except GenerationError as error:
        tell(error.diagnostics)
        raise typer.Exit(1) from None
    except Failure as error:
        complain([str(error)])
        raise typer.Exit(1) from None
    except OSError as error:
        complain([f"{error.filename or target}: {error.strerror or error}"])
        raise typer.Exit(1) from None
    print_lines((f"note: {note}" for note in notes), sys.stderr)
    print(f"{target}: {len(data) / 1024:.0f} KiB")
