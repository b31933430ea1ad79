"""Reads an answer's body, with a cap on its decoded bytes whatever the Content-Encoding."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterable, Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from .streams import Beginning

_PIECE = 1 << 20
_SLICE = 1 << 14
"""Bytes that are decoded at a time: after each member of gzip zlib copies what is left of them."""
_MOST_MEMBERS = 100_000
_CHAIN_LIMIT = 3
_GZIP = ("gzip", "x-gzip")
_MAGIC = b"\x1f\x8b"

Progress = Callable[[int], Awaitable[None]]


class BodyError(Exception):
    """A body that cannot be decoded; the message describes it without quoting it."""


class TooLarge(BodyError):
    """A body over the limit, before or after decoding."""

    def __init__(self, cap: int) -> None:
        super().__init__(f"is larger than {cap:,} bytes, the most that this server reads")


@dataclass(frozen=True)
class Body:
    """A decoded body; `misfit` says what was wrong with its encoding, if anything was."""

    content: bytes
    misfit: str = ""


class Inflater:
    """Decodes gzip (also several members in a row) or deflate (with or without zlib's header)."""

    def __init__(self, coding: str, cap: int) -> None:
        """`cap` is the most bytes that it gives."""
        self._gzip = coding in _GZIP
        self._cap = cap
        self._size = self._members = 0
        self._engine: Any = None
        """Decodes the member that has begun and not ended."""
        self._held = b""
        """A first byte, which alone does not tell what begins with it."""
        self._fresh = True
        self._ended = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Decode at most 1 MiB at a time, so that a decompression bomb is noticed early.

        Raises:
            TooLarge: the output exceeds the limit.
            BodyError: the data cannot be decoded.
        """
        for start in range(0, len(data), _SLICE):
            for piece in self._feed(data[start : start + _SLICE]):
                self._size += len(piece)
                if self._size > self._cap:
                    raise TooLarge(self._cap)
                yield piece

    def _feed(self, data: bytes) -> Iterator[bytes]:
        data, self._held = self._held + data, b""
        while not self._ended:
            if self._engine is None:
                if len(data) < len(_MAGIC):
                    self._held = data
                    return
                self._begin(data)
                continue
            piece = self._decompress(data)
            if piece:
                yield piece
            if self._engine.eof:
                data, self._engine = self._engine.unused_data, None
                continue
            data = self._engine.unconsumed_tail
            if not data and len(piece) < _PIECE:
                return

    def finish(self) -> None:
        """Raise BodyError if the data ended too early."""
        if self._engine is not None or (self._fresh and self._held):
            raise BodyError("ends in the middle of its compressed data")

    def _begin(self, data: bytes) -> None:
        """Start decoding: at the beginning, at a further member, or at padding after the last."""
        self._members += 1
        if self._members > _MOST_MEMBERS:
            raise BodyError(f"is compressed in more than {_MOST_MEMBERS:,} parts")
        if self._fresh:
            self._engine = zlib.decompressobj(31 if self._gzip else _deflate(data))
        elif self._gzip and data.startswith(_MAGIC):
            self._engine = zlib.decompressobj(31)
        else:
            self._ended = True
        self._fresh = False

    def _decompress(self, data: bytes) -> bytes:
        try:
            piece: bytes = self._engine.decompress(data, _PIECE)
        except zlib.error:
            raise BodyError("is not compressed the way its Content-Encoding says") from None
        return piece


def _deflate(start: bytes) -> int:
    """zlib's `wbits` for deflate: with a header (RFC 1950 2.2), or bare as some servers send it."""
    has_header = start[0] & 15 == 8 and int.from_bytes(start[:2]) % 31 == 0
    return 15 if has_header else -15


async def read_body(
    chunks: AsyncIterable[bytes], encoding: str, cap: int, progress: Progress | None = None
) -> Body:
    """Read and decode a body.

    An unknown encoding, or one that the first bytes contradict, is ignored, with a misfit.
    `progress` receives the number of bytes so far.

    Raises:
        TooLarge: more than `cap` bytes.
        BodyError: a body that cannot be decoded.
    """
    codings = [coding for coding in _codings(encoding) if coding != "identity"]
    unknown = [coding for coding in codings if coding not in (*_GZIP, "deflate")]
    decoders: list[Inflater] | None = None
    pieces: list[bytes] = []
    arrived = 0
    misfit = ""
    async for chunk in chunks:
        if not chunk:
            continue
        if decoders is None:
            misfit = _contradiction(codings, unknown, chunk)
            decoders = [] if misfit else [Inflater(coding, cap) for coding in reversed(codings)]
        arrived += len(chunk)
        # What does not shrink when it is compressed grows a little.
        if arrived > cap + (_PIECE if decoders else 0):
            raise TooLarge(cap)
        pieces += _through(decoders, chunk)
        if progress is not None:
            await progress(arrived)
    if not (isinstance(chunks, Beginning) and chunks.cut):
        for decoder in decoders or ():
            decoder.finish()
    return Body(b"".join(pieces), misfit)


def _codings(encoding: str) -> list[str]:
    codings = [part.strip().lower() for part in encoding.split(",") if part.strip()]
    if len(codings) > _CHAIN_LIMIT:
        raise BodyError(f"is encoded more than {_CHAIN_LIMIT} times")
    return codings


def _contradiction(codings: list[str], unknown: list[str], start: bytes) -> str:
    if unknown:
        return "its Content-Encoding is none that this server asked for or can decode"
    if codings and codings[-1] in _GZIP and start[0] != _MAGIC[0]:
        return "it is not compressed although its Content-Encoding says so"
    return ""


def _through(decoders: Iterable[Inflater], chunk: bytes) -> Iterator[bytes]:
    pieces: Iterator[bytes] = iter((chunk,))
    for decoder in decoders:
        pieces = _decoded(decoder, pieces)
    return pieces


def _decoded(decoder: Inflater, pieces: Iterator[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        yield from decoder.feed(piece)
