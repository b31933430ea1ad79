"""What the keeper's functions do, in both generations of the protocol; this file is the author's own."""

from __future__ import annotations

import base64
from typing import Any

import anyio
import pytest
from mcp.client import Client
from mcp.client.extension import advertise
from mcp_types import PromptReference, Request, ResourceLink, ResourceTemplateReference, Result
from pydantic import ConfigDict

from .conftest import ANSWERS, FakeApi, server

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore:resources/subscribe is removed"),
]

WATCH = "lighthouse://watch"


async def test_without_fog_there_is_no_horn_and_who_listens_hears_of_it(client: Client) -> None:
    async with client.listen(tools_list_changed=True, resource_subscriptions=[WATCH]) as news:
        await client.call_tool("report_fog", {"thick": False})
        told = {type(await anext(news)).__name__ for _ in range(2)}
        assert told == {"ToolsListChanged", "ResourceUpdated"}
    names = [tool.name for tool in (await client.list_tools()).tools]
    assert "sound_horn" not in names
    await client.call_tool("report_fog", {"thick": True})
    assert not (await client.call_tool("sound_horn")).is_error
    (watch,) = (await client.read_resource(WATCH)).contents
    assert getattr(watch, "text", "").endswith("clear\nfog\nhorn")


async def test_an_older_client_is_told_of_the_watch() -> None:
    heard = anyio.Event()

    async def hear(message: Any) -> None:
        if getattr(message, "method", "") == "notifications/resources/updated":
            heard.set()

    async with Client(server(FakeApi()), mode="legacy", message_handler=hear) as client:
        await client.subscribe_resource(WATCH)
        await client.call_tool("sound_horn")
        with anyio.fail_after(10):
            await heard.wait()


async def test_a_ship_is_a_tool_and_a_resource(api: FakeApi, client: Client) -> None:
    api.reply({"status": 200, "content_type": "application/json", "json": {"name": "Alert"}})
    result = await client.call_tool("get_ship", {"number": 7})
    (content,) = (await client.read_resource("lighthouse://ships/7")).contents
    assert result.structured_content == {"name": "Alert"}
    assert getattr(content, "text", "") == '{"name":"Alert"}'


async def test_the_chart_is_a_link(api: FakeApi, client: Client) -> None:
    api.reply(ANSWERS["get_chart"])
    (link,) = (await client.call_tool("get_chart")).content
    assert isinstance(link, ResourceLink)
    assert link.mime_type == "application/pdf"
    (content,) = (await client.read_resource(link.uri)).contents
    assert base64.b64decode(getattr(content, "blob", "")).startswith(b"%PDF")


class Said(Result):
    """Whatever the server answers."""

    model_config = ConfigDict(extra="allow")


async def test_a_sweep_is_a_task(api: FakeApi) -> None:
    api.reply({"status": 200, "content_type": "application/json", "json": {"name": "Alert"}})
    tasks = [advertise("io.modelcontextprotocol/tasks")]
    async with Client(server(api), extensions=tasks) as client:

        async def send(method: str, **params: Any) -> dict[str, Any]:
            request = Request[Any, str](method=method, params=params)
            return (await client.session.send_request(request, Said)).model_dump()

        started = await send("tools/call", name="sweep", arguments={"steps": 3})
        with anyio.fail_after(10):
            while (task := await send("tasks/get", taskId=started["taskId"]))[
                "status"
            ] == "working":
                await anyio.sleep(0)
    assert task["result"]["structuredContent"] == {"answered": ["Alert"] * 3}


async def test_prompts_and_completion(client: Client) -> None:
    await client.call_tool("sound_horn")
    (message,) = (await client.get_prompt("hand-over", {"keeper": "Ida"})).messages
    assert getattr(message.content, "text", "").endswith("horn")
    keeper = PromptReference(type="ref/prompt", name="hand-over")
    found = await client.complete(keeper, {"name": "keeper", "value": "i"})
    assert found.completion.values == ["Ida"]
    lamps = ResourceTemplateReference(type="ref/resource", uri="lighthouse://lamps/{lamp}")
    found = await client.complete(lamps, {"name": "lamp", "value": "s"})
    assert found.completion.values == ["south", "spare"]
