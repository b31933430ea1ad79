"""Wrappers for values whose style differs from their location's default style.

Handlers wrap a value to give OpenAPI's `style` and `explode`. Without a wrapper a path or header
value is `simple`, and a query or cookie value is `form` with `explode`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .errors import ArgumentError
from .jsontext import scalar_text


@dataclass(frozen=True, slots=True)
class Styled:
    """A value with its OpenAPI style."""

    value: Any
    style: str
    explode: bool
    allow_reserved: bool = False
    """Reserved characters stay literal where they cannot be taken for a delimiter."""
    allow_empty: bool = False
    """An empty array or object is sent as an empty value instead of being left out, and an empty
    text may stand in a path.
    """


@dataclass(frozen=True, slots=True)
class Content:
    """A parameter with `content`: the media type decides its text, which is then escaped."""

    value: Any
    media_type: str


@dataclass(frozen=True, slots=True)
class Part:
    """The encoding of one property of a form or multipart body (OpenAPI Encoding Object)."""

    content_type: str | None = None
    style: str | None = None
    explode: bool | None = None
    allow_reserved: bool = False
    binary: bool = False
    text: bool = False
    """Plain text too: then `data:` and `file:` URIs alone are binary."""
    parts: Mapping[str, Part] | None = None
    """It is a form or multipart itself: how what is in it is written."""
    inner: str = ""
    """What separates the items of arrays within an array; without one such an item is JSON."""


@dataclass(frozen=True, slots=True)
class Fields:
    """A value for a query string: its fields, and the style of each field that has one."""

    value: Any
    encoding: Mapping[str, Part]


def joined(value: Any, delimiter: str) -> Any:
    """A copy of an array, whose inner arrays are joined to strings (OpenAPI 2.0's
    `collectionFormat` of `items`).

    Raises:
        ArgumentError: an inner item that contains the delimiter.
    """
    if not isinstance(value, (list, tuple)):
        return value
    return [_one_text(item, delimiter) for item in value]


def _one_text(value: Any, delimiter: str) -> Any:
    if not isinstance(value, (list, tuple)):
        return value
    texts = [scalar_text("", item) for item in value]
    if any(delimiter in text for text in texts):
        raise ArgumentError(
            "",
            f"An item of an inner list holds {delimiter!r}, its separator: "
            "the API would read more items than you gave.",
        )
    return delimiter.join(texts)


@dataclass(frozen=True, slots=True)
class Style:
    """Wraps a value in a style; `explode` is the document's value, or else the style's default."""

    name: str
    explode: bool = False

    def __call__(
        self,
        value: Any,
        explode: bool | None = None,
        allow_reserved: bool = False,
        allow_empty: bool = False,
    ) -> Styled:
        """The value in this style."""
        exploded = self.explode if explode is None else explode
        return Styled(value, self.name, exploded, allow_reserved, allow_empty)


simple = Style("simple")
"""`a,b`, and `k,v` or, exploded, `k=v`: the default of path and header."""
label = Style("label")
"""`.a,b` or, exploded, `.a.b`."""
matrix = Style("matrix")
"""`;name=a,b` or, exploded, `;name=a;name=b`."""
segments = Style("segments")
"""`a/b`: a path variable of several segments, as `{+name}`; `simple` but for its slashes."""
form = Style("form", explode=True)
"""`name=a&name=b` or, not exploded, `name=a,b`: the default of query and cookie."""
space_delimited = Style("spaceDelimited")
"""`name=a%20b`; exploded it is the same as `form`."""
pipe_delimited = Style("pipeDelimited")
"""`name=a%7Cb`; exploded it is the same as `form`."""
tab_delimited = Style("tabDelimited")
"""`name=a%09b`: `collectionFormat: tsv` of OpenAPI 2.0."""
deep_object = Style("deepObject", explode=True)
"""`name[k]=v`, nested `name[k][l]=v`, arrays `name[k][]=v`."""
cookie = Style("cookie", explode=True)
"""OpenAPI 3.2's `cookie` style: like `form`, but the value is sent without any escaping."""


def json(value: Any) -> Content:
    """A parameter whose `content` is JSON."""
    return Content(value, "application/json")


def text(value: Any) -> Content:
    """Wrap the value of a parameter whose `content` is neither JSON nor a form; it is sent
    as text.
    """
    return Content(value, "text/plain")


def urlencoded(value: Any) -> Content:
    """A parameter whose `content` is a form; its text is escaped like any other text."""
    return Content(value, "application/x-www-form-urlencoded")


fields = Fields
"""The whole query string as a form with an encoding (OpenAPI 3.2's `in: querystring`)."""
part = Part
"""The encoding of one property of a form, or of one part of a multipart body."""
