"""Multipart bodies.

Parts without names come from an array, in its order; an array inside such a part is JSON.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...values.expansion import Writer
from ...values.jsontext import json_in, scalar_text
from ...values.media import charset, essence, is_json, is_text, sniff
from ...values.style import Part
from ..content.files import Blob
from ..content.media_names import by_name, choose, extension, in_charset
from .forms import (
    FORM,
    Form,
    has_style,
    is_inner_form,
    is_uri_or_bytes,
    items_of,
    styled_pairs,
    urlencoded,
)

_BINARY = "application/octet-stream"
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


def joined_multipart(form: Form, media_type: str) -> Entry:
    """The body for a form as `multipart/form-data` (RFC 7578), or for ordered parts (RFC 2046).

    The boundary is derived from the content and does not occur in it.
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
    entries: list[Entry] = []
    for name, value, part in form.entries():
        if form.is_ordered:
            entries.append(_nameless(_entry(form, name, value, part)))
            continue
        if has_style(part) and not part.binary:
            writer = Writer(null="", limits=form.limits, escaped=False)
            pairs = styled_pairs(name, value, part, writer)
            entries += [Entry(key, text.encode()) for key, text in pairs]
            continue
        entries += [_entry(form, name, item, part) for item in items_of(value)]
    return entries


def _is_file(value: Any, part: Part) -> bool:
    """Whether a part's value is a file: its bytes or its URI. An object never is one."""
    if not part.binary or value is None or isinstance(value, Mapping):
        return False
    return not part.text or is_uri_or_bytes(value)


def _nameless(entry: Entry) -> Entry:
    """A part without a name; a text that is not ASCII gets `charset=utf-8`."""
    kind = entry.content_type or "text/plain"
    if is_text(kind) and not charset(kind) and not entry.filename and not entry.content.isascii():
        kind += "; charset=utf-8"
    return replace(entry, name=None, content_type=kind)


def _with_parameters(media_type: str, boundary: str, entries: Sequence[Entry]) -> str:
    """A multipart type with a new boundary.

    `multipart/related` must also name the type of its first part (RFC 2387 3.1).
    """
    if essence(media_type) == "multipart/related" and entries and not _ROOT.search(media_type):
        media_type += f'; type="{essence(entries[0].content_type or "text/plain")}"'
    return f"{_BOUNDARY.sub('', media_type)}; boundary={boundary}"


def _entry(form: Form, name: str, value: Any, part: Part) -> Entry:
    structured = isinstance(value, (Mapping, list, tuple))
    if is_inner_form(value, part):
        return Entry(name, urlencoded(form.inside(name, value, part)), part.content_type)
    kind = essence(part.content_type or "")
    is_nested = structured or kind.startswith("multipart/")
    if is_nested and part.parts is not None and kind != FORM:
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
        line = f'Content-Disposition: form-data; name="{_quoted(entry.name)}"'
        filename = "" if entry.filename is None else f'; filename="{_quoted(entry.filename)}"'
        lines.append(line + filename)
    if entry.content_type is not None:
        lines.append(f"Content-Type: {entry.content_type}")
    return "\r\n".join([*lines, "", ""]).encode()


def _quoted(text: str) -> str:
    """Escape a name as HTML forms do; other characters stay UTF-8 (RFC 7578 5.1).

    A backslash at the end is escaped too: some servers would apply it to the closing quote.
    """
    text = f"{text[:-1]}%5C" if text.endswith("\\") else text
    return text.replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")
