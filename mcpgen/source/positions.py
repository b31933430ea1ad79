"""Where in a text the value of a pointer lies: a second pass, made when something is reported."""

from __future__ import annotations

import bisect
import re
from array import array
from typing import Any, Protocol

import yaml

from ..diagnostics import Excerpt, Location
from ..pointer import escape
from .parse_yaml import LOADER

_LINE_END = re.compile(r"\r\n|\r|\n")
_WINDOW = 60
_LINE_WIDTH = 160

Place = tuple[int, int]
"""The offsets of a value's key and of the value, the same for what has no key."""


class Places(Protocol):
    """Where the values of a text are, by pointer."""

    def get(self, at: str, /) -> Place | None:
        """The place of the value at a pointer, None where that is not known."""
        ...


def yaml_places(text: str) -> dict[str, Place]:
    """The places of a YAML text that `parse_yaml` accepted; nothing inside aliases and merges."""
    tracker = _Tracker()
    loader = LOADER(text)
    try:
        while (event := loader.get_event()) is not None:
            _follow(tracker, event)
    finally:
        loader.dispose()
    return tracker.places


def _follow(tracker: _Tracker, event: Any) -> None:
    kind = type(event)
    if kind is yaml.ScalarEvent:
        tracker.scalar(event.value, event.start_mark.index)
    elif kind is yaml.AliasEvent:
        tracker.scalar(f"*{event.anchor}", event.start_mark.index)
    elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
        tracker.start(event.start_mark.index, is_object=kind is yaml.MappingStartEvent)
    elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
        tracker.end()


class _Tracker:
    """Follows a document in its own order and notes where each value starts."""

    def __init__(self) -> None:
        self.places: dict[str, Place] = {}
        self._stack: list[tuple[str, bool]] = []
        self._pointer = ""
        self._is_object = False
        self._index = 0
        self._indexes: list[int] = []
        self._key: tuple[str, int] | None = None

    def scalar(self, value: str, offset: int) -> None:
        if self._is_object and self._key is None:
            self._key = (value, offset)
        else:
            self._place(offset)

    def start(self, offset: int, *, is_object: bool) -> None:
        pointer = self._place(offset)
        self._stack.append((self._pointer, self._is_object))
        self._indexes.append(self._index)
        self._pointer, self._is_object, self._index = pointer, is_object, 0

    def end(self) -> None:
        self._pointer, self._is_object = self._stack.pop()
        self._index = self._indexes.pop()

    def _place(self, offset: int) -> str:
        pointer = self._pointer
        key_offset = offset
        if self._is_object and self._key is not None:
            pointer = f"{pointer}/{escape(self._key[0])}"
            key_offset = self._key[1]
            self._key = None
        elif self._indexes:
            pointer = f"{pointer}/{self._index}"
            self._index += 1
        self.places[pointer] = (key_offset, offset)
        return pointer


class Lines:
    """Turns offsets in a text into lines and columns."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = array("q", [0])
        self._starts.extend(match.end() for match in _LINE_END.finditer(text))

    def location(self, file: str, offset: int) -> Location:
        """The location of the character at `offset`, with the lines around it."""
        row = bisect.bisect_right(self._starts, offset) - 1
        column = offset - self._starts[row]
        return Location(file, row + 1, column + 1, self._excerpt(row, column))

    def _excerpt(self, row: int, column: int) -> Excerpt:
        left = max(0, column - _WINDOW) if column > _LINE_WIDTH - _WINDOW // 2 else 0
        first = max(0, row - 1)
        last = min(len(self._starts) - 1, row + 1)
        lines = tuple(self._line(number, left) for number in range(first, last + 1))
        return Excerpt(first + 1, lines, column - left)

    def _line(self, row: int, left: int) -> str:
        start = self._starts[row]
        end = self._starts[row + 1] if row + 1 < len(self._starts) else len(self._text)
        cut = self._text[start + left : min(end, start + left + _LINE_WIDTH)]
        return cut.rstrip("\r\n")
