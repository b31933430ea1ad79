"""Machines that lack something: disks that are full or read-only, no HOME, few descriptors."""

import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

BARE = {"PATH": os.environ["PATH"], "PYTHONPATH": str(Path(__file__).parents[2]), "LC_ALL": "C"}
"""An environment without HOME, user or a locale that has heard of Unicode."""
READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0"'
FULL = 'mount -t tmpfs -o size=$FREE none "$0"'
IMPORTED = """
import os, sys
import mcpgen.cli.actions, mcpgen.generate
from mcpgen.cli.main import main
def mcpgen(*arguments):
    if process := os.fork():
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    sys.argv[1:] = arguments
    main()
"""
"""A program that runs the command line several times, each in a fork of its own."""


@cache
def can_mount() -> bool:
    """Whether this user may mount what only its own processes see."""
    try:
        asked = ["unshare", "--mount", "sh", "-ec", "mount -t tmpfs none /mnt"]
        return subprocess.run(asked, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


needs_mount = pytest.mark.skipif(not can_mount(), reason="may not mount")


def mounted(how: str, folder: Path, *command: str | Path) -> list[str]:
    """The command, with a folder mounted for it and nobody else."""
    script = f'{how}; exec "$@"'
    return ["unshare", "--mount", "sh", "-ec", script, str(folder), *map(str, command)]


def poor() -> None:
    """Leave this process 64 descriptors."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))


def run(command: Sequence[str], folder: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a bare environment."""
    return subprocess.run(
        command, cwd=folder, env=BARE | environ, preexec_fn=poor, capture_output=True,
        encoding="utf-8", timeout=120, check=False,
    )  # fmt: skip


def mcpgen(*arguments: str | Path) -> list[str]:
    """The command line of mcpgen."""
    return [sys.executable, "-m", "mcpgen", *map(str, arguments)]
