"""Where in a YAML text the value of a pointer lies."""

from __future__ import annotations

from typing import Any

import yaml

from ..pointer import escape
from .parse_yaml import LOADER
from .positions import Place


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
