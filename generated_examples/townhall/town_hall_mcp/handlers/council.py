"""Tools tagged `Council`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from .._runtime import UNSET, Context, Response, Unset, tool

if TYPE_CHECKING:
    from ..models import Meeting, MeetingList, Motion, MotionList


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


@tool("listMotions", meeting_id="meetingId")
async def list_motions(
    ctx: Context,
    *,
    meeting_id: int | Unset = UNSET,
    status: Literal["tabled", "carried", "lost"] | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[MotionList]:
    """List motions: GET /motions."""
    return await ctx.api.send(
        "GET",
        "/motions",
        query={"meetingId": meeting_id, "status": status, "limit": limit, "cursor": cursor},
    )


@tool("createMotion", meeting_id="meetingId")
async def create_motion(
    ctx: Context,
    *,
    meeting_id: int,
    text: str | Unset = UNSET,
    status: Literal["tabled", "carried", "lost"] | Unset = UNSET,
) -> Response[Motion]:
    """Add a motion: POST /motions."""
    return await ctx.api.send(
        "POST",
        "/motions",
        json={"meetingId": meeting_id, "text": text, "status": status},
        expect=("201",),
    )


@tool("getMotion")
async def get_motion(ctx: Context, *, id: int) -> Response[Motion]:
    """Read a motion: GET /motions/{id}."""
    return await ctx.api.send("GET", "/motions/{id}", path={"id": id})


@tool("voteMotion")
async def vote_motion(
    ctx: Context, *, id: int, yes: int, no: int | Unset = UNSET
) -> Response[Motion]:
    """Count the votes on a motion: POST /motions/{id}/vote."""
    return await ctx.api.send(
        "POST", "/motions/{id}/vote", path={"id": id}, json={"yes": yes, "no": no}
    )
