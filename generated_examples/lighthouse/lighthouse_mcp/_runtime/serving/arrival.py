"""Closes HTTP connections on which a request does not arrive in time."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

_FULL = "socket.accept() out of system resource"

_Http: Any = H11Protocol


class Timely(_Http):  # type: ignore[misc]  # its types are not those of asyncio
    """uvicorn's protocol with a time limit for requests, which it does not have by itself.

    It is that of h11, also where httptools is installed: that one bounds no header, and keeps
    whatever requests arrive behind one another.
    """

    seconds: float
    """From the start of a connection, or the first byte after an answer, to a whole request."""
    _closing: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Start the clock."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Restart or stop the clock, depending on what has arrived."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        self._stop()
        super().connection_lost(exc)

    def _watch(self) -> None:
        if self.cycle is not None and not self.cycle.more_body and not self.cycle.response_complete:
            self._stop()
        elif self._closing is None:
            self._closing = self.loop.call_later(self.seconds, self.transport.abort)

    def _stop(self) -> None:
        if self._closing is not None:
            self._closing.cancel()
            self._closing = None


def within(seconds: float) -> type[asyncio.Protocol]:
    """The protocol with the time that a request may take to arrive whole."""
    return type("Timely", (Timely,), {"seconds": seconds})


class Seldom(logging.Filter):
    """A log filter: asyncio's "cannot accept a connection" at most once a second.

    By itself it logs a traceback for each connection that could be waiting, two thousand times.
    """

    _next = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is logged."""
        if not record.getMessage().startswith(_FULL):
            return True
        record.msg, record.args, record.exc_info = "too many open connections", (), None
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + 1
        return True
