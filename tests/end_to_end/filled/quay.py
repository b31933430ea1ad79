"""The handlers of a server whose tools change."""

from __future__ import annotations

from typing import Any

import anyio

from .._runtime import Context, catalogue, tool

SCHEMA = {"type": "object", "properties": {"tons": {"type": "integer"}}, "required": ["tons"]}


@tool("open_season")
async def open_season(ctx: Context) -> Any:
    """There is a crane, and no winter."""
    catalogue(ctx).add({"name": "crane", "description": "Lift.", "inputSchema": SCHEMA}, lift)
    catalogue(ctx).replace({**described(ctx, "moor"), "description": "Moor in summer."})
    catalogue(ctx).switch_off("winter")
    return "open"


@tool("close_season")
def close_season(ctx: Context) -> Any:
    """As before, out of a thread."""
    catalogue(ctx).remove("crane")
    catalogue(ctx).replace({**described(ctx, "moor"), "description": "Moor."})
    catalogue(ctx).switch_on("winter")
    return "closed"


@tool("many")
async def many(ctx: Context) -> Any:
    """A hundred changes, one after the other."""
    for _ in range(50):
        catalogue(ctx).switch_off("winter")
        await anyio.sleep(0)
        catalogue(ctx).switch_on("winter")
    return "changed"


@tool("moor")
async def moor(ctx: Context) -> Any:
    """Moor."""
    return "moored"


@tool("winter")
async def winter(ctx: Context) -> Any:
    """Wait."""
    return "cold"


@tool("bad")
async def bad(ctx: Context, *, tool: Any) -> Any:
    """Add what no client could read."""
    try:
        catalogue(ctx).add(tool, lift)
    except ValueError as problem:
        return str(problem)
    return "added"


async def lift(ctx: Context, *, tons: int) -> Any:
    """The tool that comes and goes."""
    return f"{tons} tons"


def described(ctx: Context, name: str) -> dict[str, Any]:
    """A tool as it is listed."""
    return catalogue(ctx).get(name) or {}
