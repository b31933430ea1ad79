"""Reads an answer's body, with a cap on its decoded bytes, and a stream that may never end."""

from __future__ import annotations

import math
import zlib
from collections.abc import AsyncIterable, AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any

import anyio
import httpx2

from ..values.media import is_stream
from .observing import Report

_SLICE = 1 << 14
"""Bytes that are decoded at a time: after each member of gzip zlib copies what is left of them."""
_OVERHEAD = 1 << 20
"""Bytes by which what does not shrink may grow when it is compressed."""
_MOST_CODINGS = 3
_GZIP = ("gzip", "x-gzip")
_MAGIC = b"\x1f\x8b"
_UNKNOWN = "its Content-Encoding is none that this server asked for or can decode"
_UNTRUE = "it is not compressed although its Content-Encoding says so"
_SPARE = 0.5
"""Seconds of a call that are left to say how it ended, a tenth at most."""
_UNENDED = "it is a stream that had not ended when its time was up; this is its beginning"
_BROKEN = "it is a stream that broke off or fell silent before its end; this is its beginning"

PROGRESS_STEP = 256 * 1024
"""Bytes between two reports."""


class BodyError(Exception):
    """A body that cannot be decoded; the message describes it without quoting it."""


class TooLarge(BodyError):
    """A body over the limit, before or after decoding."""

    def __init__(self, cap: int) -> None:
        super().__init__(f"is larger than {cap:,} bytes, the most that this server reads")


@dataclass(frozen=True)
class Body:
    """A decoded body, and in a clause each what is wrong with it."""

    content: bytes
    misfits: tuple[str, ...] = ()


class Inflater:
    """Decodes gzip (also several members in a row) or deflate (with or without zlib's header)."""

    def __init__(self, coding: str, cap: int) -> None:
        """`cap` is the most bytes that it gives."""
        self._gzip = coding in _GZIP
        self._cap = self._left = cap
        self._engine: Any = None
        """Decodes the member that has begun and not ended."""
        self._held = b""
        """A first byte, which alone does not tell what begins with it."""
        self._begun = self._ended = False

    def feed(self, data: bytes) -> bytes:
        """Decode further bytes.

        Raises:
            TooLarge: the output exceeds the limit.
            BodyError: the data cannot be decoded.
        """
        pieces = []
        for start in range(0, len(data), _SLICE):
            rest = self._held + data[start : start + _SLICE]
            self._held = b""
            while rest and not self._ended:
                if self._engine is None and len(rest) < len(_MAGIC):
                    self._held = rest
                    break
                if self._engine is None:
                    self._begin(rest)
                    continue
                pieces.append(self._decompress(rest))
                rest = self._engine.unused_data
                if self._engine.eof:
                    self._engine = None
        return b"".join(pieces)

    def finish(self) -> None:
        """Raise BodyError if the data ended too early."""
        if self._engine is not None or (self._held and not self._begun):
            raise BodyError("ends in the middle of its compressed data")

    def _begin(self, data: bytes) -> None:
        """Start decoding: at the beginning, at a further member, or at padding after the last."""
        if self._gzip:
            wbits = 31
            self._ended = self._begun and not data.startswith(_MAGIC)
        else:  # with a header (RFC 1950 2.2), or bare as some servers send it
            wbits = 15 if data[0] & 15 == 8 and int.from_bytes(data[:2]) % 31 == 0 else -15
            self._ended = self._begun
        self._begun = True
        if not self._ended:
            self._engine = zlib.decompressobj(wbits)

    def _decompress(self, data: bytes) -> bytes:
        try:
            piece: bytes = self._engine.decompress(data, self._left + 1)
        except zlib.error:
            raise BodyError("is not compressed the way its Content-Encoding says") from None
        self._left -= len(piece)
        if self._left < 0:
            raise TooLarge(self._cap)
        return piece


@dataclass
class _Source:
    """The chunks of a body: all of them, or of a stream those that come before its time is up."""

    chunks: AsyncIterator[bytes]
    until: float
    """On anyio's clock; infinite for what has to end."""
    cut: str = ""

    async def next(self, begun: bool) -> bytes:
        """The next bytes that are not empty, or none at the end; the first are waited for."""
        until = self.until if begun else math.inf
        try:
            with anyio.CancelScope(deadline=until):
                async for chunk in self.chunks:
                    if chunk:
                        return chunk
                return b""
            self.cut = _UNENDED
        except httpx2.TransportError:
            if until == math.inf:
                raise
            self.cut = _BROKEN
        return b""


async def read_body(
    chunks: AsyncIterable[bytes],
    headers: Mapping[str, str],
    cap: int,
    report: Report | None = None,
) -> Body:
    """Read and decode a body; of a stream of events or lines, what comes in time.

    An unknown encoding, or one that the first bytes contradict, is ignored, with a misfit.
    `report` is told how many bytes have come.

    Raises:
        TooLarge: more than `cap` bytes.
        BodyError: a body that cannot be decoded.
        httpx2.TransportError: a body that broke off.
    """
    is_endless = is_stream(headers.get("content-type", ""))
    until = anyio.current_time() + time_left() if is_endless else math.inf
    source = _Source(aiter(chunks), until)
    chunk = await source.next(begun=False)
    codings, misfit = _codings(headers.get("content-encoding", ""), chunk)
    decoders = [Inflater(coding, cap) for coding in reversed(codings)]
    pieces: list[bytes] = []
    arrived = reported = 0
    length = headers.get("content-length", "")
    total = float(length) if length.isdigit() else None
    while chunk:
        arrived += len(chunk)
        if arrived > cap + (_OVERHEAD if decoders else 0):
            raise TooLarge(cap)
        for decoder in decoders:
            chunk = decoder.feed(chunk)
        pieces += [chunk] if chunk else []
        if report is not None and arrived - reported >= PROGRESS_STEP:
            reported = arrived
            await report(arrived, total, "bytes of the API's answer")
        chunk = await source.next(begun=bool(pieces))
    content = b"".join(pieces)
    if source.cut:
        content = content[: content.rfind(b"\n") + 1] or content
    else:
        for decoder in decoders:
            decoder.finish()
    return Body(content, tuple(filter(None, (misfit, source.cut))))


def _codings(encoding: str, start: bytes) -> tuple[list[str], str]:
    """The encodings of a body that begins so, and what is wrong with those that it names."""
    named = (coding.strip().lower() for coding in encoding.split(","))
    codings = [coding for coding in named if coding not in ("", "identity")]
    if len(codings) > _MOST_CODINGS:
        raise BodyError(f"is encoded more than {_MOST_CODINGS} times")
    if not {*codings} <= {*_GZIP, "deflate"}:
        return [], _UNKNOWN if start else ""
    if start and codings and codings[-1] in _GZIP and start[0] != _MAGIC[0]:
        return [], _UNTRUE
    return codings, ""


def time_left() -> float:
    """Seconds until shortly before the call's deadline; none for a call that is cancelled."""
    left = anyio.current_effective_deadline() - anyio.current_time()
    return left - min(_SPARE, left / 10) if left > 0 else 0.0
