"""The command that makes a bundle of a server."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from .output import print_lines, telling


def bundle(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The server's folder.")],
    target: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The file to write.")
    ],
) -> None:
    """Write a server as a bundle for Claude Desktop (.mcpb); needs no network."""
    from .. import servers  # brings the generator

    with telling(target):
        data, notes = servers.bundle(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    print_lines((f"note: {note}" for note in notes), sys.stderr)
    print(f"{target}: {len(data) / 1024:.0f} KiB")
