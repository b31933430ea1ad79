"""Reads JSON strictly, noting what a Python value cannot represent; writes JSON and text."""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate
from typing import Any, NamedTuple

from .arguments import DEFAULT_LIMITS, UNSET, Limits
from .errors import ArgumentError
from .media import charset, codec

MAX_DEPTH = 100
"""Levels of nesting that are passed on as data: clients' parsers give up at about 200."""

_EXACT = sys.float_info.dig + 1
"""Characters, with the point, of the longest number that floating point always holds."""
_SMALLEST = sys.float_info.min
"""Smaller numbers keep fewer digits, and in the end none."""
_NESTING = (Mapping, list, tuple)
_SQUARE = bytes.maketrans(b"{}", b"[]")
_NO_BRACKETS = bytes({*range(256)} - {*b'{}[]"'})
_NOT_ASCII = re.compile(r"[^\x00-\x7e]+")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Most(NamedTuple):
    """The maximum number of values in a text, and the variable that sets it."""

    values: int = 1_000_000
    variable: str = "MAX_VALUES"


USUAL = Most()


class NotJson(Exception):
    """A text that is not JSON, or cannot be read as data; the message is the end of a sentence."""


@dataclass(frozen=True)
class Parsed:
    """A value, and the parts of the text that a Python value cannot represent."""

    value: Any
    losses: tuple[str, ...] = ()


def check_size(text: str, most: Most) -> None:
    """Raise NotJson if a text may have too many values: each may take forty times its size in
    memory.

    A value is counted for each comma and opening bracket, also within strings.
    """
    count = text.count
    if count(",") + count("[") + count("{") - count("[]") - count("{}") >= most.values:
        raise NotJson(
            f"may hold more than {most.values:,} values, the most that this server reads as data "
            f"({most.variable})"
        )


def check_brackets(text: bytes) -> None:
    """Raise NotJson if a text has too many arrays and objects, or nests them too deeply."""
    if text.count(b"[") + text.count(b"{") <= MAX_DEPTH:
        return
    bare = text.replace(b"\\\\", b"").replace(b'\\"', b"").translate(_SQUARE, _NO_BRACKETS)
    brackets = b"".join(bare.split(b'"')[::2])
    if len(brackets) > 2 * USUAL.values:
        raise NotJson(f"holds more than {USUAL.values:,} arrays and objects")
    if max(accumulate(map((92).__sub__, brackets)), default=0) > MAX_DEPTH:  # "[" is 91, "]" 93
        raise NotJson(f"is nested deeper than {MAX_DEPTH} levels")


def parse(text: str, most: Most | None = None) -> Parsed:
    """Parse JSON (RFC 8259).

    Raises:
        NotJson: malformed text, NaN or Infinity, a number with too many digits, too many values,
            or values that are nested too deeply.
    """
    if most is not None:
        check_size(text, most)
    strict = _Strict()
    try:
        value = json.loads(
            text,
            object_pairs_hook=strict.pairs,
            parse_float=strict.real,
            parse_constant=strict.constant,
        )
    except RecursionError:
        raise NotJson("is nested too deeply") from None
    except json.JSONDecodeError as problem:
        raise NotJson(f"is not well-formed JSON at character {problem.pos}") from None
    except ValueError:  # from int()
        raise NotJson("holds a number with too many digits") from None
    if text.count("[") + text.count("{") > MAX_DEPTH and is_deeper(value, MAX_DEPTH):
        raise NotJson(f"is nested deeper than {MAX_DEPTH} levels")
    return Parsed(value, tuple(strict.losses))


class _Strict:
    """The hooks of `json.loads` for objects and numbers; they refuse values, or note what is
    lost.
    """

    def __init__(self) -> None:
        self.losses: dict[str, None] = {}

    def pairs(self, items: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(items)
        if len(members) != len(items):
            self.losses["it repeats a key inside one object; the last value counts"] = None
        return members

    def real(self, digits: str) -> float:
        value = float(digits)
        if math.isinf(value):
            raise NotJson("holds a number beyond the range of floating point")
        may_lose = len(digits) > _EXACT or abs(value) < _SMALLEST
        if may_lose and _significant(digits) != _significant(repr(value)):
            self.losses["it holds a number with more digits than floating point keeps"] = None
        return value

    def constant(self, name: str) -> Any:
        raise NotJson(f"holds {name}, which is not JSON")


def _significant(number: str) -> str:
    return number.lower().partition("e")[0].replace(".", "").strip("-0")


def is_deeper(value: Any, limit: int) -> bool:
    """Whether arrays and objects are nested more than `limit` levels; works without recursion."""
    level: list[Any] = [value] if isinstance(value, _NESTING) else []
    for _ in range(limit):
        inner = (item.values() if isinstance(item, Mapping) else item for item in level)
        level = [child for children in inner for child in children if isinstance(child, _NESTING)]
        if not level:
            return False
    return True


def _dumps(value: Any, *, allow_nan: bool = False) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=allow_nan, separators=(",", ":"))


def dump(value: Any, *, allow_nan: bool = False) -> str:
    """Compact JSON; all characters stay as they are, except that a lone surrogate is escaped.

    Raises:
        ValueError, TypeError: the value is not JSON.
    """
    text = _dumps(value, allow_nan=allow_nan)
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def scrub(text: str) -> str:
    """Replace lone surrogates, which UTF-8 cannot encode."""
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
    """Whether a JSON value contains a lone surrogate in any string."""
    return _SURROGATE.search(json.dumps(value, ensure_ascii=False)) is not None


def check_unicode(argument: str, text: str) -> None:
    """Refuse lone surrogates, since UTF-8 cannot encode them."""
    if _SURROGATE.search(text):
        raise ArgumentError(argument, "holds a lone surrogate, which is not a character.")


def json_text(argument: str, value: Any, limits: Limits = DEFAULT_LIMITS) -> str:
    """Write a value as compact JSON; members that are UNSET are left out.

    Raises:
        ArgumentError: NaN, an infinity, a lone surrogate, or nesting that is too deep.
    """
    if is_deeper(value, limits.depth):
        reason = f"is nested deeper than {limits.depth} levels of arrays and objects."
        raise ArgumentError(argument, reason)
    try:
        try:
            text = _dumps(value)
        except TypeError:  # UNSET, or a mapping that is no dict: most values have none
            text = _dumps(_without_unset(value))
    except ValueError:
        raise ArgumentError(
            argument,
            "holds a number that JSON cannot carry (NaN, an infinity, or too many digits).",
        ) from None
    check_unicode(argument, text)
    return text


def _without_unset(value: Any) -> Any:
    """A copy of a JSON value (of bounded depth) in dicts and lists, without UNSET members."""
    if isinstance(value, Mapping):
        return {key: _without_unset(member) for key, member in value.items() if member is not UNSET}
    if isinstance(value, (list, tuple)):
        return [_without_unset(item) for item in value if item is not UNSET]
    return value


def json_in(argument: str, value: Any, media_type: str, limits: Limits) -> bytes:
    """Write a value as JSON for a media type; in ASCII if its charset is not UTF-8.

    JSON is UTF-8 whatever its type says (RFC 8259 8.1 and 11), but some servers use the charset.
    """
    text = json_text(argument, value, limits)
    name = charset(media_type)
    return (text if name is None or codec(name) == "utf-8" else ascii_json(text)).encode()


def ascii_json(text: str) -> str:
    """The JSON text in ASCII."""
    return _NOT_ASCII.sub(lambda match: json.dumps(match[0])[1:-1], text)


def scalar_text(argument: str, value: Any, limits: Limits = DEFAULT_LIMITS) -> str:
    """A value as text: a string stays as it is, other values become JSON.

    Numbers are written as ECMAScript writes them (3.0 is `3`, 1e21 is `1e+21`), integers exactly at
    any size; an array or object becomes its JSON text.

    Raises:
        ArgumentError: NaN, an infinity, a lone surrogate, or nesting that is too deep.
    """
    if isinstance(value, str):
        check_unicode(argument, value)
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        try:
            return str(int(value))
        except ValueError:
            raise ArgumentError(argument, "is a number with too many digits.") from None
    if isinstance(value, float):
        return _number(argument, value)
    return json_text(argument, value, limits)


def _number(argument: str, value: float) -> str:
    """A number as ECMAScript writes it: shortest digits, exponents from 1e21 and below 1e-6."""
    if not math.isfinite(value):
        raise ArgumentError(argument, "must be a finite number: JSON has no NaN and no infinity.")
    if value == 0:
        return "0"
    if 1e-6 <= abs(value) < 1e21:
        return f"{Decimal(repr(value)):f}".removesuffix(".0")
    mantissa, _, exponent = repr(value).partition("e")
    return f"{mantissa}e{int(exponent):+}"
