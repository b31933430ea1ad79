"""Functions that read the resources. Updates keep your code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._runtime import Context, Response, completes, resource


@resource("test://static-binary")
async def static_binary(ctx: Context) -> Response[Any]:
    """A picture of the API: GET /image."""
    return await ctx.api.send("GET", "/image", accept="*/*", expect=("2XX",))


@resource("test://watched-resource")
async def watched_resource(ctx: Context) -> str:
    """A text that clients may watch."""
    return "Nothing has changed."


@resource("test://template/{id}/data")
async def template(ctx: Context, *, id: str) -> Any:
    """Data by its number."""
    return {"id": id, "templateTest": True, "data": f"Data for ID: {id}"}


@completes("test://template/{id}/data", "id")
async def complete_template_id(
    ctx: Context, *, value: str, given: Mapping[str, str]
) -> Sequence[str]:
    """Numbers that start with what was typed."""
    return [number for number in ("100", "101", "123") if number.startswith(value)]
