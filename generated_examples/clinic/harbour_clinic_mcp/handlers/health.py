"""Tools for `health`."""

from __future__ import annotations

from .._runtime import Context, Response, tool


@tool("health")
async def health(ctx: Context) -> Response[None]:
    """Ask whether the clinic's system is up: GET /health."""
    return await ctx.api.send("GET", "/health", accept="*/*", security=[])
