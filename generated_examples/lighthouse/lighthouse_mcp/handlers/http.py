"""Tools that call the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import Context, Response, tool

if TYPE_CHECKING:
    from ..models import GetShipResult


@tool("get_ship")
async def get_ship(ctx: Context, *, number: int) -> Response[GetShipResult]:
    """What is known of a ship in sight: GET /ships/{number}."""
    return await ctx.api.send("GET", "/ships/{number}", path={"number": number}, expect=("2XX",))


@tool("get_chart")
async def get_chart(ctx: Context) -> Response[bytes]:
    """The chart of these waters, as a PDF: GET /chart."""
    return await ctx.api.send("GET", "/chart", accept="application/pdf", expect=("2XX",))
