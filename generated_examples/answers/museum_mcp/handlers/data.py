"""Tools tagged `data`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import Context, Response, tool

if TYPE_CHECKING:
    from ..models import Exhibit, GetHistoryResult


@tool("getObject")
async def get_object(ctx: Context, *, id: int) -> Response[Exhibit]:
    """An object of the collection: GET /objects/{id}."""
    return await ctx.api.send("GET", "/objects/{id}", path={"id": id}, tell=("ETag",))


@tool("listObjects")
async def list_objects(ctx: Context) -> Response[list[Exhibit]]:
    """All objects: GET /objects."""
    return await ctx.api.send("GET", "/objects")


@tool("countObjects")
async def count_objects(ctx: Context) -> Response[int]:
    """How many objects there are: GET /objects/count."""
    return await ctx.api.send("GET", "/objects/count")


@tool("getOwner")
async def get_owner(ctx: Context, *, id: int) -> Response[str | None]:
    """Who lent an object: GET /objects/{id}/owner."""
    return await ctx.api.send("GET", "/objects/{id}/owner", path={"id": id})


@tool("getHistory")
async def get_history(ctx: Context, *, id: int) -> Response[GetHistoryResult]:
    """Where an object has been: GET /objects/{id}/history."""
    return await ctx.api.send(
        "GET", "/objects/{id}/history", path={"id": id}, accept="application/hal+json"
    )
