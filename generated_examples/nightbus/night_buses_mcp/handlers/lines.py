"""Tools tagged `lines`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from .._runtime import UNSET, Context, Response, Unset, style, tool

if TYPE_CHECKING:
    from ..models import Line, Position, Stop


@tool("listLines")
async def list_lines(
    ctx: Context, *, weekday: list[Literal["fri", "sat", "sun"]] | Unset = UNSET
) -> Response[list[Line]]:
    """List the lines: GET /lines."""
    return await ctx.api.send("GET", "/lines", query={"weekday": style.pipe_delimited(weekday)})


@tool("getStop")
async def get_stop(ctx: Context, *, line: str, index: int) -> Response[Stop]:
    """Look a stop up: GET /lines/{line}/stops/{index}."""
    return await ctx.api.send(
        "GET", "/lines/{line}/stops/{index}", path={"line": line, "index": index}
    )


@tool("moveStop")
async def move_stop(
    ctx: Context,
    *,
    line: str,
    index: int,
    name: str,
    position: Position | Unset = UNSET,
    roof: bool | Unset = UNSET,
) -> Response[Stop]:
    """Move a stop: PUT /lines/{line}/stops/{index}."""
    return await ctx.api.send(
        "PUT",
        "/lines/{line}/stops/{index}",
        path={"line": line, "index": index},
        json={"name": name, "position": position, "roof": roof},
    )
