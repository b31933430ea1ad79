"""Tools tagged `loans`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import UNSET, Context, Response, Unset, style, tool

if TYPE_CHECKING:
    from ..models import Card, Desk, Id, Loan, Period


@tool("listLoans")
async def list_loans(
    ctx: Context,
    *,
    limit: int | Unset = UNSET,
    after: Id | Unset = UNSET,
    due: Period | Unset = UNSET,
) -> Response[list[Loan]]:
    """List loans: GET /loans."""
    return await ctx.api.send(
        "GET", "/loans", query={"limit": limit, "after": after, "due": style.deep_object(due)}
    )


@tool("lend")
async def lend(
    ctx: Context, *, book: str, card: Card, desk: Desk | Unset = UNSET
) -> Response[Loan]:
    """Lend a book: POST /loans."""
    return await ctx.api.send(
        "POST", "/loans", json={"book": book, "card": card, "desk": desk}, expect=("201",)
    )


@tool("getLoan")
async def get_loan(ctx: Context, *, loan: Id) -> Response[Loan]:
    """Look a loan up: GET /loans/{loan}."""
    return await ctx.api.send("GET", "/loans/{loan}", path={"loan": loan})


@tool("renewLoan", from_="from")
async def renew_loan(
    ctx: Context, *, loan: Id, from_: str, to: str | None | Unset = UNSET
) -> Response[Loan]:
    """Renew a loan: POST /loans/{loan}."""
    return await ctx.api.send(
        "POST", "/loans/{loan}", path={"loan": loan}, json={"from": from_, "to": to}
    )


@tool("deskLoans")
async def desk_loans(
    ctx: Context, *, desk: Desk, limit: int | Unset = UNSET
) -> Response[list[Loan]]:
    """Loans of one desk: GET /desks/{desk}/loans."""
    return await ctx.api.send(
        "GET", "/desks/{desk}/loans", path={"desk": desk}, query={"limit": limit}
    )
