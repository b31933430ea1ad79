"""Tools tagged `departures`."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Literal

from .._runtime import UNSET, Context, Response, Unset, style, tool

if TYPE_CHECKING:
    from ..models import GetDepartureResult, NextDeparturesResult, Position


logger = logging.getLogger(__name__)


def spaceless(stop: str | Unset) -> str | Unset:
    """A stop's code as the timetable has it: people paste it with blanks around it."""
    return stop.strip() if isinstance(stop, str) else stop


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
        query={"stop": spaceless(stop), "near": style.json(near), "at": at, "step_free": step_free},
    )


@tool("getDeparture")
async def get_departure(ctx: Context, *, id: str) -> Response[GetDepartureResult]:
    """Look a departure up: GET /departures/{id}."""
    return await ctx.api.send("GET", "/departures/{id}", path={"id": id})


@tool("reportDelay")
async def tell_of_delay(
    ctx: Context,
    *,
    id: str,
    minutes: int,
    reason: Literal["weather", "works", "crowd"] | None | Unset = UNSET,
) -> Response[None]:
    """Report a delay: POST /departures/{id}/report."""
    # The depot reads this log in the morning.
    logger.info("departure %s is %s minutes late", id, minutes)
    return await ctx.api.send(
        "POST",
        "/departures/{id}/report",
        path={"id": id},
        json={"minutes": minutes, "reason": reason},
        accept="*/*",
        expect=("204",),
    )
