"""Tools tagged `laboratory`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import Context, Response, tool

if TYPE_CHECKING:
    from ..models import EnterResultResult


@tool("getResult")
async def get_result(ctx: Context, *, sample: str) -> Response[str]:
    """Read a laboratory result: GET /results/{sample}."""
    return await ctx.api.send(
        "GET",
        "/results/{sample}",
        path={"sample": sample},
        accept="text/plain",
        security=[{"staff": ["results:read"], "ward_key": []}],
    )


@tool("enterResult")
async def enter_result(ctx: Context, *, sample: str, body: str) -> Response[EnterResultResult]:
    """Enter a laboratory result: PUT /results/{sample}."""
    return await ctx.api.send(
        "PUT",
        "/results/{sample}",
        path={"sample": sample},
        text=body,
        security=[{"staff": ["results:write"]}, {"machines": ["results:write"]}],
    )
