"""Tools tagged `orders` of bookshop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import UNSET, Context, Response, Unset, tool

if TYPE_CHECKING:
    from ..models import Order, OrderLine


@tool("placeOrder", idempotency_key="Idempotency-Key")
async def place_order(
    ctx: Context,
    *,
    customer: str,
    lines: list[OrderLine],
    idempotency_key: str | Unset = UNSET,
    message: str | None | Unset = UNSET,
) -> Response[Order]:
    """Place an order: POST /orders."""
    return await ctx.apis["bookshop"].send(
        "POST",
        "/orders",
        header={"Idempotency-Key": idempotency_key},
        json={"customer": customer, "lines": lines, "message": message},
        expect=("201",),
    )


@tool("getOrder")
async def get_order(ctx: Context, *, order_id: str) -> Response[Order]:
    """Look an order up: GET /orders/{order_id}."""
    return await ctx.apis["bookshop"].send("GET", "/orders/{order_id}", path={"order_id": order_id})
