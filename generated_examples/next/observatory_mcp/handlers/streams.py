"""Tools tagged `streams`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import Context, Response, tool

if TYPE_CHECKING:
    from ..models import Observation


@tool("readObservations")
async def read_observations(ctx: Context) -> Response[str]:
    """Read observations: GET /observations."""
    return await ctx.api.send("GET", "/observations", accept="application/jsonl")


@tool("sendObservations")
async def send_observations(ctx: Context, *, body: list[Observation]) -> Response[None]:
    """Send observations: POST /observations."""
    return await ctx.api.send(
        "POST",
        "/observations",
        body=body,
        media_type="application/jsonl",
        accept="*/*",
        expect=("202",),
    )


@tool("readAlerts")
async def read_alerts(ctx: Context) -> Response[str]:
    """Read alerts: GET /alerts."""
    return await ctx.api.send("GET", "/alerts", accept="text/event-stream")


@tool("readPlates")
async def read_plates(ctx: Context) -> Response[bytes]:
    """Read photographic plates: GET /plates."""
    return await ctx.api.send("GET", "/plates", accept="multipart/mixed")
