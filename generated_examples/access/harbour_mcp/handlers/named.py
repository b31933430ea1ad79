"""Tools tagged `named`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import UNSET, Context, Response, Unset, tool

if TYPE_CHECKING:
    from ..models import (
        AnnounceShipResult,
        CheckShipsResult,
        FindBerthResult,
        ListShipsResult,
        SearchBerthsResult,
        ShownAgainResult,
    )


@tool("find_berth")
async def find_berth(ctx: Context) -> Response[FindBerthResult]:
    """berths: GET /berths."""
    return await ctx.api.send("GET", "/berths")


@tool("search_berths")
async def search_berths(
    ctx: Context, *, length: float | Unset = UNSET
) -> Response[SearchBerthsResult]:
    """Search for berths: POST /berths."""
    return await ctx.api.send("POST", "/berths", json={"length": length})


@tool("clearBerths")
async def clear_berths(ctx: Context) -> Response[None]:
    """Free all berths: DELETE /berths."""
    return await ctx.api.send("DELETE", "/berths", accept="*/*", expect=("204",))


@tool("shownAgain")
async def shown_again(ctx: Context) -> Response[ShownAgainResult]:
    """Hidden by the path, shown by the operation: PUT /berths/internal."""
    return await ctx.api.send("PUT", "/berths/internal")


@tool("list_ships")
async def list_ships(ctx: Context) -> Response[ListShipsResult]:
    """ships: GET /ships."""
    return await ctx.api.send("GET", "/ships")


@tool("announce_ship")
async def announce_ship(ctx: Context) -> Response[AnnounceShipResult]:
    """Announce a ship: POST /ships."""
    return await ctx.api.send("POST", "/ships")


@tool("checkShips")
async def check_ships(ctx: Context) -> Response[CheckShipsResult]:
    """Check the list of ships: PUT /ships."""
    return await ctx.api.send("PUT", "/ships")
