"""Retries of a request: when that is safe, how often, and after how long."""

from __future__ import annotations

from random import uniform
from typing import TYPE_CHECKING

import anyio

from ..values.settings import Settings
from .failures import retry_after
from .outgoing import IDEMPOTENT, Outgoing

if TYPE_CHECKING:
    from .answer import Answer

STATUSES = (429, 502, 503, 504)

_FIRST, _LONGEST = 0.2, 5.0
"""Seconds: the longest wait before the first repetition, doubled each time up to the second."""


class Retries:
    """The retries that a call has left."""

    def __init__(self, settings: Settings) -> None:
        self._left = settings.retries
        self._seconds = settings.retry_wait
        self._longest = _FIRST

    async def after_answer(self, outgoing: Outgoing, answer: Answer) -> bool:
        """Wait as the API asks if its answer calls for a retry; False: the answer is final."""
        if answer.status not in STATUSES or not self._allowed(outgoing):
            return False
        asked = retry_after(answer.headers.get("retry-after"))
        if asked is None:
            return await self._wait(self._backoff())
        spare = max(0.0, self._seconds - asked)
        return await self._wait(asked + uniform(0, min(_FIRST, spare)))

    async def after_failure(self, outgoing: Outgoing, at_once: bool) -> bool:
        """Wait after a broken connection; `at_once`: the connection may only have been stale."""
        if not self._allowed(outgoing):
            return False
        backoff = self._backoff()
        return await self._wait(0 if at_once and backoff <= _FIRST else backoff)

    def _allowed(self, outgoing: Outgoing) -> bool:
        return self._left > 0 and outgoing.method in IDEMPOTENT

    def _backoff(self) -> float:
        longest, self._longest = self._longest, min(2 * self._longest, _LONGEST)
        return uniform(longest / 2, longest)

    async def _wait(self, seconds: float) -> bool:
        """Wait, unless that takes longer than the budget or the call's deadline allows."""
        if seconds > self._seconds:
            return False
        if anyio.current_time() + seconds >= anyio.current_effective_deadline():
            return False
        self._left -= 1
        self._seconds -= seconds
        await anyio.sleep(seconds)
        return True
