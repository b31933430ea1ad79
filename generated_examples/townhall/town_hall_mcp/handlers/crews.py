"""Tools tagged `Crews`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from .._runtime import UNSET, Context, Response, Unset, tool

if TYPE_CHECKING:
    from ..models import Crew, CrewList, Shift, ShiftList, Vehicle, VehicleList


@tool("listCrews")
async def list_crews(
    ctx: Context,
    *,
    skill: Literal["pruning", "paving", "wiring"] | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[CrewList]:
    """List crews: GET /crews."""
    return await ctx.api.send(
        "GET", "/crews", query={"skill": skill, "limit": limit, "cursor": cursor}
    )


@tool("createCrew")
async def create_crew(
    ctx: Context,
    *,
    name: str,
    members: int | Unset = UNSET,
    skill: Literal["pruning", "paving", "wiring"] | Unset = UNSET,
) -> Response[Crew]:
    """Add a crew: POST /crews."""
    return await ctx.api.send(
        "POST", "/crews", json={"name": name, "members": members, "skill": skill}, expect=("201",)
    )


@tool("getCrew")
async def get_crew(ctx: Context, *, id: int) -> Response[Crew]:
    """Read a crew: GET /crews/{id}."""
    return await ctx.api.send("GET", "/crews/{id}", path={"id": id})


@tool("updateCrew")
async def update_crew(
    ctx: Context,
    *,
    id: int,
    name: str | Unset = UNSET,
    members: int | Unset = UNSET,
    skill: Literal["pruning", "paving", "wiring"] | Unset = UNSET,
) -> Response[Crew]:
    """Change a crew: PATCH /crews/{id}."""
    return await ctx.api.send(
        "PATCH",
        "/crews/{id}",
        path={"id": id},
        json={"name": name, "members": members, "skill": skill},
    )


@tool("listShifts", crew_id="crewId")
async def list_shifts(
    ctx: Context,
    *,
    crew_id: int | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[ShiftList]:
    """List shifts: GET /shifts."""
    return await ctx.api.send(
        "GET", "/shifts", query={"crewId": crew_id, "limit": limit, "cursor": cursor}
    )


@tool("createShift", crew_id="crewId", begins_at="beginsAt", ends_at="endsAt")
async def create_shift(
    ctx: Context, *, crew_id: int, begins_at: str | Unset = UNSET, ends_at: str | Unset = UNSET
) -> Response[Shift]:
    """Add a shift: POST /shifts."""
    return await ctx.api.send(
        "POST",
        "/shifts",
        json={"crewId": crew_id, "beginsAt": begins_at, "endsAt": ends_at},
        expect=("201",),
    )


@tool("getShift")
async def get_shift(ctx: Context, *, id: int) -> Response[Shift]:
    """Read a shift: GET /shifts/{id}."""
    return await ctx.api.send("GET", "/shifts/{id}", path={"id": id})


@tool("deleteShift")
async def delete_shift(ctx: Context, *, id: int) -> Response[None]:
    """Remove a shift: DELETE /shifts/{id}."""
    return await ctx.api.send(
        "DELETE", "/shifts/{id}", path={"id": id}, accept="*/*", expect=("204",)
    )


@tool("swapShift", other_id="otherId")
async def swap_shift(ctx: Context, *, id: int, other_id: int) -> Response[Shift]:
    """Swap the crews of two shifts: POST /shifts/{id}/swap."""
    return await ctx.api.send(
        "POST", "/shifts/{id}/swap", path={"id": id}, json={"otherId": other_id}
    )


@tool("listVehicles")
async def list_vehicles(
    ctx: Context,
    *,
    kind: Literal["truck", "sweeper", "van"] | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[VehicleList]:
    """List vehicles: GET /vehicles."""
    return await ctx.api.send(
        "GET", "/vehicles", query={"kind": kind, "limit": limit, "cursor": cursor}
    )


@tool("createVehicle", depot_id="depotId")
async def create_vehicle(
    ctx: Context,
    *,
    plate: str,
    kind: Literal["truck", "sweeper", "van"] | Unset = UNSET,
    depot_id: int | Unset = UNSET,
) -> Response[Vehicle]:
    """Add a vehicle: POST /vehicles."""
    return await ctx.api.send(
        "POST",
        "/vehicles",
        json={"plate": plate, "kind": kind, "depotId": depot_id},
        expect=("201",),
    )


@tool("getVehicle")
async def get_vehicle(ctx: Context, *, id: int) -> Response[Vehicle]:
    """Read a vehicle: GET /vehicles/{id}."""
    return await ctx.api.send("GET", "/vehicles/{id}", path={"id": id})


@tool("updateVehicle", depot_id="depotId")
async def update_vehicle(
    ctx: Context,
    *,
    id: int,
    plate: str | Unset = UNSET,
    kind: Literal["truck", "sweeper", "van"] | Unset = UNSET,
    depot_id: int | Unset = UNSET,
) -> Response[Vehicle]:
    """Change a vehicle: PATCH /vehicles/{id}."""
    return await ctx.api.send(
        "PATCH",
        "/vehicles/{id}",
        path={"id": id},
        json={"plate": plate, "kind": kind, "depotId": depot_id},
    )


@tool("deleteVehicle")
async def delete_vehicle(ctx: Context, *, id: int) -> Response[None]:
    """Remove a vehicle: DELETE /vehicles/{id}."""
    return await ctx.api.send(
        "DELETE", "/vehicles/{id}", path={"id": id}, accept="*/*", expect=("204",)
    )


@tool("refuelVehicle")
async def refuel_vehicle(ctx: Context, *, id: int, litres: float) -> Response[Vehicle]:
    """Write down fuel for a vehicle: POST /vehicles/{id}/refuel."""
    return await ctx.api.send(
        "POST", "/vehicles/{id}/refuel", path={"id": id}, json={"litres": litres}
    )


@tool("retireVehicle")
async def retire_vehicle(ctx: Context, *, id: int) -> Response[Vehicle]:
    """Take a vehicle out of service: POST /vehicles/{id}/retire."""
    return await ctx.api.send("POST", "/vehicles/{id}/retire", path={"id": id})
