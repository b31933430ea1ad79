"""Tools tagged `Green`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import UNSET, Context, Response, Unset, tool

if TYPE_CHECKING:
    from ..models import Bench, BenchList, Park, ParkList, Tree, TreeList


@tool("listTrees", park_id="parkId")
async def list_trees(
    ctx: Context,
    *,
    species: str | Unset = UNSET,
    park_id: int | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[TreeList]:
    """List trees: GET /trees."""
    return await ctx.api.send(
        "GET",
        "/trees",
        query={"species": species, "parkId": park_id, "limit": limit, "cursor": cursor},
    )


@tool("createTree", planted_on="plantedOn", height_metres="heightMetres", park_id="parkId")
async def create_tree(
    ctx: Context,
    *,
    species: str,
    planted_on: str | Unset = UNSET,
    height_metres: float | Unset = UNSET,
    park_id: int | Unset = UNSET,
) -> Response[Tree]:
    """Add a tree: POST /trees."""
    return await ctx.api.send(
        "POST",
        "/trees",
        json={
            "species": species,
            "plantedOn": planted_on,
            "heightMetres": height_metres,
            "parkId": park_id,
        },
        expect=("201",),
    )


@tool("getTree")
async def get_tree(ctx: Context, *, id: int) -> Response[Tree]:
    """Read a tree: GET /trees/{id}."""
    return await ctx.api.send("GET", "/trees/{id}", path={"id": id})


@tool("updateTree", planted_on="plantedOn", height_metres="heightMetres", park_id="parkId")
async def update_tree(
    ctx: Context,
    *,
    id: int,
    species: str | Unset = UNSET,
    planted_on: str | Unset = UNSET,
    height_metres: float | Unset = UNSET,
    park_id: int | Unset = UNSET,
) -> Response[Tree]:
    """Change a tree: PATCH /trees/{id}."""
    return await ctx.api.send(
        "PATCH",
        "/trees/{id}",
        path={"id": id},
        json={
            "species": species,
            "plantedOn": planted_on,
            "heightMetres": height_metres,
            "parkId": park_id,
        },
    )


@tool("deleteTree")
async def delete_tree(ctx: Context, *, id: int) -> Response[None]:
    """Remove a tree: DELETE /trees/{id}."""
    return await ctx.api.send(
        "DELETE", "/trees/{id}", path={"id": id}, accept="*/*", expect=("204",)
    )


@tool("pruneTree", crew_id="crewId")
async def prune_tree(
    ctx: Context, *, id: int, crew_id: int, on: str | Unset = UNSET
) -> Response[Tree]:
    """Have a tree pruned: POST /trees/{id}/prune."""
    return await ctx.api.send(
        "POST", "/trees/{id}/prune", path={"id": id}, json={"crewId": crew_id, "on": on}
    )


@tool("listParks")
async def list_parks(
    ctx: Context,
    *,
    name: str | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[ParkList]:
    """List parks: GET /parks."""
    return await ctx.api.send(
        "GET", "/parks", query={"name": name, "limit": limit, "cursor": cursor}
    )


@tool("createPark", opens_at="opensAt")
async def create_park(
    ctx: Context, *, name: str, hectares: float | Unset = UNSET, opens_at: str | Unset = UNSET
) -> Response[Park]:
    """Add a park: POST /parks."""
    return await ctx.api.send(
        "POST",
        "/parks",
        json={"name": name, "hectares": hectares, "opensAt": opens_at},
        expect=("201",),
    )


@tool("getPark")
async def get_park(ctx: Context, *, id: int) -> Response[Park]:
    """Read a park: GET /parks/{id}."""
    return await ctx.api.send("GET", "/parks/{id}", path={"id": id})


@tool("updatePark", opens_at="opensAt")
async def update_park(
    ctx: Context,
    *,
    id: int,
    name: str | Unset = UNSET,
    hectares: float | Unset = UNSET,
    opens_at: str | Unset = UNSET,
) -> Response[Park]:
    """Change a park: PATCH /parks/{id}."""
    return await ctx.api.send(
        "PATCH",
        "/parks/{id}",
        path={"id": id},
        json={"name": name, "hectares": hectares, "opensAt": opens_at},
    )


@tool("listBenches", park_id="parkId")
async def list_benches(
    ctx: Context,
    *,
    park_id: int | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[BenchList]:
    """List benches: GET /benches."""
    return await ctx.api.send(
        "GET", "/benches", query={"parkId": park_id, "limit": limit, "cursor": cursor}
    )


@tool("createBench", park_id="parkId")
async def create_bench(
    ctx: Context, *, park_id: int, seats: int | Unset = UNSET, dedication: str | Unset = UNSET
) -> Response[Bench]:
    """Add a bench: POST /benches."""
    return await ctx.api.send(
        "POST",
        "/benches",
        json={"parkId": park_id, "seats": seats, "dedication": dedication},
        expect=("201",),
    )


@tool("getBench")
async def get_bench(ctx: Context, *, id: int) -> Response[Bench]:
    """Read a bench: GET /benches/{id}."""
    return await ctx.api.send("GET", "/benches/{id}", path={"id": id})


@tool("deleteBench")
async def delete_bench(ctx: Context, *, id: int) -> Response[None]:
    """Remove a bench: DELETE /benches/{id}."""
    return await ctx.api.send(
        "DELETE", "/benches/{id}", path={"id": id}, accept="*/*", expect=("204",)
    )


@tool("adoptBench")
async def adopt_bench(
    ctx: Context, *, id: int, name: str, years: int | Unset = UNSET
) -> Response[Bench]:
    """Let somebody pay for a bench: POST /benches/{id}/adopt."""
    return await ctx.api.send(
        "POST", "/benches/{id}/adopt", path={"id": id}, json={"name": name, "years": years}
    )
