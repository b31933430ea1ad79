"""Writes to stderr as long as somebody reads it: a client may ignore it (MCP, stdio).

To wait for room in its pipe would stop the whole server for ever.
"""

from __future__ import annotations

import logging
import select
import sys

_PIECE = 1000
"""Characters that are written at a time: a pipe that has room takes 4,096 bytes (POSIX)."""
_PATIENCE = 0.5
"""Seconds to wait for whoever reads."""


class LossyHandler(logging.Handler):
    """Writes lines to stderr without waiting for ever; what finds no room is lost, and counted."""

    def __init__(self, what: str) -> None:
        """`what` the lines are, such as the log, is said where some were lost."""
        super().__init__()
        self._stream = sys.stderr
        self._what = what
        self._lost = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, or count it as lost."""
        try:
            self._write(f"{self.format(record)}\n")
        except Exception:
            self.handleError(record)

    def _write(self, text: str) -> None:
        if self._lost and self._has_room():
            text = f"... {self._lost} lines of {self._what} were lost: nobody read them\n{text}"
            self._lost = 0
        for start in range(0, len(text), _PIECE):
            if not self._has_room():
                self._lost += 1
                return
            self._stream.write(text[start : start + _PIECE])
            self._stream.flush()

    def _has_room(self) -> bool:
        """Whether a piece can be written; a reader that is only slow is waited for once."""
        try:
            return bool(select.select([], [self._stream], [], 0 if self._lost else _PATIENCE)[1])
        except (OSError, ValueError):  # on Windows, or where it is no file
            return True
