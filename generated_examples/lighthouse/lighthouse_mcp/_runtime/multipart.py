"""The parts of a multipart answer (RFC 2046)."""

from __future__ import annotations

from dataclasses import dataclass

MAX_PARTS = 200


@dataclass(frozen=True)
class AnswerPart:
    """One part: its body, and its Content-Type (text/plain where it has none)."""

    content: bytes
    content_type: str


def parts(content: bytes, boundary: str) -> tuple[AnswerPart, ...]:
    """The parts of a multipart body in order, at most 200; none where the boundary is not in it."""
    delimiter = b"\r\n--" + boundary.encode("latin-1", "replace")
    if b"\r\n" not in content:
        content = content.replace(b"\n", b"\r\n")
    pieces = (b"\r\n" + content).split(delimiter, MAX_PARTS + 1)
    found = []
    for piece in pieces[1 : MAX_PARTS + 1]:
        if piece.startswith(b"--"):
            break
        _, _, rest = piece.partition(b"\r\n")
        head, _, body = (b"\r\n" + rest).partition(b"\r\n\r\n")
        found.append(AnswerPart(body, _content_type(head)))
    return tuple(found)


def _content_type(head: bytes) -> str:
    for line in head.decode("latin-1").split("\r\n"):
        name, _, value = line.partition(":")
        if name.strip().lower() == "content-type":
            return value.strip()
    return "text/plain"
