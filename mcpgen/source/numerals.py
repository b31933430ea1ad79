"""Parses numbers exactly or refuses them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

from ..text.literals import MAX_DIGITS
from .limits import ParseProblem

_MAX_OTHER_DIGITS = MAX_DIGITS * 4 // 5
"""The limit for octal and hexadecimal numbers: 16 of these digits are 19 decimal digits."""

_MAX_CHARACTERS = 40


class NotFinite(NamedTuple):
    """A number that JSON does not have; schemas and other parts that use it are left out."""

    value: str
    """The replacement for the number: its text, in a string object that is used nowhere else."""
    problem: ParseProblem


def holds(value: Any, odd: Iterable[NotFinite]) -> bool:
    """Whether a value contains one of the numbers that JSON does not have."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(value is each.value for each in odd) or any(holds(each, odd) for each in inner)


def as_spelled(text: str) -> str:
    """A copy of the text as a new object, which `is` can later tell from equal strings."""
    return text.encode().decode()


def integer(text: str, offset: int | None = None, base: int = 10) -> int:
    """An exact integer; raises ParseProblem if it has too many digits."""
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
    """A float; raises ParseProblem if the number is too large for one."""
    value = float(text)
    if math.isinf(value):
        excerpt = text if len(text) <= _MAX_CHARACTERS else f"{text[:_MAX_CHARACTERS]}..."
        raise ParseProblem(
            "number-out-of-range",
            f"the number {excerpt} is too large for a 64-bit float",
            offset,
            "Remove it, or write it as a string.",
        )
    return value


def not_finite(text: str, offset: int | None) -> ParseProblem:
    """The problem that NaN and the infinities do not exist in JSON."""
    return ParseProblem(
        "number-not-finite",
        f"{text} is not a JSON number (RFC 8259 has neither NaN nor infinities)",
        offset,
        "Remove it, or write it as a string.",
    )
