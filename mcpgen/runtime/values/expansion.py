"""Spells one value for a URL, header, cookie or form: as a text, or as pairs of texts.

OpenAPI does not define how to write arrays and objects inside an array or object. `deepObject`
continues with brackets (`a[b][c]=1`). In an exploded object (`k=v`), a nested member is written as
its JSON text. In all other cases the whole value is sent as JSON, which servers that accept such
values expect. Null members are left out (RFC 6570 2.3) unless the writer's `null` sets a text for
them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote

from .arguments import DEFAULT_LIMITS, UNSET, Limits
from .errors import ArgumentError
from .jsontext import scalar_text

Escape = Callable[[str], str]
Pair = tuple[str, str]
Shape = str | list[str] | list[Pair]

_TRIPLE = re.compile(r"(%[0-9A-Fa-f]{2})")
CONTROL = re.compile(r"[\x00-\x1f\x7f]")
PATH_RESERVED = ":@!$&'()*+,;="
"""Reserved characters that a path segment may hold (RFC 3986 3.3)."""
QUERY_RESERVED = ":/?@!$'()*,;"
"""Reserved characters that a query may hold (RFC 3986 3.4) and that mean nothing in a form."""

_SEGMENT_CONTROL = re.compile(r"[\x00-\x1b\x7f]")
"""Control characters but for the four that separate data, as in the namespaces of catalogues."""
_SEPARATORS = re.compile(r"[/\\;]")
COMMA = (",", ",")
DELIMITERS = {
    "spaceDelimited": (" ", "%20"),
    "pipeDelimited": ("|", "%7C"),
    "tabDelimited": ("\t", "%09"),
}
_SPOKEN = {" ": "a space", "|": "`|`", "\t": "a tab", ",": "a comma", "=": "`=`"}


def percent_encode(text: str) -> str:
    """Escape for a path segment, a query or a cookie: only unreserved characters stay.

    Decoders of RFC 3986 and of RFC 1866 both read `%20` as a space (OpenAPI 3.1.2, URL
    Percent-Encoding).
    """
    return quote(text, safe="")


def name_escape(text: str) -> str:
    """Escape a parameter's name for a query: `$`, `:` and `@` stay, as in OData."""
    return quote(text, safe="$:@")


def reserved_escape(keep: str) -> Escape:
    """Escape as RFC 6570's reserved expansion does: characters in `keep` and `%XX` triples stay."""

    def escape(text: str) -> str:
        pieces = _TRIPLE.split(text)
        return "".join(
            piece if index % 2 else quote(piece, safe=keep) for index, piece in enumerate(pieces)
        )

    return escape


def check_segment(argument: str, text: str) -> None:
    """Refuse most control characters, and dot segments between `/`, `\\` and `;`.

    HTTP clients and servers remove dot segments (RFC 3986 5.2.4), some only after they have undone
    percent-encoding, even twice; and for some a NUL ends the text.

    Raises:
        ArgumentError: the text cannot be part of a path.
    """
    if _SEGMENT_CONTROL.search(text):
        raise ArgumentError(argument, "holds a control character, which no URL's path has.")
    for piece in _SEPARATORS.split(unquote(unquote(text))):
        if piece.partition("\0")[0].strip() in (".", ".."):
            raise ArgumentError(
                argument,
                "holds `.` or `..` as a path segment (perhaps encoded), which would name "
                "another resource.",
            )


@dataclass(frozen=True, slots=True)
class Writer:
    """How values are written at one place in a request: escapes, null, and limits."""

    escape: Escape = str
    escape_name: Escape = str
    null: str | None = None
    """How a null member is spelled; None leaves it out."""
    limits: Limits = DEFAULT_LIMITS
    escaped: bool = True
    """Whether delimiters are percent-encoded, as a URL demands, and no part of a multipart body."""

    def text(self, argument: str, value: Any) -> str:
        """Write a scalar as text, and an array or object as its JSON text."""
        if value is None and self.null is not None:
            return self.null
        return scalar_text(argument, value, self.limits)

    def keeps(self, value: Any) -> bool:
        """Whether a value is written: never UNSET, and null only if this writer has a text
        for it.
        """
        return value is not UNSET and (value is not None or self.null is not None)


def shape(argument: str, value: Any, writer: Writer) -> Shape:
    """Spell a value: an array as texts, an object as pairs of texts, other values as one text."""
    if _is_nested(value):
        return scalar_text(argument, value, writer.limits)
    if isinstance(value, Mapping):
        return [
            (scalar_text(argument, key), writer.text(argument, member))
            for key, member in value.items()
            if writer.keeps(member)
        ]
    if isinstance(value, (list, tuple)):
        return [writer.text(argument, item) for item in value if writer.keeps(item)]
    return writer.text(argument, value)


def flat(value: Shape) -> list[str]:
    """All texts of a value that `shape` returned, including the keys of an object."""
    if isinstance(value, str):
        return [value]
    return [text for part in value for text in ((part,) if isinstance(part, str) else part)]


def join(value: Shape, separator: str, escape: Escape, assign: str | None = None) -> str:
    """Escape the texts, and join them with the separator.

    With `assign` (`=`), each key is first joined to its value. Without it, keys and values are
    separate texts.
    """
    if isinstance(value, str):
        return escape(value)
    pieces: list[str] = []
    for item in value:
        if isinstance(item, str):
            pieces.append(escape(item))
        elif assign is None:
            pieces += [escape(item[0]), escape(item[1])]
        else:
            pieces.append(f"{escape(item[0])}{assign}{escape(item[1])}")
    return separator.join(pieces)


def segment(argument: str, value: Shape, style: str, explode: bool, escape: Escape) -> str:
    """Write a value in the style `label` or `matrix`, or otherwise as in `simple` (RFC 6570 3.2.5,
    3.2.7, 3.2.2).
    """
    plain, delimiter = DELIMITERS.get(style, COMMA)
    if not isinstance(value, str):
        refuse_inside(argument, flat(value), plain if style in DELIMITERS else "")
        escape = _apart(escape, style, explode)
    assign = "=" if explode else None
    if style == "label":
        return "." + join(value, "." if explode else ",", escape, assign)
    if style == "matrix":
        if not explode or isinstance(value, str):
            return f";{escape(argument)}={join(value, ',', escape)}"
        members = ((argument, item) if isinstance(item, str) else item for item in value)
        # An empty value has no `=` (RFC 6570 3.2.7).
        return "".join(f";{escape(k)}={escape(v)}" if v else f";{escape(k)}" for k, v in members)
    return join(value, delimiter, escape, assign)


def _apart(escape: Escape, style: str, explode: bool) -> Escape:
    """An escape for the items of an array or object, which always escapes the separators too."""
    between = {"label": "." if explode else ",", "matrix": ";" if explode else ";,"}
    separators = between.get(style, ",") + ("=" if explode else "")

    def part(text: str) -> str:
        text = escape(text)
        for separator in separators:
            text = text.replace(separator, f"%{ord(separator):02X}")
        return text

    return part


def pairs(
    name: str, value: Any, style: str, explode: bool, writer: Writer, allow_empty: bool = False
) -> list[Pair]:
    """Write a value in a query style, as escaped pairs; an empty array or object gives no pairs.

    The styles are `spaceDelimited`, `pipeDelimited`, `tabDelimited`, `deepObject` and `cookie`; any
    other is written as `form`.
    """
    if not isinstance(value, (Mapping, list, tuple)):
        members = [(name, writer.text(name, value))]
    elif style == "deepObject":
        members = list(_deep(name, name, value, writer))
    elif explode:
        members = list(_exploded(name, value, writer))
    else:
        return _delimited(name, value, style, writer, allow_empty)
    if not members and allow_empty:
        members = [(name, "")]
    return [(writer.escape_name(key), writer.escape(text)) for key, text in members]


def refuse_inside(argument: str, texts: Sequence[str], forbidden: str) -> None:
    """Refuse texts that contain a character which would be read as a delimiter."""
    for character in forbidden:
        if any(character in text for text in texts):
            raise ArgumentError(
                argument,
                f"has an item that holds {_SPOKEN[character]}, which separates the items of this "
                "argument and cannot be escaped: the API would read more items than you gave.",
            )


def _delimited(name: str, value: Any, style: str, writer: Writer, allow_empty: bool) -> list[Pair]:
    texts = flat(shape(name, value, writer))
    if not texts and not allow_empty:
        return []
    plain, escaped = DELIMITERS.get(style, COMMA)
    if plain != "," or style == "cookie" or not writer.escaped:
        refuse_inside(name, texts, plain)
    if not writer.escaped:
        return [(writer.escape_name(name), plain.join(texts))]
    text = escaped.join(writer.escape(text).replace(",", "%2C") for text in texts)
    return [(writer.escape_name(name), text)]


def _exploded(name: str, value: Any, writer: Writer) -> Iterator[Pair]:
    """The pairs of an object (`k=v` for each member) or of an array (`name=v` for each item).

    A member that is an array gives a pair for each item. Items that are arrays or objects are
    written as JSON text; a member with such an item is one pair, with the whole member as JSON
    text.
    """
    is_object = isinstance(value, Mapping)
    for key, member in value.items() if is_object else [(name, value)]:
        parts = [member]
        if isinstance(member, (list, tuple)) and not (is_object and _is_nested(member)):
            parts = list(member)
        for part in parts:
            if writer.keeps(part):
                yield scalar_text(name, key), writer.text(name, part)


def _deep(name: str, key: str, value: Any, writer: Writer, depth: int = 0) -> Iterator[Pair]:
    """The pairs `key[k]=v`, in document order; arrays are written as Rack, PHP and qs read them.

    `a[]=1` is written for scalars, and `a[0][b]=1` if items are arrays or objects, since `a[][b]`
    does not say where one item ends and the next begins.
    """
    if depth > writer.limits.depth:
        raise ArgumentError(name, f"is nested deeper than {writer.limits.depth} levels.")
    if isinstance(value, Mapping):
        members = [(scalar_text(name, each), member) for each, member in value.items()]
    elif isinstance(value, (list, tuple)):
        indexed = _is_nested(value)
        members = [(str(index) if indexed else "", item) for index, item in enumerate(value)]
    else:
        if writer.keeps(value):
            yield key, writer.text(name, value)
        return
    for inner, member in members:
        yield from _deep(name, f"{key}[{inner}]", member, writer, depth + 1)


def _is_nested(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(isinstance(member, (Mapping, list, tuple)) for member in value.values())
    if isinstance(value, (list, tuple)):
        return any(isinstance(item, (Mapping, list, tuple)) for item in value)
    return False
