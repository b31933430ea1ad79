"""Finds the place of each value in a YAML text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import yaml

from ..text.pointer import escape
from .parse_yaml import of_events
from .positions import Place


def yaml_places(text: str) -> dict[str, Place]:
    """The places of the values in a valid YAML text, except inside aliases and merges."""
    return of_events(text, _places)


def _places(get_event: Callable[[], Any]) -> dict[str, Place]:
    tracker = _Tracker()
    while (event := get_event()) is not None:
        _follow(tracker, event)
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
    """Follows the events of a YAML text in order, and notes where each value starts."""

    def __init__(self) -> None:
        self.places: dict[str, Place] = {}
        self._around: list[tuple[str, bool, int]] = []
        """Pointer, kind and index (as below) of the containers of the open object or list."""
        self._pointer = ""
        self._is_object = False
        self._index = 0
        """The index of the next item of a list."""
        self._key: tuple[str, int] | None = None
        """The key whose value comes next, and the key's position."""

    def scalar(self, value: str, offset: int) -> None:
        if self._is_object and self._key is None:
            self._key = (value, offset)
        else:
            self._place(offset)

    def start(self, offset: int, *, is_object: bool) -> None:
        pointer = self._place(offset)
        self._around.append((self._pointer, self._is_object, self._index))
        self._pointer, self._is_object, self._index = pointer, is_object, 0

    def end(self) -> None:
        self._pointer, self._is_object, self._index = self._around.pop()

    def _place(self, offset: int) -> str:
        pointer, key_offset = self._pointer, offset
        if self._is_object and self._key is not None:
            key, key_offset = self._key
            pointer = f"{pointer}/{escape(key)}"
            self._key = None
        elif self._around:
            pointer = f"{pointer}/{self._index}"
            self._index += 1
        self.places[pointer] = (key_offset, offset)
        return pointer
