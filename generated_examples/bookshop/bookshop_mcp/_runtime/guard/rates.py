"""Rate limits for each caller, and for all together, in one process of this server."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

_MOST_CALLERS = 10_000


class LimitReached(Exception):
    """A limit is reached; the message says which, and when to come back."""


@dataclass
class _Bucket:
    """A token bucket: the calls that are left, which grow over time."""

    left: float
    filled: float


@dataclass
class Rates:
    """Limits of calls a minute and of calls at a time; None is none."""

    per_minute: int | None = None
    per_minute_in_all: int | None = None
    by_tool: Mapping[str, int] = field(default_factory=dict)
    """Calls a minute of a tool from one caller; `*` is each tool that is not named."""
    at_once: int | None = None
    at_once_in_all: int | None = None
    clock: Callable[[], float] = time.monotonic
    _buckets: dict[Hashable, _Bucket] = field(default_factory=dict)
    _running: dict[Hashable, int] = field(default_factory=dict)

    @contextmanager
    def admitted(self, caller: Hashable, tool: str | None = None) -> Iterator[None]:
        """Count a call, of a tool where that is known, as long as the block runs.

        Raises:
            LimitReached: it may not be made now.
        """
        limits = ((caller, self.at_once, "of yours"), (None, self.at_once_in_all, "in all"))
        for who, most, whose in limits:
            if most is not None and self._running.get(who, 0) >= most:
                raise LimitReached(
                    f"This server runs {most} calls {whose} at a time, and as many are running. "
                    "Nothing was done: call again when one of them has ended."
                )
        self.take(caller, tool)
        self._count(caller, 1)
        try:
            yield
        finally:
            self._count(caller, -1)

    def _count(self, caller: Hashable, change: int) -> None:
        for who in (caller, None):
            now = self._running.get(who, 0) + change
            if now:
                self._running[who] = now
            else:
                del self._running[who]

    def take(self, caller: Hashable, tool: str | None = None) -> None:
        """Count a call that may last as long as it likes.

        Raises:
            LimitReached: it may not be made now.
        """
        now = self.clock()
        of_tool = None if tool is None else self.by_tool.get(tool, self.by_tool.get("*"))
        wanted = (
            (caller, self.per_minute, "from you"),
            (None, self.per_minute_in_all, "in all"),
            ((caller, tool), of_tool, f"of `{tool}` from you"),
        )
        buckets = []
        for who, most, whose in wanted:
            if most is None:
                continue
            bucket = self._filled(who, most, now)
            if bucket.left < 1:
                wait = max(1, math.ceil((1 - bucket.left) * 60 / most))
                raise LimitReached(
                    f"This server takes {most} calls a minute {whose}. Nothing was done: call "
                    f"again in {wait} second{'' if wait == 1 else 's'}."
                )
            buckets.append(bucket)
        for bucket in buckets:
            bucket.left -= 1

    def _filled(self, who: Hashable, most: int, now: float) -> _Bucket:
        bucket = self._buckets.get(who)
        if bucket is None:
            self._forget_full(now)
            bucket = self._buckets[who] = _Bucket(float(most), now)
        bucket.left = min(float(most), bucket.left + (now - bucket.filled) * most / 60)
        bucket.filled = now
        return bucket

    def _forget_full(self, now: float) -> None:
        """Forget callers that have not called for a minute: their buckets are full again."""
        if len(self._buckets) >= _MOST_CALLERS:
            recent = {w: b for w, b in self._buckets.items() if w is None or now - b.filled < 60}
            self._buckets = recent
