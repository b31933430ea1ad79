"""What an agent reads of a tool: all that a call needs, said once and briefly."""

from tables import table

from .servers import Server, of_document

COMMENT = "Shown beside the order in the shop's own list, and nowhere else."
orders = of_document("orders", "--surface", "search")


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
