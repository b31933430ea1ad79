"""Finds the value at a pointer in a JSON text; only the values around it are read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from json import JSONDecoder

from ..text.pointer import escape, parent
from .positions import Place

_SPACE = re.compile(r"[ \t\n\r]*")
_SEPARATOR = re.compile(r"[ \t\n\r]*:[ \t\n\r]*")
_SKIP = JSONDecoder(strict=False, parse_int=len, parse_float=len, parse_constant=len)
"""Finds the end of a value; it accepts numbers of any length."""


class JsonPlaces:
    """Finds the places of values in a JSON text that `parse_json` accepted."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._inside: dict[str, dict[str, Place]] = {}

    def get(self, at: str) -> Place | None:
        """The place of the value at a pointer; None if there is none."""
        if not at:
            start = self._skip_space(0)
            return start, start
        around = parent(at)
        if around not in self._inside:
            place = self.get(around)
            members = self._members(place[1]) if place is not None else ()
            self._inside[around] = dict(members)
        return self._inside[around].get(at[len(around) + 1 :])

    def _members(self, offset: int) -> Iterator[tuple[str, Place]]:
        """The members of an object or the items of a list, by their pointer tokens."""
        is_object = self._text[offset] == "{"
        if not is_object and self._text[offset] != "[":
            return
        at, number = self._skip_space(offset + 1), 0
        while self._text[at] not in "}]":
            start, token = at, str(number)
            if is_object:
                key, at = _SKIP.raw_decode(self._text, at)
                token, at = escape(key), self._skip(_SEPARATOR, at)
            yield token, (start, at)
            at = self._skip_space(_SKIP.raw_decode(self._text, at)[1])
            if self._text[at] == ",":
                at = self._skip_space(at + 1)
            number += 1

    def _skip_space(self, at: int) -> int:
        return self._skip(_SPACE, at)

    def _skip(self, what: re.Pattern[str], at: int) -> int:
        match = what.match(self._text, at)
        return match.end() if match is not None else at
