"""Functions that make the prompts. Updates keep your code."""

from __future__ import annotations

from typing import Any

from ._runtime import Context, prompt


@prompt("test_input_required_result_prompt")
async def test_input_required_result_prompt(ctx: Context) -> Any:
    """A prompt that asks the user."""
    form = {
        "type": "object",
        "properties": {"context": {"type": "string"}},
        "required": ["context"],
    }
    reply = await ctx.ask("What context should the prompt use?", form, key="user_context")
    return f"Use this context: {reply.content.get('context', 'none')}"
