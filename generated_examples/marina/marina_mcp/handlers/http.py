"""Tools that call the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from .._runtime import UNSET, Context, Response, Unset, style, tool

if TYPE_CHECKING:
    from ..models import Berth, SearchShipsQuery, Ship


@tool("get_berth")
async def get_berth(ctx: Context, *, number: int) -> Response[Berth]:
    """One berth by its number: GET /berths/{number}."""
    return await ctx.api.send("GET", "/berths/{number}", path={"number": number}, expect=("2XX",))


@tool("list_berths")
async def list_berths(
    ctx: Context,
    *,
    length: float | Unset = UNSET,
    facilities: list[str] | Unset = UNSET,
    region: str | Unset = UNSET,
    trace: str | Unset = UNSET,
) -> Response[list[Berth]]:
    """Berths that fit a ship, the shortest first: GET /berths."""
    return await ctx.api.send(
        "GET",
        "/berths?sort=length",
        query={"length": length, "with": style.pipe_delimited(facilities), "region": region},
        header={"X-Trace": trace},
        expect=("2XX",),
    )


@tool("book_berth")
async def book_berth(
    ctx: Context, *, number: int, ship: Ship, nights: int = 1, note: str | None | Unset = UNSET
) -> Response[Any]:
    """Book a berth for a ship: POST /berths/{number}/bookings."""
    return await ctx.api.send(
        "POST",
        "/berths/{number}/bookings",
        path={"number": number},
        json={"ship": ship, "nights": nights, "remark": note},
        accept="*/*",
        expect=("201",),
    )


@tool("replace_ship", if_match="ifMatch")
async def replace_ship(
    ctx: Context, *, id: str, papers: Ship, if_match: str | Unset = UNSET
) -> Response[Any]:
    """Write a ship's papers anew: PUT /ships/{id}."""
    return await ctx.api.send(
        "PUT",
        "/ships/{id}",
        path={"id": id},
        header={"If-Match": if_match},
        json=papers,
        media_type="application/merge-patch+json",
        accept="*/*",
        expect=("2XX",),
        tell=("ETag",),
        security=[{"key": [], "master": []}],
    )


@tool("cancel_booking")
async def cancel_booking(ctx: Context, *, id: str, reason: str | Unset = UNSET) -> Response[Any]:
    """Cancel a booking: DELETE /bookings/{id}."""
    return await ctx.api.send(
        "DELETE",
        "/bookings/{id}",
        path={"id": id},
        query={"reason": reason},
        accept="*/*",
        expect=("2XX",),
    )


@tool("upload_chart")
async def upload_chart(
    ctx: Context, *, title: str, chart: str, tags: list[str] | Unset = UNSET
) -> Response[Any]:
    """Hand in a sea chart: POST /charts."""
    return await ctx.api.send(
        "POST",
        "/charts",
        multipart={"title": title, "chart": chart, "tags": tags},
        encoding={
            "chart": style.part(content_type="image/png", binary=True),
            "tags": style.part(style="form", explode=False),
        },
        accept="*/*",
        expect=("2XX",),
    )


@tool("log_entry", extra="*")
async def log_entry(
    ctx: Context, *, who: str, text: str, extra: Mapping[str, Any]
) -> Response[Any]:
    """Write a line into the harbour's log: POST /log."""
    return await ctx.api.send(
        "POST", "/log", form={**extra, "who": who, "text": text}, accept="*/*", expect=("2XX",)
    )


@tool("radio")
async def radio(
    ctx: Context, *, message: str, channel: Literal[12, 16] | Unset = UNSET
) -> Response[Any]:
    """Send a text over the radio as it is: POST /radio."""
    return await ctx.api.send(
        "POST", "/radio", query={"channel": channel}, text=message, accept="*/*", expect=("2XX",)
    )


@tool("tide_table")
async def tide_table(ctx: Context, *, day: str | Unset = UNSET) -> Response[bytes]:
    """The tides of a day, as a picture or as text: GET /tides."""
    return await ctx.api.send(
        "GET", "/tides", query={"day": day}, accept="image/png, text/plain", expect=("2XX",)
    )


@tool("search_ships")
async def search_ships(ctx: Context, *, query: SearchShipsQuery | Unset = UNSET) -> Response[Any]:
    """Find ships by a query of your own: GET /ships."""
    return await ctx.api.send(
        "GET", "/ships", query={"query": style.json(query)}, accept="*/*", expect=("2XX",)
    )
