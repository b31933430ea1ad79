"""Tools tagged `Waste`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from .._runtime import UNSET, Context, Response, Unset, tool

if TYPE_CHECKING:
    from ..models import Bin, BinList, Depot, DepotList, Round, RoundList


@tool("listBins", street_id="streetId")
async def list_bins(
    ctx: Context,
    *,
    street_id: int | Unset = UNSET,
    kind: Literal["paper", "glass", "compost", "rest"] | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[BinList]:
    """List bins: GET /bins."""
    return await ctx.api.send(
        "GET",
        "/bins",
        query={"streetId": street_id, "kind": kind, "limit": limit, "cursor": cursor},
    )


@tool("createBin", street_id="streetId")
async def create_bin(
    ctx: Context,
    *,
    street_id: int,
    litres: int | Unset = UNSET,
    kind: Literal["paper", "glass", "compost", "rest"] | Unset = UNSET,
) -> Response[Bin]:
    """Add a bin: POST /bins."""
    return await ctx.api.send(
        "POST",
        "/bins",
        json={"streetId": street_id, "litres": litres, "kind": kind},
        expect=("201",),
    )


@tool("getBin")
async def get_bin(ctx: Context, *, id: int) -> Response[Bin]:
    """Read a bin: GET /bins/{id}."""
    return await ctx.api.send("GET", "/bins/{id}", path={"id": id})


@tool("updateBin", street_id="streetId")
async def update_bin(
    ctx: Context,
    *,
    id: int,
    street_id: int | Unset = UNSET,
    litres: int | Unset = UNSET,
    kind: Literal["paper", "glass", "compost", "rest"] | Unset = UNSET,
) -> Response[Bin]:
    """Change a bin: PATCH /bins/{id}."""
    return await ctx.api.send(
        "PATCH",
        "/bins/{id}",
        path={"id": id},
        json={"streetId": street_id, "litres": litres, "kind": kind},
    )


@tool("deleteBin")
async def delete_bin(ctx: Context, *, id: int) -> Response[None]:
    """Remove a bin: DELETE /bins/{id}."""
    return await ctx.api.send(
        "DELETE", "/bins/{id}", path={"id": id}, accept="*/*", expect=("204",)
    )


@tool("emptyBin", weight_kg="weightKg")
async def empty_bin(ctx: Context, *, id: int, weight_kg: float) -> Response[Bin]:
    """Note that a bin was emptied: POST /bins/{id}/empty."""
    return await ctx.api.send(
        "POST", "/bins/{id}/empty", path={"id": id}, json={"weightKg": weight_kg}
    )


@tool("listRounds")
async def list_rounds(
    ctx: Context,
    *,
    weekday: Literal["mon", "tue", "wed", "thu", "fri"] | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[RoundList]:
    """List rounds: GET /rounds."""
    return await ctx.api.send(
        "GET", "/rounds", query={"weekday": weekday, "limit": limit, "cursor": cursor}
    )


@tool("createRound", depot_id="depotId")
async def create_round(
    ctx: Context,
    *,
    depot_id: int,
    weekday: Literal["mon", "tue", "wed", "thu", "fri"] | Unset = UNSET,
    streets: list[int] | Unset = UNSET,
) -> Response[Round]:
    """Add a round: POST /rounds."""
    return await ctx.api.send(
        "POST",
        "/rounds",
        json={"depotId": depot_id, "weekday": weekday, "streets": streets},
        expect=("201",),
    )


@tool("getRound")
async def get_round(ctx: Context, *, id: int) -> Response[Round]:
    """Read a round: GET /rounds/{id}."""
    return await ctx.api.send("GET", "/rounds/{id}", path={"id": id})


@tool("updateRound", depot_id="depotId")
async def update_round(
    ctx: Context,
    *,
    id: int,
    depot_id: int | Unset = UNSET,
    weekday: Literal["mon", "tue", "wed", "thu", "fri"] | Unset = UNSET,
    streets: list[int] | Unset = UNSET,
) -> Response[Round]:
    """Change a round: PATCH /rounds/{id}."""
    return await ctx.api.send(
        "PATCH",
        "/rounds/{id}",
        path={"id": id},
        json={"depotId": depot_id, "weekday": weekday, "streets": streets},
    )


@tool("startRound", vehicle_id="vehicleId")
async def start_round(ctx: Context, *, id: int, vehicle_id: int) -> Response[Round]:
    """Start a collection round: POST /rounds/{id}/start."""
    return await ctx.api.send(
        "POST", "/rounds/{id}/start", path={"id": id}, json={"vehicleId": vehicle_id}
    )


@tool("listDepots")
async def list_depots(
    ctx: Context,
    *,
    name: str | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[DepotList]:
    """List depots: GET /depots."""
    return await ctx.api.send(
        "GET", "/depots", query={"name": name, "limit": limit, "cursor": cursor}
    )


@tool("getDepot")
async def get_depot(ctx: Context, *, id: int) -> Response[Depot]:
    """Read a depot: GET /depots/{id}."""
    return await ctx.api.send("GET", "/depots/{id}", path={"id": id})


@tool("updateDepot")
async def update_depot(
    ctx: Context, *, id: int, name: str | Unset = UNSET, address: str | Unset = UNSET
) -> Response[Depot]:
    """Change a depot: PATCH /depots/{id}."""
    return await ctx.api.send(
        "PATCH", "/depots/{id}", path={"id": id}, json={"name": name, "address": address}
    )
