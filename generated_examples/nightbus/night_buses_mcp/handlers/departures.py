"""Tools tagged `departures`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from .._runtime import UNSET, Context, Response, Unset, style, tool

if TYPE_CHECKING:
    from ..models import GetDepartureResult, NextDeparturesResult, Position


@tool("nextDepartures")
async def next_departures(
    ctx: Context,
    *,
    stop: str | Unset = UNSET,
    near: Position | Unset = UNSET,
    at: str | Unset = UNSET,
    step_free: bool | Unset = UNSET,
) -> Response[NextDeparturesResult]:
    """Tell the next departures: GET /departures."""
    return await ctx.api.send(
        "GET",
        "/departures",
        query={"stop": stop, "near": style.json(near), "at": at, "step_free": step_free},
    )


@tool("getDeparture")
async def get_departure(ctx: Context, *, id: str) -> Response[GetDepartureResult]:
    """Look a departure up: GET /departures/{id}."""
    return await ctx.api.send("GET", "/departures/{id}", path={"id": id})


@tool("reportDelay")
async def report_delay(
    ctx: Context,
    *,
    id: str,
    minutes: int,
    reason: Literal["weather", "works", "crowd"] | None | Unset = UNSET,
) -> Response[None]:
    """Report a delay: POST /departures/{id}/report."""
    return await ctx.api.send(
        "POST",
        "/departures/{id}/report",
        path={"id": id},
        json={"minutes": minutes, "reason": reason},
        accept="*/*",
        expect=("204",),
    )
