"""Tools tagged `forms`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import UNSET, Context, Response, Unset, style, tool

if TYPE_CHECKING:
    from ..models import (
        OrderFormAddress,
        OrderFormOptions,
        OrderFormResult,
        UploadDrawingMaterial,
        UploadDrawingResult,
    )


@tool("orderForm")
async def order_form(
    ctx: Context,
    *,
    item: str,
    count: int | Unset = UNSET,
    express: bool | Unset = UNSET,
    wish: str | None | Unset = UNSET,
    sizes: list[int] | Unset = UNSET,
    labels: list[str] | Unset = UNSET,
    address: OrderFormAddress | Unset = UNSET,
    options: OrderFormOptions | Unset = UNSET,
) -> Response[OrderFormResult]:
    """Order something: POST /orders."""
    return await ctx.api.send(
        "POST",
        "/orders",
        form={
            "item": item,
            "count": count,
            "express": express,
            "wish": wish,
            "sizes": sizes,
            "labels": labels,
            "address": address,
            "options": options,
        },
        encoding={
            "labels": style.part(style="pipeDelimited", explode=False),
            "address": style.part(content_type="application/json"),
            "options": style.part(style="deepObject", explode=True),
        },
    )


@tool("uploadDrawing")
async def upload_drawing(
    ctx: Context,
    *,
    drawing: str,
    details: list[str] | Unset = UNSET,
    title: str | Unset = UNSET,
    scale: float | Unset = UNSET,
    tags: list[str] | Unset = UNSET,
    material: UploadDrawingMaterial | Unset = UNSET,
    remarks: str | None | Unset = UNSET,
) -> Response[UploadDrawingResult]:
    """Hand a drawing in: POST /drawings."""
    return await ctx.api.send(
        "POST",
        "/drawings",
        multipart={
            "drawing": drawing,
            "details": details,
            "title": title,
            "scale": scale,
            "tags": tags,
            "material": material,
            "remarks": remarks,
        },
        encoding={
            "drawing": style.part(content_type="image/png", binary=True),
            "details": style.part(content_type="image/jpeg", binary=True),
            "remarks": style.part(content_type="text/markdown"),
        },
    )
