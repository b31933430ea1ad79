"""A parsed text, and what of it is needed to parse only the changes of a later one."""

from __future__ import annotations

import marshal
from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from .limits import Repeated

Format = Literal["json", "yaml"]

HEADS: Mapping[Format, str] = {"json": '{"paths":{', "yaml": "paths:\n"}
"""What some members of `paths` stand behind when they are parsed by themselves."""


class Outline(Struct, frozen=True):
    """The places of the members of `paths` in a text."""

    starts: tuple[int, ...]
    """Where each begins, in YAML with its line."""
    end: int
    """Where what follows the last one begins."""
    indent: int
    """How many spaces each has before its key; 0 in JSON."""
    count: int
    """At least as many as the text has values."""


class Parsed(Struct, frozen=True):
    """A text and its value."""

    value: Any
    format: Format
    text: str
    outline: Outline | None = None
    """None where it is not known, or where what is inside `paths` depends on what is around."""
    hashes: tuple[bytes, ...] = ()
    """Those of `Remembered`, where they are known."""
    repeated: tuple[Repeated, ...] = ()
    """The keys that are there twice in one object."""


class Remembered(Struct, frozen=True):
    """A parsed text without the text itself, for parsing only the changes of a later one."""

    value: Any
    format: Format
    outline: Outline | None = None
    """None where each later text must be parsed as a whole."""
    length: int = 0
    """Of the text."""
    hashes: tuple[bytes, ...] = ()
    """Of what stands before the members of `paths`, of each member, and of what follows them."""

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle: plain data, of which there is much, goes and comes sooner with marshal."""
        data = marshal.dumps(self.value)
        return _restored, (data, self.format, self.outline, self.length, self.hashes)

    def in_parts(self) -> tuple[Any, ...]:
        """For a pickle that does not hold all of the value."""
        return Remembered, (self.value, self.format, self.outline, self.length, self.hashes)


def _restored(value: bytes, *rest: Any) -> Remembered:
    return Remembered(marshal.loads(value), *rest)
