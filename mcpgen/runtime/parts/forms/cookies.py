"""Writes arguments into the Cookie header; the module `parameters` writes paths and queries."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ...values.arguments import DEFAULT_LIMITS, Limits
from ...values.errors import ArgumentError
from ...values.expansion import CONTROL, Pair, Writer, pairs, percent_encode, reserved_escape
from ...values.parameters import styled
from ...values.style import form

_NAME = re.compile(r"[!-+\--:<>-~]+")
_VALUE = re.compile(r"[ -:<-~]*")
_reserved = reserved_escape("!#$&'()*+/:=?@[]")
"""Reserved characters that a cookie's value may hold stay (RFC 6265 4.1.1)."""


def build_cookie(
    cookie: Mapping[str, Any] | None = None, limits: Limits = DEFAULT_LIMITS
) -> str | None:
    """The Cookie header, with percent-encoded values; None if there is no cookie to send.

    Raises:
        ArgumentError: a value has control characters, or the header becomes too long.
    """
    cookies: list[str] = []
    size = -len("; ")
    for name, value in (cookie or {}).items():
        for key, text in _cookie_pairs(name, value, limits):
            cookies.append(f"{key}={text}")
            size += len("; ") + len(cookies[-1])
        if size > limits.header:
            raise ArgumentError(name, f"makes the Cookie header longer than {limits.header} bytes.")
    return "; ".join(cookies) or None


def _cookie_pairs(name: str, value: Any, limits: Limits) -> list[Pair]:
    own = styled(name, value, form, limits)
    if own is None:
        return []
    keep = _reserved if own.allow_reserved else percent_encode

    def escape(text: str) -> str:
        if CONTROL.search(text):
            raise ArgumentError(name, "is sent as a cookie and must not hold control characters.")
        return keep(text)

    def as_it_is(text: str) -> str:
        if not _VALUE.fullmatch(text) or text != text.strip():
            raise ArgumentError(
                name,
                "is sent as a cookie unencoded: use ASCII, without `;` or spaces at its ends.",
            )
        return text

    def escape_name(text: str) -> str:
        return text if _NAME.fullmatch(text) else escape(text)

    writer = Writer(as_it_is if own.style == "cookie" else escape, escape_name, limits=limits)
    return pairs(name, own.value, own.style, own.explode, writer, own.allow_empty)
