"""Tools tagged `Treasury`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from .._runtime import UNSET, Context, Response, Unset, tool

if TYPE_CHECKING:
    from ..models import Budget, BudgetList, Invoice, InvoiceList, Payment, PaymentList


@tool("listBudgets")
async def list_budgets(
    ctx: Context,
    *,
    year: int | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[BudgetList]:
    """List budgets: GET /budgets."""
    return await ctx.api.send(
        "GET", "/budgets", query={"year": year, "limit": limit, "cursor": cursor}
    )


@tool("createBudget")
async def create_budget(
    ctx: Context, *, year: int, department: str | Unset = UNSET, amount: float | Unset = UNSET
) -> Response[Budget]:
    """Add a budget: POST /budgets."""
    return await ctx.api.send(
        "POST",
        "/budgets",
        json={"year": year, "department": department, "amount": amount},
        expect=("201",),
    )


@tool("getBudget")
async def get_budget(ctx: Context, *, id: int) -> Response[Budget]:
    """Read a budget: GET /budgets/{id}."""
    return await ctx.api.send("GET", "/budgets/{id}", path={"id": id})


@tool("updateBudget")
async def update_budget(
    ctx: Context,
    *,
    id: int,
    year: int | Unset = UNSET,
    department: str | Unset = UNSET,
    amount: float | Unset = UNSET,
) -> Response[Budget]:
    """Change a budget: PATCH /budgets/{id}."""
    return await ctx.api.send(
        "PATCH",
        "/budgets/{id}",
        path={"id": id},
        json={"year": year, "department": department, "amount": amount},
    )


@tool("transferBudget", to_id="toId")
async def transfer_budget(
    ctx: Context, *, id: int, to_id: int, amount: float | Unset = UNSET
) -> Response[Budget]:
    """Move money between departments: POST /budgets/{id}/transfer."""
    return await ctx.api.send(
        "POST", "/budgets/{id}/transfer", path={"id": id}, json={"toId": to_id, "amount": amount}
    )


@tool("listInvoices")
async def list_invoices(
    ctx: Context,
    *,
    status: Literal["due", "paid", "disputed"] | Unset = UNSET,
    supplier: str | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[InvoiceList]:
    """List invoices: GET /invoices."""
    return await ctx.api.send(
        "GET",
        "/invoices",
        query={"status": status, "supplier": supplier, "limit": limit, "cursor": cursor},
    )


@tool("createInvoice")
async def create_invoice(
    ctx: Context,
    *,
    supplier: str,
    amount: float | Unset = UNSET,
    status: Literal["due", "paid", "disputed"] | Unset = UNSET,
) -> Response[Invoice]:
    """Add an invoice: POST /invoices."""
    return await ctx.api.send(
        "POST",
        "/invoices",
        json={"supplier": supplier, "amount": amount, "status": status},
        expect=("201",),
    )


@tool("getInvoice")
async def get_invoice(ctx: Context, *, id: int) -> Response[Invoice]:
    """Read an invoice: GET /invoices/{id}."""
    return await ctx.api.send("GET", "/invoices/{id}", path={"id": id})


@tool("disputeInvoice")
async def dispute_invoice(ctx: Context, *, id: int, reason: str) -> Response[Invoice]:
    """Dispute an invoice: POST /invoices/{id}/dispute."""
    return await ctx.api.send(
        "POST", "/invoices/{id}/dispute", path={"id": id}, json={"reason": reason}
    )


@tool("listPayments", invoice_id="invoiceId")
async def list_payments(
    ctx: Context,
    *,
    invoice_id: int | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[PaymentList]:
    """List payments: GET /payments."""
    return await ctx.api.send(
        "GET", "/payments", query={"invoiceId": invoice_id, "limit": limit, "cursor": cursor}
    )


@tool("createPayment", invoice_id="invoiceId", paid_on="paidOn")
async def create_payment(
    ctx: Context, *, invoice_id: int, amount: float | Unset = UNSET, paid_on: str | Unset = UNSET
) -> Response[Payment]:
    """Add a payment: POST /payments."""
    return await ctx.api.send(
        "POST",
        "/payments",
        json={"invoiceId": invoice_id, "amount": amount, "paidOn": paid_on},
        expect=("201",),
    )


@tool("getPayment")
async def get_payment(ctx: Context, *, id: int) -> Response[Payment]:
    """Read a payment: GET /payments/{id}."""
    return await ctx.api.send("GET", "/payments/{id}", path={"id": id})
