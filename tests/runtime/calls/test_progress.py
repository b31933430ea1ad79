"""Progress goes forward only, whoever reports it."""

import math
import threading
from importlib import import_module

import anyio
import httpx2
import pytest
from mcp import Client

from mcpgen.runtime import HttpSettings
from mcpgen.runtime.calls.calls import CallProgress

from ..serving import in_thread


async def test_progress_goes_forward_in_texts_and_numbers_that_can_be_sent():
    told = []

    async def tell(*given):
        told.append(given)

    report = CallProgress(tell)
    for done in (-1, 0, 0, 40, 2, 40.0, math.nan, math.inf, 41):
        await report(done, 100, f"at {done}")
    assert told == [(done, 100, f"at {done}") for done in (-1, 0, 40, 41)]
    # JSON has none for it, and null is not what the protocol takes for an unknown total.
    told = []

    async def tell(done, total, message):
        told.append(total)

    report = CallProgress(tell)
    for done, total in enumerate((math.inf, math.nan, -math.inf, None, 7)):
        await report(done, total)
    assert told == [None, None, None, None, 7]
    # Half of a surrogate pair would take the call's answer along over HTTP.
    told = []

    async def tell(done, total, message):
        told.append(message)

    report = CallProgress(tell)
    await report(1, None, "x\ud800")
    await report(2)
    await report(3, None, "\x1b[2Jdone\u202e")
    assert told == ["x\\ud800", None, "\\u001b[2Jdone\\u202e"]


PACKAGE = "shop_of_slow_calls_mcp"


@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
async def test_a_slow_call_that_asked_for_progress_is_told_that_it_still_runs(
    shop, monkeypatch, era
):
    """The API answers once three such messages came; without them the call would not end."""
    monkeypatch.setenv("SHOP_KEY", "sk-SENTINEL")
    monkeypatch.setattr(import_module(f"{PACKAGE}._runtime.calls.calls"), "BEAT", 0.01)
    told = []
    enough = threading.Event()

    async def answer(_):
        await anyio.to_thread.run_sync(enough.wait, 30)
        return httpx2.Response(200, json={"name": "Rex"})

    async def hear(progress, total, message):
        told.append((progress, message))
        if len(told) == 3:
            enough.set()

    settings = HttpSettings(timeout=30.0)
    app = shop.create_app(settings, transport=httpx2.MockTransport(answer))
    with in_thread(app) as base:
        async with Client(f"{base}/mcp", mode=era, read_timeout_seconds=30) as client:
            result = await client.call_tool("getPet", {"petId": 7}, progress_callback=hear)
    assert result.structured_content == {"name": "Rex"}
    numbers = [progress for progress, _ in told]
    assert numbers == sorted(set(numbers))
    assert numbers[2] < 0.001
    assert all(str(message).startswith("still working after") for _, message in told)


async def test_news_of_another_kind_go_on_from_there():
    told = []
    enough = anyio.Event()

    async def tell(done, total, message):
        told.append((done, total))
        if len(told) >= 3:
            enough.set()

    report = CallProgress(tell)
    await report(40, 100)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mcpgen.runtime.calls.calls.BEAT", 0.0)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(report.beat)
            await enough.wait()
            tasks.cancel_scope.cancel()
    await report(41, 100)
    assert told[0] == (40, 100)
    assert all(40 < done < 40.01 and total == 100 for done, total in told[1:-1])
    assert told[-1] == (41, 100)
