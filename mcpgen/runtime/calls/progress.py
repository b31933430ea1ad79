"""What the client is told of a call while it runs."""

from __future__ import annotations

import math

from ..backend.observing import Report
from ..values.display import visible


class CallProgress:
    """Tells a client how far one call is, and leaves out what is no further than it was told.

    Each number must be greater than the one before it, whoever reports it: a handler, a download
    that begins anew, or an operation that the API finishes later.
    """

    def __init__(self, tell: Report) -> None:
        self._tell = tell
        self._last = -math.inf

    async def __call__(
        self, done: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Report a number; nothing is sent unless the client asked for progress."""
        if math.isfinite(done) and done > self._last:
            self._last = done
            whole = None if total is None or not math.isfinite(total) else total
            await self._tell(done, whole, None if message is None else visible(message))
