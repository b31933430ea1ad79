"""Functions that read the resources. Updates keep your code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._runtime import Context, Response, resource

if TYPE_CHECKING:
    from .hooks import State


@resource("lighthouse://watch")
async def watch(ctx: Context) -> str:
    """What happened in this watch; the last entry is the latest."""
    state: State = ctx.state
    return "\n".join(state.entries) or "Nothing yet."


@resource("lighthouse://lamps/{lamp}")
async def lamp(ctx: Context, *, lamp: str) -> Response[Any]:
    """How a lamp burns: GET /lamps/{lamp}."""
    return await ctx.api.send(
        "GET", "/lamps/{lamp}", path={"lamp": lamp}, accept="*/*", expect=("2XX",)
    )
