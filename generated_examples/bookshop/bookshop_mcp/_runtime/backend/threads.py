"""Work in a thread, so that no other call waits: plain functions, large arguments and answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

import anyio
import anyio.to_thread
from anyio.lowlevel import RunVar

T = TypeVar("T")

LARGE = 1 << 16
"""Bytes of an answer that is read in a thread, because that takes long."""
_PART = 128
"""Bytes that a member or an item counts as."""
AT_ONCE = 40
"""Plain functions at a time; further ones wait."""
_FUNCTIONS: RunVar[anyio.CapacityLimiter] = RunVar("plain functions")
"""They have threads of their own: such a function may be waiting for an answer, which needs one."""
_READING: RunVar[anyio.CapacityLimiter] = RunVar("large answers that are read")


async def aside(size: int, work: Callable[[], T], *, alone: bool = False) -> T:
    """Work on an answer of that many bytes, in a thread if it is large.

    `alone`: one such work at a time, for it may take much memory.
    """
    if size < LARGE:
        return work()
    limiter = _limiter(_READING, 1) if alone else None
    return await anyio.to_thread.run_sync(work, limiter=limiter)


def _limiter(of: RunVar[anyio.CapacityLimiter], most: int) -> anyio.CapacityLimiter:
    limiter = of.get(None) or anyio.CapacityLimiter(most)
    of.set(limiter)
    return limiter


def size_of(value: Any) -> int:
    """How large a JSON value is: as many bytes of an answer take about as long.

    Counting ends as soon as it is known to be large.
    """
    size = 0
    waiting = [value]
    while waiting and size < LARGE:
        inner = waiting.pop()
        if isinstance(inner, str):
            size += len(inner)  # it may stand for an object or array
        elif isinstance(inner, dict | list):
            size += _PART * len(inner)
            waiting += inner.values() if isinstance(inner, dict) else inner
    return size


async def run_in_thread(
    function: Callable[..., Any], context: Any, keywords: Mapping[str, Any]
) -> Any:
    """Call the function; a cancelled call ends at once, and sets `context.stopped` for the thread.

    In the function `anyio.from_thread.run(ctx.report_progress, 1, 3)` awaits for it. An awaitable
    that it returns is awaited here.
    """
    call = partial(function, context, **keywords)
    limiter = _limiter(_FUNCTIONS, AT_ONCE)
    try:
        value = await anyio.to_thread.run_sync(call, abandon_on_cancel=True, limiter=limiter)
    except anyio.get_cancelled_exc_class():
        context.stopped.set()
        raise
    return await value if hasattr(value, "__await__") else value
