"""Pickles of values that share most of their parts with one that is kept already.

A part is a member of a large container, which is one object in both values; the pickle of the
later value says which it is.
"""

from __future__ import annotations

import copyreg
import pickle
from collections.abc import Sequence
from typing import Any, BinaryIO

from msgspec import Struct

from .source.parsed import Parsed

_LARGE = 20
_SCALARS = (str, bytes, int, float, type(None))


def parts_of(value: object) -> tuple[object, ...]:
    """The parts of a value, in an order that a copy from its pickle has too."""
    found: list[object] = []
    seen: set[int] = set()
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        members = _members(each)
        (found if len(members) > _LARGE else waiting).extend(members)
    return tuple(found)


def _members(value: object) -> Sequence[object]:
    if isinstance(value, Struct):
        return [getattr(value, name) for name in value.__struct_fields__]
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, (list, tuple)) else ()


class SharingPickler(pickle.Pickler):
    """Writes a value but for its `parts`, of which it writes the numbers."""

    def __init__(self, file: BinaryIO, parts: Sequence[object]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self.dispatch_table = {**copyreg.dispatch_table, Parsed: Parsed.in_parts}
        self._numbers = {id(p): n for n, p in enumerate(parts) if not isinstance(p, _SCALARS)}

    def persistent_id(self, value: object) -> int | None:
        """The number of a part."""
        return self._numbers.get(id(value))


class SharingUnpickler(pickle.Unpickler):
    """Reads what a `SharingPickler` wrote, with the same `parts`."""

    def __init__(self, file: BinaryIO, parts: Sequence[object]) -> None:
        super().__init__(file)
        self._parts = parts

    def persistent_load(self, number: Any) -> object:
        """The part of a number."""
        return self._parts[number]
