"""Tools tagged `status`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._runtime import Context, Response, tool

if TYPE_CHECKING:
    from ..models import Loan, RestorationResult, StartInventoryResult


@tool("endLoan")
async def end_loan(ctx: Context, *, id: int) -> Response[None]:
    """End a loan: DELETE /loans/{id}."""
    return await ctx.api.send(
        "DELETE", "/loans/{id}", path={"id": id}, accept="*/*", expect=("204",)
    )


@tool("putLoan")
async def put_loan(ctx: Context, *, id: int, to: str) -> Response[Loan]:
    """Make or change a loan: PUT /loans/{id}."""
    return await ctx.api.send(
        "PUT", "/loans/{id}", path={"id": id}, json={"to": to}, expect=("200", "201", "202")
    )


@tool("startInventory")
async def start_inventory(ctx: Context) -> Response[StartInventoryResult]:
    """Start an inventory: POST /inventory."""
    return await ctx.api.send("POST", "/inventory", expect=("2XX",))


@tool("restoration")
async def restoration(ctx: Context) -> Response[RestorationResult]:
    """The state of the restoration: GET /restoration."""
    return await ctx.api.send("GET", "/restoration", expect=("default",))


@tool("posterAddress")
async def poster_address(ctx: Context) -> Response[Any]:
    """Where the poster is: GET /poster."""
    return await ctx.api.send("GET", "/poster", accept="*/*", expect=("302",), tell=("Location",))


@tool("doors")
async def doors(ctx: Context) -> Response[Any]:
    """Which doors are open: GET /doors."""
    return await ctx.api.send("GET", "/doors", accept="*/*")


@tool("knock")
async def knock(ctx: Context, *, door: str) -> Response[None]:
    """Ask whether a door exists: HEAD /doors/{door}."""
    return await ctx.api.send("HEAD", "/doors/{door}", path={"door": door}, accept="*/*")


@tool("doorOptions")
async def door_options(ctx: Context, *, door: str) -> Response[None]:
    """Ask what can be done with a door: OPTIONS /doors/{door}."""
    return await ctx.api.send(
        "OPTIONS", "/doors/{door}", path={"door": door}, accept="*/*", expect=("204",)
    )
