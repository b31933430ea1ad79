"""Forms: several values, and how they are written as `application/x-www-form-urlencoded`.

A value without a `style` is written by its own type (OpenAPI's Encoding Object): scalars as text,
objects as JSON, and arrays with one entry per item. Null is an empty value, or JSON where the
encoding says so.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote_plus

from ...values.arguments import DEFAULT_LIMITS, Limits, Unset
from ...values.errors import ArgumentError
from ...values.expansion import QUERY_RESERVED, Pair, Writer, pairs, percent_encode, reserved_escape
from ...values.jsontext import check_unicode, json_text, scalar_text
from ...values.media import essence, is_json
from ...values.parameters import content_text, literal_query
from ...values.style import Content, Fields, Part, Styled, joined
from ..content.files import Blob, read_blob
from ..content.media_names import choose

_PLAIN = Part()
FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class Form:
    """Values with their encodings: by name for a form, by position for ordered parts."""

    values: Mapping[str, Any] | Sequence[Any]
    encoding: Mapping[str, Part]
    file_root: str | os.PathLike[str] | None = None
    limits: Limits = DEFAULT_LIMITS
    argument: str = "body"
    """What messages call it: a form may be a part of another."""

    @property
    def is_ordered(self) -> bool:
        """Whether the values have no names."""
        return not isinstance(self.values, Mapping)

    def _addressed(self) -> Iterator[tuple[str, str, Any]]:
        """For each value: the key of its encoding, its name in messages, and the value."""
        if isinstance(self.values, Mapping):
            yield from ((name, name, value) for name, value in self.values.items())
        else:
            for at, value in enumerate(self.values):
                yield str(at), f"{self.argument}[{at}]", value

    def entries(self) -> Iterator[tuple[str, Any, Part]]:
        """Each name, value and encoding, without UNSET values; a wrapper sets its own encoding."""
        other = self.encoding.get("*", _PLAIN)
        for key, name, value in self._addressed():
            part = self.encoding.get(key, other)
            if isinstance(value, Styled):
                part = Part(None, value.style, value.explode, value.allow_reserved)
                value = value.value
            elif isinstance(value, Content):
                part, value = Part(value.media_type), value.value
            if not isinstance(value, Unset):
                check_unicode(name, name)
                yield name, joined(value, part.inner) if part.inner else value, part

    def inside(self, name: str, value: Any, part: Part) -> Form:
        """The nested form for a value that is itself sent as a form."""
        return Form(value, part.parts or {}, self.file_root, self.limits, name)

    def blob(self, name: str, value: Any) -> Blob:
        """The bytes of a binary value."""
        return read_blob(name, value, self.file_root, self.limits)


def urlencoded(form: Form) -> bytes:
    """The bytes of a form as `application/x-www-form-urlencoded` (WHATWG URL 5.2)."""
    pieces: list[str] = []
    for name, value, part in form.entries():
        pieces += [f"{key}={text}" for key, text in _urlencoded_pairs(form, name, value, part)]
    return "&".join(pieces).encode("ascii")


def build_querystring(value: Any, limits: Limits = DEFAULT_LIMITS) -> str:
    """The parameter that is the whole query string (OpenAPI 3.2's `in: querystring`).

    An object is written as a form; JSON and other content as escaped text; a string is the finished
    query.
    """
    inner = value.value if isinstance(value, (Content, Fields, Styled)) else value
    if inner is None or isinstance(inner, Unset):
        return ""
    if isinstance(value, Content):
        return percent_encode(content_text("", value, limits))
    if isinstance(inner, str):
        check_unicode("", inner)
        return literal_query(inner)
    if not isinstance(inner, Mapping):
        raise ArgumentError("", "The query string must be an object or text.")
    encoding = value.encoding if isinstance(value, Fields) else {}
    members = {name: member for name, member in inner.items() if member is not None}
    return urlencoded(Form(members, encoding, limits=limits)).decode()


def items_of(value: Any) -> list[Any]:
    """The values to write as one entry each: an array's items except UNSET, or the value itself."""
    items = value if isinstance(value, (list, tuple)) else [value]
    return [item for item in items if not isinstance(item, Unset)]


def has_style(part: Part) -> bool:
    """Whether a style keyword is set, so that `contentType` is ignored (OpenAPI 3.2)."""
    return part.style is not None or part.explode is not None or part.allow_reserved


def styled_pairs(name: str, value: Any, part: Part, writer: Writer) -> list[Pair]:
    """The pairs of names and texts for a value, written in the style of `part`."""
    style = part.style or "form"
    explode = part.explode if part.explode is not None else style == "form"
    return pairs(name, value, style, explode, writer)


def _urlencoded_pairs(form: Form, name: str, value: Any, part: Part) -> list[Pair]:
    if has_style(part) and not part.binary:
        escape = reserved_escape(QUERY_RESERVED) if part.allow_reserved else quote_plus
        return styled_pairs(name, value, part, Writer(escape, quote_plus, "", form.limits))
    texts = [_form_text(form, name, item, part) for item in items_of(value)]
    return [(quote_plus(name), quote_plus(text)) for text in texts]


def _form_text(form: Form, name: str, value: Any, part: Part) -> str:
    if is_inner_form(value, part):
        return urlencoded(form.inside(name, value, part)).decode()
    if part.content_type and is_json(choose(part.content_type, (), "text/plain")):
        return json_text(name, value, form.limits)
    if value is None:
        return ""
    if part.binary and is_uri_or_bytes(value):
        return base64.b64encode(form.blob(name, value).content).decode()
    return scalar_text(name, value, form.limits)


def is_uri_or_bytes(value: Any) -> bool:
    """Whether a value is bytes, or a text that is a `data:` or `file:` URI."""
    if isinstance(value, str):
        return value[:5].lower() in ("data:", "file:")
    return isinstance(value, (bytes, bytearray))


def is_inner_form(value: Any, part: Part) -> bool:
    """Whether a value is itself written as a form."""
    is_form = part.parts is not None and essence(part.content_type or "") == FORM
    return is_form and isinstance(value, Mapping)
