"""Tools tagged `shapes`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .._runtime import UNSET, Context, Response, Unset, tool

if TYPE_CHECKING:
    from ..models import (
        Assembly,
        BuildChairBody,
        BuildChairResult,
        CutJointResult,
        FurnitureDrawnBy,
        Height,
        Joint,
        MarkPointResult,
        MeasureResult,
        SendExtrasResult,
        SendTreeResult,
        SetLabelsResult,
        SetPricesBody,
        SetPricesResult,
        ShapesPointPostApplicationJsonCoordinate,
    )


@tool("cutJoint")
async def cut_joint(ctx: Context, *, body: Joint) -> Response[CutJointResult]:
    """Cut a joint: POST /shapes/joint."""
    return await ctx.api.send("POST", "/shapes/joint", json=body)


@tool("buildChair")
async def build_chair(ctx: Context, *, body: BuildChairBody) -> Response[BuildChairResult]:
    """Build a chair: POST /shapes/chair."""
    return await ctx.api.send("POST", "/shapes/chair", json=body)


@tool("measure")
async def measure(ctx: Context, *, body: int | str) -> Response[MeasureResult]:
    """Note a measure: POST /shapes/measure."""
    return await ctx.api.send("POST", "/shapes/measure", json=body)


@tool("sendTree")
async def send_tree(
    ctx: Context,
    *,
    name: str,
    parts: list[Assembly] | Unset = UNSET,
    inside: Assembly | None | Unset = UNSET,
) -> Response[SendTreeResult]:
    """Send a parts tree: POST /shapes/tree."""
    return await ctx.api.send(
        "POST", "/shapes/tree", json={"name": name, "parts": parts, "inside": inside}
    )


@tool("setPrices")
async def set_prices(ctx: Context, *, body: SetPricesBody) -> Response[SetPricesResult]:
    """Set prices by part number: PUT /shapes/prices."""
    return await ctx.api.send("PUT", "/shapes/prices", json=body)


@tool("setLabels")
async def set_labels(ctx: Context, *, body: dict[str, str | None]) -> Response[SetLabelsResult]:
    """Set labels: PUT /shapes/labels."""
    return await ctx.api.send("PUT", "/shapes/labels", json=body)


@tool("sendExtras", extra="*")
async def send_extras(
    ctx: Context,
    *,
    name: str,
    extra: Mapping[str, Any],
    nothing: Any | Unset = UNSET,
    anything: Any | Unset = UNSET,
) -> Response[SendExtrasResult]:
    """Send a name and anything else: POST /shapes/extras."""
    return await ctx.api.send(
        "POST",
        "/shapes/extras",
        json={**extra, "name": name, "nothing": nothing, "anything": anything},
    )


@tool("markPoint")
async def mark_point(
    ctx: Context,
    *,
    at: list[ShapesPointPostApplicationJsonCoordinate | Height],
    by: FurnitureDrawnBy | Unset = UNSET,
    not_by: Any | Unset = UNSET,
) -> Response[MarkPointResult]:
    """Mark a point on the bench: POST /shapes/point."""
    return await ctx.api.send("POST", "/shapes/point", json={"at": at, "by": by, "not_by": not_by})
