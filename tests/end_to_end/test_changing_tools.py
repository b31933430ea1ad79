"""Tools that change while clients are connected: who is told, what is listed and callable."""

import json
from typing import Any

import anyio
import pytest
from mcp.shared.exceptions import MCPError
from tables import table

from .changing import NAMES, NOTHING, SUMMER, crane, environment, hook, listening, names, stdio

READS = {"readOnlyHint": True}


async def season(target: Any, mode: Any) -> None:
    """A client sees a tool come, another one change, a third one go; and all of it undone."""
    async with listening(target, mode) as (client, news):
        assert client.server_capabilities.tools.list_changed
        before = await names(client)
        assert before == [*NAMES, "bad"]
        await client.call_tool("open_season", {})
        await news.wait()
        assert await names(client) == SUMMER
        result = await client.call_tool("crane", {"tons": 3})
        assert result.content[0].text == "3 tons"
        refused = await client.call_tool("crane", {"tons": "much"})
        assert refused.is_error
        with pytest.raises(MCPError) as unknown:
            await client.call_tool("winter", {})
        assert unknown.value.error.code == -32602
        await client.call_tool("close_season", {})
        await news.wait()
        assert await names(client) == before


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_over_stdio(quay, mode):
    anyio.run(season, stdio(quay), mode)


@pytest.fixture(scope="module")
def url(quay):
    """Where it is served; each test leaves its tools as they were."""
    with quay.over_http(environment(quay)) as found:
        yield found


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_over_http(url, mode):
    anyio.run(season, url, mode)


def test_every_client_is_told_and_none_twice_for_one_burst(url):
    async def main():
        async with (
            listening(url, "legacy") as (older, told),
            listening(url, "auto") as (current, news),
        ):
            await current.call_tool("many", {})
            await told.wait()
            await news.wait()
            await older.call_tool("open_season", {})
            await told.wait()
            while "crane" not in await names(older):
                await told.wait()
            assert told.count < 10
            assert news.count < 10
            await older.call_tool("close_season", {})

    anyio.run(main)


def headed(**arguments: str) -> dict[str, Any]:
    """A schema of arguments that clients repeat in headers."""
    fields = {name: {"type": "string", "x-mcp-header": arguments[name]} for name in arguments}
    return {"type": "object", "properties": fields}


@table(
    "tool, says",
    ({"name": "moor", "inputSchema": NOTHING}, "already"),
    ({"name": "no blanks", "inputSchema": NOTHING}, "name"),
    ({"name": "array", "inputSchema": {"type": "array"}}, "type: object"),
    ({"name": "odd", "inputSchema": {"type": "object", "properties": 3}}, "JSON Schema"),
    ({"name": "bare"}, "not a tool of MCP"),
    ({"name": "own", "inputSchema": {**NOTHING, "$schema": "https://d.example"}}, "dialect"),
    ({"name": "told", "inputSchema": headed(x="no token")}, "token"),
    ({"name": "twice", "inputSchema": headed(x="Place", y="place")}, "duplicates"),
)
def test_a_tool_that_clients_could_not_read_is_not_added(quay, tool, says):
    assert says in quay.call("bad", {"tool": tool}).text


def test_a_tool_that_was_added_is_limited_and_written_down_as_others_are(quay, tmp_path):
    schema = {"type": "object", "properties": {"tons": {"type": "integer", "writeOnly": True}}}
    crane = {"name": "crane", "description": "Lift.", "inputSchema": schema}

    async def main(client):
        await client.call_tool("bad", {"tool": crane})
        return [(await client.call_tool("crane", {"tons": 4321})).is_error for _ in range(2)]

    log = tmp_path / "audit.jsonl"
    limits = (("crane", 1), ("*", 9))
    settings = {"calls_per_minute_by_tool": limits, "audit": str(log), "audit_values": True}
    assert quay.use(main, **settings) == [False, True]
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert [(line["tool"], line["outcome"]) for line in lines] == [
        ("bad", "ok"), ("crane", "ok"), ("crane", "limited"),
    ]  # fmt: skip
    assert "4321" not in log.read_text(encoding="utf-8")


def test_the_list_has_pages(quay):
    async def main(client):
        page = await client.list_tools()
        listed = [tool.name for tool in page.tools]
        while page.next_cursor is not None:
            page = await client.list_tools(cursor=page.next_cursor)
            listed += [tool.name for tool in page.tools]
        return listed

    assert quay.use(main, page_size=2) == [*NAMES, "bad"]


def test_a_server_that_cannot_change_does_not_say_so(generated, monkeypatch):
    server = generated("bookshop.yaml")
    assert not (server.folder / server.package / "_runtime/parts/changes").exists()

    async def main(client):
        return client.server_capabilities.tools

    assert not server.use(main).list_changed
    monkeypatch.setenv("BOOKSHOP_TOOLS_FILE", "/none")
    refused = server.module("_runtime.values.settings").ConfigurationError
    with pytest.raises(refused, match="list_changed"):
        server.module("server").APP.settings()
    monkeypatch.delenv("BOOKSHOP_TOOLS_FILE")
    monkeypatch.setattr(server.module("hooks"), "may_use", lambda *_: False, raising=False)
    with pytest.raises(refused, match=r"may_use in .*list_changed"):
        server.module("server").create_server()


def test_the_command_line_lists_what_a_client_does(quay, monkeypatch, capsys):
    """Also what hooks add, remove and hide, on all pages."""

    async def hooked(ctx):
        return "hooked"

    hook(quay, monkeypatch, (crane("hooked") | {"annotations": READS}, hooked))
    monkeypatch.setenv("QUAY_PAGE_SIZE", "2")
    assert quay.module("server").APP.main(["--list"]) == 0
    assert [line.split()[:2] for line in capsys.readouterr().out.splitlines()] == [
        *([name, "destructive"] for name in NAMES[:-1]),
        ["hooked", "reads"],
    ]
