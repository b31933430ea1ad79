"""Clients that listen are told how their tasks stand (`notifications/tasks`)."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx2
import pytest

from .calling_tasks import CAPABILITIES, ENDED, Caller
from .changing import environment

YES = {"action": "accept", "content": {"yes": True}}
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": CAPABILITIES,
}


@asynccontextmanager
async def listening(
    http: httpx2.AsyncClient, token: str, *tasks: str
) -> AsyncIterator[AsyncIterator[dict[str, Any]]]:
    """The messages of a stream on which somebody hears of tasks."""
    params = {"notifications": {"taskIds": list(tasks), "toolsListChanged": True}, "_meta": META}
    body = {"jsonrpc": "2.0", "id": "news", "method": "subscriptions/listen", "params": params}
    headers = {
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "subscriptions/listen",
        "Authorization": f"Bearer {token}",
    }
    async with http.stream("POST", "/mcp", json=body, headers=headers) as stream:

        async def messages() -> AsyncIterator[dict[str, Any]]:
            async for line in stream.aiter_lines():
                if line.startswith("data: {"):
                    yield json.loads(line[6:])

        yield messages()


async def next_of(news: AsyncIterator[dict[str, Any]]) -> dict[str, Any]:
    """The params of the next message, which belongs to this stream."""
    with anyio.fail_after(20):
        message = await anext(news)
    found: dict[str, Any] = message["params"]
    assert found.pop("_meta") == {"io.modelcontextprotocol/subscriptionId": "news"}
    return {"method": message["method"], **found}


async def until(news: AsyncIterator[dict[str, Any]], status: str) -> dict[str, Any]:
    """The next notification with this status; of one that asks, with both of its questions."""
    while True:
        found = await next_of(news)
        assert found.pop("method") == "notifications/tasks"
        asked = found.get("inputRequests")
        if found["status"] == status and (asked is None or len(asked) == 2):
            return found


def without_frame(answer: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in answer.items() if key not in ("resultType", "_meta")}


@pytest.fixture(scope="module")
def base(yard):
    """Where the server's own process is."""
    with yard.over_http(environment(yard)) as url:
        yield url.removesuffix("/mcp")


def test_a_listener_is_told_what_a_poll_would_say(base):
    async def main():
        async with httpx2.AsyncClient(base_url=base, timeout=20) as http:
            one = Caller(http, "one")
            task = (await one.call("launch"))["taskId"]
            async with listening(http, "one", task) as news:
                said = await next_of(news)
                assert said == {
                    "method": "notifications/subscriptions/acknowledged",
                    "notifications": {"taskIds": [task]},
                }
                waiting = await until(news, "input_required")
                assert waiting == without_frame(await one.get(task))
                answers = dict.fromkeys(waiting["inputRequests"], YES)
                await one.ask("tasks/update", {"taskId": task, "inputResponses": answers})
                done = await until(news, "completed")
                assert done == without_frame(await one.get(task))
                assert done["result"]["structuredContent"]

    anyio.run(main)


def test_what_ended_before_is_told_at_once_and_others_hear_nothing(base):
    async def main():
        async with httpx2.AsyncClient(base_url=base, timeout=20) as http:
            one, two = Caller(http, "one"), Caller(http, "two")
            failed = (await one.call("sink", how="protocol"))["taskId"]
            cancelled = (await one.call("launch"))["taskId"]
            await one.until(failed, *ENDED)
            foreign = (await two.call("launch"))["taskId"]
            async with listening(http, "one", failed, cancelled, foreign, "none") as news:
                agreed = (await next_of(news))["notifications"]
                assert agreed == {"taskIds": [failed, cancelled]}
                assert (await until(news, "failed"))["error"]["code"] == -32602
                await two.ask("tasks/cancel", {"taskId": foreign})
                await one.ask("tasks/cancel", {"taskId": cancelled})
                assert (await until(news, "cancelled"))["taskId"] == cancelled
            async with listening(http, "two", failed) as news:
                assert (await next_of(news))["notifications"] == {}

    anyio.run(main)
