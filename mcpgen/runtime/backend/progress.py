"""How far a call is, told as the protocol wants it."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable

from ..values.display import visible

Report = Callable[[float, float | None, str | None], Awaitable[None]]


class CallProgress:
    """Tells a client how far one call is, and leaves out what is no further than it was told.

    Each number must be greater than the one before it, whoever reports it: a handler, a download
    that begins anew, or an operation that the API finishes later.
    """

    def __init__(self, tell: Report) -> None:
        self._tell = tell
        self._told = -math.inf

    async def __call__(
        self, done: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Report a number; nothing is sent unless the client asked for progress."""
        if math.isfinite(done) and done > self._told:
            self._told = done
            known = None if total is None or not math.isfinite(total) else total
            await self._tell(done, known, None if message is None else visible(message))
