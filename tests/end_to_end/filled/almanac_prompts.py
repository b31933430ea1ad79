"""Functions that make the prompts. Updates keep your code."""

from __future__ import annotations

from typing import Any

from mcp_types import InputRequiredResult, ListRootsRequest, PromptMessage, TextContent

from ._runtime import UNSET, Context, Media, Unset, prompt


@prompt("passage", from_port="from-port")
async def passage(ctx: Context, *, from_port: str, to: str | Unset = UNSET) -> Any:
    """Plan a passage."""
    if from_port == "nowhere":
        return InputRequiredResult(input_requests={"roots": ListRootsRequest()})
    if to is UNSET:
        form = {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}
        reply = await ctx.ask("Where to?", form, key="to")
        to = str(reply.content["to"])
    (about,) = await ctx.read_resource("almanac://about")
    said = TextContent(type="text", text=f"From {from_port} to {to}, by {about.uri}.")
    picture = Media(b"RIFF\0\0\0\0WAVE", "audio/wav")
    return [PromptMessage(role="assistant", content=said), picture, "Fair winds."]
