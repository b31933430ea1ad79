"""Bodies made of several values: `application/x-www-form-urlencoded` and multipart.

A value without a `style` is written by its own type (OpenAPI's Encoding Object): text for scalars,
JSON for objects, one entry per item for arrays. Null is an empty value, or JSON where that is said.
Parts without names stand in the order of an array, and there an array is JSON.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..style import Content, Part, Styled, joined
from ..unset import Unset
from .expansion import Pair, Writer, pairs
from .files import Blob, read_blob
from .limits import DEFAULT_LIMITS, Limits
from .media import by_name, charset, choose, essence, extension, is_json, is_text, sniff
from .spelling import (
    QUERY_RESERVED,
    check_unicode,
    form_escape,
    in_charset,
    json_in,
    json_text,
    reserved_escape,
    scalar_text,
)

_PLAIN = Part()
_BINARY = "application/octet-stream"
_FORM = "application/x-www-form-urlencoded"
_BOUNDARY = re.compile(r';\s*boundary=(?:"[^"]*"|[^;]*)', re.IGNORECASE)

_ROOT = re.compile(r";\s*type=", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Entry:
    """One part of a multipart body; the name of a form's field is in its Content-Disposition."""

    name: str | None
    content: bytes
    content_type: str | None = None
    filename: str | None = None
    from_files: int = 0
    """How many bytes of the content are not from arguments."""


@dataclass(frozen=True, slots=True)
class Form:
    """The values of a form, or parts in order, and how to write them: by name or position."""

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

    def _named(self) -> Iterator[tuple[str, str, Any]]:
        """Where the encoding of each value is, what messages call it, and the value."""
        if isinstance(self.values, Mapping):
            yield from ((name, name, value) for name, value in self.values.items())
        else:
            for at, value in enumerate(self.values):
                yield str(at), f"{self.argument}[{at}]", value

    def given(self) -> Iterator[tuple[str, Any, Part]]:
        """The values that are not UNSET, each with its encoding; a `style` wrapper wins over it."""
        other = self.encoding.get("*", _PLAIN)
        for key, name, value in self._named():
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
        """The form that one of the values is itself."""
        return Form(value, part.parts or {}, self.file_root, self.limits, name)

    def blob(self, name: str, value: Any) -> Blob:
        """The bytes of a binary value."""
        return read_blob(name, value, self.file_root, self.limits)


def urlencoded(form: Form) -> bytes:
    """Write a form as `application/x-www-form-urlencoded` (WHATWG URL 5.2)."""
    found: list[str] = []
    for name, value, part in form.given():
        found += [f"{key}={text}" for key, text in _urlencoded_pairs(form, name, value, part)]
    return "&".join(found).encode("ascii")


def joined_multipart(form: Form, media_type: str) -> Entry:
    """Write a form as `multipart/form-data` (RFC 7578), or its parts in order (RFC 2046).

    The boundary follows from the content and does not occur in it.
    """
    entries = multipart(form)
    blocks = [_headers(entry) + entry.content for entry in entries]
    digest = hashlib.sha256(b"\r\n".join(blocks)).hexdigest()
    boundary = digest[:32]  # 128 bits: nobody finds a content that holds its own digest
    mark = b"--" + boundary.encode()
    content = b"".join(mark + b"\r\n" + block + b"\r\n" for block in blocks) + mark + b"--\r\n"
    content_type = _with_parameters(media_type, boundary, entries)
    return Entry(None, content, content_type, from_files=sum(each.from_files for each in entries))


def multipart(form: Form) -> list[Entry]:
    """The parts of a form."""
    found: list[Entry] = []
    for name, value, part in form.given():
        if form.is_ordered:
            found.append(_nameless(_entry(form, name, value, part)))
            continue
        if _has_style(part) and not part.binary:
            found += [
                Entry(key, text.encode())
                for key, text in _styled(name, value, part, Writer.plain(form.limits))
            ]
            continue
        found += [_entry(form, name, item, part) for item in _items(value)]
    return found


def _items(value: Any) -> list[Any]:
    """What has an entry of its own: the items of an array that are given, else the value."""
    items = value if isinstance(value, (list, tuple)) else [value]
    return [item for item in items if not isinstance(item, Unset)]


def _has_style(part: Part) -> bool:
    """Whether the style decides, which any of the three says, and not `contentType` (OAS 3.2)."""
    return part.style is not None or part.explode is not None or part.allow_reserved


def _styled(name: str, value: Any, part: Part, writer: Writer) -> list[Pair]:
    style = part.style or "form"
    explode = part.explode if part.explode is not None else style == "form"
    return pairs(name, value, style, explode, writer)


def _urlencoded_pairs(form: Form, name: str, value: Any, part: Part) -> list[Pair]:
    if _has_style(part) and not part.binary:
        escape = reserved_escape(QUERY_RESERVED) if part.allow_reserved else form_escape
        return _styled(name, value, part, Writer(escape, form_escape, "", form.limits))
    texts = [_form_text(form, name, item, part) for item in _items(value)]
    return [(form_escape(name), form_escape(text)) for text in texts]


def _form_text(form: Form, name: str, value: Any, part: Part) -> str:
    if _is_inner_form(value, part):
        return urlencoded(form.inside(name, value, part)).decode()
    if part.content_type and is_json(choose(part.content_type, (), "text/plain")):
        return json_text(name, value, form.limits)
    if value is None:
        return ""
    if part.binary and _is_uri_or_bytes(value):
        return base64.b64encode(form.blob(name, value).content).decode()
    return scalar_text(name, value, form.limits)


def _is_uri_or_bytes(value: Any) -> bool:
    """Whether a value is no text that can go out as it is."""
    if isinstance(value, str):
        return value[:5].lower() in ("data:", "file:")
    return isinstance(value, (bytes, bytearray))


def _is_file(value: Any, part: Part) -> bool:
    """Whether a value stands for the bytes of a part; an object, where it is allowed, does not."""
    if not part.binary or value is None or isinstance(value, Mapping):
        return False
    return not part.text or _is_uri_or_bytes(value)


def _nameless(entry: Entry) -> Entry:
    """A part in order, with its type said: text is US-ASCII unless there is a charset."""
    kind = entry.content_type or "text/plain"
    if is_text(kind) and not charset(kind) and not entry.filename and not entry.content.isascii():
        kind += "; charset=utf-8"
    return replace(entry, name=None, content_type=kind)


def _is_inner_form(value: Any, part: Part) -> bool:
    """Whether a value is written as a form of its own."""
    is_form = part.parts is not None and essence(part.content_type or "") == _FORM
    return is_form and isinstance(value, Mapping)


def _with_parameters(media_type: str, boundary: str, entries: Sequence[Entry]) -> str:
    """A multipart type with its boundary in place of one that it has already.

    `multipart/related` must name the type of its first part too (RFC 2387 3.1).
    """
    if essence(media_type) == "multipart/related" and entries and not _ROOT.search(media_type):
        media_type += f'; type="{essence(entries[0].content_type or "text/plain")}"'
    return f"{_BOUNDARY.sub('', media_type)}; boundary={boundary}"


def _entry(form: Form, name: str, value: Any, part: Part) -> Entry:
    structured = isinstance(value, (Mapping, list, tuple))
    if _is_inner_form(value, part):
        return Entry(name, urlencoded(form.inside(name, value, part)), part.content_type)
    kind = essence(part.content_type or "")
    is_nested = structured or kind.startswith("multipart/")
    if is_nested and part.parts is not None and kind != _FORM:
        content_type = choose(part.content_type, (), "multipart/mixed")
        inside = form.inside(name, value if structured else [value], part)
        return replace(joined_multipart(inside, content_type), name=name)
    if _is_file(value, part):
        return _file_entry(name, form.blob(name, value), part)
    usual = "application/json" if structured else "text/plain"
    content_type = choose(part.content_type, (usual,), usual)
    if is_json(content_type):
        content = json_in(name, value, content_type, form.limits)
    elif value is None:
        content = b""
    else:
        text = scalar_text(name, value, form.limits)
        content = in_charset(name, text, charset(content_type))
    is_said = structured or part.content_type is not None
    return Entry(name, content, content_type if is_said else None)


def _file_entry(name: str, blob: Blob, part: Part) -> Entry:
    offers = [blob.content_type, by_name(blob.filename)]
    if part.content_type is not None:
        # Only where the document lists types: guessing freely invites content confusion.
        offers.append(sniff(blob.content))
    content_type = choose(part.content_type, offers, _BINARY)
    filename = blob.filename or name + extension(content_type)
    return Entry(name, blob.content, content_type, filename, blob.from_files)


def _headers(entry: Entry) -> bytes:
    lines = []
    if entry.name is not None:
        named = f'Content-Disposition: form-data; name="{_quoted(entry.name)}"'
        filename = "" if entry.filename is None else f'; filename="{_quoted(entry.filename)}"'
        lines.append(named + filename)
    if entry.content_type is not None:
        lines.append(f"Content-Type: {entry.content_type}")
    return "\r\n".join([*lines, "", ""]).encode()


def _quoted(text: str) -> str:
    """Escape as HTML's multipart/form-data encoding does; all else stays UTF-8 (RFC 7578 5.1)."""
    return text.replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")
