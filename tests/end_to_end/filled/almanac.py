"""Tools that you write in Python. Updates keep your code."""

from __future__ import annotations

from typing import Any

from .._runtime import Context, tool


@tool("advise")
async def advise(ctx: Context, *, place: str) -> Any:
    """What the almanac says of a place, in a sentence."""
    (page,) = await ctx.read_resource(f"almanac://places/{place}")
    return f"The almanac says: {getattr(page, 'text', '')}"
