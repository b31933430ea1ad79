"""The absent argument (`UNSET`, which differs from null), and the limits of a request
(`Limits`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, final


@final
class Unset:
    """The type of `UNSET`, which is false in a condition, and stays the same object when copied."""

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return "UNSET"

    def __reduce__(self) -> str:
        return "UNSET"


UNSET: Final = Unset()


def if_given(members: Mapping[str, Any]) -> Mapping[str, Any] | Unset:
    """The members of an optional body; `UNSET` if no member was given."""
    return members if any(value is not UNSET for value in members.values()) else UNSET


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one call's request, in bytes unless stated otherwise."""

    path_value: int = 8 * 1024
    url: int = 32 * 1024
    header: int = 16 * 1024
    """One header's value, and the whole Cookie header."""
    body: int = 4 * 1024 * 1024
    """A body made of arguments; what a `file:` URI brings counts by `file`."""
    file: int = 64 * 1024 * 1024
    depth: int = 200
    """Levels of arrays and objects inside each other."""


DEFAULT_LIMITS = Limits()
