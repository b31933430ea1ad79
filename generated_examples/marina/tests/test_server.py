"""The server as a whole: its list of tools, its handlers, and which credentials it sends."""

from __future__ import annotations

import inspect
import json
from importlib import import_module
from importlib.resources import files
from typing import Any

import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from marina_mcp._runtime import UNSET, argument_of, parameters_of
from marina_mcp.handlers import HANDLERS

from .conftest import ANSWERS, FakeApi, assert_same, each_case, environment, server, text_of

TOOL_MEMBERS = (
    "name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons", "_meta"
)  # fmt: skip

CONTRACT = files("marina_mcp").joinpath("tools.json")
TOOLS: list[dict[str, Any]] = json.loads(CONTRACT.read_bytes())["tools"]


async def listed(client: Client) -> list[dict[str, Any]]:
    """The tools that the server lists, over all pages."""
    tools: list[Any] = []
    cursor = None
    while True:
        page = await client.list_tools(cursor=cursor)
        tools += page.tools
        cursor = page.next_cursor
        if cursor is None:
            return [
                tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools
            ]


@pytest.mark.anyio
async def test_list(client: Client) -> None:
    """`tools/list` has the tools of `tools.json`, with all members that this protocol knows."""
    known = [{name: tool[name] for name in tool if name in TOOL_MEMBERS} for tool in TOOLS]
    assert await listed(client) == known


@pytest.mark.anyio
async def test_list_older_protocol(older_client: Client) -> None:
    """Clients of the protocol before 2026 see the same tools."""
    assert [tool["name"] for tool in await listed(older_client)] == [t["name"] for t in TOOLS]


@pytest.mark.anyio
async def test_unknown_tool(client: Client) -> None:
    """Calling a tool that is not there is a protocol error."""
    with pytest.raises(MCPError) as caught:
        await client.call_tool("no-such-tool", {})
    assert caught.value.error.code == -32602


@pytest.mark.parametrize("tool", [pytest.param(tool, id=tool["name"]) for tool in TOOLS])
def test_handler(tool: dict[str, Any]) -> None:
    """A tool's handler takes the tool's arguments, the required ones without a default."""
    module, _, name = HANDLERS[tool["name"]].partition(":")
    handler = getattr(import_module(f"marina_mcp.handlers.{module}"), name)
    marked, renames = handler.mcp_tool
    assert marked == tool["name"]
    parameters = parameters_of(handler)
    keywords = [each for each in parameters if each.kind is not each.VAR_KEYWORD]
    takes = {argument_of(renames.get(each.name, each.name)): each.default for each in keywords}
    schema = tool["inputSchema"]
    named = set(schema.get("properties", {}))
    # A keyword marked with "*", or `**keywords`, takes the arguments that no other keyword takes.
    takes_rest = None in takes or keywords != parameters
    takes.pop(None, None)
    assert takes_rest or set(takes) >= named
    assert set(takes) <= named
    required = set(schema.get("required", []))
    for argument, default in takes.items():
        declared = schema["properties"][argument].get("default", UNSET)
        fits = (inspect.Parameter.empty,) if argument in required else (UNSET, declared)
        assert default in fits, f"the default of {argument} is {default!r}"


@each_case("security")
@pytest.mark.anyio
async def test_credentials(case: dict[str, Any]) -> None:
    """Exactly the credentials that the operation needs are sent; if one is missing, nothing is."""
    api = FakeApi()
    api.reply(ANSWERS[case["tool"]])
    with environment(case["environment"]):
        async with Client(server(api, case.get("allow_hosts", []))) as client:
            result = await client.call_tool(case["tool"], case["arguments"])
    if "request" in case:
        assert not result.is_error, text_of(result)
        assert_same(api.seen(case["request"]), case["request"])
    else:
        assert result.is_error
        assert not api.requests
        for text in case["mentions"]:
            assert text in text_of(result)
