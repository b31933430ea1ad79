"""The parts of a multipart answer (RFC 2046)."""

from __future__ import annotations

import base64
import binascii
from contextlib import suppress
from dataclasses import dataclass

MAX_PARTS = 200


@dataclass(frozen=True)
class AnswerPart:
    """One part: its body, and its Content-Type (text/plain where it has none)."""

    content: bytes
    content_type: str


def parts(content: bytes, boundary: str) -> tuple[tuple[AnswerPart, ...], bool]:
    """The first 200 parts of a multipart body, and whether there are more.

    There are none where the boundary is not in it.
    """
    mark = b"--" + boundary.encode("latin-1", "replace")
    first_line = content[content.find(mark) :].partition(b"\n")[0]
    end = b"\r\n" if first_line.endswith(b"\r") else b"\n"
    pieces = (end + content).split(end + mark, MAX_PARTS + 1)
    answer_parts: list[AnswerPart] = []
    for piece in pieces[1:]:
        if piece.startswith(b"--"):
            return tuple(answer_parts), False
        _, _, rest = piece.partition(end)
        head, _, body = (end + rest).partition(end + end)
        answer_parts.append(_part(_headers(head), body))
    return tuple(answer_parts[:MAX_PARTS]), len(answer_parts) > MAX_PARTS


def _part(headers: dict[str, str], body: bytes) -> AnswerPart:
    if headers.get("content-transfer-encoding", "").lower() == "base64":
        with suppress(binascii.Error):  # what is none stays as it came
            body = base64.b64decode(b"".join(body.split()), validate=True)
    return AnswerPart(body, headers.get("content-type", "text/plain"))


def _headers(head: bytes) -> dict[str, str]:
    headers: dict[str, str] = {}
    for line in head.decode("latin-1").splitlines():
        name, _, value = line.partition(":")
        headers.setdefault(name.strip().lower(), value.strip())
    return headers
