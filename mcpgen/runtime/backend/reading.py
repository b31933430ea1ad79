"""Reads an answer's body; limits its decoded bytes, and the time for an endless stream."""

from __future__ import annotations

import math
import zlib
from collections.abc import AsyncIterable, AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from gzip import BadGzipFile, GzipFile
from io import BytesIO

import anyio
import httpx2

from ..values.media import is_stream
from .observing import Report
from .threads import aside

_CHUNK_BYTES = 1 << 16
_MAX_OVERHEAD_BYTES = 1 << 20
"""Bytes by which what does not shrink may grow when it is compressed."""
_MAX_CODINGS = 3
_GZIP = ("gzip", "x-gzip")
_UNKNOWN = "its Content-Encoding is not one that this server asked for or can decode"
_UNTRUE = "it is not compressed although its Content-Encoding says so"
_SPARE_SECONDS = 0.5
"""Seconds of a call that are left to say how it ended, a tenth at most."""
_UNENDED = "it is a stream that had not ended when its time was up; this is its beginning"
_BROKEN = "it is a stream that broke off or fell silent before its end; this is its beginning"

PROGRESS_STEP = 256 * 1024
"""Bytes between two reports."""


class BodyError(Exception):
    """A body that cannot be decoded; the message describes the body without quoting it."""


class TooLarge(BodyError):
    """A body over the limit, before or after decoding."""

    def __init__(self, cap: int) -> None:
        super().__init__(f"is larger than {cap:,} bytes, the most that this server reads")


@dataclass
class _Source:
    """The chunks of a body; an endless stream is cut when its time is up."""

    chunks: AsyncIterator[bytes]
    until: float
    """On anyio's clock; infinite for what has to end."""
    cut: str = ""

    async def next(self, begun: bool) -> bytes:
        """The next chunk that is not empty, or `b""` at the end; the first chunk has no time
        limit.
        """
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
    chunks: AsyncIterable[bytes], headers: Mapping[str, str], cap: int, report: Report | None = None
) -> tuple[bytes, tuple[str, ...]]:
    """Read and decode a body; for a stream of events or lines, the part that arrives in time.

    Returns the body and notes: an encoding that is unknown, or that the first bytes contradict, is
    noted and ignored. `report` is called with the number of bytes that have come.

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
    arrived = bytearray()
    reported = 0
    length = headers.get("content-length", "")
    total = float(length) if length.isdigit() else None
    while chunk:
        arrived += chunk
        if len(arrived) > cap + (_MAX_OVERHEAD_BYTES if codings else 0):
            raise TooLarge(cap)
        if report is not None and len(arrived) - reported >= PROGRESS_STEP:
            reported = len(arrived)
            await report(reported, total, "bytes of the API's answer")
        chunk = await source.next(begun=True)
    content = bytes(arrived)
    for coding in reversed(codings):
        content = await aside(len(content), partial(_inflated, content, coding, cap, source.cut))
    if source.cut:
        content = content[: content.rfind(b"\n") + 1] or content
    return content, tuple(filter(None, (misfit, source.cut)))


def _codings(encoding: str, start: bytes) -> tuple[list[str], str]:
    """The encodings to decode, and the problem if the header is unknown or the bytes
    contradict it.
    """
    names = (coding.strip().lower() for coding in encoding.split(","))
    codings = [coding for coding in names if start and coding not in ("", "identity")]
    if len(codings) > _MAX_CODINGS:
        raise BodyError(f"is encoded more than {_MAX_CODINGS} times")
    if not {*codings} <= {*_GZIP, "deflate"}:
        return [], _UNKNOWN
    if codings and codings[-1] in _GZIP and start[0] != 0x1F:
        return [], _UNTRUE
    return codings, ""


def _inflated(data: bytes, coding: str, cap: int, cut: str) -> bytes:
    """Decode gzip (also several members in a row) or deflate; a cut stream is decoded as far as it
    goes.
    """
    pieces: list[bytes] = []
    room = cap
    try:
        for piece in _ungzipped(data) if coding in _GZIP else _undeflated(data):
            room -= len(piece)
            if room < 0:
                raise TooLarge(cap)
            pieces.append(piece)
    except EOFError:
        if not cut:
            raise BodyError("ends in the middle of its compressed data") from None
    except (BadGzipFile, zlib.error):
        raise BodyError("is not compressed the way its Content-Encoding says") from None
    return b"".join(pieces)


def _ungzipped(data: bytes) -> Iterator[bytes]:
    with GzipFile(fileobj=BytesIO(data)) as file:
        while piece := file.read1(_CHUNK_BYTES):
            yield piece


def _undeflated(data: bytes) -> Iterator[bytes]:
    """Decode deflate, with zlib's header (RFC 1950 2.2) or without it, as some servers send it."""
    has_header = bool(data) and data[0] & 15 == 8 and int.from_bytes(data[:2]) % 31 == 0
    engine = zlib.decompressobj(15 if has_header else -15)
    piece = b""
    while data or piece:
        yield (piece := engine.decompress(data, _CHUNK_BYTES))
        data = engine.unconsumed_tail
    if not engine.eof:
        raise EOFError


def time_left() -> float:
    """Seconds until shortly before the call's deadline; 0 if the call is cancelled."""
    seconds = anyio.current_effective_deadline() - anyio.current_time()
    return seconds - min(_SPARE_SECONDS, seconds / 10) if seconds > 0 else 0.0
