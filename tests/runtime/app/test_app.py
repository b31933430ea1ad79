"""A whole server in memory, through the official client, on both eras of the protocol."""

import importlib
import json
import logging
import subprocess
import sys
import threading
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from prepared import python
from tables import table

from mcpgen.runtime.app.builder import product
from mcpgen.runtime.calls.catalogue import ServerInfo

from .. import sample
from ..support import api_on_socket, raw

PACKAGE = "shop_in_memory_mcp"
ERAS = pytest.mark.parametrize("era", ["legacy", "2026-07-28"])


@pytest.fixture(autouse=True)
def key(monkeypatch):
    """A credential is set."""
    monkeypatch.setenv("SHOP_KEY", "sk-SENTINEL")


def test_the_user_agent_is_made_of_tokens():
    info = ServerInfo(name="shop", version="1.0 \u2013 b\u00eata\r\nX: y")
    assert product(info) == "shop/1.0-b-ta-X-y"


class Pets:
    """An API that remembers what it was asked."""

    def __init__(self, answer: Any = None, status: int = 200) -> None:
        self.requests: list[httpx2.Request] = []
        self.answer, self.status = answer, status

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        return httpx2.Response(self.status, json=self.answer)

    @property
    def transport(self) -> httpx2.MockTransport:
        return httpx2.MockTransport(self)


@table("many", [1] * 600, {"a": [{"b": [1] * 300, "c": [1] * 300}]}, "[1]" * 30_000, [1] * 9)
async def test_no_other_call_waits_while_large_arguments_are_checked(shop, many, monkeypatch):
    validation = importlib.import_module(f"{PACKAGE}._runtime.schemas.validation")
    check, threads = validation.ArgumentValidator.check, []

    def checked(*given):
        threads.append(threading.current_thread())
        return check(*given)

    monkeypatch.setattr(validation.ArgumentValidator, "check", checked)
    pets = Pets({})
    async with Client(shop.create_server(transport=pets.transport)) as client:
        await client.call_tool("create", {"name": "a", "many": many})
    assert json.loads(pets.requests[0].content) == {"name": "a", "many": many}
    assert (threads == [threading.main_thread()]) == (many == [1] * 9)


@ERAS
async def test_what_a_handler_raises_reaches_the_client_in_our_words(shop, era, caplog):
    caplog.set_level(logging.ERROR)
    async with Client(shop.create_server(), mode=era) as client:
        told = await client.call_tool("fail", {"how": "tool"})
        assert told.is_error
        assert told.content[0].text == "the text for the agent"
        with pytest.raises(MCPError, match="the protocol's text"):
            await client.call_tool("fail", {"how": "protocol"})
        broken = await client.call_tool("fail", {"how": "other"})
        assert broken.is_error
        text = broken.content[0].text
        assert "SECRET" not in text
        assert "RuntimeError" not in text
        assert "Traceback" not in text
    assert "sk-SECRET in an exception" in caplog.text


@ERAS
@pytest.mark.filterwarnings("ignore:The logging capability")
async def test_a_server_without_the_logging_capability_keeps_its_log(shop, era, caplog):
    heard = []

    async def hear(params):
        heard.append(params)

    async with Client(shop.create_server(), mode=era, logging_callback=hear) as client:
        assert client.server_capabilities.logging is None
        meta = {"io.modelcontextprotocol/logLevel": "debug"}
        result = await client.call_tool("fail", {"how": "log"}, meta=meta)
    assert result.content[0].text == "logged"
    assert heard == []
    assert "a line of the log" in caplog.text


@ERAS
async def test_the_lifespans_object_and_progress_reach_their_ends(shop, era):
    told = []

    async def progress(done, total, message):
        told.append((done, total, message))

    hooks = importlib.import_module(f"{PACKAGE}.hooks")
    hooks.OPENED.clear()
    async with Client(shop.create_server(), mode=era) as client:
        result = await client.call_tool("state", {}, progress_callback=progress)
        await client.call_tool("state", {})
    assert result.structured_content == {"state": {"db": "open"}, "tool": "state"}
    assert told == [(1, 2, "half")]
    assert hooks.OPENED == ["shop", "closed"]


@ERAS
async def test_a_long_download_tells_progress_only_where_it_was_asked_for(shop, era):
    told = []

    async def progress(done, total, message):
        told.append(done)

    async with api_on_socket(raw(b" " * (1 << 21), "200 OK", "Content-Type: text/plain")) as seen:
        settings = shop.Settings(base_url=seen.url)
        async with Client(shop.create_server(settings), mode=era) as client:
            await client.call_tool("getPet", {"petId": 1})
            assert told == []
            await client.call_tool("getPet", {"petId": 1}, progress_callback=progress)
    assert len(told) >= 3
    assert told == sorted(told)


async def test_the_schema_of_a_tool_is_known_without_listing(shop):
    server = shop.create_server()
    assert server.get_tool_input_schema("getPet") == sample.TOOLS[0]["inputSchema"]
    assert server.get_tool_input_schema("nope") is None


def test_nothing_heavy_is_imported_before_it_is_needed(tmp_path):
    sample.write(tmp_path)
    code = (
        "import sys, shop_mcp.server, shop_mcp.handlers.pets, shop_mcp._runtime.parts.fields\n"
        "for name in ('mcp', 'pydantic', 'httpx2', 'jsonschema', 'anyio', 'argparse'):\n"
        "    assert name not in sys.modules, name\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)
    code = (
        "import sys, shop_mcp.server\n"
        "for name in [each for each in sys.modules if each.partition('.')[0] == 'jsonschema']:\n"
        "    del sys.modules[name]\n"
        "shop_mcp.server.create_server()\n"
        "runtime = 'shop_mcp._runtime'\n"
        "for name in ('jsonschema', f'{runtime}.backend.client', f'{runtime}.schemas'):\n"
        "    assert name not in sys.modules, name\n"
    )
    subprocess.run(python("-c", code), cwd=tmp_path, check=True)


@pytest.mark.parametrize(
    ("era", "name"),
    [("legacy", "nope"), ("2026-07-28", "getpet"), ("legacy", ""), ("2026-07-28", "../getPet")],
)
async def test_an_unknown_tool_is_a_protocol_error(shop, era, name):
    async with Client(shop.create_server(), mode=era) as client:
        with pytest.raises(MCPError) as refused:
            await client.call_tool(name, {})
        assert refused.value.code == -32602
