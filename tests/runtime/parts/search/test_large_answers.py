"""Large answers that are joined: no other call waits for that."""

import threading
from dataclasses import dataclass
from typing import Any, cast

import pytest

from mcpgen.runtime.parts.search import each, tables
from mcpgen.runtime.parts.search.calls import VIA, Via, further
from mcpgen.runtime.parts.search.pages import Joined, Rule
from mcpgen.runtime.results.content import ResultLimit

ITEMS = [{"id": number, "text": "x" * 10} for number in range(100)]
LIMIT = ResultLimit(3_000, "SHOP_MAX_RESULT_BYTES")


@dataclass
class Context:
    session: Any


class Session:
    async def report_progress(self, *_: Any) -> None:
        pass


@pytest.fixture
def threads(monkeypatch):
    """Those that have measured an answer."""
    threads: set[int] = set()
    measure = tables.size_of_json

    def measured(value: Any) -> int:
        threads.add(threading.get_ident())
        return measure(value)

    for module in (each, tables):
        monkeypatch.setattr(module, "size_of_json", measured)
    return threads


async def test_calls_in_one_are_put_together_where_no_call_waits(threads):
    async def make(_, arguments):
        via = cast(Via, VIA.get())
        via.data, via.is_reached = ITEMS, True
        return {"content": []}

    calls = each.Each(Via("call_read_tool"), [{}] * 9, LIMIT, 10.0, stops=False)
    await calls.run(cast(Any, Context(Session())), make, 3)
    assert threads
    assert threading.get_ident() not in threads
    assert calls.stopped == "there is no room for more in one answer"
    assert len(calls.text().encode()) <= LIMIT.size


async def test_pages_are_joined_where_no_call_waits(threads):
    rule = Rule(items=["items"], cursor="cursor", at=["next"])
    via = Via("call_read_tool", pages=3, rule=rule, following={"cursor": "2"})

    async def call(_):
        via.data = {"items": ITEMS}
        return {"content": []}

    joined = Joined(rule, 100_000, tables.size_of_json, {"items": ITEMS}, {})
    assert await further(call, via, {"arguments": {}}, joined, 10.0) == ""
    assert (joined.pages, threading.get_ident() in threads) == (2, False)
    assert threads
