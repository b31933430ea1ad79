"""Pickles that refer to the parts of another, cached value instead of holding copies of them.

A part is a member of a large container. Two values share it if it is the same object in both. A
long text is a part as well, of which another may hold all but its middle.
"""

from __future__ import annotations

import copyreg
import pickle
from collections.abc import Sequence
from typing import Any, BinaryIO, TypeGuard

from msgspec import Struct

from .sameness import shared_end, shared_start
from .source.parsed import Parsed

_LARGE = 20
_LONG = 10_000
_Text = tuple[int, int, str, int]
"""The number of a text, how much of its start is shared, what follows then, and its shared end."""
_SCALARS = (str, bytes, int, float, type(None))


def parts_of(value: object) -> tuple[object, ...]:
    """The parts of a value, in an order that survives pickling."""
    found: list[object] = []
    seen: set[int] = set()
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if _is_long(each):
            found.append(each)
        members = _members(each)
        (found if len(members) > _LARGE else waiting).extend(members)
    return tuple(found)


def _members(value: object) -> Sequence[object]:
    if isinstance(value, Struct):
        return [getattr(value, name) for name in value.__struct_fields__]
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, (list, tuple)) else ()


def _is_long(value: object) -> TypeGuard[str]:
    return type(value) is str and len(value) > _LONG


class SharingPickler(pickle.Pickler):
    """Pickles a value, with a number in place of each of the `parts`."""

    def __init__(self, file: BinaryIO, parts: Sequence[object]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self.dispatch_table = {**copyreg.dispatch_table, Parsed: Parsed.in_parts}
        self._numbers = {id(p): n for n, p in enumerate(parts) if not isinstance(p, _SCALARS)}
        self._texts = {n: part for n, part in enumerate(parts) if _is_long(part)}

    def persistent_id(self, value: object) -> int | _Text | None:
        """The number of a part, or what a long text has in common with one; None for the rest."""
        number = self._numbers.get(id(value))
        return self._likeness(value) if number is None and _is_long(value) else number

    def _likeness(self, text: str) -> _Text | None:
        """The part that has at least half of a text in common with it, and the middle it lacks."""
        for number, part in self._texts.items():
            start = shared_start(part, text)
            end = shared_end(part, text, start)
            if (start + end) * 2 > len(text):
                return number, start, text[start : len(text) - end], end
        return None


class SharingUnpickler(pickle.Unpickler):
    """Reads what a `SharingPickler` wrote, given the same `parts`."""

    def __init__(self, file: BinaryIO, parts: Sequence[object]) -> None:
        super().__init__(file)
        self._parts = parts

    def persistent_load(self, known: int | _Text) -> object:
        """The part with that number, or the text that is like one."""
        if isinstance(known, int):
            return self._parts[known]
        number, start, middle, end = known
        part: Any = self._parts[number]
        return f"{part[:start]}{middle}{part[len(part) - end :]}"
