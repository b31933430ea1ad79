"""Tools that call the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import UNSET, Context, Response, Unset, tool

if TYPE_CHECKING:
    from ..models import Book


@tool("list_crates")
async def list_crates(ctx: Context, *, ship: str | Unset = UNSET) -> Response[list[Book]]:
    """The crates of books that stand on the quay: GET /crates."""
    return await ctx.api.send("GET", "/crates", query={"ship": ship}, expect=("2XX",))
