"""How large a request made of arguments may become."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Caps on what one call sends, in bytes unless said otherwise."""

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
