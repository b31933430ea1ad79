"""Runs work on large arguments and answers in a thread, so that other calls need not wait."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import anyio
import anyio.to_thread
from anyio.lowlevel import RunVar

T = TypeVar("T")

LARGE = 1 << 16
"""Bytes of an answer that is read in a thread, because that takes long."""
_BYTES_PER_MEMBER = 128
"""Bytes that a member or an item counts as."""
_READING: RunVar[anyio.CapacityLimiter] = RunVar("large answers that are read")


async def aside(size: int, work: Callable[[], T], *, alone: bool = False) -> T:
    """Run `work`, which processes `size` bytes; in a thread if `size` is large.

    `alone`: only one job with this flag runs at a time, since it may take much memory.
    """
    if size < LARGE:
        return work()
    own = limiter(_READING, 1) if alone else None
    return await anyio.to_thread.run_sync(work, limiter=own)


def limiter(of: RunVar[anyio.CapacityLimiter], most: int) -> anyio.CapacityLimiter:
    """The current event loop's limiter, kept in `of`; if there is none, create one that admits
    `most` at a time.
    """
    own = of.get(None) or anyio.CapacityLimiter(most)
    of.set(own)
    return own


def size_of(value: Any) -> int:
    """The size of a JSON value: the bytes of an answer that would take about as long to process.

    Counting stops once the value is known to be large.
    """
    size = 0
    waiting = [value]
    while waiting and size < LARGE:
        inner = waiting.pop()
        if isinstance(inner, str):
            size += len(inner)  # it may stand for an object or array
        elif isinstance(inner, dict | list):
            size += _BYTES_PER_MEMBER * len(inner)
            waiting += inner.values() if isinstance(inner, dict) else inner
    return size
