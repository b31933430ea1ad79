"""uvicorn with what it lacks: a time limit for requests, and a stop that lets calls end."""

from __future__ import annotations

import asyncio
import logging
import math
import socket
import time
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

_FULL = "socket.accept() out of system resource"

_Http: Any = H11Protocol


class TimeLimited(_Http):  # type: ignore[misc]  # its types are not those of asyncio
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
    return type("TimeLimited", (TimeLimited,), {"seconds": seconds})


class Graceful(uvicorn.Server):
    """Keeps listening while calls in flight end, so that `/readyz` can say that it is stopping.

    A load balancer that does not know yet still sends calls, and they are answered too.
    """

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Wait for the calls in flight within the time limit, then stop as uvicorn does."""
        ends = time.monotonic() + (self.config.timeout_graceful_shutdown or 0)
        in_flight = set(self.server_state.tasks)
        while in_flight and not self.force_exit and (left := ends - time.monotonic()) > 0:
            # In short waits: nothing wakes this task when a second signal asks to leave at once.
            _, in_flight = await asyncio.wait(in_flight, timeout=min(left, 0.1))
        # Asked to leave at once, uvicorn would still wait for connections to close (Python 3.12).
        left = 0 if self.force_exit else max(ends - time.monotonic(), 0)
        self.config.timeout_graceful_shutdown = math.ceil(left)
        await super().shutdown(sockets)


class AcceptErrors(logging.Filter):
    """A log filter: asyncio's "cannot accept a connection" as one line, at most once a second.

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


def without_cancellation(record: logging.LogRecord) -> bool:
    """A log filter: hides uvicorn's lines about what was cut off on purpose."""
    if record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError):
        return False
    return "CancelledError" not in record.getMessage()  # a lifespan's failure comes as text
