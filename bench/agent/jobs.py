"""Twelve jobs as a person gives them, each with what has to be so when it is done."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from bench.agent.session import Session, Wrong
from bench.agent.store import Store

Job = Callable[[Session], Awaitable[None]]


def check(is_right: bool, what: str) -> None:
    """Raise Wrong for what is not as it should be."""
    if not is_right:
        raise Wrong(what)


def only(store: Store, schema: str, /, **members: Any) -> Mapping[str, Any]:
    """The record that has these members."""
    (record,) = store.rows(schema, **members)
    return record


async def customer(session: Session, name: str) -> str:
    """The id of a customer, found by the name."""
    await session.learn(listCustomers="list customers by name")
    right: str = only(session.api.store, "Customer", name=name)["id"]
    fields = ["$.data[*].id", "$.data[*].name"]
    await session.call("listCustomers", {"q": name}, need=[right], fields=fields)
    return right


async def first_days(session: Session) -> None:
    """On which days do confirmed bookings begin, and which are these?"""
    await session.learn(listBookings="list confirmed bookings")
    rows = session.api.store.rows("Booking", status="confirmed")
    check(len(rows) > 50, "too few bookings")
    await session.call(
        "listBookings",
        {"status": "confirmed"},
        need=[row["number"] for row in rows],
        frugal={"fields": "number,starts_on", "limit": 100},
        pages=True,
    )


async def new_phone(session: Session) -> None:
    """Holm Film: the first contact has a new telephone number."""
    key = await customer(session, "Holm Film")
    await session.learn(
        listContacts="contacts of a customer", updateContact="change a contact's phone"
    )
    contact = session.api.store.rows("Contact", customer_id=key)[0]
    fields = ["$.data[*].id", "$.data[*].name", "$.data[*].phone"]
    await session.call(
        "listContacts",
        {"customer_id": key},
        need=[contact["id"], contact["name"]],
        fields=fields,
    )
    arguments = {"customer_id": key, "contact_id": contact["id"], "phone": "+47 99 88 77 66"}
    await session.call("updateContact", arguments)
    check(contact["phone"] == "+47 99 88 77 66", "the phone is the old one")


async def overdue(session: Session) -> None:
    """How much is overdue in each currency?"""
    await session.learn(listInvoices="list overdue invoices")
    rows = session.api.store.rows("Invoice", status="overdue")
    check(len(rows) > 100, "too few invoices")
    await session.call(
        "listInvoices",
        {"status": "overdue"},
        need=[row["total_cents"] for row in rows],
        frugal={"fields": "total_cents,currency", "limit": 100},
        pages=True,
    )


async def confirmation(session: Session) -> None:
    """Confirm booking B-1020, and note that the customer called."""
    await session.learn(
        listBookings="list bookings by number",
        confirmBooking="confirm a booking",
        createComment="add a comment to a booking",
    )
    booking = only(session.api.store, "Booking", number="B-1020")
    await session.call(
        "listBookings",
        {"q": "B-1020"},
        need=[booking["id"], booking["status"]],
        frugal={"fields": "id,status"},
    )
    text = "The customer called: confirmed."
    await session.call("confirmBooking", {"booking_id": booking["id"]})
    await session.call("createComment", {"booking_id": booking["id"], "text": text})
    check(booking["status"] == "confirmed", "it is not confirmed")
    check(bool(session.api.store.rows("Comment", booking_id=booking["id"], text=text)), "no note")


async def stale(session: Session) -> None:
    """Booking bkg_0077: write into its notes that the crane is ordered; others work on it too."""
    await session.learn(getBooking="get a booking", updateBooking="change the notes of a booking")
    store, key = session.api.store, "bkg_0077"
    store.meanwhile.add(key)
    for refusal in ("changed it since", ""):
        tag, old = store.tag(key), store.get("Booking", key)["notes"]
        fields = ["$.notes", "$._headers"]
        await session.call("getBooking", {"booking_id": key}, need=[tag, old], fields=fields)
        notes = f"{old} The crane is ordered."
        arguments = {"booking_id": key, "If-Match": tag, "notes": notes}
        await session.call("updateBooking", arguments, refused=refusal)
    check(store.get("Booking", key)["notes"] == notes, "the notes are the old ones")


async def packs(session: Session) -> None:
    """Booking bkg_0009 needs ten folding chairs FOL-104, or as few more as can be."""
    await session.learn(listItems="list items by sku", createLine="add an item to a booking")
    item = only(session.api.store, "Item", sku="FOL-104")
    fields = ["$.data[*].id", "$.data[*].name"]
    await session.call("listItems", {"sku": "FOL-104"}, need=[item["id"]], fields=fields)
    for quantity, refusal in ((10, "packs of 6"), (12, "")):
        arguments = {"booking_id": "bkg_0009", "item_id": item["id"], "quantity": quantity}
        await session.call("createLine", arguments, refused=refusal)
    rows = session.api.store.rows("Line", booking_id="bkg_0009", item_id=item["id"])
    check([row["quantity"] for row in rows] == [12], "these are not twelve")


async def new_customer(session: Session) -> None:
    """Enter the new customer Nilsen Circus, and Eli Nilsen as their contact."""
    await session.learn(createCustomer="create a customer", createContact="create a contact")
    where = {"street": "Hill 3", "postcode": "5010", "city": "Bergen", "country": "NO"}
    arguments = {"name": "Nilsen Circus", "tier": "gold", "billing_address": where}
    await session.call("createCustomer", arguments, need=["cus_0091"])
    given = {"customer_id": "cus_0091", "name": "Eli Nilsen", "is_primary": True}
    await session.call("createContact", given)
    made = only(session.api.store, "Customer", name="Nilsen Circus")
    check(made["billing_address"] == where and made["tier"] == "gold", "not as it was told")
    check(only(session.api.store, "Contact", name="Eli Nilsen")["customer_id"] == made["id"], "no")


async def old_hooks(session: Session) -> None:
    """Remove the webhooks that go to old.example."""
    await session.learn(listWebhooks="list webhooks", deleteWebhook="delete a webhook")
    hooks = session.api.store.tables["Webhook"]
    old = [key for key, hook in hooks.items() if "old.example" in hook["target"]]
    fields = ["$.data[*].id", "$.data[*].target"]
    await session.call("listWebhooks", {}, need=[*old, "old.example"], fields=fields)
    await session.each("deleteWebhook", [{"webhook_id": key} for key in old])
    check(len(hooks) == 3 and not {*old} & {*hooks}, "others are gone, or these are not")


async def broken_van(session: Session) -> None:
    """The van SV 21111 is broken: take it out of service."""
    await session.learn(
        listVehicles="list vehicles by plate", updateVehicle="change the status of a vehicle"
    )
    van = only(session.api.store, "Vehicle", plate="SV 21111")
    fields = ["$.data[*].id", "$.data[*].plate", "$.data[*].status"]
    await session.call("listVehicles", {"q": "SV 21111"}, need=[van["id"]], fields=fields)
    given = {"vehicle_id": van["id"], "status": "repair"}
    await session.call("updateVehicle", given, refused="in_repair")
    await session.call("updateVehicle", {**given, "status": "in_repair"})
    check(van["status"] == "in_repair", "it is in service")


async def report(session: Session) -> None:
    """What was the utilisation in October?"""
    await session.learn(createReportJob="create a report", getReportJob="get a report job")
    given = {"kind": "utilisation", "from": "2026-10-01", "to": "2026-10-31"}
    await session.call("createReportJob", given, need=["job_0001"])
    job = session.api.store.get("ReportJob", "job_0001")
    for need in (["running"], ["done", job["result"]]):
        fields = ["$.status", "$.result"]
        await session.call("getReportJob", {"report_job_id": "job_0001"}, need=need, fields=fields)


async def rest_paid(session: Session) -> None:
    """The rest of invoice I-1016 came today by transfer."""
    await session.learn(
        listInvoices="list invoices by number", createPayment="record a payment of an invoice"
    )
    invoice = only(session.api.store, "Invoice", number="I-1016")
    rest = invoice["total_cents"] - invoice["paid_cents"]
    await session.call(
        "listInvoices",
        {"q": "I-1016"},
        need=[invoice["id"], invoice["total_cents"], invoice["paid_cents"]],
        frugal={"fields": "id,total_cents,paid_cents"},
    )
    given = {"invoice_id": invoice["id"], "amount_cents": rest, "method": "transfer"}
    await session.call("createPayment", given)
    check(invoice["status"] == "paid", "it is not paid")


async def newest(session: Session) -> None:
    """Who made the five newest bookings? Names, please."""
    await session.learn(listBookings="list the newest bookings", getCustomer="get a customer")
    store = session.api.store
    rows = sorted(store.tables["Booking"].values(), key=lambda row: row["created_at"])[-5:]
    await session.call(
        "listBookings",
        {"sort": "-created_at"},
        need=[row["customer_id"] for row in rows],
        frugal={"fields": "customer_id,created_at", "limit": 5},
    )
    keys = list(dict.fromkeys(row["customer_id"] for row in rows))
    names = [store.get("Customer", key)["name"] for key in keys]
    await session.each(
        "getCustomer", [{"customer_id": key} for key in keys], need=names, fields=["$.name"]
    )


JOBS: tuple[Job, ...] = (
    first_days, new_phone, overdue, confirmation, stale, packs, new_customer, old_hooks,
    broken_van, report, rest_paid, newest,
)  # fmt: skip
