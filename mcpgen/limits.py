"""How large and how deep a text may be, and the problem of a text that cannot be read."""

from __future__ import annotations

from dataclasses import dataclass

MAX_INTEGER_DIGITS = 4300
"""Python's own limit for turning integers into text and back, on by default in every process."""


@dataclass(frozen=True)
class Limits:
    """Bounds that keep time and memory finite whatever a text holds."""

    max_bytes: int = 64 * 1024 * 1024
    max_values: int = 2_000_000
    """JSON values in one text, YAML aliases counted as what they stand for."""
    max_depth: int = 256


class ParseProblem(Exception):
    """A text that is not what it should be; `offset` counts characters, None is the whole text."""

    def __init__(self, code: str, message: str, offset: int | None = None, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.offset = offset
        self.hint = hint
