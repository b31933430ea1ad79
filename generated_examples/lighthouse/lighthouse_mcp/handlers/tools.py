"""Tools that you write in Python. Updates keep your code."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from mcp.shared.exceptions import MCPError

from .._runtime import UNSET, Context, Unset, catalogue, tool, updated

if TYPE_CHECKING:
    from ..hooks import State
    from ..models import SweepResult


@tool("report_fog")
async def report_fog(ctx: Context, *, thick: bool) -> str:
    """Says whether there is fog."""
    if thick:
        catalogue(ctx).switch_on("sound_horn")
    else:
        catalogue(ctx).switch_off("sound_horn")
    enter(ctx, "fog" if thick else "clear")
    return "Noted."


@tool("sound_horn")
async def sound_horn(ctx: Context) -> str:
    """Sounds the fog horn once."""
    enter(ctx, "horn")
    return "It was heard."


@tool("sweep")
async def sweep(ctx: Context, *, steps: int | Unset = UNSET) -> SweepResult:
    """Turns the lamp once around, which takes a while, and says which ships answered."""
    turns = 8 if isinstance(steps, Unset) else steps
    answered: list[str] = []
    for step in range(turns):
        await ctx.report_progress(step, turns, f"at {360 * step // turns} degrees")
        try:
            (ship,) = await ctx.read_resource(f"lighthouse://ships/{step + 1}")
        except MCPError:
            continue
        answered.append(json.loads(getattr(ship, "text", "{}"))["name"])
    enter(ctx, f"sweep, {len(answered)} answered")
    return {"answered": answered}


def enter(ctx: Context, entry: str) -> None:
    """Write into the watch, and tell those who read it."""
    state: State = ctx.state
    state.entries.append(entry)
    updated(ctx, "lighthouse://watch")
