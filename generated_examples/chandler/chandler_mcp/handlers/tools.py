"""Tools that you write in Python. Updates keep your code."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any, Literal

from .._runtime import UNSET, Context, Media, ToolError, Unset, tool

if TYPE_CHECKING:
    from ..hooks import State
    from ..models import Item, QuoteResult

CAPTAINS_DISCOUNT = 10
"""Percent."""

CONFIRMATION = {
    "type": "object",
    "properties": {"sure": {"type": "boolean", "title": "Place the order"}},
    "required": ["sure"],
}


@tool("quote", customer_class="customer-class")
async def quote(
    ctx: Context, *, items: list[Item], customer_class: Literal["crew", "captain"] | Unset = UNSET
) -> QuoteResult:
    """What an order costs."""
    prices = [price_of(item) for item in items]
    total = sum(prices)
    if customer_class == "captain":
        total -= total * CAPTAINS_DISCOUNT // 100
    lines = [f"{item['sku']}: {price} øre" for item, price in zip(items, prices, strict=True)]
    return {"total": total, "lines": lines}


@tool("knots")
async def knots(ctx: Context) -> list[str]:
    """Names of the knots that are sold as posters."""
    return ["bowline", "clove hitch", "sheet bend"]


@tool("label")
async def label(ctx: Context, *, text: str) -> Media:
    """A label for the sack, as a picture."""
    width = 20 + 12 * len(text)
    picture = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="40">'
        f'<text x="10" y="27" font-family="monospace" font-size="20">{escape(text)}</text></svg>'
    )
    return Media(picture.encode(), "image/svg+xml", audience=["user"])


@tool("order")
async def order(ctx: Context, *, sku: str, count: int) -> dict[str, Any]:
    """Place an order; the user confirms it."""
    if sku not in state(ctx).stock:
        known = ", ".join(state(ctx).stock)
        raise ToolError(f"`{sku}` is not sold here. There is: {known}.")
    reply = await ctx.ask(f"Order {count} of {sku}?", CONFIRMATION)
    if not (reply.accepted and reply.content["sure"]):
        return {"ordered": False}
    state(ctx).stock[sku] -= count
    return {"ordered": True, "sku": sku, "count": count}


@tool("count_stock")
async def count_stock(ctx: Context, *, shelf: int | Unset = UNSET) -> dict[str, int]:
    """Count the stock, which takes a while."""
    stock = state(ctx).stock
    chosen = [sku for number, sku in enumerate(stock, 1) if shelf in (UNSET, number)]
    counted: dict[str, int] = {}
    for sku in chosen:
        counted[sku] = max(stock[sku], 0)
        await ctx.report_progress(len(counted), len(chosen), f"counted {sku}")
    return counted


@tool("remember", extra="*")
async def remember(ctx: Context, *, extra: Mapping[str, Any]) -> str:
    """Keep any facts in mind."""
    facts = state(ctx).facts
    facts.update(extra)
    return f"{len(facts)} facts are known: {', '.join(facts)}."


def price_of(item: Item) -> int:
    """The price of an item with all its parts."""
    return item["price"] + sum(price_of(part) for part in item.get("parts", []))


def state(ctx: Context) -> State:
    """What `hooks.lifespan` opened."""
    opened: State = ctx.state
    return opened
