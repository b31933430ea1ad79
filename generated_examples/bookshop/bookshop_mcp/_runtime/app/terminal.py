"""What a terminal sees: the log on stderr, and what a flag asks for on stdout."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterable
from io import TextIOWrapper

from ..guard.stderr import LossyHandler
from ..values.display import visible


class TerminalFormatter(logging.Formatter):
    """A log formatter that makes texts of clients and the API harmless for a terminal.

    Only the log's own lines begin at the margin.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The text of a record."""
        return visible(super().format(record)).replace("\n", "\n  ")


def log_of_process(level: str) -> None:
    """Write the log of the whole process to stderr."""
    logging.basicConfig(level=level, handlers=[_to_stderr()])
    # At DEBUG it writes the headers of answers, and those may set cookies.
    logging.getLogger("httpcore2").setLevel(logging.WARNING)


def log_of_package(package: str, level: str) -> None:
    """Write the log of the server to stderr, as long as whoever runs the process configures none.

    Python would write warnings and errors there, without saying whose they are.
    """
    for name in (package, "mcp"):
        logger = logging.getLogger(name)
        if not logger.hasHandlers():
            handler = _to_stderr()
            handler.addFilter(lambda _: not logging.getLogger().handlers)
            logger.addHandler(handler)
            logger.setLevel(level)


def _to_stderr() -> logging.Handler:
    handler = LossyHandler("the log")
    handler.setFormatter(TerminalFormatter("%(levelname)s %(name)s: %(message)s"))
    return handler


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
