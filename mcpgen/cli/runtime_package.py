"""The command that writes the runtime's wheel."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from ..bundled.runtime_wheel import FILE_NAME, requirement, wheel
from .output import telling


def runtime_wheel(
    folder: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="The folder to write to.")
    ],
) -> None:
    """Write the wheel of mcpgen-runtime, for servers that depend on it; needs no network."""
    target = folder / FILE_NAME
    with telling(target):
        folder.mkdir(parents=True, exist_ok=True)
        target.write_bytes(wheel())
    print(f"{target}: {requirement()}")
    print(f"  pip install --no-deps {shlex.quote(str(target))}")
