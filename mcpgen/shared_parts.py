"""Pickles that refer to the parts of another, cached value instead of holding copies of them.

A part is a large container, or a member of one. Two values share it if it is the same object in
both.
"""

from __future__ import annotations

import copyreg
import pickle
from collections.abc import Sequence
from typing import BinaryIO

from msgspec import Struct

from .source.parsed import Remembered

_LARGE = 20
_SCALARS = {str, bytes, int, float, bool, type(None)}


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
        members = _members(each)
        if len(members) > _LARGE and not isinstance(each, Struct):
            found.append(each)
            found.extend(member for member in members if type(member) not in _SCALARS)
        else:
            waiting.extend(members)
    return tuple(found)


def _members(value: object) -> Sequence[object]:
    if isinstance(value, Struct):
        return [getattr(value, name) for name in value.__struct_fields__]
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, (list, tuple)) else ()


class SharingPickler(pickle.Pickler):
    """Pickles a value, with a number in place of each of the `parts`."""

    def __init__(self, file: BinaryIO, parts: Sequence[object]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self.dispatch_table = {**copyreg.dispatch_table, Remembered: Remembered.in_parts}
        self._numbers = dict(zip(map(id, parts), range(len(parts)), strict=True))

    def persistent_id(self, value: object) -> int | None:
        """The number of a part; None for the rest."""
        return self._numbers.get(id(value))


class SharingUnpickler(pickle.Unpickler):
    """Reads what a `SharingPickler` wrote, given the same `parts`."""

    def __init__(self, file: BinaryIO, parts: Sequence[object]) -> None:
        super().__init__(file)
        self._parts = parts

    def persistent_load(self, known: int) -> object:
        """The part with that number."""
        return self._parts[known]
