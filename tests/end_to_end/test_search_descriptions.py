"""What an agent reads of a tool: all that a call needs, said once and briefly."""

from typing import Any

from tables import table

from .servers import Server, of_document

LONG = (
    "The day on which it was placed. Days are counted where the shop is. Must be a date of the "
    "last year. Nobody knows why."
)
COMMENT = "Shown beside the order in the shop's own list, and nowhere else."
ORDER = {
    "type": "object",
    "properties": {
        name: {"type": "string"}
        for name in ("id", "placed", "customer", "total", "currency", "state")
    },
}


def operation(name: str, summary: str, answer: Any = None, **more: Any) -> dict[str, Any]:
    content = {"content": {"application/json": {"schema": answer}}} if answer else {}
    responses = {"200": {"description": "", **content}}
    return {"operationId": name, "summary": summary, "responses": responses, **more}


def parameter(name: str, schema: Any, place: str = "query", **more: Any) -> dict[str, Any]:
    return {"name": name, "in": place, "required": place == "path", "schema": schema, **more}


def one_of(*forms: Any) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": {"anyOf": [*forms]}}}}


def document() -> dict[str, Any]:
    text = {"type": "string"}
    sid = {**text, "minLength": 4, "maxLength": 4, "pattern": "^C[0-9]{3}$"}
    slug = {**text, "maxLength": 63, "pattern": "^[a-z]+$"}
    placed = {**text, "examples": ["2026-03-17"], "description": LONG}
    note = {**text, "description": COMMENT}
    order = parameter("order_id", sid, "path")
    body = {
        "type": "object",
        "required": ["item", "role"],
        "properties": {"item": text, "role": text, "note": note},
    }
    share = {"requestBody": {"content": {"application/json": {"schema": body}}}}
    changes = {"type": "object", "description": "Patch gives a concrete name and type."}
    patch = {"content": {"application/merge-patch+json": {"schema": changes}}}
    listing = {"type": "object", "properties": {"orders": {"type": "array", "items": ORDER}}}
    place = operation(
        "placeOrder",
        "Place an order",
        ORDER,
        description="Answers at once; watch it by `GET /orders/{id}`. See also `GET /nowhere`.",
        parameters=[
            parameter("placed", placed),
            parameter("slug", slug),
            parameter("note", note),
            parameter("count", {"type": "integer", "format": "int64", "examples": [7]}),
        ],
    )
    currency = {**text, "enum": [f"C{number:02}" for number in range(20)]}
    about = {"description": "An order without its id", "required": True}
    members = {
        "buyer": {**text, "maxLength": 40, "description": "max length = 40"},
        "currency": currency,
        "in": {**currency, "description": "Another one"},
    }
    booked = {"application/json": {"schema": {"type": "object", "properties": members}}}
    book = operation("bookOrder", "Book an order", ORDER)
    book["requestBody"] = {**about, "content": booked}
    book["responses"]["200"]["description"] = "The order."
    needing, open_ = (
        {"type": "object", "properties": {"note": text}, **each}
        for each in ({"required": ["note"]}, {})
    )
    other = {"type": "object", "required": ["ids"], "properties": {"ids": {"type": "array"}}}
    forms, noted = one_of(needing, other), one_of(needing)
    lists = one_of({"type": "array", "items": text}, text)
    fields = {"type": "array", "items": text}
    listed = [parameter("fields", fields, explode=False, description="Comma-separated names.")]
    listed += [parameter("tags", fields, explode=False, description="Its tags.")]
    variable = parameter("name", text, "path", description="The name. Must be URL encoded.")
    return {
        "openapi": "3.1.0",
        "info": {"title": "Orders", "version": "1"},
        "servers": [{"url": "https://orders.example"}],
        "paths": {
            "/orders": {
                "get": operation("listOrders", "All orders", listing, parameters=listed),
                "post": place,
            },
            "/orders/{order_id}": {
                "parameters": [order],
                "get": operation("getOrder", "One order", ORDER),
                "patch": operation("changeOrder", "Change an order", requestBody=patch),
                "put": operation(
                    "share", "Share an order", ORDER, parameters=[parameter("note", note)]
                ),
            },
            "/orders/{order_id}/shares": {
                "parameters": [order],
                "post": operation("addShare", "Share an order with somebody", ORDER, **share),
                "delete": operation("dropShare", "Share it no more", **share),
            },
            "/orders/book": {"put": book},
            "/orders/search": {"post": operation("searchOrders", "Search", requestBody=forms)},
            "/orders/note": {
                "put": operation(
                    "putNote", "Put a note", parameters=[parameter("note", text)], requestBody=noted
                )
            },
            "/orders/touch": {
                "post": operation("touchOrders", "Touch orders", requestBody=one_of(needing, open_))
            },
            "/orders/{order_id}/tags": {
                "parameters": [order],
                "put": operation("putTags", "Put tags", requestBody=lists),
                "post": operation(
                    "addTags", "Add tags", parameters=[parameter("by", text)], requestBody=lists
                ),
            },
            "/variables/{name}": {"get": operation("getVariable", "One", parameters=[variable])},
        },
    }


orders = of_document(document(), "--surface", "search")


def described(server: Server, *names: str) -> list[str]:
    text: str = server.call("describe_tools", {"names": [*names]}, surface="search").text
    return text.split("\n\n")


@table(
    "tool, line",
    ("placeOrder", "Place an order. Answers at once; watch it by `getOrder`. See also"),
    ("placeOrder", "The day on which it was placed. Must be a date of the last year.; e.g."),
    ("placeOrder", 'last year.; e.g. "2026-03-17"\n'),
    ("placeOrder", "  slug?: string  // at most 63 characters; matches ^[a-z]+$\n"),
    ("placeOrder", "  count?: integer\n"),
    ("getOrder", "  order_id: string  // matches ^C[0-9]{3}$; from listOrders\n"),
    ("changeOrder", "The body is a JSON merge patch: only what it has changes, and null removes."),
    ("bookOrder", "Request body: An order without its id. Returns: The order.\n"),
    ("bookOrder", "  buyer?: string  // max length = 40\n"),
    ("bookOrder", "  in?: as currency above  // Another one\n"),
    ("getVariable", "Must be URL encoded. Give it as it is: it is encoded for you.\n"),
)
def test_a_text_says_what_a_call_needs(orders, tool, line):
    assert line in described(orders, tool)[0]


def test_what_looks_required_and_is_said_once(orders):
    place, share, get = described(orders, "placeOrder", "share", "getOrder")
    assert COMMENT in place
    assert "  note?: string\n" in share
    assert place.endswith("answers {id, placed, customer, total, currency, state}")
    assert share.endswith("answers as placeOrder")
    assert get.endswith("answers as placeOrder")
    (alone,) = described(orders, "share")
    assert COMMENT in alone
    assert alone.endswith("answers {id, placed, customer, total, currency, state}")
    (text,) = described(orders, "addShare")
    assert "  item: string\n  role: string\n  note?: string" in text
    found = orders.call("find_tools", {"query": "share somebody"}, surface="search").text
    assert "; each takes order_id:\n" in found
    assert "\naddShare(…) - " in found, "its definition follows"
    assert "\nshare(note?) - " in found
    assert "  item?: string\n  role?: string\n" in described(orders, "dropShare")[0]
    search, put, touch = described(orders, "searchOrders", "putNote", "touchOrders")
    assert "  body: {" in search
    assert "  body?: {" in put, "what it needs can be given beside it"
    assert "  body?: {" in touch, "one of its forms may be empty"
    put, add = described(orders, "putTags", "addTags")
    assert "  body: string[] | string" in put, "without it, nothing is given"
    assert "  body?: string[] | string" in add


def test_variables_and_texts_of_arrays_go_out(orders):
    call = orders.call(
        "call_read_tool", {"name": "getVariable", "arguments": {"name": "a/b"}}, surface="search"
    )
    assert call.request.target == "/variables/a%2Fb"

    def listing(**arguments):
        given = {"name": "listOrders", "arguments": arguments}
        return orders.call("call_read_tool", given, surface="search")

    assert listing(fields="id, total").request.target == "/orders?fields=id,total"
    assert listing(fields="id").request.target == "/orders?fields=id"
    assert listing(fields=["id", "a,b"]).request.target == "/orders?fields=id,a%2Cb"
    assert "`tags` must be an array" in listing(tags="a,b").refused
    assert "`GET /nowhere`" in described(orders, "placeOrder")[0]
    arguments = {"name": "addShare", "arguments": {"order_id": "C123"}}
    call = orders.call("call_write_tool", arguments, surface="search")
    assert call.request.target == "/orders/C123/shares"
    assert not call.request.body
