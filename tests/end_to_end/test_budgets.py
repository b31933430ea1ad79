"""What of an answer a model reads: a budget of tokens, and what helps where it is over."""

import json

from .servers import of_document
from .upstream import Answer

ORDERS = {"data": [{"id": number, "note": "Δ" * 40} for number in range(1000)], "more": False}

orders = of_document(
    "orders-in-budget",
    "--package",
    "orders_in_budget",
    "--surface",
    "search",
    settings="[tools.listAll]\nresult_tokens = 25000\n",
)


def test_a_tool_is_given_more_and_clients_are_told(orders):
    meta = orders.tools["listAll"].meta
    assert meta
    assert meta["anthropic/maxResultSizeChars"] == 100_000
    assert orders.tools["listOrders"].meta == {"io.modelcontextprotocol/groups": ["orders"]}
    call = orders.call("listAll", {}, Answer.of(ORDERS))
    assert 99_000 < len(call.texts[0].encode()) <= 100_000
    assert "Ask for less, if the tool has arguments" in call.texts[1]
    assert len(orders.call("listAll", {}, Answer.of(ORDERS), max_result_bytes=500).texts[0]) <= 500


def test_copies_and_texts_have_a_budget(orders):
    call = orders.call("listOrders", {}, Answer.of(ORDERS))
    text, note = call.texts
    assert 39_000 < len(text.encode()) <= 40_000
    assert json.loads(text) == call.result.structured_content
    shown = len(call.result.structured_content["data"])
    assert note == (
        f"Shown: {shown} of 1,000 items of `data` (all: about 25,228 tokens). "
        "Ask for less by status, limit, or raise ORDERS_IN_BUDGET_RESULT_TOKENS."
    )
    small = orders.call("listOrders", {}, Answer.of(ORDERS), result_tokens=100)
    assert len(small.texts[0].encode()) <= 400
    long = Answer(body=b"x" * 50_000, content_type="text/plain")
    text, note = orders.call("nameOrders", {}, long).texts[:2]
    assert len(text) == 40_000
    assert "40,000 of 50,000 characters (all: about 12,500 tokens)" in note
