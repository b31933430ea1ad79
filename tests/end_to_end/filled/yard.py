"""The handlers of a server whose tools take long."""

from __future__ import annotations

from typing import Any

import anyio
from mcp_types import INVALID_PARAMS

from .._runtime import Context, ProtocolError, ToolError, tool

FORM = {"type": "object", "properties": {"yes": {"type": "boolean"}}, "required": ["yes"]}
GATES: dict[str, anyio.Event] = {}
UNDER_WAY: set[int] = set()


@tool("build")
async def build(ctx: Context, *, gate: str, number: int) -> Any:
    """Wait until the gate opens."""
    UNDER_WAY.add(number)
    try:
        await ctx.report_progress(1, 3, "keel laid")
        await GATES.setdefault(gate, anyio.Event()).wait()
        return {"number": number}
    finally:
        UNDER_WAY.discard(number)


@tool("launch")
async def launch(ctx: Context) -> Any:
    """Ask for two things at a time."""
    said: list[Any] = []

    async def ask(what: str) -> None:
        said.append((what, (await ctx.ask(what, FORM)).content["yes"]))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ask, "Tide?")
        tasks.start_soon(ask, "Bottle?")
    return sorted(said)


@tool("sink")
async def sink(ctx: Context, *, how: str) -> Any:
    """Fail."""
    if how == "protocol":
        raise ProtocolError(INVALID_PARAMS, "no such ship")
    raise ToolError("the ship is gone")


@tool("scrap")
async def scrap(ctx: Context) -> Any:
    """Only as a task."""
    return "scrapped"


@tool("greet")
async def greet(ctx: Context) -> Any:
    """Never a task."""
    return "ahoy"
