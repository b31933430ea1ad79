"""Puts arguments into path, query, headers and cookies of a request, or refuses them.

A value is bare, in its location's default style, or wrapped by `style`. UNSET and null are absent.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from .arguments import DEFAULT_LIMITS, Limits, Unset
from .errors import ArgumentError, optional
from .expansion import (
    COMMA,
    CONTROL,
    COOKIE_RESERVED,
    DELIMITERS,
    PATH_RESERVED,
    QUERY_RESERVED,
    Escape,
    Pair,
    Writer,
    check_segment,
    flat,
    joined,
    name_escape,
    pairs,
    percent_encode,
    refuse_inside,
    reserved_escape,
    segment,
    shape,
)
from .jsontext import ascii_json, check_unicode, json_text, scalar_text
from .media import is_token
from .style import Content, Fields, Part, Styled, form, simple

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_COOKIE_NAME = re.compile(r"[!-+\--:<>-~]+")
_COOKIE_VALUE = re.compile(r"[ -:<-~]*")

_literal_path = reserved_escape("/" + PATH_RESERVED)
_literal_query = reserved_escape(QUERY_RESERVED + "&=+[]")
_reserved_in_path = reserved_escape(PATH_RESERVED)
_reserved_in_query = reserved_escape(QUERY_RESERVED)
_reserved_in_cookie = reserved_escape(COOKIE_RESERVED)


def build_path(
    template: str, path: Mapping[str, Any] | None = None, limits: Limits = DEFAULT_LIMITS
) -> str:
    """Fill a path template; a query that the template itself carries stays, a fragment does not.

    Raises:
        ArgumentError: a value is missing, empty, too long, or would change the path's meaning.
    """
    values = path or {}
    in_query = False
    pieces: list[str] = []
    split = _PLACEHOLDER.split(template)
    for index, piece in enumerate(split):
        if index % 2:
            value = values.get(piece)
            write = _query_part if in_query else _path_part
            text = write(piece, value, limits)
            front, after = "".join(pieces) or "/", split[index + 1][:1]
            is_listed = not text and front != "/"  # at the beginning a host would follow
            if not (in_query or is_listed) and "//" in front[-1] + text + after:
                way_out = "leave out a `/` that begins or ends it, or follows another"
                raise ArgumentError(piece, f"holds an empty segment of the URL's path: {way_out}.")
            pieces.append(text)
            continue
        literal, fragment, _ = piece.partition("#")
        front, mark, query = literal.partition("?")
        pieces.append(
            _literal_query(literal)
            if in_query
            else _literal_path(front) + mark + _literal_query(query)
        )
        in_query = in_query or bool(mark)
        if fragment:
            break
    return "".join(pieces)


def build_query(
    query: Mapping[str, Any] | None = None, fixed: str = "", limits: Limits = DEFAULT_LIMITS
) -> str:
    """Write the query string, without `?`; `fixed` is query text that is already encoded.

    Raises:
        ArgumentError: a value that its style cannot carry.
    """
    pieces = [fixed] if fixed else []
    for name, value in (query or {}).items():
        pieces += [f"{key}={text}" for key, text in _query_pairs(name, value, limits)]
    return "&".join(pieces)


def build_querystring(value: Any, limits: Limits = DEFAULT_LIMITS) -> str:
    """Write the parameter that is the whole query string (OpenAPI 3.2's `in: querystring`).

    An object is written as a form, JSON and other content as their escaped text, and a string as
    the query that it already is.
    """
    inner = value.value if isinstance(value, (Content, Fields, Styled)) else value
    if inner is None or isinstance(inner, Unset):
        return ""
    if isinstance(value, Content):
        return percent_encode(_content_text("", value, limits))
    if isinstance(inner, str):
        check_unicode("", inner)
        return _literal_query(inner)
    if not isinstance(inner, Mapping):
        raise ArgumentError("", "The query string must be an object or text.")
    encoding = value.encoding if isinstance(value, Fields) else {}
    members = {name: member for name, member in inner.items() if member is not None}
    return _form_text(members, encoding, limits)


def build_headers(
    header: Mapping[str, Any] | None = None, limits: Limits = DEFAULT_LIMITS
) -> list[tuple[str, str]]:
    """Write headers: ASCII without control characters, outer blanks trimmed, nothing escaped.

    Raises:
        ArgumentError: a value that a header cannot carry as it is.
    """
    headers = []
    for name, value in (header or {}).items():
        text = _header_text(name, value, limits)
        if text is None:
            continue
        if not is_token(name):
            raise ArgumentError(name, "has a name that HTTP does not allow for a header.")
        headers.append((name, _checked_header(name, text.strip(" \t"), limits)))
    return headers


def build_cookie(
    cookie: Mapping[str, Any] | None = None, limits: Limits = DEFAULT_LIMITS
) -> str | None:
    """Write the Cookie header, values percent-encoded; None when there is no cookie to send.

    Raises:
        ArgumentError: control characters, or a header that grows too long.
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


def check_target(target: str, limits: Limits = DEFAULT_LIMITS) -> None:
    """Refuse a request target (path and query) that is longer than servers take.

    Raises:
        ArgumentError: it is too long; no argument is named, since it is their sum.
    """
    if len(target) > limits.url:
        raise ArgumentError(
            "",
            f"The arguments make a URL of {len(target)} bytes; at most {limits.url} are sent. "
            "Give shorter or fewer values.",
        )


def _styled(
    name: str,
    value: Any,
    default: Callable[[Any], Styled],
    limits: Limits,
    *,
    ascii_only: bool = False,
) -> Styled | None:
    """The value with its style, content as the text that it is; None when it is absent."""
    inner = value.value if isinstance(value, (Styled, Content)) else value
    if inner is None or isinstance(inner, Unset):
        return None
    if isinstance(value, Content):
        return default(_content_text(name, value, limits, ascii_only))
    return value if isinstance(value, Styled) else default(value)


def _content_text(name: str, content: Content, limits: Limits, ascii_only: bool = False) -> str:
    if "json" in content.media_type:
        return json_text(name, content.value, limits, ascii_only=ascii_only)
    if content.media_type == "application/x-www-form-urlencoded" and isinstance(
        content.value, Mapping
    ):
        return _form_text(content.value, {}, limits)
    return scalar_text(name, content.value, limits)


def _form_text(values: Mapping[str, Any], encoding: Mapping[str, Part], limits: Limits) -> str:
    forms = optional("values.forms")
    text: str = forms.urlencoded(forms.Form(values, encoding, limits=limits)).decode()
    return text


def _path_escape(styled: Styled) -> Escape:
    if styled.style == "segments":
        return _literal_path if styled.allow_reserved else quote
    return _reserved_in_path if styled.allow_reserved else percent_encode


def _path_part(name: str, value: Any, limits: Limits) -> str:
    if value == Content(None, "application/json"):
        value = "null"  # a path has no other way to be without it
    styled = _styled(name, value, simple, limits)
    if styled is None:
        raise ArgumentError(name, "is required: it is part of the URL's path.")
    parts = shape(name, styled.value, Writer(limits=limits))
    texts = flat(parts)
    text = segment(name, parts, styled.style, styled.explode, _path_escape(styled))
    if not (any(texts) or styled.allow_empty):
        raise ArgumentError(name, "must not be empty: it is part of the URL's path.")
    size = sum(len(part.encode()) for part in texts)
    if size > limits.path_value:
        raise ArgumentError(
            name,
            f"is {size} bytes long; at most {limits.path_value} are sent in the URL's path.",
        )
    for part in texts:
        check_segment(name, part)
    return text


def _query_part(name: str, value: Any, limits: Limits) -> str:
    styled = _styled(name, value, form, limits)
    if styled is None:
        raise ArgumentError(name, "is required: it is part of the URL.")
    return joined(shape(name, styled.value, Writer(limits=limits)), ",", percent_encode)


def _query_pairs(name: str, value: Any, limits: Limits) -> list[Pair]:
    styled = _styled(name, value, form, limits)
    if styled is None:
        return []
    escape = _reserved_in_query if styled.allow_reserved else percent_encode
    writer = Writer(escape, name_escape, limits=limits)
    return pairs(name, styled.value, styled.style, styled.explode, writer, styled.allow_empty)


def _header_text(name: str, value: Any, limits: Limits) -> str | None:
    styled = _styled(name, value, simple, limits, ascii_only=True)
    if styled is None:
        return None
    parts = shape(name, styled.value, Writer(limits=limits))
    if isinstance(parts, str):
        return parts if isinstance(styled.value, str) else ascii_json(parts)
    if not parts:
        return None
    delimiter = DELIMITERS.get(styled.style, COMMA)[0]
    refuse_inside(name, flat(parts), delimiter)
    if styled.explode:
        refuse_inside(name, [part[0] for part in parts if isinstance(part, tuple)], "=")
    return joined(parts, delimiter, str, "=" if styled.explode else None)


def _checked_header(name: str, text: str, limits: Limits) -> str:
    if CONTROL.search(text):
        raise ArgumentError(
            name, "is sent as a header and must not hold line breaks or other control characters."
        )
    if not text.isascii():
        raise ArgumentError(name, "is sent as a header and must be ASCII text.")
    if len(text) > limits.header:
        raise ArgumentError(
            name, f"is {len(text)} bytes long; a header may be at most {limits.header}."
        )
    return text


def _cookie_pairs(name: str, value: Any, limits: Limits) -> list[Pair]:
    styled = _styled(name, value, form, limits)
    if styled is None:
        return []
    keep = _reserved_in_cookie if styled.allow_reserved else percent_encode

    def escape(text: str) -> str:
        if CONTROL.search(text):
            raise ArgumentError(name, "is sent as a cookie and must not hold control characters.")
        return keep(text)

    def as_it_is(text: str) -> str:
        if not _COOKIE_VALUE.fullmatch(text) or text != text.strip():
            raise ArgumentError(
                name, "is sent as a cookie as it is: ASCII without `;` and outer blanks only."
            )
        return text

    def escape_name(text: str) -> str:
        return text if _COOKIE_NAME.fullmatch(text) else escape(text)

    writer = Writer(as_it_is if styled.style == "cookie" else escape, escape_name, limits=limits)
    return pairs(name, styled.value, styled.style, styled.explode, writer, styled.allow_empty)
