"""Tools tagged `Council`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import UNSET, Context, Response, Unset, tool

if TYPE_CHECKING:
    from ..models import Meeting, MeetingList


@tool("listMeetings")
async def list_meetings(
    ctx: Context,
    *,
    topic: str | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[MeetingList]:
    """List meetings: GET /meetings."""
    return await ctx.api.send(
        "GET", "/meetings", query={"topic": topic, "limit": limit, "cursor": cursor}
    )


@tool("createMeeting", begins_at="beginsAt")
async def create_meeting(
    ctx: Context, *, room: str, begins_at: str | Unset = UNSET, topic: str | Unset = UNSET
) -> Response[Meeting]:
    """Add a meeting: POST /meetings."""
    return await ctx.api.send(
        "POST",
        "/meetings",
        json={"room": room, "beginsAt": begins_at, "topic": topic},
        expect=("201",),
    )


@tool("getMeeting")
async def get_meeting(ctx: Context, *, id: int) -> Response[Meeting]:
    """Read a meeting: GET /meetings/{id}."""
    return await ctx.api.send("GET", "/meetings/{id}", path={"id": id})


@tool("updateMeeting", begins_at="beginsAt")
async def update_meeting(
    ctx: Context,
    *,
    id: int,
    room: str | Unset = UNSET,
    begins_at: str | Unset = UNSET,
    topic: str | Unset = UNSET,
) -> Response[Meeting]:
    """Change a meeting: PATCH /meetings/{id}."""
    return await ctx.api.send(
        "PATCH",
        "/meetings/{id}",
        path={"id": id},
        json={"room": room, "beginsAt": begins_at, "topic": topic},
    )
