"""Tools tagged `appointments`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from .._runtime import UNSET, Context, Response, Unset, style, tool

if TYPE_CHECKING:
    from ..models import Appointment


@tool("findAppointments", x_fields="X-Fields")
async def find_appointments(
    ctx: Context,
    *,
    day: str,
    doctors: list[str] | Unset = UNSET,
    rooms: list[str] | Unset = UNSET,
    codes: list[str] | Unset = UNSET,
    states: list[Literal["booked", "arrived", "done", "missed"]] | Unset = UNSET,
    patient: list[int] | Unset = UNSET,
    plain: list[str] | Unset = UNSET,
    include_cancelled: bool | Unset = UNSET,
    note: str | Unset = UNSET,
    x_fields: list[str] | Unset = UNSET,
) -> Response[list[Appointment]]:
    """Find appointments: GET /appointments."""
    return await ctx.api.send(
        "GET",
        "/appointments",
        query={
            "day": day,
            "doctors": style.form(doctors, explode=False),
            "rooms": style.space_delimited(rooms),
            "codes": style.tab_delimited(codes),
            "states": style.pipe_delimited(states),
            "patient": patient,
            "plain": style.form(plain, explode=False),
            "include_cancelled": include_cancelled,
            "note": note,
        },
        header={"X-Fields": style.pipe_delimited(x_fields)},
    )


@tool("bookAppointment")
async def book_appointment(
    ctx: Context,
    *,
    patient_id: int,
    at: str,
    room: str | None | Unset = UNSET,
    minutes: int | Unset = UNSET,
) -> Response[Appointment]:
    """Book an appointment: POST /appointments."""
    return await ctx.api.send(
        "POST",
        "/appointments",
        json={"patient_id": patient_id, "at": at, "room": room, "minutes": minutes},
        expect=("201",),
    )


@tool("freeRooms")
async def free_rooms(ctx: Context, *, rooms: list[str]) -> Response[list[str]]:
    """Tell which of some rooms are free: GET /rooms/{rooms}/free."""
    return await ctx.api.send(
        "GET", "/rooms/{rooms}/free", path={"rooms": style.pipe_delimited(rooms)}
    )
