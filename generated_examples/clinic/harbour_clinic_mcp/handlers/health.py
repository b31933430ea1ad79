"""Tools for `health`."""

from __future__ import annotations

from typing import Any

from .._runtime import Context, Response, tool


@tool("health")
async def health(ctx: Context) -> Response[Any]:
    """Ask whether the clinic's system is up: GET /health."""
    return await ctx.api.send("GET", "/health", accept="*/*", security=[])
