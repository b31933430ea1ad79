"""What the handlers do; this file is the author's own."""

from __future__ import annotations

from typing import Any

import pytest
from mcp.client import Client
from mcp_types import ElicitResult, TextContent

from .conftest import FakeApi, server, text_of

pytestmark = pytest.mark.anyio

ROPE = {"sku": "RO-1", "price": 900}
LAMP = {"sku": "LA-9", "price": 4000, "parts": [{"sku": "WI-3", "price": 100}]}


@pytest.mark.parametrize(("customer", "total"), [("crew", 5000), ("captain", 4500)])
async def test_a_quote_counts_the_parts(client: Client, customer: str, total: int) -> None:
    arguments = {"items": [ROPE, LAMP], "customer-class": customer}
    result = await client.call_tool("quote", arguments)
    lines = ["RO-1: 900 øre", "LA-9: 4100 øre"]
    assert result.structured_content == {"total": total, "lines": lines}


async def test_knots_are_a_list(client: Client) -> None:
    result = await client.call_tool("knots")
    assert "bowline" in result.structured_content


async def test_a_label_is_a_drawing_of_its_text(client: Client) -> None:
    """Models read SVG as text: as a picture they take none."""
    (block,) = (await client.call_tool("label", {"text": "rice & <salt>"})).content
    assert isinstance(block, TextContent)
    assert block.text.startswith("<svg ")
    assert "rice &amp; &lt;salt&gt;" in block.text


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        (ElicitResult(action="accept", content={"sure": True}), 38),
        (ElicitResult(action="accept", content={"sure": False}), 40),
        (ElicitResult(action="decline"), 40),
    ],
)
async def test_an_order_is_placed_when_the_user_says_so(answer: ElicitResult, left: int) -> None:
    questions = []

    async def user(context: Any, params: Any) -> ElicitResult:
        questions.append(params.message)
        return answer

    async with Client(server(FakeApi()), elicitation_callback=user) as client:
        result = await client.call_tool("order", {"sku": "RO-1", "count": 2})
        stock = await client.call_tool("count_stock", {"shelf": 1})
    assert questions == ["Order 2 of RO-1?"]
    assert result.structured_content["ordered"] is (left == 38)
    assert stock.structured_content == {"RO-1": left}


async def test_what_is_not_sold_is_named(client: Client) -> None:
    result = await client.call_tool("order", {"sku": "ZZ-1", "count": 1})
    assert result.is_error
    assert text_of(result) == "`ZZ-1` is not sold here. There is: RO-1, RO-2, LA-9."


async def test_counting_reports_its_progress(client: Client) -> None:
    seen = []

    async def told(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, total, message))

    result = await client.call_tool("count_stock", progress_callback=told)
    assert result.structured_content == {"RO-1": 40, "RO-2": 25, "LA-9": 6}
    assert seen[-1] == (3, 3, "counted LA-9")


async def test_facts_add_up() -> None:
    async with Client(server(FakeApi())) as client:
        await client.call_tool("remember", {"fact1": "tar sticks"})
        result = await client.call_tool("remember", {"fact2": "rope rots"})
    assert text_of(result) == "2 facts are known: fact1, fact2."
