"""Tools tagged `Streets`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from .._runtime import UNSET, Context, Response, Unset, tool

if TYPE_CHECKING:
    from ..models import Bridge, BridgeList, Lamp, LampList, Street, StreetList


@tool("listStreets")
async def list_streets(
    ctx: Context,
    *,
    surface: Literal["asphalt", "cobbles", "gravel"] | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[StreetList]:
    """List streets: GET /streets."""
    return await ctx.api.send(
        "GET", "/streets", query={"surface": surface, "limit": limit, "cursor": cursor}
    )


@tool("createStreet", length_metres="lengthMetres")
async def create_street(
    ctx: Context,
    *,
    name: str,
    surface: Literal["asphalt", "cobbles", "gravel"] | Unset = UNSET,
    length_metres: int | Unset = UNSET,
) -> Response[Street]:
    """Add a street: POST /streets."""
    return await ctx.api.send(
        "POST",
        "/streets",
        json={"name": name, "surface": surface, "lengthMetres": length_metres},
        expect=("201",),
    )


@tool("getStreet")
async def get_street(ctx: Context, *, id: int) -> Response[Street]:
    """Read a street: GET /streets/{id}."""
    return await ctx.api.send("GET", "/streets/{id}", path={"id": id})


@tool("updateStreet", length_metres="lengthMetres")
async def update_street(
    ctx: Context,
    *,
    id: int,
    name: str | Unset = UNSET,
    surface: Literal["asphalt", "cobbles", "gravel"] | Unset = UNSET,
    length_metres: int | Unset = UNSET,
) -> Response[Street]:
    """Change a street: PATCH /streets/{id}."""
    return await ctx.api.send(
        "PATCH",
        "/streets/{id}",
        path={"id": id},
        json={"name": name, "surface": surface, "lengthMetres": length_metres},
    )


@tool("closeStreet", from_="from")
async def close_street(
    ctx: Context, *, id: int, from_: str, until: str | Unset = UNSET, reason: str | Unset = UNSET
) -> Response[Street]:
    """Close a street to traffic: POST /streets/{id}/close."""
    return await ctx.api.send(
        "POST",
        "/streets/{id}/close",
        path={"id": id},
        json={"from": from_, "until": until, "reason": reason},
    )


@tool("listLamps", street_id="streetId")
async def list_lamps(
    ctx: Context,
    *,
    street_id: int | Unset = UNSET,
    kind: Literal["gas", "sodium", "led"] | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[LampList]:
    """List lamps: GET /lamps."""
    return await ctx.api.send(
        "GET",
        "/lamps",
        query={"streetId": street_id, "kind": kind, "limit": limit, "cursor": cursor},
    )


@tool("createLamp", street_id="streetId", is_lit="isLit")
async def create_lamp(
    ctx: Context,
    *,
    street_id: int,
    kind: Literal["gas", "sodium", "led"] | Unset = UNSET,
    is_lit: bool | Unset = UNSET,
) -> Response[Lamp]:
    """Add a lamp: POST /lamps."""
    return await ctx.api.send(
        "POST",
        "/lamps",
        json={"streetId": street_id, "kind": kind, "isLit": is_lit},
        expect=("201",),
    )


@tool("getLamp")
async def get_lamp(ctx: Context, *, id: int) -> Response[Lamp]:
    """Read a lamp: GET /lamps/{id}."""
    return await ctx.api.send("GET", "/lamps/{id}", path={"id": id})


@tool("updateLamp", street_id="streetId", is_lit="isLit")
async def update_lamp(
    ctx: Context,
    *,
    id: int,
    street_id: int | Unset = UNSET,
    kind: Literal["gas", "sodium", "led"] | Unset = UNSET,
    is_lit: bool | Unset = UNSET,
) -> Response[Lamp]:
    """Change a lamp: PATCH /lamps/{id}."""
    return await ctx.api.send(
        "PATCH",
        "/lamps/{id}",
        path={"id": id},
        json={"streetId": street_id, "kind": kind, "isLit": is_lit},
    )


@tool("deleteLamp")
async def delete_lamp(ctx: Context, *, id: int) -> Response[None]:
    """Remove a lamp: DELETE /lamps/{id}."""
    return await ctx.api.send(
        "DELETE", "/lamps/{id}", path={"id": id}, accept="*/*", expect=("204",)
    )


@tool("dimLamp")
async def dim_lamp(ctx: Context, *, id: int, percent: int) -> Response[Lamp]:
    """Dim a lamp at night: POST /lamps/{id}/dim."""
    return await ctx.api.send("POST", "/lamps/{id}/dim", path={"id": id}, json={"percent": percent})


@tool("reportLamp")
async def report_lamp(ctx: Context, *, id: int, note: str) -> Response[Lamp]:
    """Report a lamp that is out: POST /lamps/{id}/report."""
    return await ctx.api.send("POST", "/lamps/{id}/report", path={"id": id}, json={"note": note})


@tool("listBridges")
async def list_bridges(
    ctx: Context,
    *,
    name: str | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[BridgeList]:
    """List bridges: GET /bridges."""
    return await ctx.api.send(
        "GET", "/bridges", query={"name": name, "limit": limit, "cursor": cursor}
    )


@tool("getBridge")
async def get_bridge(ctx: Context, *, id: int) -> Response[Bridge]:
    """Read a bridge: GET /bridges/{id}."""
    return await ctx.api.send("GET", "/bridges/{id}", path={"id": id})


@tool("updateBridge", built_in="builtIn", load_tonnes="loadTonnes")
async def update_bridge(
    ctx: Context,
    *,
    id: int,
    name: str | Unset = UNSET,
    built_in: int | Unset = UNSET,
    load_tonnes: float | Unset = UNSET,
) -> Response[Bridge]:
    """Change a bridge: PATCH /bridges/{id}."""
    return await ctx.api.send(
        "PATCH",
        "/bridges/{id}",
        path={"id": id},
        json={"name": name, "builtIn": built_in, "loadTonnes": load_tonnes},
    )


@tool("inspectBridge")
async def inspect_bridge(ctx: Context, *, id: int, by: str) -> Response[Bridge]:
    """Order an inspection of a bridge: POST /bridges/{id}/inspect."""
    return await ctx.api.send("POST", "/bridges/{id}/inspect", path={"id": id}, json={"by": by})
