"""Reading an answer's body: within a cap on decoded bytes, whatever its Content-Encoding."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterable, Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass

_PIECE = 1 << 20
_CHAIN_LIMIT = 3
_GZIP = ("gzip", "x-gzip")
_MAGIC = b"\x1f\x8b"

Progress = Callable[[int], Awaitable[None]]


class BodyError(Exception):
    """A body that cannot be decoded; the message is a predicate about it, none of its text."""


class TooLarge(BodyError):
    """A body of more bytes than are read."""


@dataclass(frozen=True)
class Body:
    """A body after Content-Encoding; `misfit` says what was wrong with the encoding, if it was."""

    content: bytes
    misfit: str = ""


class Inflater:
    """Decodes gzip (also several members in a row) or deflate (with or without zlib's header)."""

    def __init__(self, coding: str) -> None:
        self._gzip = coding in _GZIP
        self._engine = zlib.decompressobj(31 if self._gzip else 15)
        self._fresh = True
        self._ended = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Decode in pieces of at most 1 MiB, so that a bomb is seen before it fills memory."""
        while data and not self._ended:
            piece = self._decompress(data)
            if piece:
                yield piece
            data = self._rest()

    def finish(self) -> None:
        """Raise BodyError where the data ended too early."""
        if not self._fresh and not self._engine.eof:
            raise BodyError("ends in the middle of its compressed data")

    def _decompress(self, data: bytes) -> bytes:
        try:
            return self._engine.decompress(data, _PIECE)
        except zlib.error:
            if self._gzip or not self._fresh:
                raise BodyError("is not compressed the way its Content-Encoding says") from None
        finally:
            self._fresh = False
        self._engine = zlib.decompressobj(-15)
        try:
            return self._engine.decompress(data, _PIECE)
        except zlib.error:
            raise BodyError("is not compressed the way its Content-Encoding says") from None

    def _rest(self) -> bytes:
        if not self._engine.eof:
            return self._engine.unconsumed_tail
        rest = self._engine.unused_data
        if self._gzip and rest.startswith(_MAGIC):
            self._engine = zlib.decompressobj(31)
            return rest
        self._ended = True
        return b""


async def read_body(
    chunks: AsyncIterable[bytes], encoding: str, cap: int, progress: Progress | None = None
) -> Body:
    """Read and decode a body.

    An encoding that is not known, or that the body's first bytes contradict, is ignored with a
    misfit. `progress` is told how many bytes have arrived.

    Raises:
        TooLarge: more than `cap` bytes.
        BodyError: a body that cannot be decoded.
    """
    codings = [coding for coding in _codings(encoding) if coding != "identity"]
    unknown = [coding for coding in codings if coding not in (*_GZIP, "deflate")]
    decoders: list[Inflater] | None = None
    pieces: list[bytes] = []
    size = arrived = 0
    misfit = ""
    async for chunk in chunks:
        if not chunk:
            continue
        if decoders is None:
            misfit = _contradiction(codings, unknown, chunk)
            decoders = [] if misfit else [Inflater(coding) for coding in reversed(codings)]
        for piece in _through(decoders, chunk):
            size += len(piece)
            if size > cap:
                raise TooLarge(f"is larger than {cap:,} bytes, the most that this server reads")
            pieces.append(piece)
        arrived += len(chunk)
        if progress is not None:
            await progress(arrived)
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
