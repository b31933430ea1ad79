"""JSON from an API, read strictly and without losing what Python's values cannot hold."""

from __future__ import annotations

import json
import math
import re
import sys
from dataclasses import dataclass
from typing import Any, NamedTuple

MAX_DEPTH = 100
"""Levels of nesting that are passed on as data: clients' parsers give up at about 200."""

_MAX_DIGITS = 4000
_EXACT = sys.float_info.dig + 1
"""Characters, with the point, of the longest number that floating point always holds."""
_SMALLEST = sys.float_info.min
"""Smaller numbers keep fewer digits, and in the end none."""
_NESTING = (dict, list, tuple)
_SURROGATE = re.compile("[\ud800-\udfff]")


class Most(NamedTuple):
    """The values that a text may hold to be read as data, and the variable that sets how many."""

    values: int = 1_000_000
    variable: str = "MAX_VALUES"


USUAL = Most()


class NotJson(Exception):
    """The text is not JSON that can be passed on as data; the message is a predicate about it."""


@dataclass(frozen=True)
class Parsed:
    """A value, and what of the text it does not hold."""

    value: Any
    losses: tuple[str, ...] = ()


def check_size(text: str, most: Most) -> None:
    """Raise NotJson if a text may hold too many values: they take up to forty times its bytes.

    A value is the first, or after a comma or a bracket; such characters in strings count too.
    """
    count = text.count
    if count(",") + count("[") + count("{") - count("[]") - count("{}") >= most.values:
        raise NotJson(
            f"may hold more than {most.values:,} values, the most that this server reads as data "
            f"({most.variable})"
        )


def parse(text: str, most: Most | None = None) -> Parsed:
    """Parse JSON (RFC 8259).

    Raises:
        NotJson: malformed, NaN or Infinity, a number without end, too many values, or nested too
            deeply.
    """
    if most is not None:
        check_size(text, most)
    strict = _Strict()
    try:
        value = json.loads(
            text,
            object_pairs_hook=strict.pairs,
            parse_float=strict.real,
            parse_int=strict.whole,
            parse_constant=strict.constant,
        )
    except RecursionError:
        raise NotJson("is nested too deeply") from None
    except ValueError as problem:
        place = f" at character {problem.pos}" if isinstance(problem, json.JSONDecodeError) else ""
        raise NotJson(f"is not well-formed JSON{place}") from None
    if text.count("[") + text.count("{") > MAX_DEPTH and is_deeper(value, MAX_DEPTH):
        raise NotJson(f"is nested deeper than {MAX_DEPTH} levels")
    return Parsed(value, tuple(strict.losses))


class _Strict:
    """What `json.loads` calls for objects and numbers: refuses or remembers what would be lost."""

    def __init__(self) -> None:
        self.losses: dict[str, None] = {}

    def pairs(self, items: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(items)
        if len(found) != len(items):
            self.losses["it repeats a key inside one object; the last value counts"] = None
        return found

    def real(self, digits: str) -> float:
        value = float(digits)
        if math.isinf(value):
            raise NotJson("holds a number beyond the range of floating point")
        if (len(digits) > _EXACT or abs(value) < _SMALLEST) and _rounded(digits, value):
            self.losses["it holds a number with more digits than floating point keeps"] = None
        return value

    def whole(self, digits: str) -> int:
        if len(digits) > _MAX_DIGITS:
            raise NotJson(f"holds a number of more than {_MAX_DIGITS:,} digits")
        return int(digits)

    def constant(self, name: str) -> Any:
        raise NotJson(f"holds {name}, which is not JSON")


def _rounded(digits: str, value: float) -> bool:
    if digits == repr(value):
        return False
    from decimal import Decimal, InvalidOperation

    try:
        return Decimal(digits) != Decimal(repr(value))
    except InvalidOperation:  # an exponent beyond what Decimal has: all but zero was lost
        return bool(digits.lower().partition("e")[0].strip("-0."))


def is_deeper(value: Any, limit: int) -> bool:
    """Whether arrays and objects are nested more than `limit` levels."""
    level: list[Any] = [value] if isinstance(value, _NESTING) else []
    for _ in range(limit):
        inner = (item.values() if isinstance(item, dict) else item for item in level)
        level = [child for children in inner for child in children if isinstance(child, _NESTING)]
        if not level:
            return False
    return True


def dump(value: Any, *, allow_nan: bool = False) -> str:
    """Compact JSON; characters as they are, a lone surrogate as its escape.

    Raises:
        ValueError, TypeError: the value is not JSON.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=allow_nan, separators=(",", ":"))
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def scrub(text: str) -> str:
    """Replace lone surrogates, which UTF-8 cannot carry."""
    return _SURROGATE.sub("\ufffd", text)


def scrub_value(value: Any) -> Any:
    """A copy of a JSON value (of bounded depth) with U+FFFD in place of lone surrogates."""
    if isinstance(value, str):
        return scrub(value)
    if isinstance(value, dict):
        return {scrub(key): scrub_value(child) for key, child in value.items()}
    if isinstance(value, list | tuple):
        return [scrub_value(child) for child in value]
    return value


def has_surrogates(value: Any) -> bool:
    """Whether a JSON value holds a lone surrogate in any text."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False
