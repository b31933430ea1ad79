"""The objects of the hire desk: what its document says of them, and records of them."""

from __future__ import annotations

import random
from typing import Any

Record = dict[str, Any]
Schema = dict[str, Any]

CURRENCIES = ("EUR", "NOK", "GBP")
BOOKING = ("draft", "open", "confirmed", "out", "returned", "cancelled")
INVOICE = ("draft", "sent", "overdue", "paid", "void")


def _text(about: str, example: str, **more: Any) -> Schema:
    return {"type": "string", "description": about, "examples": [example], **more}


def _number(about: str, example: int, **more: Any) -> Schema:
    return {"type": "integer", "description": about, "examples": [example], **more}


def _one_of(about: str, values: tuple[str, ...]) -> Schema:
    return {"type": "string", "enum": list(values), "description": about}


def _time(about: str) -> Schema:
    return _text(about, "2026-10-05T08:00:00Z", format="date-time")


def _flag(about: str) -> Schema:
    return {"type": "boolean", "description": about}


def _read_only(schema: Schema) -> Schema:
    return {**schema, "readOnly": True}


def _object(about: str, required: str, properties: dict[str, Schema]) -> Schema:
    common = {
        "id": _read_only(_text("Identifier, given by the hire desk.", "bkg_0042")),
        "url": _read_only(_text("Where the object is shown to people.", "https://hire.example/b")),
        "created_at": _read_only(_time("When the object was made.")),
        "updated_at": _read_only(_time("When the object was last changed.")),
    }
    properties = {**common, **properties}
    return {
        "type": "object",
        "description": about,
        "required": required.split(),
        "properties": properties,
    }


def _address(about: str) -> Schema:
    parts = {
        "street": _text("Street and number.", "Quay Street 4"),
        "postcode": _text("Postcode, as the country writes it.", "5003"),
        "city": _text("Town or city.", "Bergen"),
        "country": _text("Country, two letters of ISO 3166.", "NO", minLength=2, maxLength=2),
    }
    return {"type": "object", "description": about, "properties": parts}


_NOTES = _text("Free text that only staff see.", "Call ahead, the yard is narrow.")
_CURRENCY = _one_of("Currency of all amounts of this object.", CURRENCIES)

SCHEMAS: dict[str, Schema] = {
    "Customer": _object(
        "Somebody who hires equipment.",
        "name",
        {
            "name": _text("Name of the company or person.", "Dahl Theatre"),
            "number": _read_only(_text("Number that is printed on papers.", "C-1042")),
            "status": _one_of("Blocked customers cannot book.", ("active", "blocked", "prospect")),
            "tier": _one_of("Group that decides about the price list.", ("base", "silver", "gold")),
            "email": _text("Address for invoices.", "office@dahl.example", format="email"),
            "phone": _text("Telephone number with country code.", "+47 55 00 10 42"),
            "vat_number": _text("VAT number; must be there for customers abroad.", "NO998877665"),
            "billing_address": _address("Where invoices go."),
            "delivery_address": _address("Where equipment goes, unless a booking says otherwise."),
            "payment_terms_days": _number("Days until an invoice is due.", 30, minimum=0),
            "credit_limit_cents": _number("Most that may be owed, in cents.", 500000),
            "balance_cents": _read_only(_number("What is owed now, in cents.", 125000)),
            "currency": _CURRENCY,
            "language": _text("Language of papers, as of BCP 47.", "nb"),
            "newsletter": _flag("Whether the customer takes the newsletter."),
            "notes": _NOTES,
        },
    ),
    "Contact": _object(
        "A person at a customer.",
        "name",
        {
            "customer_id": _read_only(_text("Customer of the contact.", "cus_0042")),
            "name": _text("First and last name.", "Ida Holm"),
            "role": _text("What the person does there.", "stage manager"),
            "email": _text("Electronic mail.", "ida@dahl.example", format="email"),
            "phone": _text("Telephone number with country code.", "+47 55 00 10 43"),
            "is_primary": _flag("Whether confirmations go to this contact."),
        },
    ),
    "Item": _object(
        "A kind of equipment that is for hire.",
        "name sku",
        {
            "sku": _text("Stock-keeping unit; unique.", "GEN-101"),
            "name": _text("Name in the catalogue.", "generator 20 kVA"),
            "category_id": _text("Category of the item.", "cat_0003"),
            "description": _text("Text of the catalogue.", "Quiet, with a tank for ten hours."),
            "day_rate_cents": _number("Price of a day, in cents.", 8900, minimum=0),
            "week_rate_cents": _number("Price of a week, in cents.", 39000, minimum=0),
            "deposit_cents": _number("Deposit for each piece, in cents.", 20000, minimum=0),
            "currency": _CURRENCY,
            "weight_grams": _number("Weight of a piece.", 84000),
            "pack_size": _read_only(_number("Pieces of a pack.", 1)),
            "is_active": _flag("Whether it can be booked."),
            "notes": _NOTES,
        },
    ),
    "Stock": _object(
        "How many pieces of an item a depot has.",
        "",
        {
            "item_id": _text("The item.", "itm_0001"),
            "depot_id": _text("The depot.", "dep_0001"),
            "on_hand": _number("Pieces in the depot.", 40),
            "reserved": _number("Pieces that bookings hold.", 12),
            "in_repair": _number("Pieces that cannot go out.", 1),
            "shelf": _text("Where they stand.", "B-07"),
        },
    ),
    "Booking": _object(
        "Equipment that a customer has for some days.",
        "customer_id starts_on ends_on",
        {
            "number": _read_only(_text("Number that is printed on papers.", "B-1042")),
            "customer_id": _text("Customer of the booking.", "cus_0042"),
            "status": _read_only(_one_of("Where the booking is on its way.", BOOKING)),
            "depot_id": _text("Depot that the equipment leaves from.", "dep_0001"),
            "starts_on": _text("First day.", "2026-11-02", format="date"),
            "ends_on": _text("Last day; not before the first.", "2026-11-05", format="date"),
            "total_cents": _read_only(_number("Price without tax, in cents.", 124900)),
            "deposit_cents": _read_only(_number("Deposits of all lines, in cents.", 40000)),
            "currency": _CURRENCY,
            "delivery_address": _address("Where the equipment goes."),
            "reference": _text("What the customer calls the booking.", "PO 7731"),
            "tags": {"type": "array", "items": {"type": "string"}, "description": "Free labels."},
            "placed_by": _text("Member of staff who took the booking.", "Eva Berg"),
            "source": _one_of("How the booking came.", ("phone", "web", "shop")),
            "notes": _NOTES,
        },
    ),
    "Line": _object(
        "Some pieces of one item in a booking.",
        "item_id quantity",
        {
            "booking_id": _read_only(_text("Booking of the line.", "bkg_0042")),
            "item_id": _text("The item.", "itm_0001"),
            "quantity": _number("How many pieces.", 12, minimum=1),
            "discount_percent": _number("Discount on the price.", 10, minimum=0, maximum=100),
            "notes": _NOTES,
        },
    ),
    "Comment": _object(
        "What somebody wrote beside a booking.",
        "text",
        {
            "booking_id": _read_only(_text("Booking of the comment.", "bkg_0042")),
            "author": _read_only(_text("Who wrote it.", "Eva Berg")),
            "text": _text("The comment.", "The customer wants them before noon."),
            "is_internal": _flag("Whether the customer does not see it."),
        },
    ),
    "Invoice": _object(
        "What a customer is to pay.",
        "customer_id",
        {
            "number": _read_only(_text("Number that is printed on papers.", "I-1042")),
            "customer_id": _text("Customer who pays.", "cus_0042"),
            "booking_id": _text("Booking that is paid for.", "bkg_0042"),
            "status": _read_only(_one_of("Where the invoice is on its way.", INVOICE)),
            "issued_on": _text("Day of the invoice.", "2026-10-01", format="date"),
            "due_on": _text("Day by which it is to be paid.", "2026-10-31", format="date"),
            "net_cents": _number("Amount without tax, in cents.", 100000),
            "tax_cents": _number("Tax, in cents.", 25000),
            "total_cents": _read_only(_number("Amount with tax, in cents.", 125000)),
            "paid_cents": _read_only(_number("What was paid so far, in cents.", 50000)),
            "currency": _CURRENCY,
            "billing_address": _address("Where the invoice went."),
            "reminders": _read_only(_number("Reminders that were sent.", 1)),
            "pdf_url": _read_only(_text("The invoice as PDF.", "https://hire.example/i.pdf")),
            "notes": _NOTES,
        },
    ),
    "Payment": _object(
        "Money that came for an invoice.",
        "amount_cents method",
        {
            "invoice_id": _read_only(_text("Invoice that was paid.", "inv_0042")),
            "amount_cents": _number("Amount in cents.", 50000, minimum=1),
            "method": _one_of("How it was paid.", ("transfer", "card", "cash")),
            "reference": _text("Text of the bank.", "I-1042"),
            "received_on": _text("Day on which it came.", "2026-10-20", format="date"),
        },
    ),
    "Driver": _object(
        "Somebody who brings equipment.",
        "name",
        {
            "name": _text("First and last name.", "Hal Ilic"),
            "phone": _text("Telephone number with country code.", "+47 55 00 10 44"),
            "depot_id": _text("Depot of the driver.", "dep_0001"),
            "licence_classes": {
                "type": "array",
                "items": {"type": "string", "enum": ["B", "C1", "C", "CE"]},
                "description": "Classes of the driving licence.",
            },
            "is_active": _flag("Whether the driver works here."),
            "notes": _NOTES,
        },
    ),
    "Shift": _object(
        "Hours that a driver works.",
        "driver_id starts_at ends_at",
        {
            "driver_id": _read_only(_text("The driver.", "drv_0001")),
            "starts_at": _time("When the shift begins."),
            "ends_at": _time("When the shift ends."),
            "kind": _one_of("What the hours are for.", ("drive", "yard", "leave", "training")),
            "notes": _NOTES,
        },
    ),
    "Vehicle": _object(
        "A van or lorry.",
        "plate",
        {
            "plate": _text("Number plate.", "SV 12345"),
            "depot_id": _text("Depot of the vehicle.", "dep_0001"),
            "status": _one_of("Whether it can go out.", ("available", "in_repair", "sold")),
            "payload_kg": _number("What it may carry.", 1200),
            "next_inspection_on": _text("Day of the inspection.", "2027-03-01", format="date"),
            "notes": _NOTES,
        },
    ),
    "Delivery": _object(
        "A drive with the equipment of a booking.",
        "booking_id due_at",
        {
            "booking_id": _text("Booking of the delivery.", "bkg_0042"),
            "driver_id": _text("Driver who brings it.", "drv_0001"),
            "vehicle_id": _text("Vehicle that it goes with.", "veh_0001"),
            "status": _read_only(_one_of("How far it is.", ("planned", "on_way", "done"))),
            "due_at": _time("When it has to be there."),
            "notes": _NOTES,
        },
    ),
    "Depot": _object(
        "A place where equipment is kept.",
        "name",
        {
            "name": _text("Name of the depot.", "Bergen"),
            "address": _address("Where it is."),
            "opens_at": _text("Time at which it opens.", "07:00"),
            "closes_at": _text("Time at which it closes.", "18:00"),
        },
    ),
    "Category": _object(
        "A part of the catalogue.",
        "name",
        {
            "name": _text("Name of the category.", "Power"),
            "parent_id": _text("Category that this one is part of.", "cat_0001"),
            "position": _number("Place in the catalogue.", 3),
        },
    ),
    "Webhook": _object(
        "An address that is called when something happens.",
        "target events",
        {
            "target": _text("URL that is called; https only.", "https://crm.example/hire"),
            "events": {
                "type": "array",
                "items": {"type": "string"},
                "description": "Names of events, such as booking.confirmed.",
            },
            "is_active": _flag("Whether it is called."),
        },
    ),
    "ReportJob": _object(
        "A report that is made in the background.",
        "kind from to",
        {
            "kind": _one_of("What is counted.", ("utilisation", "revenue", "stock_valuation")),
            "from": _text("First day that counts.", "2026-10-01", format="date"),
            "to": _text("Last day that counts.", "2026-10-31", format="date"),
            "status": _read_only(_one_of("How far it is.", ("running", "done"))),
            "result": {
                "type": ["integer", "null"],
                "description": "The figure, once it is done.",
                "examples": [7133],
                "readOnly": True,
            },
        },
    ),
}


def sample(name: str, number: int, chance: random.Random) -> Record:
    """A record of that schema, without an id."""
    properties = SCHEMAS[name]["properties"]
    return {key: _value(each, number, chance) for key, each in properties.items() if key != "id"}


def _value(schema: Schema, number: int, chance: random.Random) -> Any:
    if "enum" in schema:
        return chance.choice(schema["enum"])
    match schema["type"]:
        case "object":
            return {key: _value(each, number, chance) for key, each in schema["properties"].items()}
        case "array":
            return [_value(schema["items"], number, chance)] if "enum" in schema["items"] else []
        case "integer" | ["integer", "null"]:
            return schema["examples"][0] + chance.randrange(0, 900) * (schema["examples"][0] > 99)
        case "boolean":
            return chance.random() < 0.8
        case _:
            return schema["examples"][0].replace("1042", str(1000 + number))
