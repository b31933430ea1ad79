"""Finds positions in a text in a second pass, only when they are reported."""

from __future__ import annotations

import bisect
import re
from array import array
from itertools import accumulate

from ..diagnostics import Excerpt, Location

_LINE_END = re.compile(r"\r\n|\r|\n")
_WINDOW_COLUMNS = 60
_MAX_LINE_COLUMNS = 160

Place = tuple[int, int]
"""The offsets of a value's key and of the value; they are equal if there is no key."""


class Lines:
    """Maps offsets to lines and columns."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = array("q", [0])
        if "\r" in text:
            self._starts.extend(match.end() for match in _LINE_END.finditer(text))
        else:
            lengths = (len(line) + 1 for line in text.split("\n")[:-1])
            self._starts.extend(accumulate(lengths))

    def location(self, file: str, offset: int) -> Location:
        """The location of the character at `offset`, with the surrounding lines."""
        row = bisect.bisect_right(self._starts, offset) - 1
        column = offset - self._starts[row]
        return Location(file, row + 1, column + 1, self._excerpt(row, column))

    def _excerpt(self, row: int, column: int) -> Excerpt:
        left = (
            max(0, column - _WINDOW_COLUMNS)
            if column > _MAX_LINE_COLUMNS - _WINDOW_COLUMNS // 2
            else 0
        )
        first = max(0, row - 1)
        last = min(len(self._starts) - 1, row + 1)
        lines = tuple(self._line(number, left) for number in range(first, last + 1))
        return Excerpt(first + 1, lines, column - left)

    def _line(self, row: int, left: int) -> str:
        start = self._starts[row]
        end = self._starts[row + 1] if row + 1 < len(self._starts) else len(self._text)
        cut = self._text[start + left : min(end, start + left + _MAX_LINE_COLUMNS)]
        return cut.rstrip("\r\n")
