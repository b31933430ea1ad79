"""Decides how an agent gets bytes: as a picture or sound that models accept, a text, or a file.

A model's API refuses the whole conversation because of one picture in an unknown format. So the
bytes decide, and never a header alone.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from ..values.media import SNIFFED, USUAL_NAMES, MediaType, is_range, sniff

MOST_PIXELS = 8_000
"""A side of a picture (Claude's limit)."""
MOST_BASE64 = 5 * 1024 * 1024
"""Characters of a picture in base64 (the same)."""
_SHOWN = {
    "image": ("image/png", "image/jpeg", "image/gif", "image/webp"),
    "audio": ("audio/wav", "audio/mpeg", "audio/flac", "audio/ogg"),
}
"""The types of which there are blocks, by kind."""
_WORDS = {
    "image": "pictures that are PNG, JPEG, GIF or WebP",
    "audio": "sounds that are WAV, MP3, FLAC or Ogg",
}
_MAX_SEGMENTS = 1_000
_BYTES = "application/octet-stream"
_NEVER_IN_TEXT = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


class Blob(NamedTuple):
    """Bytes, and the kind of content that the agent gets for them."""

    content: bytes
    media: str
    """Their media type."""
    is_shown: bool = False
    """Whether they are a block of their kind; else they are an embedded resource."""
    text: str | None = None
    """What they say, if they are a text in spite of their type."""
    misfit: str = ""
    """Where their type contradicts the header."""
    remark: str = ""
    """Why they are no block of their kind."""

    @classmethod
    def of(cls, content: bytes, media: str) -> Blob:
        """The blob for bytes of a declared type; base64 is decoded if it is a picture or sound."""
        kind = media.partition("/")[0]
        if kind not in _SHOWN:
            return cls(content, media)
        name = USUAL_NAMES.get(media, media)
        own_type = sniff(content)
        inner = _unpacked(content) if own_type is None else b""
        if (inner_type := sniff(inner)) in _SHOWN[kind]:
            content, own_type = inner, inner_type
        if own_type in _SHOWN[kind]:
            return _shown(content, own_type, name)
        if own_type is None and (text := _text(content)) is not None:
            is_text = MediaType.read(media).is_text
            misfit = "" if is_text else f"its Content-Type is {media} although it is text"
            return cls(content, media if is_text else "text/plain", text=text, misfit=misfit)
        is_known = name in SNIFFED or is_range(name)
        if own_type and is_known:
            misfit = "" if name in (own_type, f"{kind}/*") else _contradiction(media, own_type)
            return cls(content, own_type, misfit=misfit, remark=_remark(kind, own_type))
        if is_known:
            return cls(
                content,
                _BYTES,
                misfit=f"its Content-Type is {media}, but its bytes are something else",
            )
        return cls(content, media, remark=_remark(kind, media))


def _shown(content: bytes, media_type: str, name: str) -> Blob:
    """The blob for a picture or sound; a picture that is broken or too large becomes a file."""
    is_other = name in SNIFFED and name != media_type
    misfit = _contradiction(name, media_type) if is_other else ""
    if not media_type.startswith("image/"):
        return Blob(content, media_type, is_shown=True, misfit=misfit)
    try:
        sides = _SIDES[media_type](content)
    except (IndexError, StopIteration):
        return Blob(
            content, _BYTES, misfit=f"it begins like {media_type}, but the picture is incomplete"
        )
    if not all(0 < side <= MOST_PIXELS for side in sides):
        size = " x ".join(f"{side:,}" for side in sides)
        remark = (
            f"It is given as a file: it has {size} pixels, and models accept {MOST_PIXELS:,} a side"
        )
        return Blob(content, media_type, misfit=misfit, remark=remark)
    return Blob(content, media_type, is_shown=True, misfit=misfit)


def _contradiction(named: str, found: str) -> str:
    return f"its Content-Type is {named} although its bytes are {found}"


def _remark(kind: str, media: str) -> str:
    is_of_kind = media.startswith(f"{kind}/")
    return f"It is given as a file of {media}: models accept {_WORDS[kind]}" if is_of_kind else ""


def _text(content: bytes) -> str | None:
    """The text that bytes encode; None if they are not text."""
    if _NEVER_IN_TEXT.search(content):
        return None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


def _unpacked(content: bytes) -> bytes:
    """Decode base64 (OpenAPI 3.1, "Considerations for File Uploads"); empty if the text is not
    base64.
    """
    try:
        return b64decode(b"".join(content.split()), validate=True)
    except ValueError:
        return b""


def _number(content: bytes, start: int, size: int, *, is_little: bool = False) -> int:
    """The number at a position of a header; raises IndexError if the header is too short."""
    own = content[start : start + size]
    if len(own) < size:
        raise IndexError
    return int.from_bytes(own, "little" if is_little else "big")


def _png(content: bytes) -> tuple[int, int]:
    return _number(content, 16, 4), _number(content, 20, 4)


def _gif(content: bytes) -> tuple[int, int]:
    return _number(content, 6, 2, is_little=True), _number(content, 8, 2, is_little=True)


def _webp(content: bytes) -> tuple[int, int]:
    """Width and height of a picture in any of the three formats of WebP (RFC 9649 2)."""
    match content[12:16]:
        case b"VP8X":
            sides = (_number(content, place, 3, is_little=True) + 1 for place in (24, 27))
            return next(sides), next(sides)
        case b"VP8L":
            bits = _number(content, 21, 4, is_little=True)
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8 ":
            width, height = (_number(content, place, 2, is_little=True) for place in (26, 28))
            return width & 0x3FFF, height & 0x3FFF
    raise IndexError


def _jpeg(content: bytes) -> tuple[int, int]:
    """Width and height of a JPEG picture, from its first frame header (ITU T.81 B.2.2)."""
    segments = islice(_segments(content), _MAX_SEGMENTS)
    start = next(at for marker, at in segments if marker in _FRAMES)
    return _number(content, start + 5, 2), _number(content, start + 3, 2)


def _segments(content: bytes) -> Iterator[tuple[int, int]]:
    """The markers of a JPEG picture before its image data, and the positions of their lengths."""
    at = 2
    while at < len(content) and content[at] == 0xFF:
        while _number(content, at, 1) == 0xFF:
            at += 1
        marker = content[at]
        yield marker, at + 1
        at += 1 + _number(content, at + 1, 2)


_FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
"""Markers of frames; the others of that range are tables."""
_SIDES = {"image/png": _png, "image/jpeg": _jpeg, "image/gif": _gif, "image/webp": _webp}
