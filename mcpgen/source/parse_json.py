"""Parses JSON (RFC 8259) and refuses duplicate keys and lone surrogates."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

from .limits import (
    FOR_PEOPLE,
    Limits,
    ParseProblem,
    Repeated,
    duplicate_key,
    one_of_two,
    surrogate,
    too_deep,
    too_many,
)
from .numerals import NotFinite, as_spelled, finite, integer, not_finite

_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[][{}:,]|[^][{}:,"\s]++')
_MEANT = {
    "/": "JSON has no comments: remove this one.",
    "#": "JSON has no comments: remove this one.",
    "'": "Put a string in double quotes.",
}
"""Advice for a character that is not allowed at its place."""
_HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile("[\ud800-\udfff]")


class _Refused(Exception):
    """Raised for what only Python's decoder accepts; a second pass then finds its place."""


def parse_json(
    text: str,
    limits: Limits,
    repeated: list[Repeated] | None = None,
    odd: list[NotFinite] | None = None,
) -> Any:
    """The JSON value that a text contains; raises ParseProblem.

    A key that is twice in one object is added to `repeated` if one of its values can be used, and
    is refused otherwise. NaN, infinities and numbers too large for a float are added to `odd`; if
    `odd` is not given, they are refused.
    """
    exempt_keys: set[str] = set()
    spelled: list[str] = []

    def spell(number: str) -> str:
        spelled.append(as_spelled(number))
        return spelled[-1]

    if text.count(",") + text.count("[") + text.count("{") >= limits.max_values:
        _check(text, limits, [], None)
    try:
        value = json.loads(
            text,
            object_pairs_hook=partial(_object, limits, exempt_keys),
            parse_constant=spell,
            parse_int=_integer,
            parse_float=lambda number: _float(number, spell),
        )
    except json.JSONDecodeError as error:
        raise _syntax_problem(text, error) from None
    except (_Refused, RecursionError):
        exemption = None if limits.repeated_keys == "last" else ()
        _check(text, limits, [], exemption if exemption is None else FOR_PEOPLE)
        _check(text, limits, [], exemption)
        raise too_deep(limits, None) from None
    is_container = type(value) is dict or type(value) is list
    is_deep = is_container and _is_deeper(value, limits.max_depth)
    if exempt_keys or spelled or _HALF_PAIR.search(text) or is_deep:
        problems: list[ParseProblem] | None = None if odd is None else []
        _check(text, limits, [] if repeated is None else repeated, exempt_keys, problems)
        if odd is not None:
            odd += map(NotFinite, spelled, problems or ())
    return value


def _syntax_problem(text: str, error: json.JSONDecodeError) -> ParseProblem:
    comma = len(text[: error.pos + 1].rstrip(" \t\r\n]}")) - 1
    if text[comma : comma + 1] == ",":
        message = "this is not JSON: nothing follows this comma"
        return ParseProblem("json-syntax", message, comma, "Remove the comma.")
    message = f"this is not JSON: {error.msg[:1].lower()}{error.msg[1:]}"
    return ParseProblem("json-syntax", message, error.pos, _MEANT.get(text[error.pos :][:1], ""))


def _object(limits: Limits, exempt_keys: set[str], pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) == len(pairs):
        return value
    value = {}
    for key, each in pairs:
        if key in value:
            try:
                each = one_of_two(Repeated(key, 0, 0), value[key], each, limits)
            except ParseProblem:
                raise _Refused from None
            exempt_keys.add(key)
        value[key] = each
    return value


def _integer(text: str) -> int:
    try:
        return integer(text)
    except ParseProblem:
        raise _Refused from None


def _float(text: str, spell: Callable[[str], str]) -> float | str:
    try:
        return finite(text)
    except ParseProblem:
        return spell(text)


def _is_deeper(value: Any, depth: int) -> bool:
    level = [value]
    for _ in range(depth):
        level = [
            child
            for container in level
            for child in (container.values() if type(container) is dict else container)
            if type(child) is dict or type(child) is list
        ]
        if not level:
            return False
    return True


def tokens(text: str) -> Iterator[tuple[str, int]]:
    """The tokens of a JSON text with their offsets, even if the JSON is not quite valid."""
    for match in _TOKEN.finditer(text):
        yield match.group(), match.start()


def _check(
    text: str,
    limits: Limits,
    repeated: list[Repeated],
    exempt_keys: Collection[str] | None,
    odd: list[ParseProblem] | None = None,
) -> None:
    """Raise ParseProblem for the first token that is refused, without building a value.

    A key that is in one object twice is not refused but added to `repeated` if it is in
    `exempt_keys`, or if `exempt_keys` is None. Numbers that JSON does not have are added to `odd`,
    unless it is None.
    """
    objects: list[dict[str, int] | None] = []
    keys: dict[str, int] | None = None
    """The keys of the object in which a key may be next."""
    count = 0
    for token, offset in tokens(text):
        first = token[0]
        if first in "{[":
            count += 1
            keys = {} if first == "{" else None
            objects.append(keys)
            if len(objects) > limits.max_depth:
                raise too_deep(limits, offset)
        elif first in "}]":
            if objects:
                objects.pop()
            keys = None
        elif first == ",":
            keys = objects[-1] if objects else None
        elif first == ":":
            keys = None
        elif keys is not None and first == '"':
            _check_key(token, offset, keys, repeated, exempt_keys)
        else:
            count += 1
            _check_scalar(token, offset, odd)
        if count > limits.max_values:
            raise too_many(limits, offset)


def _check_key(
    token: str,
    offset: int,
    offsets: dict[str, int],
    repeated: list[Repeated],
    exempt_keys: Collection[str] | None,
) -> None:
    key = _string(token, offset)
    if key in offsets and exempt_keys is not None and key not in exempt_keys:
        raise duplicate_key(key, offsets[key], offset)
    if key in offsets:
        repeated.append(Repeated(key, offsets[key], offset))
    offsets[key] = offset


def _check_scalar(token: str, offset: int, odd: list[ParseProblem] | None) -> None:
    if token[0] == '"':
        _string(token, offset)
        return
    try:
        if token in ("NaN", "Infinity", "-Infinity"):
            raise not_finite(token, offset)
        if token[0] in "-0123456789" and set(token) & set(".eE"):
            finite(token, offset)
    except ParseProblem as problem:
        if odd is None:
            raise
        odd.append(problem)
    except ValueError:
        return
    else:
        if token[0] in "-0123456789" and not set(token) & set(".eE"):
            with suppress(ValueError):
                integer(token, offset)


def _string(token: str, offset: int) -> str:
    if "\\" not in token:
        return token[1:-1]
    try:
        value = json.loads(token)
    except ValueError:
        return token
    if _SURROGATE.search(value):
        raise surrogate(offset)
    return str(value)
