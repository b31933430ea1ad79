"""Prints what a flag asks for on stdout."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from io import TextIOWrapper


def print_lines(lines: Iterable[str]) -> int:
    """Print lines, escaping characters that stdout's encoding does not have.

    Returns the exit code: 1 if they cannot be written. A closed pipe is no error.
    """
    if sys.stdout is None:
        return 0
    try:
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        for line in lines:
            print(line)
        sys.stdout.flush()
        return 0
    except OSError as problem:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # Python flushes the rest when it ends
        if isinstance(problem, BrokenPipeError):
            return 0
        print(f"stdout cannot be written: {problem.strerror}", file=sys.stderr)
        return 1
