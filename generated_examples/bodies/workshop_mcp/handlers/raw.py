"""Tools tagged `raw`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from .._runtime import UNSET, Context, Response, Unset, fitting, style, tool

if TYPE_CHECKING:
    from ..models import (
        AddPhotoBodyPhoto,
        AddPhotoBodyUrl,
        AddPhotoResult,
        AppendLogResult,
        DescribeModelBody,
        DescribeModelResult,
        PutModelResult,
        PutPhotoResult,
        SendCutListResult,
        WriteNoteResult,
    )


@tool("putModel")
async def put_model(ctx: Context, *, number: int, body: str) -> Response[PutModelResult]:
    """Store a part's 3D model: PUT /models/{number}."""
    return await ctx.api.send("PUT", "/models/{number}", path={"number": number}, binary=body)


@tool("describeModel")
async def describe_model(
    ctx: Context, *, number: int, body: DescribeModelBody | str
) -> Response[DescribeModelResult]:
    """Describe a part's 3D model: POST /models/{number}."""
    return await ctx.api.send(
        "POST",
        "/models/{number}",
        path={"number": number},
        body=body,
        media_type=fitting(ctx, body, ["application/json", "text/plain"]),
    )


@tool("addPhoto")
async def add_photo(
    ctx: Context,
    *,
    body: AddPhotoBodyUrl | AddPhotoBodyPhoto,
    content_type: Literal["application/json", "multipart/form-data"] | Unset = UNSET,
) -> Response[AddPhotoResult]:
    """Add a photo: POST /photos."""
    return await ctx.api.send(
        "POST",
        "/photos",
        body=body,
        media_type=fitting(ctx, body, ["application/json", "multipart/form-data"], content_type),
        encoding={"photo": style.part(binary=True)},
    )


@tool("putPhoto")
async def put_photo(ctx: Context, *, number: int, body: str) -> Response[PutPhotoResult]:
    """Store a part's photo: PUT /photos/{number}."""
    return await ctx.api.send(
        "PUT", "/photos/{number}", path={"number": number}, binary=body, media_type="image/jpeg"
    )


@tool("writeNote")
async def write_note(ctx: Context, *, body: str) -> Response[WriteNoteResult]:
    """Leave a note for the night shift: POST /notes."""
    return await ctx.api.send("POST", "/notes", text=body)


@tool("sendCutList")
async def send_cut_list(ctx: Context, *, body: str) -> Response[SendCutListResult]:
    """Send a cut list to the saw: POST /cutlists."""
    return await ctx.api.send("POST", "/cutlists", text=body, media_type="application/xml")


@tool("appendLog")
async def append_log(ctx: Context, *, body: str) -> Response[AppendLogResult]:
    """Append lines to the log: POST /log."""
    return await ctx.api.send("POST", "/log", body=body, media_type="application/x-ndjson")
