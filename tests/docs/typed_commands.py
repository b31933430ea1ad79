"""Commands of the pages, typed into a shell where the programs are installed."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

from prepared import python


def write_programs(folder: Path) -> None:
    """The programs as they would be installed; what installs checks that there is a project."""
    served = shlex.join(python("-m", "bookshop_mcp"))
    programs = {
        "mcpgen": f'exec {shlex.join(python("-m", "mcpgen"))} "$@"',
        "bookshop-mcp": f'PYTHONPATH=bookshop-server exec {served} "$@"',
        "pip": 'for last; do :; done; test -f "${last%%\\[*}/pyproject.toml"',
        "python3": f'test "$*" = "-m venv .venv" && mkdir .venv && ln -s {folder} .venv/bin',
    }
    folder.mkdir()
    for name, line in programs.items():
        (folder / name).write_text(f"#!/bin/sh\n{line}\n")
        (folder / name).chmod(0o755)
    (folder / "activate").touch()


def follow(commands: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Type commands into a shell."""
    who = {
        f"GIT_{each}_{what}": "a@b.example"
        for each in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    programs = next(p / "bin" for p in (folder, folder.parent) if (p / "bin").exists())
    return subprocess.run(
        ["bash", "-euc", commands],
        cwd=folder,
        env={**os.environ, **who, "PATH": f"{programs}:{os.environ['PATH']}"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
