"""What callers may ask for: so many calls a minute, and so many at a time."""

import anyio
import httpx2
import pytest
from mcp import Client

from mcpgen.runtime.calls.store import MemoryStore
from mcpgen.runtime.parts.http.guard import LimitReached, Rates
from mcpgen.runtime.parts.http.settings import HttpSettings

PACKAGE = "shop_with_rates_mcp"


@pytest.fixture(autouse=True)
def credential(monkeypatch):
    """The server's own."""
    monkeypatch.setenv("SHOP_KEY", "canary-of-the-server")


async def test_a_caller_has_its_own_rate_and_all_have_one():
    now = 0.0
    settings = HttpSettings(calls_per_minute=2, calls_per_minute_in_all=5)
    rates = Rates(settings, MemoryStore(lambda: now))

    async def calls(whose):
        outcomes = []
        for who in whose:
            try:
                async with rates.admitted((who,)):
                    outcomes.append("ok")
            except LimitReached as refusal:
                outcomes.append(str(refusal))
        return outcomes

    assert await calls("aa") == ["ok", "ok"]
    (told,) = await calls("a")
    assert "2 calls a minute from you" in told
    assert "again in 30 seconds" in told
    assert await calls("bbc") == ["ok", "ok", "ok"]
    assert "5 calls a minute in all" in (await calls("c"))[0]
    now = 12.0
    assert await calls("c") == ["ok"]
    assert "again in 18 seconds" in (await calls("a"))[0]
    now = 1000.0
    assert await calls("aa") == ["ok", "ok"]


async def test_callers_that_went_away_are_forgotten():
    now = 0.0
    store = MemoryStore(lambda: now)
    rates = Rates(HttpSettings(calls_per_minute=1, calls_at_once=1), store)
    for number in range(25_000):
        now += 0.02
        async with rates.admitted((str(number),)):
            pass
    assert len(store._buckets) <= 10_001
    assert not store._seats


async def test_a_tool_has_its_own_rate_for_each_caller(shop):
    """The API sees no more than the limit; what is refused says when to come back."""
    seen = []

    def answer(request):
        seen.append(request.url.path.rpartition("/")[2])
        return httpx2.Response(200, json={})

    settings = HttpSettings(calls_per_minute_by_tool=(("getPet", 2), ("*", 3)), http_token="x" * 16)
    server = shop.create_server(settings, transport=httpx2.MockTransport(answer))
    async with Client(server) as client:
        results = [await client.call_tool("getPet", {"petId": number}) for number in range(6)]
        for _ in range(4):
            results.append(await client.call_tool("create", {"name": "x"}))
    assert [bool(result.is_error) for result in results] == [
        *([False] * 2 + [True] * 4),
        *([False] * 3 + [True]),
    ]
    assert seen == ["0", "1", "any", "any", "any"]
    assert results[2].content[0].text == (
        "This server accepts 2 calls a minute of `getPet` from you. Nothing was done: call again "
        "in 30 seconds."
    )
    rates = Rates(HttpSettings(calls_per_minute_by_tool=(("*", 1),)), MemoryStore(lambda: 0.0))
    for caller in ("a", "b"):
        async with rates.admitted((caller,), "getPet"):
            pass
        with pytest.raises(LimitReached):
            await rates.admitted((caller,), "getPet").__aenter__()


async def test_names_of_no_tool_leave_nothing_behind(shop):
    """What callers make up is not remembered."""
    server = shop.create_server(HttpSettings(calls_per_minute_by_tool=(("*", 1),)))
    async with Client(server) as client:
        for number in range(3):
            with pytest.raises(Exception, match="Unknown tool"):
                await client.call_tool(f"made up {number % 2}", {})
    (guard,) = [found for found in server.middleware if hasattr(found, "gated")]
    assert not guard._rates._store._buckets


async def test_as_many_calls_at_a_time(shop):
    begun, going = anyio.Event(), anyio.Event()
    texts = []

    async def slow(_):
        begun.set()
        await going.wait()
        return httpx2.Response(200, json={"name": "Rex"})

    server = shop.create_server(HttpSettings(calls_at_once=1), transport=httpx2.MockTransport(slow))
    async with Client(server) as client, anyio.create_task_group() as tasks:
        tasks.start_soon(client.call_tool, "getPet", {"petId": 1})
        await begun.wait()
        refused = await client.call_tool("getPet", {"petId": 2})
        assert refused.is_error
        texts.append(refused.content[0].text)
        going.set()
    async with Client(server) as client:
        assert not (await client.call_tool("getPet", {"petId": 3})).is_error
    assert texts == [
        "This server runs 1 calls of yours at a time, and 1 are running. Nothing was done: "
        "call again when one of them has ended."
    ]
