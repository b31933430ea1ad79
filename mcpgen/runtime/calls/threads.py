"""Runs plain functions in separate threads, so that no other call waits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import anyio
import anyio.to_thread
from anyio.lowlevel import RunVar

from ..backend.threads import limiter

AT_ONCE = 40
"""Plain functions at a time; further ones wait."""
_FUNCTIONS: RunVar[anyio.CapacityLimiter] = RunVar("plain functions")
"""They have threads of their own: such a function may be waiting for an answer, which needs one."""


async def run_in_thread(
    function: Callable[..., Any], context: Any, keywords: Mapping[str, Any]
) -> Any:
    """Call the function; a cancelled call ends at once, and sets `context.stopped` for the thread.

    In the function, `anyio.from_thread.run(ctx.report_progress, 1, 3)` runs an async function. If
    the function returns an awaitable, it is awaited here.
    """
    call = partial(function, context, **keywords)
    own = limiter(_FUNCTIONS, AT_ONCE)
    try:
        value = await anyio.to_thread.run_sync(call, abandon_on_cancel=True, limiter=own)
    except anyio.get_cancelled_exc_class():
        context.stopped.set()
        raise
    return await value if hasattr(value, "__await__") else value
