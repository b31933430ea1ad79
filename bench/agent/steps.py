"""Eight jobs of many steps, of tools whose names are known: what calls of many in one save."""

from __future__ import annotations

from collections import Counter

from bench.agent.jobs import Job, check
from bench.agent.session import Session, Wrong

_ROUNDS = 5


async def by_currency(session: Session) -> None:
    """The total of all overdue invoices, by currency."""
    await session.describe("listInvoices")
    rows = session.api.store.rows("Invoice", status="overdue")
    await session.call(
        "listInvoices",
        {"status": "overdue"},
        need=[row["total_cents"] for row in rows],
        frugal={"fields": "total_cents,currency", "limit": 100},
        pages=True,
    )


async def best_customers(session: Session) -> None:
    """The names of the three customers with the most bookings."""
    await session.describe("listBookings", "getCustomer")
    store = session.api.store
    count = Counter(row["customer_id"] for row in store.tables["Booking"].values())
    await session.call(
        "listBookings",
        {},
        need=[*store.tables["Booking"], *count],
        frugal={"fields": "id,customer_id", "limit": 100},
        pages=True,
    )
    best = [key for key, _ in count.most_common(3)]
    await session.each(
        "getCustomer",
        [{"customer_id": key} for key in best],
        need=[store.get("Customer", key)["name"] for key in best],
        fields=["$.name"],
    )


async def tag_confirmed(session: Session) -> None:
    """Tag all confirmed bookings `autumn`."""
    await session.describe("listBookings", "tagBookings")
    rows = session.api.store.rows("Booking", status="confirmed")
    keys = [row["id"] for row in rows]
    frugal = {"fields": "id", "limit": 100}
    wanted = {"status": "confirmed"}
    await session.call("listBookings", wanted, need=keys, frugal=frugal, pages=True)
    await session.call("tagBookings", {"booking_ids": keys, "tags": ["autumn"]})
    tagged = [
        k for k, row in session.api.store.tables["Booking"].items() if "autumn" in row["tags"]
    ]
    check(tagged == keys, "others are tagged, or these are not")


async def edit_notes(session: Session) -> None:
    """Write `Checked.` behind the notes of four bookings on which others work too."""
    await session.describe("getBooking", "updateBooking")
    store = session.api.store
    keys = [f"bkg_{number:04}" for number in (11, 23, 35, 47)]
    wanted = {key: f"{store.get('Booking', key)['notes']} Checked." for key in keys}
    store.meanwhile.add(keys[2])
    for _ in range(_ROUNDS):
        left = [key for key in keys if store.get("Booking", key)["notes"] != wanted[key]]
        if not left:
            return
        tags = {key: store.tag(key) for key in left}
        await session.each(
            "getBooking",
            [{"booking_id": key} for key in left],
            need=[*tags.values(), *(store.get("Booking", key)["notes"] for key in left)],
            fields=["$.notes", "$._headers"],
        )
        await session.each(
            "updateBooking",
            [{"booking_id": k, "If-Match": tags[k], "notes": wanted[k]} for k in left],
            fields=["$.notes"],
        )
    raise Wrong("the notes are the old ones")


async def week(session: Session) -> None:
    """When do the drivers 1 to 9 work from the second of November on?"""
    await session.describe("listShifts")
    store = session.api.store
    keys = [f"drv_{number:04}" for number in range(1, 10)]
    shifts = [shift for key in keys for shift in store.rows("Shift", driver_id=key)]
    await session.each(
        "listShifts",
        [{"driver_id": key, "from": "2026-11-02"} for key in keys],
        need=[text for shift in shifts for text in (shift["starts_at"], shift["ends_at"])],
        fields=["$.data[*].starts_at", "$.data[*].ends_at", "$.data[*].kind"],
    )


async def by_depot(session: Session) -> None:
    """Which bookings are out, by depot?"""
    await session.describe("listBookings")
    rows = session.api.store.rows("Booking", status="out")
    await session.call(
        "listBookings",
        {"status": "out"},
        need=[row["number"] for row in rows],
        frugal={"fields": "number,depot_id", "limit": 100},
        pages=True,
    )


async def stock(session: Session) -> None:
    """How many pieces of 17 items are where?"""
    await session.describe("getItemStock")
    store = session.api.store
    keys = [f"itm_{number:04}" for number in range(3, 37, 2)]
    rows = [row for key in keys for row in store.rows("Stock", item_id=key)]
    await session.each(
        "getItemStock",
        [{"item_id": key} for key in keys],
        need=[row["on_hand"] for row in rows],
        fields=["$[*].depot_id", "$[*].on_hand", "$[*].reserved"],
    )


async def comments(session: Session) -> None:
    """What was said of nine bookings?"""
    await session.describe("listComments")
    store = session.api.store
    keys = [f"bkg_{number:04}" for number in range(60, 69)]
    rows = [row for key in keys for row in store.rows("Comment", booking_id=key)]
    await session.each(
        "listComments",
        [{"booking_id": key} for key in keys],
        need=[row["text"].split("(")[1][:5] for row in rows],
        fields=["$.data[*].author", "$.data[*].text"],
    )


STEPS: tuple[Job, ...] = (
    by_currency, best_customers, tag_confirmed, edit_notes, week, by_depot, stock, comments,
)  # fmt: skip
