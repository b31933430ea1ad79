"""Parses numbers exactly, or refuses them."""

from __future__ import annotations

import math

from ..text.literals import MAX_DIGITS
from .limits import ParseProblem

_MAX_OTHER_DIGITS = MAX_DIGITS * 4 // 5
"""The same of an octal or hexadecimal number: 16 such digits are 19 decimal ones."""

_SHOWN = 40


def integer(text: str, offset: int | None = None, base: int = 10) -> int:
    """An integer, exact; raises ParseProblem beyond the limit of digits."""
    limit = MAX_DIGITS if base == 10 else _MAX_OTHER_DIGITS
    if len(text) > limit:
        raise ParseProblem(
            "number-too-long",
            f"an integer of {len(text):,} characters; the limit is {limit:,}",
            offset,
            "Write it as a string.",
        )
    return int(text, base)


def finite(text: str, offset: int | None = None) -> float:
    """A float; raises ParseProblem where it is too large for one."""
    value = float(text)
    if math.isinf(value):
        excerpt = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
        raise ParseProblem(
            "number-out-of-range",
            f"the number {excerpt} is too large for a 64-bit float",
            offset,
            "Remove it, or write it as a string.",
        )
    return value


def not_finite(text: str, offset: int | None) -> ParseProblem:
    """The problem of NaN and the infinities, which JSON does not have."""
    return ParseProblem(
        "number-not-finite",
        f"{text} is no JSON number (RFC 8259 has neither NaN nor infinities)",
        offset,
        "Remove it, or write it as a string.",
    )
