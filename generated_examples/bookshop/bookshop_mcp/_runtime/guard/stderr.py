"""Writes to stderr as long as somebody reads it: a client may ignore it (MCP, stdio).

To wait for room in its pipe would stop the whole server for ever.
"""

from __future__ import annotations

import select
from typing import TextIO

_PIECE = 1000
"""Characters that are written at a time: a pipe that has room takes 4,096 bytes (POSIX)."""
_PATIENCE = 0.5
"""Seconds to wait for whoever reads."""


class LossyWriter:
    """Writes lines to a stream without waiting for ever; what finds no room is lost."""

    def __init__(self, stream: TextIO, what: str) -> None:
        """`what` the lines are, such as the log, is said where some were lost."""
        self._stream = stream
        self._what = what
        self._lost = 0

    def write_line(self, line: str) -> None:
        """Write a line, or count it as lost; raises OSError or ValueError as the stream does."""
        text = f"{line}\n"
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
