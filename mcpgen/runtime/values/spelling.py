"""How one JSON value is spelled as text, and how text is escaped for each place in a request."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, quote_plus

from .errors import ArgumentError
from .limits import DEFAULT_LIMITS, Limits
from .media import charset, codec
from .unset import UNSET

_TRIPLE = re.compile(r"(%[0-9A-Fa-f]{2})")
_SURROGATE = re.compile("[\ud800-\udfff]")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
CONTROL = re.compile(r"[\x00-\x1f\x7f]")

PATH_RESERVED = ":@!$&'()*+,;="
"""Reserved characters that a path segment may hold (RFC 3986 3.3)."""
QUERY_RESERVED = ":/?@!$'()*,;"
"""Reserved characters that a query may hold (RFC 3986 3.4) and that mean nothing in a form."""
COOKIE_RESERVED = "!#$&'()*+/:=?@[]"
"""Reserved characters that a cookie's value may hold (RFC 6265 4.1.1)."""

Escape = Callable[[str], str]


def scalar_text(argument: str, value: Any, limits: Limits = DEFAULT_LIMITS) -> str:
    """Spell a value that travels as text: a string as it is, all else as JSON does.

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
        return _integer(argument, value)
    if isinstance(value, float):
        return _number(argument, value)
    return json_text(argument, value, limits)


def in_charset(argument: str, text: str, named: str | None) -> bytes:
    """The bytes of a text, UTF-8 where no charset is named.

    Raises:
        ArgumentError: characters that the charset does not have, or a charset that is none.
    """
    known = codec(named or "utf-8")
    if known is None:
        raise ArgumentError(argument, f"cannot be written in {named}, which is no charset.")
    try:
        return text.encode(known)
    except UnicodeEncodeError:
        raise ArgumentError(argument, f"holds characters that {named} does not have.") from None


def json_text(
    argument: str, value: Any, limits: Limits = DEFAULT_LIMITS, *, ascii_only: bool = False
) -> str:
    """Write a value as compact JSON; what is UNSET in it is left out.

    Raises:
        ArgumentError: NaN, an infinity, a lone surrogate, or nesting that is too deep.
    """
    check_depth(argument, value, limits.depth)
    try:
        try:
            text = _dumped(value, ascii_only)
        except TypeError:  # UNSET, or a mapping that is no dict: most values have none
            text = _dumped(_given(value), ascii_only)
    except ValueError:
        raise ArgumentError(
            argument,
            "holds a number that JSON cannot carry (NaN, an infinity, or too many digits).",
        ) from None
    if not ascii_only:
        check_unicode(argument, text)
    return text


def json_in(argument: str, value: Any, media_type: str, limits: Limits) -> bytes:
    """Write a value as the JSON of a media type: in ASCII where that names another charset.

    JSON is UTF-8 whatever its type says (RFC 8259 8.1 and 11), but some servers go by that.
    """
    text = json_text(argument, value, limits)
    named = charset(media_type)
    if named is not None and codec(named) != "utf-8":
        text = ascii_json(text)
    return text.encode()


def ascii_json(text: str) -> str:
    """The same JSON in ASCII."""
    return _NOT_ASCII.sub(lambda found: json.dumps(found[0])[1:-1], text)


def check_unicode(argument: str, text: str) -> None:
    """Refuse lone surrogates: they have no UTF-8 form."""
    if _SURROGATE.search(text):
        raise ArgumentError(argument, "holds a lone surrogate, which is not a character.")


def check_depth(argument: str, value: Any, depth: int) -> None:
    """Refuse arrays and objects nested deeper than `depth`, without recursion."""
    level = [value]
    for _ in range(depth):
        below: list[Any] = []
        for container in level:
            if isinstance(container, Mapping):
                below.extend(v for v in container.values() if isinstance(v, (Mapping, list, tuple)))
            elif isinstance(container, (list, tuple)):
                below.extend(v for v in container if isinstance(v, (Mapping, list, tuple)))
        if not below:
            return
        level = below
    raise ArgumentError(argument, f"is nested deeper than {depth} levels of arrays and objects.")


def form_escape(text: str) -> str:
    """Escape for a form body: a space is `+`, unreserved characters stay."""
    return quote_plus(text)


def percent_encode(text: str) -> str:
    """Escape for a path segment, a query or a cookie: only unreserved characters stay.

    Decoders of RFC 3986 and of RFC 1866 both read `%20` as a space (OpenAPI 3.1.2, URL
    Percent-Encoding).
    """
    return quote(text, safe="")


def name_escape(text: str) -> str:
    """Escape a parameter's name for a query: `$`, `:` and `@` stay, as OData writes them."""
    return quote(text, safe="$:@")


def segments_escape(text: str) -> str:
    """Escape for several path segments: what separates them stays too."""
    return quote(text, safe="/")


def reserved_escape(keep: str) -> Escape:
    """Escape as RFC 6570's reserved expansion does: `keep` and percent-encoded triples stay."""

    def escape(text: str) -> str:
        pieces = _TRIPLE.split(text)
        return "".join(
            piece if index % 2 else quote(piece, safe=keep) for index, piece in enumerate(pieces)
        )

    return escape


def _integer(argument: str, value: int) -> str:
    try:
        return str(int(value))
    except ValueError:
        raise ArgumentError(argument, "is a number with too many digits.") from None


def _number(argument: str, value: float) -> str:
    """ECMAScript's Number::toString: the shortest digits, exponents from 1e21 and below 1e-6."""
    if not math.isfinite(value):
        raise ArgumentError(argument, "must be a finite number: JSON has no NaN and no infinity.")
    if value == 0:
        return "0"
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).strip("0")
    point = int(exponent or 0) + (len(whole) if whole != "0" else -_leading_zeros(fraction))
    sign = "-" if value < 0 else ""
    if 0 < point <= 21:
        padded = digits.ljust(point, "0")
        return sign + padded[:point] + ("." + padded[point:] if len(padded) > point else "")
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    tail = "." + digits[1:] if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{tail}e{'+' if point > 0 else '-'}{abs(point - 1)}"


def _leading_zeros(fraction: str) -> int:
    return len(fraction) - len(fraction.lstrip("0"))


def _dumped(value: Any, ascii_only: bool) -> str:
    return json.dumps(value, ensure_ascii=ascii_only, allow_nan=False, separators=(",", ":"))


def _given(value: Any) -> Any:
    """A copy of a JSON value (of bounded depth) in dicts and lists, without what is UNSET."""
    if isinstance(value, Mapping):
        return {key: _given(member) for key, member in value.items() if member is not UNSET}
    if isinstance(value, (list, tuple)):
        return [_given(item) for item in value if item is not UNSET]
    return value
