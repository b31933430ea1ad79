"""Functions that make the prompts. Updates keep your code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ._runtime import Context, completes, prompt

KEEPERS = ("Grace", "Ida", "Marcus")


@prompt("hand-over")
async def hand_over(ctx: Context, *, keeper: str) -> str:
    """What the next keeper has to know."""
    (watch,) = await ctx.read_resource("lighthouse://watch")
    return f"Hand the watch over to {keeper}. What happened: {getattr(watch, 'text', '')}"


@completes("hand-over", "keeper")
async def complete_hand_over_keeper(
    ctx: Context, *, value: str, given: Mapping[str, str]
) -> Sequence[str]:
    """Values of `keeper` of hand-over that fit `value`, the text typed so far."""
    return [keeper for keeper in KEEPERS if keeper.lower().startswith(value.lower())]
