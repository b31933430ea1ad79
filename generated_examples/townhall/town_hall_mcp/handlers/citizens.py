"""Tools tagged `Citizens`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from .._runtime import UNSET, Context, Response, Unset, tool

if TYPE_CHECKING:
    from ..models import Complaint, ComplaintList, Notice, NoticeList, Permit, PermitList


@tool("listComplaints")
async def list_complaints(
    ctx: Context,
    *,
    status: Literal["open", "assigned", "closed"] | Unset = UNSET,
    about: Literal["noise", "litter", "damage"] | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[ComplaintList]:
    """List complaints: GET /complaints."""
    return await ctx.api.send(
        "GET",
        "/complaints",
        query={"status": status, "about": about, "limit": limit, "cursor": cursor},
    )


@tool("createComplaint")
async def create_complaint(
    ctx: Context,
    *,
    text: str,
    about: Literal["noise", "litter", "damage"] | Unset = UNSET,
    status: Literal["open", "assigned", "closed"] | Unset = UNSET,
) -> Response[Complaint]:
    """Add a complaint: POST /complaints."""
    return await ctx.api.send(
        "POST",
        "/complaints",
        json={"text": text, "about": about, "status": status},
        expect=("201",),
    )


@tool("getComplaint")
async def get_complaint(ctx: Context, *, id: int) -> Response[Complaint]:
    """Read a complaint: GET /complaints/{id}."""
    return await ctx.api.send("GET", "/complaints/{id}", path={"id": id})


@tool("assignComplaint", crew_id="crewId")
async def assign_complaint(ctx: Context, *, id: int, crew_id: int) -> Response[Complaint]:
    """Give a complaint to a crew: POST /complaints/{id}/assign."""
    return await ctx.api.send(
        "POST", "/complaints/{id}/assign", path={"id": id}, json={"crewId": crew_id}
    )


@tool("closeComplaint")
async def close_complaint(ctx: Context, *, id: int, answer: str) -> Response[Complaint]:
    """Close a complaint with an answer: POST /complaints/{id}/close."""
    return await ctx.api.send(
        "POST", "/complaints/{id}/close", path={"id": id}, json={"answer": answer}
    )


@tool("listPermits")
async def list_permits(
    ctx: Context,
    *,
    kind: Literal["building", "event", "parking"] | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[PermitList]:
    """List permits: GET /permits."""
    return await ctx.api.send(
        "GET", "/permits", query={"kind": kind, "limit": limit, "cursor": cursor}
    )


@tool("createPermit", valid_until="validUntil")
async def create_permit(
    ctx: Context,
    *,
    applicant: str,
    kind: Literal["building", "event", "parking"] | Unset = UNSET,
    valid_until: str | Unset = UNSET,
) -> Response[Permit]:
    """Add a permit: POST /permits."""
    return await ctx.api.send(
        "POST",
        "/permits",
        json={"applicant": applicant, "kind": kind, "validUntil": valid_until},
        expect=("201",),
    )


@tool("getPermit")
async def get_permit(ctx: Context, *, id: int) -> Response[Permit]:
    """Read a permit: GET /permits/{id}."""
    return await ctx.api.send("GET", "/permits/{id}", path={"id": id})


@tool("approvePermit")
async def approve_permit(ctx: Context, *, id: int, conditions: str) -> Response[Permit]:
    """Approve a permit: POST /permits/{id}/approve."""
    return await ctx.api.send(
        "POST", "/permits/{id}/approve", path={"id": id}, json={"conditions": conditions}
    )


@tool("refusePermit")
async def refuse_permit(ctx: Context, *, id: int, reason: str) -> Response[Permit]:
    """Refuse a permit: POST /permits/{id}/refuse."""
    return await ctx.api.send(
        "POST", "/permits/{id}/refuse", path={"id": id}, json={"reason": reason}
    )


@tool("listNotices")
async def list_notices(
    ctx: Context,
    *,
    title: str | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[NoticeList]:
    """List notices: GET /notices."""
    return await ctx.api.send(
        "GET", "/notices", query={"title": title, "limit": limit, "cursor": cursor}
    )


@tool("createNotice", published_on="publishedOn")
async def create_notice(
    ctx: Context, *, title: str, body: str | Unset = UNSET, published_on: str | Unset = UNSET
) -> Response[Notice]:
    """Add a notice: POST /notices."""
    return await ctx.api.send(
        "POST",
        "/notices",
        json={"title": title, "body": body, "publishedOn": published_on},
        expect=("201",),
    )


@tool("getNotice")
async def get_notice(ctx: Context, *, id: int) -> Response[Notice]:
    """Read a notice: GET /notices/{id}."""
    return await ctx.api.send("GET", "/notices/{id}", path={"id": id})


@tool("updateNotice", published_on="publishedOn")
async def update_notice(
    ctx: Context,
    *,
    id: int,
    title: str | Unset = UNSET,
    body: str | Unset = UNSET,
    published_on: str | Unset = UNSET,
) -> Response[Notice]:
    """Change a notice: PATCH /notices/{id}."""
    return await ctx.api.send(
        "PATCH",
        "/notices/{id}",
        path={"id": id},
        json={"title": title, "body": body, "publishedOn": published_on},
    )


@tool("deleteNotice")
async def delete_notice(ctx: Context, *, id: int) -> Response[None]:
    """Remove a notice: DELETE /notices/{id}."""
    return await ctx.api.send(
        "DELETE", "/notices/{id}", path={"id": id}, accept="*/*", expect=("204",)
    )


@tool("publishNotice")
async def publish_notice(ctx: Context, *, id: int, on: str) -> Response[Notice]:
    """Put a notice on the board: POST /notices/{id}/publish."""
    return await ctx.api.send("POST", "/notices/{id}/publish", path={"id": id}, json={"on": on})
