"""Tools tagged `Markets`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from .._runtime import UNSET, Context, Response, Unset, tool

if TYPE_CHECKING:
    from ..models import Licence, LicenceList, Market, MarketList, Stall, StallList


@tool("listMarkets")
async def list_markets(
    ctx: Context,
    *,
    weekday: Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"] | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[MarketList]:
    """List markets: GET /markets."""
    return await ctx.api.send(
        "GET", "/markets", query={"weekday": weekday, "limit": limit, "cursor": cursor}
    )


@tool("createMarket", square_id="squareId")
async def create_market(
    ctx: Context,
    *,
    name: str,
    weekday: Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"] | Unset = UNSET,
    square_id: int | Unset = UNSET,
) -> Response[Market]:
    """Add a market: POST /markets."""
    return await ctx.api.send(
        "POST",
        "/markets",
        json={"name": name, "weekday": weekday, "squareId": square_id},
        expect=("201",),
    )


@tool("getMarket")
async def get_market(ctx: Context, *, id: int) -> Response[Market]:
    """Read a market: GET /markets/{id}."""
    return await ctx.api.send("GET", "/markets/{id}", path={"id": id})


@tool("updateMarket", square_id="squareId")
async def update_market(
    ctx: Context,
    *,
    id: int,
    name: str | Unset = UNSET,
    weekday: Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"] | Unset = UNSET,
    square_id: int | Unset = UNSET,
) -> Response[Market]:
    """Change a market: PATCH /markets/{id}."""
    return await ctx.api.send(
        "PATCH",
        "/markets/{id}",
        path={"id": id},
        json={"name": name, "weekday": weekday, "squareId": square_id},
    )


@tool("cancelMarket")
async def cancel_market(
    ctx: Context, *, id: int, on: str, reason: str | Unset = UNSET
) -> Response[Market]:
    """Call off a market day: POST /markets/{id}/cancel."""
    return await ctx.api.send(
        "POST", "/markets/{id}/cancel", path={"id": id}, json={"on": on, "reason": reason}
    )


@tool("listStalls", market_id="marketId")
async def list_stalls(
    ctx: Context,
    *,
    market_id: int | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[StallList]:
    """List stalls: GET /stalls."""
    return await ctx.api.send(
        "GET", "/stalls", query={"marketId": market_id, "limit": limit, "cursor": cursor}
    )


@tool("createStall", market_id="marketId")
async def create_stall(
    ctx: Context, *, market_id: int, metres: float | Unset = UNSET, trader: str | Unset = UNSET
) -> Response[Stall]:
    """Add a stall: POST /stalls."""
    return await ctx.api.send(
        "POST",
        "/stalls",
        json={"marketId": market_id, "metres": metres, "trader": trader},
        expect=("201",),
    )


@tool("getStall")
async def get_stall(ctx: Context, *, id: int) -> Response[Stall]:
    """Read a stall: GET /stalls/{id}."""
    return await ctx.api.send("GET", "/stalls/{id}", path={"id": id})


@tool("updateStall", market_id="marketId")
async def update_stall(
    ctx: Context,
    *,
    id: int,
    market_id: int | Unset = UNSET,
    metres: float | Unset = UNSET,
    trader: str | Unset = UNSET,
) -> Response[Stall]:
    """Change a stall: PATCH /stalls/{id}."""
    return await ctx.api.send(
        "PATCH",
        "/stalls/{id}",
        path={"id": id},
        json={"marketId": market_id, "metres": metres, "trader": trader},
    )


@tool("deleteStall")
async def delete_stall(ctx: Context, *, id: int) -> Response[None]:
    """Remove a stall: DELETE /stalls/{id}."""
    return await ctx.api.send(
        "DELETE", "/stalls/{id}", path={"id": id}, accept="*/*", expect=("204",)
    )


@tool("moveStall")
async def move_stall(ctx: Context, *, id: int, place: str) -> Response[Stall]:
    """Move a stall to another place: POST /stalls/{id}/move."""
    return await ctx.api.send("POST", "/stalls/{id}/move", path={"id": id}, json={"place": place})


@tool("listLicences")
async def list_licences(
    ctx: Context,
    *,
    trade: Literal["food", "flowers", "crafts"] | Unset = UNSET,
    holder: str | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[LicenceList]:
    """List licences: GET /licences."""
    return await ctx.api.send(
        "GET",
        "/licences",
        query={"trade": trade, "holder": holder, "limit": limit, "cursor": cursor},
    )


@tool("createLicence", expires_on="expiresOn")
async def create_licence(
    ctx: Context,
    *,
    holder: str,
    trade: Literal["food", "flowers", "crafts"] | Unset = UNSET,
    expires_on: str | Unset = UNSET,
) -> Response[Licence]:
    """Add a licence: POST /licences."""
    return await ctx.api.send(
        "POST",
        "/licences",
        json={"holder": holder, "trade": trade, "expiresOn": expires_on},
        expect=("201",),
    )


@tool("getLicence")
async def get_licence(ctx: Context, *, id: int) -> Response[Licence]:
    """Read a licence: GET /licences/{id}."""
    return await ctx.api.send("GET", "/licences/{id}", path={"id": id})


@tool("renewLicence")
async def renew_licence(ctx: Context, *, id: int) -> Response[Licence]:
    """Renew a licence for a year: POST /licences/{id}/renew."""
    return await ctx.api.send("POST", "/licences/{id}/renew", path={"id": id})


@tool("revokeLicence")
async def revoke_licence(ctx: Context, *, id: int, reason: str) -> Response[Licence]:
    """Take a licence away: POST /licences/{id}/revoke."""
    return await ctx.api.send(
        "POST", "/licences/{id}/revoke", path={"id": id}, json={"reason": reason}
    )
