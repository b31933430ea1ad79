"""The command that writes the wheel of the runtime."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from ..bundled.runtime_wheel import FILE_NAME, requirement, wheel
from .output import complain


def runtime_wheel(
    folder: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="The folder to write to.")
    ],
) -> None:
    """Write the wheel of mcpgen-runtime, for servers that depend on it; needs no network."""
    target = folder / FILE_NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        target.write_bytes(wheel())
    except OSError as error:
        complain([f"{error.filename or target}: {error.strerror or error}"])
        raise typer.Exit(1) from None
    print(f"{target}: {requirement()}")
    print(f"  pip install --no-deps {shlex.quote(str(target))}")
