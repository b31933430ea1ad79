"""Tools tagged `readers`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import Context, Response, tool

if TYPE_CHECKING:
    from ..models import Card, Reader


@tool("getReader")
async def get_reader(ctx: Context, *, reader: Card) -> Response[Reader]:
    """Look a reader up: GET /readers/{reader}."""
    return await ctx.api.send("GET", "/readers/{reader}", path={"reader": reader})


@tool("addReader")
async def add_reader(ctx: Context, *, card: str, name: str) -> Response[Reader]:
    """Register a reader: POST /readers."""
    return await ctx.api.send(
        "POST", "/readers", json={"card": card, "name": name}, expect=("201",)
    )
