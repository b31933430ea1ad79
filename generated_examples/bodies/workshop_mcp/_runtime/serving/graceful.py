"""uvicorn's server, which stays reachable until the calls in flight have ended."""

from __future__ import annotations

import asyncio
import logging
import math
import socket
import time

import uvicorn


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


def without_cancellation(record: logging.LogRecord) -> bool:
    """A log filter that hides uvicorn's lines about what was cut off on purpose."""
    if record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError):
        return False
    return "CancelledError" not in record.getMessage()  # a lifespan's failure comes as text
