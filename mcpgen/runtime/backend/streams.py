"""Answers that may never end, such as event streams: they are read until a deadline."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Mapping

import anyio

from ..values.media import is_stream

_SPARE = 0.5
"""Seconds of a call that are left to say how it ended, a tenth at most."""


class Beginning:
    """The bytes of a stream that arrive in time; at least the first ones are waited for."""

    def __init__(self, chunks: AsyncIterator[bytes], until: float) -> None:
        """`until`: the moment, on anyio's clock, at which reading ends; infinite: it has to end."""
        self._chunks = chunks
        self._until = until
        self._begun = False
        self.cut = False
        """Whether it had not ended by then, fell silent or broke off before."""
        self.problem: Exception | None = None
        """The silence, or the break."""

    def __aiter__(self) -> Beginning:
        return self

    async def __anext__(self) -> bytes:
        import httpx2

        try:
            with anyio.CancelScope(deadline=self._until if self._begun else math.inf):
                chunk = await anext(self._chunks)
                self._begun = self._begun or bool(chunk)
                return chunk
        except httpx2.TransportError as problem:
            if not self._begun or self._until == math.inf:
                raise
            self.problem = problem
        self.cut = True
        raise StopAsyncIteration

    def whole_lines(self, content: bytes) -> bytes:
        """What was read, without a last line that was cut off."""
        return content[: content.rfind(b"\n") + 1] or content if self.cut else content


def beginning(chunks: AsyncIterator[bytes], headers: Mapping[str, str]) -> Beginning:
    """Read a stream until shortly before the deadline; read any other answer to its end."""
    endless = is_stream(headers.get("content-type", ""))
    return Beginning(chunks, anyio.current_time() + time_left() if endless else math.inf)


def time_left() -> float:
    """Seconds until shortly before the call's deadline; none for a call that is cancelled."""
    left = anyio.current_effective_deadline() - anyio.current_time()
    return left - min(_SPARE, left / 10) if left > 0 else 0.0
