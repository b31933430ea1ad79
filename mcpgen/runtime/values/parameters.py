"""Puts arguments into path, query and headers of a request, or refuses them.

A value without a wrapper has its location's default style; the wrappers are in `style`. UNSET and
null are absent.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from . import expansion
from .arguments import DEFAULT_LIMITS, Limits, Unset
from .errors import ArgumentError
from .expansion import Escape, Pair, Writer, percent_encode, reserved_escape, shape
from .jsontext import ascii_json, json_text, scalar_text
from .media import is_token
from .seams import WRITERS
from .style import Content, Styled, form, simple

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")

_literal_path = reserved_escape("/" + expansion.PATH_RESERVED)
literal_query = reserved_escape(expansion.QUERY_RESERVED + "&=+[]")
_reserved_in_path = reserved_escape(expansion.PATH_RESERVED)
_reserved_in_query = reserved_escape(expansion.QUERY_RESERVED)


def build_path(
    template: str, path: Mapping[str, Any] | None = None, limits: Limits = DEFAULT_LIMITS
) -> str:
    """Fill a path template; a query in the template is kept, a fragment is dropped.

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
            literal_query(literal)
            if in_query
            else _literal_path(front) + mark + literal_query(query)
        )
        in_query = in_query or bool(mark)
        if fragment:
            break
    return "".join(pieces)


def build_query(
    query: Mapping[str, Any] | None = None, fixed: str = "", limits: Limits = DEFAULT_LIMITS
) -> str:
    """Write the query string, without `?`; `fixed` is a query text that is already encoded.

    Raises:
        ArgumentError: a value cannot be written in its style.
    """
    pieces = [fixed] if fixed else []
    for name, value in (query or {}).items():
        pieces += [f"{key}={text}" for key, text in _query_pairs(name, value, limits)]
    return "&".join(pieces)


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


def check_target(target: str, limits: Limits = DEFAULT_LIMITS) -> None:
    """Refuse a request target (path and query) that is longer than servers accept.

    Raises:
        ArgumentError: it is too long; the message names no argument, since all add to the length.
    """
    if len(target) > limits.url:
        raise ArgumentError(
            "",
            f"The arguments make a URL of {len(target)} bytes; at most {limits.url} are sent. "
            "Give shorter or fewer values.",
        )


def styled(
    name: str, value: Any, default: Callable[[Any], Styled], limits: Limits
) -> Styled | None:
    """The value with its style; None if the value is absent.

    A value without a style gets the one from `default`, and so does the text of a `Content`.
    """
    inner = value.value if isinstance(value, (Styled, Content)) else value
    if inner is None or isinstance(inner, Unset):
        return None
    if isinstance(value, Content):
        return default(content_text(name, value, limits))
    return value if isinstance(value, Styled) else default(value)


def content_text(name: str, content: Content, limits: Limits) -> str:
    """The text of a parameter that OpenAPI declares with `content`."""
    if "json" in content.media_type:
        return json_text(name, content.value, limits)
    if content.media_type == "application/x-www-form-urlencoded" and isinstance(
        content.value, Mapping
    ):
        text: str = WRITERS["form"]("form", content.value, None, {}, None, limits).content.decode()
        return text
    return scalar_text(name, content.value, limits)


def _path_escape(own: Styled) -> Escape:
    if own.style == "segments":
        return _literal_path if own.allow_reserved else quote
    return _reserved_in_path if own.allow_reserved else percent_encode


def _path_part(name: str, value: Any, limits: Limits) -> str:
    if value == Content(None, "application/json"):
        value = "null"  # a path has no other way to be without it
    own = styled(name, value, simple, limits)
    if own is None:
        raise ArgumentError(name, "is required: it is part of the URL's path.")
    parts = shape(name, own.value, Writer(limits=limits))
    texts = expansion.flat(parts)
    text = expansion.segment(name, parts, own.style, own.explode, _path_escape(own))
    if not (any(texts) or own.allow_empty):
        raise ArgumentError(name, "must not be empty: it is part of the URL's path.")
    size = sum(len(part.encode()) for part in texts)
    if size > limits.path_value:
        raise ArgumentError(
            name, f"is {size} bytes long; at most {limits.path_value} are sent in the URL's path."
        )
    for part in texts:
        expansion.check_segment(name, part)
    return text


def _query_part(name: str, value: Any, limits: Limits) -> str:
    own = styled(name, value, form, limits)
    if own is None:
        raise ArgumentError(name, "is required: it is part of the URL.")
    return expansion.join(shape(name, own.value, Writer(limits=limits)), ",", percent_encode)


def _query_pairs(name: str, value: Any, limits: Limits) -> list[Pair]:
    own = styled(name, value, form, limits)
    if own is None:
        return []
    escape = _reserved_in_query if own.allow_reserved else percent_encode
    writer = Writer(escape, expansion.name_escape, limits=limits)
    return expansion.pairs(name, own.value, own.style, own.explode, writer, own.allow_empty)


def _header_text(name: str, value: Any, limits: Limits) -> str | None:
    own = styled(name, value, simple, limits)
    if own is None:
        return None
    parts = shape(name, own.value, Writer(limits=limits))
    if isinstance(parts, str):
        is_json = not isinstance(own.value, str)
        if isinstance(value, Content):
            is_json = "json" in value.media_type
        return ascii_json(parts) if is_json else parts
    if not parts:
        return None
    delimiter = expansion.DELIMITERS.get(own.style, expansion.COMMA)[0]
    expansion.refuse_inside(name, expansion.flat(parts), delimiter)
    if own.explode:
        expansion.refuse_inside(name, [part[0] for part in parts if isinstance(part, tuple)], "=")
    return expansion.join(parts, delimiter, str, "=" if own.explode else None)


def _checked_header(name: str, text: str, limits: Limits) -> str:
    if expansion.CONTROL.search(text):
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
