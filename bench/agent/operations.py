"""The operations of the hire desk: one table of what its document says, and of what they do."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bench.agent.schemas import BOOKING, INVOICE, SCHEMAS, Record, Schema
from bench.agent.store import MOST, PAGE, Refusal, Store


@dataclass(frozen=True)
class Call:
    """A request that was read."""

    store: Store
    ids: Mapping[str, str]
    query: Mapping[str, str]
    body: Record
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Answer:
    """What an operation answers, with its own status where nothing went wrong."""

    data: Any = None
    tag: str = ""


@dataclass(frozen=True)
class Operation:
    """An operation, as the document has it, and what it does."""

    name: str
    method: str
    path: str
    area: str
    summary: str
    run: Callable[[Call], Answer]
    about: str = ""
    query: Sequence[tuple[str, Schema, str]] = ()
    """The parameters of the query, each with its schema and description."""
    body: Schema | None = None
    answer: Schema | None = None
    status: int = 200
    is_tagged: bool = False
    """Whether answers have an `ETag`, and changes take `If-Match`."""
    is_deprecated: bool = False


_TEXT: Schema = {"type": "string"}
_DAY: Schema = {"type": "string", "format": "date"}


def _reference(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _listed(name: str) -> Schema:
    return {
        "type": "object",
        "required": ["data", "has_more"],
        "properties": {
            "data": {"type": "array", "items": _reference(name)},
            "has_more": {"type": "boolean", "description": "Whether a further page is there."},
            "next_cursor": {"type": "string", "description": "Cursor of the next page."},
        },
    }


def _given(name: str, *, change: bool = False) -> Schema:
    """The body that makes an object, or changes one."""
    schema = SCHEMAS[name]
    own = {k: v for k, v in schema["properties"].items() if not v.get("readOnly")}
    body: Schema = {"type": "object", "properties": own}
    return body if change else {**body, "required": schema["required"]}


def _parent(name: str, path: str) -> Callable[[Call], Record]:
    """The members that the path gives an object of a collection."""

    def members(call: Call) -> Record:
        for key, value in call.ids.items():
            owner = key.removesuffix("_id").title()
            if owner != name and owner in SCHEMAS:
                call.store.get(owner, value)
        return {k: v for k, v in call.ids.items() if f"/{{{k}}}/" in f"{path}/"}

    return members


def _page(rows: Sequence[Record], call: Call) -> Record:
    size = min(int(call.query.get("limit", PAGE)), MOST)
    cursor = call.query.get("cursor")
    start = int(base64.b64decode(cursor).decode()[2:]) if cursor else 0
    data = rows[start : start + size]
    if names := call.query.get("fields"):
        wanted = names.split(",")
        data = [{k: v for k, v in each.items() if k in wanted} for each in data]
    following = {"has_more": start + size < len(rows)}
    if following["has_more"]:
        token = base64.b64encode(f"o:{start + size}".encode()).decode()
        return {"data": data, **following, "next_cursor": token}
    return {"data": data, **following}


def collection(
    name: str,
    path: str,
    area: str,
    *,
    makes: str = "lgcpd",
    filters: Sequence[tuple[str, Schema, str]] = (),
    has_fields: bool = False,
    is_tagged: bool = False,
) -> Iterator[Operation]:
    """The operations of a collection: list, get, create, patch, delete."""
    words = {"ReportJob": "report job"}.get(name, name.lower())
    plural = {"Category": "Categories", "Delivery": "Deliveries"}.get(name, f"{name}s")
    many = plural.lower() if name != "ReportJob" else "report jobs"
    key = f"{words.replace(' ', '_')}_id"
    one = f"{path}/{{{key}}}"
    members = _parent(name, path)
    searched = ("name", "number", "reference", "sku", "plate")

    def read(call: Call) -> Answer:
        rows = call.store.rows(name, **members(call))
        for parameter, _, _ in filters:
            if parameter not in call.query:
                continue
            value = call.query[parameter]
            if parameter == "q":
                rows = [r for r in rows if any(value in str(r.get(k, "")) for k in searched)]
            elif parameter == "sort":
                field = value.lstrip("-")
                rows = sorted(rows, key=lambda row: str(row[field]), reverse=value[0] == "-")
            elif parameter == "from":
                rows = [row for row in rows if row["starts_at"] >= value]
            else:
                rows = [row for row in rows if row.get(parameter) == value]
        return Answer(_page(rows, call))

    def get(call: Call) -> Answer:
        record = call.store.get(name, call.ids[key])
        return Answer(record, tag=call.store.tag(record["id"]) if is_tagged else "")

    def create(call: Call) -> Answer:
        lacking = [each for each in SCHEMAS[name]["required"] if each not in call.body]
        if lacking:
            raise Refusal(422, f"{lacking[0]} is required.", errors=[{"pointer": lacking[0]}])
        if name == "Line":
            _check_pack(call)
        more = {"status": "running"} if name == "ReportJob" else {}
        return Answer(call.store.add(name, **more, **members(call), **call.body))

    def patch(call: Call) -> Answer:
        record = call.store.get(name, call.ids[key])
        if record["id"] in call.store.meanwhile:
            call.store.meanwhile.discard(record["id"])
            call.store.versions[record["id"]] += 1
        if is_tagged and call.headers.get("if-match") not in (None, call.store.tag(record["id"])):
            raise Refusal(412, "Somebody changed it since it was read.")
        record = call.store.change(name, record["id"], call.body)
        return Answer(record, tag=call.store.tag(record["id"]) if is_tagged else "")

    def delete(call: Call) -> Answer:
        record = call.store.get(name, call.ids[key])
        del call.store.tables[name][record["id"]]
        return Answer()

    paging = [
        ("limit", {"type": "integer", "minimum": 1, "maximum": MOST, "default": PAGE},
         "How many are answered at once."),
        ("cursor", _TEXT, "Where the list goes on: `next_cursor` of the page before."),
    ]  # fmt: skip
    if has_fields:
        about = "Only these members of each, separated by commas; all without it."
        paging.append(("fields", _TEXT, about))
    article = "an" if words[0] in "aeiou" else "a"
    if "l" in makes:
        yield Operation(
            f"list{plural}", "GET", path, area, f"List {many}", read,
            f"Answers {many}, the oldest first, a page at a time.",
            [*filters, *paging], answer=_listed(name),
        )  # fmt: skip
    if "g" in makes:
        yield Operation(
            f"get{name}", "GET", one, area, f"Get {article} {words}", get,
            answer=_reference(name), is_tagged=is_tagged,
        )  # fmt: skip
    if "c" in makes:
        yield Operation(
            f"create{name}", "POST", path, area, f"Create {article} {words}", create,
            body=_given(name), answer=_reference(name), status=201,
        )  # fmt: skip
    if "p" in makes:
        yield Operation(
            f"update{name}", "PATCH", one, area, f"Change {article} {words}", patch,
            f"Changes the members that the body has; the rest of the {words} stays.",
            body=_given(name, change=True), answer=_reference(name), is_tagged=is_tagged,
        )  # fmt: skip
    if "d" in makes:
        yield Operation(
            f"delete{name}", "DELETE", one, area, f"Delete {article} {words}", delete,
            f"Removes the {words} for good.", status=204,
        )  # fmt: skip


def _check_pack(call: Call) -> None:
    pack = call.store.get("Item", call.body["item_id"])["pack_size"]
    if call.body["quantity"] % pack:
        raise Refusal(422, f"This item goes out in packs of {pack}: quantity must be a multiple.")


def _moved(name: str, key: str, status: str, *allowed: str) -> Callable[[Call], Answer]:
    """Gives an object another status, where it has one of those that are allowed."""

    def run(call: Call) -> Answer:
        record = call.store.get(name, call.ids[key])
        if record["status"] not in allowed:
            text = f"A {name.lower()} that is {record['status']} cannot become {status}."
            raise Refusal(409, text)
        return Answer(call.store.change(name, record["id"], {"status": status}))

    return run


def _tag(call: Call) -> Answer:
    booking = call.store.get("Booking", call.ids["booking_id"])
    booking["tags"] = sorted({*booking["tags"], call.ids["tag"]})
    return Answer(booking)


def _untag(call: Call) -> Answer:
    booking = call.store.get("Booking", call.ids["booking_id"])
    booking["tags"] = [tag for tag in booking["tags"] if tag != call.ids["tag"]]
    return Answer()


def _tag_many(call: Call) -> Answer:
    for key in call.body["booking_ids"]:
        booking = call.store.get("Booking", key)
        booking["tags"] = sorted({*booking["tags"], *call.body["tags"]})
    return Answer({"changed": len(call.body["booking_ids"])})


def _stock(call: Call) -> Answer:
    item = call.store.get("Item", call.ids["item_id"])
    return Answer(call.store.rows("Stock", item_id=item["id"]))


def _pay(call: Call) -> Answer:
    invoice = call.store.get("Invoice", call.ids["invoice_id"])
    rest = invoice["total_cents"] - invoice["paid_cents"]
    if call.body["amount_cents"] > rest:
        raise Refusal(422, f"Only {rest} is left to pay.")
    paid = invoice["paid_cents"] + call.body["amount_cents"]
    status = "paid" if paid == invoice["total_cents"] else invoice["status"]
    call.store.change("Invoice", invoice["id"], {"paid_cents": paid, "status": status})
    return Answer(call.store.add("Payment", invoice_id=invoice["id"], **call.body))


def _report(call: Call) -> Answer:
    job = call.store.get("ReportJob", call.ids["report_job_id"])
    answer = dict(job)
    job["status"] = "done"
    return Answer(answer if answer["status"] == "done" else {**answer, "result": None})


def _assigned(call: Call) -> Answer:
    call.store.get("Driver", call.body["driver_id"])
    return Answer(call.store.change("Delivery", call.ids["delivery_id"], call.body))


def _summary(call: Call) -> Answer:
    rows = call.store.rows("Booking", depot_id=call.ids["depot_id"])
    return Answer({"depot_id": call.ids["depot_id"], "bookings": len(rows)})


def _action(
    name: str, path: str, area: str, summary: str, run: Callable[[Call], Answer], answer: str,
    about: str = "", body: Schema | None = None, *, status: int = 200, is_deprecated: bool = False,
) -> Operation:  # fmt: skip
    return Operation(
        name, "POST", path, area, summary, run, about,
        body=body, answer=_reference(answer), status=status, is_deprecated=is_deprecated,
    )  # fmt: skip


def _body(**properties: Schema) -> Schema:
    return {"type": "object", "required": list(properties), "properties": properties}


_Q = ("q", _TEXT, "Words of the name, number or reference.")
_SORT = ("sort", _TEXT, "Member to sort by, with - before it for the newest or largest first.")
_OF_CUSTOMER = ("customer_id", _TEXT, "Only those of this customer.")
_OF_DEPOT = ("depot_id", _TEXT, "Only those of this depot.")
_BOOKING_STATUS: Schema = {"type": "string", "enum": list(BOOKING)}
_INVOICE_STATUS: Schema = {"type": "string", "enum": list(INVOICE)}
_IDS: Schema = {"type": "array", "items": _TEXT, "minItems": 1, "maxItems": 100}


def _operations() -> Iterator[Operation]:
    booking, invoice = "/bookings/{booking_id}", "/invoices/{invoice_id}"
    status = ("status", {"type": "string", "enum": ["active", "blocked", "prospect"]}, "Status.")
    yield from collection("Customer", "/customers", "customers", filters=[_Q, status])
    yield from collection("Contact", "/customers/{customer_id}/contacts", "customers")
    category = ("category_id", _TEXT, "Only those of this category.")
    sku = ("sku", _TEXT, "Only the item of this stock-keeping unit.")
    yield from collection("Item", "/items", "catalogue", filters=[_Q, sku, category])
    yield Operation(
        "getItemStock", "GET", "/items/{item_id}/stock", "catalogue",
        "Get the stock of an item", _stock, "How many pieces each depot has.",
        answer={"type": "array", "items": _reference("Stock")},
    )  # fmt: skip
    yield from collection("Category", "/categories", "catalogue")
    yield from collection("Depot", "/depots", "depots", makes="lg")
    yield Operation(
        "getDepotSummary", "GET", "/depots/{depot_id}/summary", "depots",
        "Get what a depot has to do", _summary,
        answer=_body(depot_id=_TEXT, bookings={"type": "integer"}),
    )  # fmt: skip
    filters = [_Q, ("status", _BOOKING_STATUS, "Only those with this status."), _OF_CUSTOMER]
    filters += [_OF_DEPOT, ("starts_on", _DAY, "Only those that start on this day."), _SORT]
    yield from collection(
        "Booking", "/bookings", "bookings", filters=filters, has_fields=True, is_tagged=True
    )
    for verb, now, *allowed in (
        ("confirm", "confirmed", "draft", "open"), ("cancel", "cancelled", "open", "confirmed"),
        ("checkOut", "out", "confirmed"), ("return", "returned", "out"),
    ):  # fmt: skip
        summary = f"{verb.replace('checkOut', 'check out').capitalize()} a booking"
        run = _moved("Booking", "booking_id", now, *allowed)
        path = f"{booking}/{verb.lower()}"
        yield _action(f"{verb}Booking", path, "bookings", summary, run, "Booking")
    yield _action(
        "closeBooking", f"{booking}/close", "bookings", "Close a booking",
        _moved("Booking", "booking_id", "returned", "out"), "Booking",
        "Use POST /bookings/{booking_id}/return.", is_deprecated=True,
    )  # fmt: skip
    yield from collection("Line", f"{booking}/lines", "bookings")
    yield from collection("Comment", f"{booking}/comments", "bookings", makes="lcd")
    tagged = {"area": "bookings", "answer": _reference("Booking")}
    tag = f"{booking}/tags/{{tag}}"
    yield Operation("tagBooking", "PUT", tag, summary="Tag a booking", run=_tag, **tagged)  # type: ignore[arg-type]
    yield Operation(
        "untagBooking", "DELETE", tag, "bookings", "Take a tag from a booking", _untag,
        status=204,
    )  # fmt: skip
    yield Operation(
        "tagBookings", "POST", "/bookings/tags", "bookings", "Tag many bookings", _tag_many,
        body=_body(booking_ids=_IDS, tags=_IDS), answer=_body(changed={"type": "integer"}),
    )  # fmt: skip
    filters = [_Q, ("status", _INVOICE_STATUS, "Only those with this status."), _OF_CUSTOMER]
    filters += [("currency", _TEXT, "Only those in this currency."), _SORT]
    yield from collection("Invoice", "/invoices", "invoices", filters=filters, has_fields=True)
    for verb, now, *allowed in (("send", "sent", "draft"), ("void", "void", "sent", "overdue")):
        run = _moved("Invoice", "invoice_id", now, *allowed)
        summary = f"{verb.title()} an invoice"
        yield _action(f"{verb}Invoice", f"{invoice}/{verb}", "invoices", summary, run, "Invoice")
    yield from collection("Payment", f"{invoice}/payments", "invoices", makes="lg")
    yield _action(
        "createPayment", f"{invoice}/payments", "invoices", "Record a payment of an invoice", _pay,
        "Payment", "An invoice that is paid as a whole becomes `paid`.", _given("Payment"),
        status=201,
    )  # fmt: skip
    yield from collection("Driver", "/drivers", "fleet", filters=[_Q, _OF_DEPOT])
    starts = ("from", {"type": "string", "format": "date"}, "Only shifts that start from this day.")
    yield from collection("Shift", "/drivers/{driver_id}/shifts", "fleet", filters=[starts])
    yield from collection("Vehicle", "/vehicles", "fleet", filters=[_Q, _OF_DEPOT], makes="lgcp")
    yield from collection("Delivery", "/deliveries", "fleet", filters=[_OF_DEPOT], makes="lgcpd")
    yield _action(
        "assignDriver", "/deliveries/{delivery_id}/driver", "fleet", "Give a delivery a driver",
        _assigned, "Delivery", body=_body(driver_id=_TEXT),
    )  # fmt: skip
    yield from collection("Webhook", "/webhooks", "settings", makes="lgcd")
    yield from collection("ReportJob", "/reports/jobs", "reports", makes="lc")
    yield Operation(
        "getReportJob", "GET", "/reports/jobs/{report_job_id}", "reports", "Get a report job",
        _report, "Ask again until `status` is `done`.", answer=_reference("ReportJob"),
    )  # fmt: skip


OPERATIONS: dict[str, Operation] = {each.name: each for each in _operations()}


def document() -> dict[str, Any]:
    """The OpenAPI document of the hire desk."""
    paths: dict[str, dict[str, Any]] = {}
    for each in OPERATIONS.values():
        paths.setdefault(each.path, {})[each.method.lower()] = _written(each)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Hire desk",
            "version": "2.4.0",
            "description": "Equipment for hire: customers, bookings, invoices and deliveries.",
        },
        "servers": [{"url": "https://api.hire.example/v2"}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _written(operation: Operation) -> dict[str, Any]:
    variables = [part[1:-1] for part in operation.path.split("/") if part[:1] == "{"]
    parameters = [
        {"name": v, "in": "path", "required": True, "schema": _TEXT} for v in variables
    ] + [
        {"name": name, "in": "query", "schema": schema, "description": about}
        for name, schema, about in operation.query
    ]
    if operation.is_tagged and operation.method == "PATCH":
        about = "The entity tag of the version that is changed; 412 where it is not the last."
        parameters.append(
            {"name": "If-Match", "in": "header", "schema": _TEXT, "description": about}
        )
    answer: dict[str, Any] = {"description": "Done."}
    if operation.answer:
        answer["content"] = {"application/json": {"schema": operation.answer}}
    if operation.is_tagged:
        about = "Version of the object, for If-Match."
        answer["headers"] = {"ETag": {"schema": _TEXT, "description": about}}
    written: dict[str, Any] = {
        "operationId": operation.name,
        "tags": [operation.area],
        "summary": operation.summary,
        "description": operation.about or f"{operation.summary}.",
        "parameters": parameters,
        "responses": {
            str(operation.status): answer,
            "404": {"description": "There is no such object."},
        },
    }
    if operation.body:
        content = {"application/json": {"schema": operation.body}}
        written["requestBody"] = {"required": True, "content": content}
    if operation.is_deprecated:
        written["deprecated"] = True
    return written
