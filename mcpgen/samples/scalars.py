"""Sample strings and numbers that fit keywords such as `pattern` and `minimum`."""

from __future__ import annotations

import base64
import math
import re
import zlib
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from ..patterns.texts import UnreadablePattern, text_for
from ..schemas.rules import matches
from ..text.literals import MAX_DIGITS

MAX_TEXT = 20_000
_LARGEST = 10**MAX_DIGITS
_COMMON = (
    "a", "A", "1", "abc", "ABC", "abc123", "a-b", "a_b", "1.0.0", "2024-05-17",
    "https://example.com/a",
)  # fmt: skip


class NoSample(Exception):
    """No instance of a schema was found; the message says why."""


def number_of(name: str) -> int:
    """A number made from a name, equal on every machine."""
    return zlib.crc32(name.encode("utf-8", "surrogatepass"))


def plain(name: str) -> str:
    """The name as plain text: ASCII letters, digits and dashes."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")[:40] or "text"


def string(rules: Mapping[str, Any], name: str, salt: int) -> str:
    """Make a string for `pattern`, `format`, `minLength`, `maxLength` and `contentEncoding`."""
    low, high = _lengths(rules)
    patterns = [str(pattern) for pattern in rules.get("patterns", ())]
    candidates = _candidates(rules, patterns, name, salt, low)
    for text in candidates:
        if low <= len(text) <= high and all(matches(each, text) is not False for each in patterns):
            return text
    rule = patterns or rules.get("format")
    raise NoSample(f"no string of {low} to {high} characters for {rule!r}")


def _lengths(rules: Mapping[str, Any]) -> tuple[int, float]:
    low, high = rules.get("minLength", 0), rules.get("maxLength", math.inf)
    if low > MAX_TEXT:
        raise NoSample(f"a string of {low} characters is too long for a sample")
    if low > high:
        raise NoSample(f"minLength {low} is over maxLength {high}")
    return math.ceil(low), high


def _candidates(
    rules: Mapping[str, Any], patterns: list[str], name: str, salt: int, low: int
) -> Iterator[str]:
    if not patterns:
        yield from _formatted(rules, name, salt)
    for pattern in patterns:
        yield from _from_pattern(pattern, name, salt, low)
    if patterns:
        yield from _formatted(rules, name, salt)
        yield from _COMMON
    if rules.get("format") is None or not patterns:
        yield from _stretched(plain(name), rules)


def _from_pattern(pattern: str, name: str, salt: int, low: int) -> Iterator[str]:
    for extra in (0, 1, 2, 4, 8, max(0, low - 1), low):
        for turn in (number_of(name) % 7 + salt, salt, salt + 1, salt + 2):
            try:
                yield text_for(pattern, extra=extra, salt=turn)
            except (UnreadablePattern, RecursionError):
                return


def _stretched(text: str, rules: Mapping[str, Any]) -> Iterator[str]:
    low, high = rules.get("minLength", 0), rules.get("maxLength", math.inf)
    length = math.ceil(min(max(low, len(text)), max(high, low)))
    yield (text + "-" * (length > len(text)) + "x" * length)[:length]


def _formatted(rules: Mapping[str, Any], name: str, salt: int) -> Iterator[str]:
    number = number_of(name) + salt
    word = plain(name) + (f"-{salt}" if salt else "")
    kind = rules.get("format")
    if rules.get("contentEncoding") == "base64" or kind in ("byte", "binary"):
        yield base64.b64encode(f"bytes of {word}".encode()).decode()
        yield base64.b64encode(word[:3].encode()).decode()
    elif isinstance(kind, str) and kind in FORMATS:
        yield FORMATS[kind](number, word)
    else:
        yield f"{word}-text" if "-" not in word else word
        yield word


def _uuid(number: int, word: str) -> str:
    digits = f"{number % 2**32:08x}"
    return f"{digits}-{digits[:4]}-4{digits[1:4]}-8{digits[5:8]}-{digits[:4]}{digits}"


FORMATS: Mapping[str, Any] = {
    "uuid": _uuid,
    "date": lambda n, w: f"2024-0{n % 9 + 1}-{n % 18 + 10}",
    "date-time": lambda n, w: f"2024-0{n % 9 + 1}-{n % 18 + 10}T{n % 14 + 10}:30:00Z",
    "datetime": lambda n, w: f"2024-0{n % 9 + 1}-{n % 18 + 10}T{n % 14 + 10}:30:00Z",
    "time": lambda n, w: f"{n % 14 + 10}:30:00Z",
    "duration": lambda n, w: f"P{n % 9 + 1}DT12H",
    "email": lambda n, w: f"{w.lower()}@example.com",
    "idn-email": lambda n, w: f"{w.lower()}@example.com",
    "hostname": lambda n, w: f"{w.lower()}.example.com",
    "idn-hostname": lambda n, w: f"{w.lower()}.example.com",
    "ipv4": lambda n, w: f"192.0.2.{n % 250 + 1}",
    "ip": lambda n, w: f"192.0.2.{n % 250 + 1}",
    "ipv6": lambda n, w: f"2001:db8::{n % 250 + 1:x}",
    "cidr": lambda n, w: "192.0.2.0/24",
    "uri": lambda n, w: f"https://example.com/{w}",
    "url": lambda n, w: f"https://example.com/{w}",
    "iri": lambda n, w: f"https://example.com/{w}",
    "uri-reference": lambda n, w: f"/{w}",
    "iri-reference": lambda n, w: f"/{w}",
    "uri-template": lambda n, w: f"/{w}/{{id}}",
    "json-pointer": lambda n, w: f"/{w}",
    "relative-json-pointer": lambda n, w: f"1/{w}",
    "regex": lambda n, w: f"^{w}$",
    "int32": lambda n, w: str(n % 100 + 1),
    "int64": lambda n, w: str(n % 100 + 1),
    "decimal": lambda n, w: f"{n % 100 + 1}.5",
}


_BOUNDS = frozenset({"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"})
_MAX_CHOICES = 97
"""How many numbers there are to choose from: a prime, so that names seldom collide."""


def number(rules: Mapping[str, Any], name: str, salt: int, *, integer: bool) -> int | float:
    """Choose a number for `minimum`, `maximum`, their exclusive variants and `multipleOf`."""
    if not rules.get("multiples") and _BOUNDS.isdisjoint(rules):
        return _free_number(name, salt) + (1 if integer else 1.5)
    low, high = _limits(rules)
    steps = [Fraction(str(each)) for each in rules.get("multiples", ())]
    step = _common_multiple([*steps, Fraction(1)] if integer else steps)
    if step is None:
        return _between(low, high, name, salt)
    first = None if low is None else math.ceil(low / step)
    last = None if high is None else math.floor(high / step)
    if last is not None and _is_bound(last * step, rules, "exclusiveMaximum"):
        last -= 1
    first, last = _window(first, last)
    if _is_bound(first * step, rules, "exclusiveMinimum"):
        first += 1
    if first > last:
        raise NoSample(f"no multiple of {step} between {low} and {high}")
    value = (first + (number_of(name) + salt) % min(last - first + 1, _MAX_CHOICES)) * step
    return int(value) if value.denominator == 1 else _float(value)


def _free_number(name: str, salt: int) -> int:
    return (number_of(name) + salt) % _MAX_CHOICES


def _is_bound(value: Fraction, rules: Mapping[str, Any], key: str) -> bool:
    return key in rules and value == Fraction(str(rules[key]))


def _limits(rules: Mapping[str, Any]) -> tuple[Fraction | None, Fraction | None]:
    def tightest(pick: Any, *keys: str) -> Fraction | None:
        bounds = [Fraction(str(rules[key])) for key in keys if key in rules]
        return pick(bounds) if bounds else None

    low = tightest(max, "minimum", "exclusiveMinimum")
    return low, tightest(min, "maximum", "exclusiveMaximum")


def _window(first: int | None, last: int | None) -> tuple[int, int]:
    """The range of whole numbers within the bounds, above 0 if possible."""
    if last is not None and last < 1:
        return (last - _MAX_CHOICES + 1 if first is None else first), last
    start = 1 if first is None else max(first, 1)
    return start, start + _MAX_CHOICES - 1 if last is None else last


def _between(low: Fraction | None, high: Fraction | None, name: str, salt: int) -> float:
    if low is None or high is None:
        near = low if low is not None else high
        assert near is not None
        value = near + Fraction(5, 4) * (1 if low is not None else -1)
        return _float(value if value.denominator > 1 else value + Fraction(1, 2))
    part = Fraction((number_of(name) + salt) % 7 + 1, 8)
    return _float(low + (high - low) * part)


def _float(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        raise NoSample("a number that is too large for a 64-bit float") from None


def _common_multiple(steps: list[Fraction]) -> Fraction | None:
    if not steps:
        return None
    common = 1
    for step in steps:
        common = math.lcm(common, step.numerator)
        if common >= _LARGEST:
            raise NoSample("the common multiple is too large for a sample")
    return Fraction(common, math.gcd(*(step.denominator for step in steps)))
