"""What the hire desk knows: the same records each time, and what requests do to them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bench.agent.schemas import CURRENCIES, Record, sample

PREFIXES = {
    "Customer": "cus", "Contact": "con", "Item": "itm", "Stock": "stk", "Booking": "bkg",
    "Line": "lin", "Comment": "com", "Invoice": "inv", "Payment": "pay", "Driver": "drv",
    "Shift": "shf", "Vehicle": "veh", "Delivery": "dlv", "Depot": "dep", "Category": "cat",
    "Webhook": "whk", "ReportJob": "job",
}  # fmt: skip
PAGE, MOST = 25, 100
"""Items of a page where a request does not say it, and at most."""

_FIRST = ("Ada", "Bo", "Cleo", "Dag", "Eva", "Finn", "Greta", "Hal", "Ida", "Jon", "Kari", "Leo")
_LAST = ("Almeida", "Berg", "Castro", "Dahl", "Ekman", "Fiore", "Grau", "Holm", "Ilic", "Jansen")
_TRADES = ("Events", "Weddings", "Theatre", "Catering", "Festivals", "Museum", "Film", "Sports")
_GOODS = ("marquee", "folding chair", "trestle table", "stage deck", "spotlight", "generator")
_CITIES = ("Bergen", "Gent", "Graz", "Porto", "Turku", "Utrecht")
_SAID = (
    "Call ahead, the yard is narrow and lorries cannot turn there.",
    "Needs a signature of somebody who knows the order.",
    "Leave it at the gate; the code is on the paper.",
    "The customer asked for the same crew as last year.",
)
_BOOKING = ("open", "confirmed", "out", "returned", "cancelled")
_INVOICE = ("sent", "paid", "void", *("overdue",) * 6)


class Refusal(Exception):
    """An answer that is an error: its status, and what it says."""

    def __init__(self, status: int, detail: str, **more: Any) -> None:
        super().__init__(detail)
        self.status = status
        self.body = {
            "type": f"https://hire.example/problems/{status}",
            "title": {404: "Not found", 409: "Conflict", 412: "Precondition failed"}.get(
                status, "Not accepted"
            ),
            "status": status,
            "detail": detail,
            **more,
        }


@dataclass
class Store:
    """The records by their schemas and ids."""

    tables: dict[str, dict[str, Record]] = field(default_factory=dict)
    versions: Counter[str] = field(default_factory=Counter)
    """How often an object was changed: its entity tag."""
    meanwhile: set[str] = field(default_factory=set)
    """Objects that somebody else changes before the next change of them."""

    def add(self, name: str, /, **values: Any) -> Record:
        """A new record; what is not given is made up."""
        table = self.tables.setdefault(name, {})
        number = len(table) + 1
        made = {"id": f"{PREFIXES[name]}_{number:04}"}
        while made["id"] in table:
            number += 1
            made["id"] = f"{PREFIXES[name]}_{number:04}"
        chance = random.Random(f"{name} {number}")
        table[made["id"]] = {**made, **sample(name, number, chance), **values}
        return table[made["id"]]

    def get(self, name: str, key: str) -> Record:
        """A record; raises Refusal where there is none."""
        if key not in self.tables.get(name, {}):
            raise Refusal(404, f"There is no {name.lower()} {key!r}.")
        return self.tables[name][key]

    def change(self, name: str, key: str, values: Mapping[str, Any]) -> Record:
        """A record with some members changed; null removes what it had."""
        record = self.get(name, key)
        record.update(values)
        self.versions[key] += 1
        return record

    def rows(self, name: str, /, **members: Any) -> list[Record]:
        """The records that have these members."""
        wanted = members.items()
        found = self.tables.get(name, {}).values()
        return [each for each in found if all(each.get(k) == v for k, v in wanted)]

    def tag(self, key: str) -> str:
        """The entity tag of an object."""
        return f'"{key}-v{self.versions[key] + 1}"'


def filled() -> Store:
    """A store as each job finds it."""
    store = Store()
    for place in _CITIES[:3]:
        store.add("Depot", name=place)
    for name in ("Tents", "Furniture", "Stages", "Light", "Power"):
        store.add("Category", name=name)
    _add_items(store)
    _add_customers(store)
    _add_bookings(store)
    _add_fleet(store)
    hooks = ("crm.example", "old.example", "books.example", "old.example", "maps.example")
    for number, host in enumerate(hooks):
        store.add("Webhook", target=f"https://{host}/hire/{number}", events=["booking.confirmed"])
    return store


def _add_items(store: Store) -> None:
    chance = random.Random("items")
    for number in range(120):
        good = _GOODS[number % len(_GOODS)]
        item = store.add(
            "Item",
            sku=f"{good[:3].upper()}-{101 + number // 6}",
            name=f"{good} {number // 6 + 1}",
            category_id=f"cat_{number % 5 + 1:04}",
            description=f"A {good} for indoors and outdoors. {chance.choice(_SAID)}",
            pack_size=6 if good == "folding chair" else 1,
            notes=chance.choice(_SAID),
        )
        for depot in store.tables["Depot"]:
            counts = {key: chance.randrange(1, 90) for key in ("on_hand", "reserved", "in_repair")}
            store.add("Stock", item_id=item["id"], depot_id=depot, **counts)


def _add_customers(store: Store) -> None:
    chance = random.Random("customers")
    for number in range(90):
        last, trade = _LAST[number % 10], _TRADES[number // 10 % 8]
        name = f"{last} {trade}" + (" II" if number >= 80 else "")
        where = {"street": f"Quay Street {number}", "city": chance.choice(_CITIES)}
        where |= {"postcode": f"{5000 + number}", "country": "NO"}
        customer = store.add(
            "Customer",
            name=name,
            status="active",
            email=f"office{number}@{last.lower()}.example",
            billing_address=where,
            delivery_address=where,
            notes=chance.choice(_SAID),
        )
        for _ in range(3):
            person = f"{chance.choice(_FIRST)} {chance.choice(_LAST)}"
            store.add("Contact", customer_id=customer["id"], name=person)


def _add_bookings(store: Store) -> None:
    chance = random.Random("bookings")
    for number in range(264):
        customer = store.tables["Customer"][f"cus_{int(90 * chance.random() ** 2) + 1:04}"]
        day = 1 + number % 28
        booking = store.add(
            "Booking",
            customer_id=customer["id"],
            status=_BOOKING[min(number // 40, 4)] if number < 160 else chance.choice(_BOOKING),
            depot_id=f"dep_{number % 3 + 1:04}",
            starts_on=f"2026-11-{day:02}",
            ends_on=f"2026-12-{day:02}",
            total_cents=chance.randrange(20_000, 900_000),
            delivery_address=customer["delivery_address"],
            created_at=f"2026-{1 + number // 28:02}-{day:02}T09:{number % 60:02}:00Z",
            notes=chance.choice(_SAID),
            tags=[],
        )
        for _ in range(2):
            item = f"itm_{chance.randrange(120) + 1:04}"
            store.add("Line", booking_id=booking["id"], item_id=item)
            said = f"{chance.choice(_SAID)[:-1]} ({chance.randrange(10_000, 99_999)})."
            store.add("Comment", booking_id=booking["id"], text=said)
        if number % 3 < 2 or number < 30:
            _add_invoice(store, booking, customer, chance)


def _add_invoice(store: Store, booking: Record, customer: Record, chance: random.Random) -> None:
    net = booking["total_cents"]
    status = chance.choice(_INVOICE)
    store.add(
        "Invoice",
        customer_id=customer["id"],
        booking_id=booking["id"],
        status=status,
        net_cents=net,
        tax_cents=net // 4,
        total_cents=net + net // 4,
        paid_cents=net + net // 4 if status == "paid" else net // 2 if status == "sent" else 0,
        currency=CURRENCIES[min(chance.randrange(6) // 2, 2)],
        billing_address=customer["billing_address"],
        notes=chance.choice(_SAID),
    )


def _add_fleet(store: Store) -> None:
    chance = random.Random("fleet")
    for number in range(14):
        name = f"{_FIRST[number % 12]} {_LAST[(number * 3) % 10]}"
        driver = store.add("Driver", name=name, depot_id=f"dep_{number % 3 + 1:04}", is_active=True)
        for day in range(2, 7):
            first = chance.choice((6, 7, 9, 12))
            store.add(
                "Shift",
                driver_id=driver["id"],
                starts_at=f"2026-11-{day:02}T{first:02}:{chance.randrange(60):02}:00Z",
                ends_at=f"2026-11-{day:02}T{first + 8:02}:{chance.randrange(60):02}:00Z",
                kind=chance.choice(("drive", "yard", "leave")),
            )
    for number in range(16):
        plate = f"SV {21000 + 37 * number}"
        store.add("Vehicle", plate=plate, status="available", depot_id=f"dep_{number % 3 + 1:04}")
    for number in range(60):
        store.add(
            "Delivery",
            booking_id=f"bkg_{number * 4 + 1:04}",
            driver_id=f"drv_{number % 14 + 1:04}",
            vehicle_id=f"veh_{number % 16 + 1:04}",
            due_at=f"2026-11-{number % 28 + 1:02}T10:00:00Z",
        )
