"""Arguments as programs write them, in each generation of the protocol."""

from types import ModuleType
from typing import Any

import httpx2
import pytest
from mcp import Client

from mcpgen.runtime import HttpSettings, Settings

from ..serving import HEADERS, current, in_thread

PACKAGE = "shop_of_programs_mcp"
ERAS = pytest.mark.parametrize("era", ["legacy", "2026-07-28"])


@pytest.fixture(autouse=True)
def key(monkeypatch):
    """A credential is set."""
    monkeypatch.setenv("SHOP_KEY", "sk-SENTINEL")


async def called(
    shop: ModuleType, era: str, tool: str, arguments: Any, *ignored: str
) -> tuple[Any, list[httpx2.Request]]:
    """The result of a call, and what the API saw of it."""
    seen: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        return httpx2.Response(200, json={"name": "Rex"})

    server = shop.create_server(
        Settings(ignored_arguments=ignored), transport=httpx2.MockTransport(answer)
    )
    async with Client(server, mode=era, read_timeout_seconds=20) as client:
        return await client.call_tool(tool, arguments), seen


@ERAS
async def test_names_that_a_host_adds_are_dropped_unseen(shop, era):
    """n8n adds both to each call."""
    added = {"toolCallId": "call_1", "sessionId": "s", "petId": 7}
    refused, sent = await called(shop, era, "getPet", added)
    assert refused.is_error
    assert not sent
    result, (request,) = await called(shop, era, "getPet", added, "toolCallId", "sessionId")
    assert not result.is_error
    assert request.url.path == "/v1/pets/7"
    assert not request.url.query


@ERAS
async def test_a_name_that_the_tool_has_is_its_own(shop, era):
    result, (request,) = await called(shop, era, "getPet", {"petId": 7, "x": 1}, "petId", "x")
    assert not result.is_error
    assert request.url.path == "/v1/pets/7"
    result, _ = await called(shop, era, "getPet", {"petId": 7, "y": 1}, "x")
    assert result.is_error


@pytest.mark.parametrize("given", [[], None, {}])
async def test_an_empty_list_is_an_object_without_members(shop, given):
    """PHP writes it so; what a client of Python cannot send goes out as JSON."""
    message, own = current("state", {})
    older = {**message, "params": {"name": "state", "arguments": given}}
    message["params"]["arguments"] = given
    api = httpx2.MockTransport(lambda _: httpx2.Response(200))
    settings = HttpSettings(http_stateless=True)
    with in_thread(shop.create_app(settings, transport=api)) as base:
        for sent, headers in ((message, own), (older, HEADERS)):
            answer = httpx2.post(f"{base}/mcp", json=sent, headers=headers)
            assert answer.json()["result"]["structuredContent"]["tool"] == "state"


@pytest.mark.parametrize("given", [[1], "x", 7])
async def test_what_is_no_object_is_refused(shop, given):
    message, own = current("state", {})
    message["params"]["arguments"] = given
    api = httpx2.MockTransport(lambda _: httpx2.Response(200))
    with in_thread(shop.create_app(transport=api)) as base:
        answer = httpx2.post(f"{base}/mcp", json=message, headers=own).json()
    assert answer["error"]["code"] == -32602
