"""Ends the process without freeing the memory of a large run, which would take time."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from io import TextIOWrapper
from typing import TextIO, TypeVar, cast

T = TypeVar("T")
_held: list[object] = []


def run(work: Callable[[], None]) -> None:
    """Run a command line and end the process; output that cannot be written is an error.

    If a reader such as `head` closes the pipe early, only the exit code shows it. Characters that
    the output's encoding lacks are escaped. If a stream was closed when the process started, its
    input is empty and its output is discarded.
    """
    sys.stdin = sys.stdin or _nothing("r")
    sys.stdout = sys.stdout or _nothing("w")
    sys.stderr = sys.stderr or _nothing("w")
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    gc.disable()  # it would look in vain through what is not freed either
    code: object = 0
    try:
        work()
    except SystemExit as end:
        code = end.code
    except OSError as error:
        code = error
    if not isinstance(code, int | None):
        code = _failed(code)
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
    except OSError as error:
        code = code or _failed(error)
    with suppress(OSError):
        sys.stderr.flush()
    os._exit(code or 0)


def held(value: T) -> T:
    """Keep a value alive until the process ends, or until the next value is kept."""
    _held[:] = [value]
    return value


def _nothing(mode: str) -> TextIO:
    """A stream that reads as empty, and discards what is written."""
    return cast("TextIO", open(os.devnull, mode, errors="replace"))


def _failed(problem: object) -> int:
    """Print the reason for a failure; returns the exit code."""
    if not isinstance(problem, BrokenPipeError):
        with suppress(OSError):
            print(f"mcpgen: {problem}", file=sys.stderr)
    return 1
