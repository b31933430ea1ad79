"""Tools tagged `json`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import UNSET, Context, Response, Unset, if_given, tool

if TYPE_CHECKING:
    from ..models import (
        AddPartMaker,
        AddPartResult,
        MergePartMaker,
        MergePartResult,
        PatchJobBodyItem,
        PatchJobResult,
        PutSettingResult,
        ResetJobResult,
        StartJobResult,
    )


@tool("addPart")
async def add_part(
    ctx: Context,
    *,
    name: str,
    id: int | Unset = UNSET,
    colour: str | None | Unset = UNSET,
    stock: int | Unset = UNSET,
    secret: str | Unset = UNSET,
    maker: AddPartMaker | Unset = UNSET,
) -> Response[AddPartResult]:
    """Add a part: POST /parts."""
    return await ctx.api.send(
        "POST",
        "/parts",
        json={
            "id": id,
            "name": name,
            "colour": colour,
            "stock": stock,
            "secret": secret,
            "maker": maker,
        },
    )


@tool("mergePart")
async def merge_part(
    ctx: Context,
    *,
    number: int,
    name: str | Unset = UNSET,
    colour: str | None | Unset = UNSET,
    stock: int | None | Unset = UNSET,
    maker: MergePartMaker | None | Unset = UNSET,
) -> Response[MergePartResult]:
    """Change a part: PATCH /parts/{number}."""
    return await ctx.api.send(
        "PATCH",
        "/parts/{number}",
        path={"number": number},
        json={"name": name, "colour": colour, "stock": stock, "maker": maker},
        media_type="application/merge-patch+json",
    )


@tool("patchJob")
async def patch_job(
    ctx: Context, *, number: int, body: list[PatchJobBodyItem]
) -> Response[PatchJobResult]:
    """Change a job step by step: PATCH /jobs/{number}."""
    return await ctx.api.send(
        "PATCH",
        "/jobs/{number}",
        path={"number": number},
        json=body,
        media_type="application/json-patch+json",
    )


@tool("startJob")
async def start_job(
    ctx: Context, *, number: int, at: str | Unset = UNSET
) -> Response[StartJobResult]:
    """Start a job: POST /jobs/{number}."""
    return await ctx.api.send(
        "POST", "/jobs/{number}", path={"number": number}, json=if_given({"at": at})
    )


@tool("resetJob")
async def reset_job(
    ctx: Context, *, number: int, reason: str | None | Unset = UNSET
) -> Response[ResetJobResult]:
    """Reset a job: POST /jobs/{number}/reset."""
    return await ctx.api.send(
        "POST", "/jobs/{number}/reset", path={"number": number}, json={"reason": reason}
    )


@tool("putSetting")
async def put_setting(
    ctx: Context, *, body: str | int | bool | list[str] | None
) -> Response[PutSettingResult]:
    """Set the opening hours: PUT /settings."""
    return await ctx.api.send(
        "PUT", "/settings", json=body, media_type="application/vnd.workshop.hours+json"
    )
