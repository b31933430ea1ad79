"""What stderr gets of the log: of a process of the server's own, or of one that others run."""

from __future__ import annotations

import logging
import select
import sys
from typing import TextIO

from ..results.visible import visible

_PIECE = 1000
"""Characters that are written at a time: a pipe that has room takes 4,096 bytes (POSIX)."""
_PATIENCE = 0.5
"""Seconds to wait for whoever reads stderr."""


class Lines(logging.Formatter):
    """A log formatter that makes texts of clients and the API harmless for a terminal.

    Only the log's own lines begin at the margin.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The text of a record."""
        return visible(super().format(record)).replace("\n", "\n  ")


def of_process(level: str) -> None:
    """Write the log of the whole process to stderr."""
    logging.basicConfig(level=level, handlers=[_to_stderr()])
    # At DEBUG it writes the headers of answers, and those may set cookies.
    logging.getLogger("httpcore2").setLevel(logging.WARNING)


def of_package(package: str, level: str) -> None:
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


class _ToStderr(logging.StreamHandler[TextIO]):
    """Writes to stderr as long as somebody reads it: a client may ignore it (MCP, stdio).

    To wait for room in its pipe would stop the whole server for ever.
    """

    _lost = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, or count it as lost."""
        try:
            text = f"{self.format(record)}\n"
            if self._lost and self._has_room():
                text = f"... {self._lost} lines of the log were lost: nobody read them\n{text}"
                self._lost = 0
            for start in range(0, len(text), _PIECE):
                if not self._has_room():
                    self._lost += 1
                    return
                self.stream.write(text[start : start + _PIECE])
                self.flush()
        except Exception:
            self.handleError(record)

    def _has_room(self) -> bool:
        """Whether a piece can be written; a reader that is only slow is waited for once."""
        try:
            return bool(select.select([], [self.stream], [], 0 if self._lost else _PATIENCE)[1])
        except (OSError, ValueError):  # on Windows, or where it is no file
            return True


def _to_stderr() -> logging.Handler:
    handler = _ToStderr(sys.stderr)
    handler.setFormatter(Lines("%(levelname)s %(name)s: %(message)s"))
    return handler
