"""Tools that you write in Python. Updates keep your code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import Context, tool

if TYPE_CHECKING:
    from ..models import AdviseResult


@tool("advise")
async def advise(ctx: Context, *, title: str) -> AdviseResult:
    """Says whether a book stands on the quay, is sold in the shop, or neither."""
    crates = await ctx.api.send("GET", "/crates")
    for book in crates.data:
        if book["title"] == title:
            return {"where": "quay", "crates": book.get("crates", 0)}
    page = await ctx.apis["bookshop"].send("GET", "/books", query={"sort": "title"})
    sold = any(book["title"] == title for book in page.data["items"])
    return {"where": "shop" if sold else "nowhere"}
