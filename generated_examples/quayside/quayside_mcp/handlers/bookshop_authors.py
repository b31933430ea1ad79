"""Tools tagged `authors` of bookshop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import Context, Response, tool

if TYPE_CHECKING:
    from ..models import Author


@tool("getAuthor")
async def get_author(ctx: Context, *, author_id: int) -> Response[Author]:
    """Look an author up: GET /authors/{author_id}."""
    return await ctx.apis["bookshop"].send(
        "GET", "/authors/{author_id}", path={"author_id": author_id}
    )
