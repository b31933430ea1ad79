"""Multipart answers (RFC 2046): each part becomes a content block."""

from __future__ import annotations

import base64
import binascii
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from ..backend.answer import decode, text_of
from ..backend.response import Response
from ..results.blobs import Blob
from ..results.content import Mapped
from ..results.limits import written
from ..values.display import visible
from ..values.media import MediaType
from ..values.seams import READERS

_MAX_PARTS = 200


@dataclass(frozen=True)
class Part:
    """One part: its body, and its Content-Type (text/plain by default)."""

    content: bytes
    content_type: str


def add(mapping: Mapped, response: Response[Any]) -> None:
    """Add a content block for each part (RFC 2046 5.1)."""
    boundary = MediaType.read(response.content_type).boundary or ""
    answered, more = _parts(response.data, boundary)
    if not answered:
        mapping.misfits.append("it is multipart, but its body does not contain its boundary")
        mapping.text(decode(response.data, None)[0])
        return
    sizes = accumulate(map(_size, answered))
    fitting = max(1, sum(size <= mapping.limit.room for size in sizes))
    mapping.blocks += [_block(mapping, part) for part in answered[:fitting]]
    if more or fitting < len(answered):
        count = f"more than {len(answered)}" if more else len(answered)
        mapping.note += f" Only the first {fitting} of {count} parts are shown."
    mapping.promise([{"mimeType": part.content_type} for part in answered])


def _block(mapping: Mapped, part: Part) -> dict[str, Any]:
    media = MediaType.read(part.content_type)
    if media.is_json or media.is_text or not media.name:
        text = text_of(part.content, media)
        if text is None:
            return mapping.block(Blob(part.content, media.name))
        return {"type": "text", "text": visible(mapping.shortened(text[0]))}
    return mapping.block(Blob.of(part.content, media.name))


def _size(part: Part) -> int:
    """The number of bytes that a part takes in a message, as text or in base64."""
    media = MediaType.read(part.content_type)
    if media.is_json or media.is_text or not media.name:
        return written(part.content.decode("latin-1"))
    return -(-len(part.content) // 3) * 4


def _parts(content: bytes, boundary: str) -> tuple[tuple[Part, ...], bool]:
    """The first 200 parts of a multipart body, and whether there are more.

    The list is empty if the body does not contain the boundary.
    """
    mark = b"--" + boundary.encode("latin-1", "replace")
    first_line = content[content.find(mark) :].partition(b"\n")[0]
    end = b"\r\n" if first_line.endswith(b"\r") else b"\n"
    pieces = (end + content).split(end + mark, _MAX_PARTS + 1)
    answer_parts: list[Part] = []
    for piece in pieces[1:]:
        if piece.startswith(b"--"):
            return tuple(answer_parts), False
        _, _, rest = piece.partition(end)
        head, _, body = (end + rest).partition(end + end)
        answer_parts.append(_part(_headers(head), body))
    return tuple(answer_parts[:_MAX_PARTS]), len(answer_parts) > _MAX_PARTS


def _part(headers: dict[str, str], body: bytes) -> Part:
    if headers.get("content-transfer-encoding", "").lower() == "base64":
        with suppress(binascii.Error):  # what is none stays as it came
            body = base64.b64decode(b"".join(body.split()), validate=True)
    return Part(body, headers.get("content-type", "text/plain"))


def _headers(head: bytes) -> dict[str, str]:
    headers: dict[str, str] = {}
    for line in head.decode("latin-1").splitlines():
        name, _, value = line.partition(":")
        headers.setdefault(name.strip().lower(), value.strip())
    return headers


READERS["multipart"] = add
