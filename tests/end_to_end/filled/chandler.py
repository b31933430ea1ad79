"""Tools that you write in Python. Updates keep your code."""

from __future__ import annotations

import threading
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import anyio
from mcp_types import Annotations, CallToolResult, ResourceLink, TextContent
from pydantic import BaseModel, Field

from .._runtime import UNSET, Context, Media, ProtocolError, ToolError, Unset, tool

if TYPE_CHECKING:
    from ..models import Item

PNG = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJg"
    "gg=="
)
CANCELLED: list[str] = []
STARTED: list[bool] = []
STOPPED: list[bool] = []


@dataclass
class Quote:
    """What an order costs."""

    total: int
    lines: list[str]


class Note(BaseModel):
    """A pydantic model with a name of its own on the wire."""

    text: str
    by: str = Field(serialization_alias="from")


@tool("quote", customer_class="customer-class")
def quote(
    ctx: Context, *, items: list[Item], customer_class: Literal["crew", "captain"] | Unset = UNSET
) -> Quote:
    """What an order costs; a plain function, which runs in a thread."""
    assert threading.current_thread() is not threading.main_thread()
    anyio.from_thread.run(ctx.report_progress, 1, 2)
    total = sum(item["price"] for item in items)
    if total == 99:
        STARTED.append(True)
        STOPPED.append(ctx.stopped.wait(10))
    if total > 1_000_000:
        raise ToolError("Nobody can pay that: order less.")
    if total == 13:
        return Quote("thirteen", [])  # type: ignore[arg-type]  # a fault, on purpose
    return Quote(total // 2 if customer_class == "captain" else total, [i["sku"] for i in items])


@tool("knots")
async def knots(ctx: Context) -> list[str]:
    """Names of the knots that are sold as posters."""
    return ["bowline", "sheet bend"]


@tool("label")
async def label(ctx: Context, *, text: str) -> Any:
    """A label for the sack, in whatever form the text asks for."""
    match text:
        case "picture":
            return Media(PNG, "image/png", audience=["user"], priority=0.5)
        case "sound":
            return Media(b"RIFF\0\0\0\0WAVE", "audio/wav")
        case "pdf":
            return Media(b"%PDF", "application/pdf", last_modified="2026-01-02T03:04:05Z")
        case "csv":
            return [Media(b"a,b", "text/csv", uri="chandler://labels/1"), "and words"]
        case "bytes":
            return b"\0\1"
        case "link":
            return ResourceLink(type="resource_link", uri="chandler://l", name="the label")
        case "words":
            noted = Annotations(audience=["assistant"])
            return TextContent(type="text", text="words", annotations=noted)
        case "whole":
            block = TextContent(type="text", text="whole")
            return CallToolResult(content=[block], structured_content={"a": 1})
        case "model":
            return Note(text="of a model", by="me")
        case "nothing":
            return None
        case "protocol":
            raise ProtocolError(-32602, "no such label")
        case "secret":
            raise RuntimeError("sk-SECRET")
    return text


@tool("order")
async def order(ctx: Context, *, sku: str, count: int) -> Any:
    """Place an order; the user confirms it, and says where to when it is large."""
    yes = {"type": "object", "properties": {"sure": {"type": "boolean"}}, "required": ["sure"]}
    sure = await ctx.ask(f"Order {count} x {sku}?", yes)
    if not sure.accepted:
        return f"not ordered: {sure.action}"
    if count > 10:
        where = {"type": "object", "properties": {"place": {"type": "string"}}}
        place = await ctx.ask("Where to?", where, key="place")
        return {"sure": sure.content["sure"], "to": place.content.get("place")}
    return {"sure": sure.content["sure"]}


@tool("count_stock")
async def count_stock(ctx: Context, *, shelf: int | Unset = UNSET) -> Any:
    """Count the stock, which takes a while."""
    if shelf == 99:
        try:
            await anyio.sleep(30)
        except anyio.get_cancelled_exc_class():
            CANCELLED.append(ctx.tool)
            raise
    for done in range(3):
        await ctx.report_progress(done + 1, 3, f"shelf {done + 1}")
    await ctx.log("warning", {"shelf": "dusty"}, "stock")
    client = ctx.client_info
    return {
        "client": client.name if client else None,
        "asks": ctx.client_capabilities is not None
        and ctx.client_capabilities.elicitation is not None,
        "meta": ctx.meta.get("example.org/x"),
        "id": ctx.request_id is not None,
        "session": ctx.session_id,
        "authorization": ctx.authorization,
        "state": type(ctx.state).__name__,
    }


@tool("remember", extra="*")
async def remember(ctx: Context, *, extra: Mapping[str, Any]) -> Any:
    """Keep any facts in mind."""
    return extra
