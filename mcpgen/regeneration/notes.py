"""Remarks on files that people edit."""

from __future__ import annotations

from msgspec import Struct

from ..diagnostics import visible


class Note(Struct, frozen=True):
    """A remark on a file that a person wrote or edited."""

    path: str
    text: str
    line: int = 0
    """The line, if the note is about one line."""
    breaks: bool = False
    """The code fails when it runs; `check` fails until a person fixes it."""

    def __str__(self) -> str:
        line = f":{self.line}" if self.line else ""
        return f"{visible(self.path)}{line}: {self.text}"
