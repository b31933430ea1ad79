"""Tools that change while clients are connected: who is told, what is listed and callable."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
import yaml
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import ToolListChangedNotification
from prepared import python
from runtime.issuer import RESOURCE, Issuer
from runtime.serving import current, in_thread

from .servers import Server, generate
from .upstream import Upstream

NAMES = ["open_season", "close_season", "many", "moor", "winter"]
NOTHING = {"type": "object", "properties": {}, "additionalProperties": False}
FILE = {
    "server": {"name": "quay", "listChanged": True},
    "tools": [
        *({"name": name, "description": "Some.", "inputSchema": NOTHING} for name in NAMES),
        {
            "name": "bad",
            "description": "Some.",
            "inputSchema": {"type": "object", "properties": {"tool": {"type": "object"}}},
        },
    ],
}
HOOKS = """
from contextlib import asynccontextmanager

from ._runtime.changes import catalogue


@asynccontextmanager
async def lifespan(server):
    catalogue(server).remove("bad")
    yield


def may_use(tool, headers):
    return tool != "winter" or headers.get("x-role") == "master"
"""
READS = {"readOnlyHint": True}
SUMMER = ["open_season", "close_season", "many", "moor", "bad", "crane"]


def make(folder: Path, upstream: Upstream, *options: str) -> Server:
    source = folder / "quay.yaml"
    source.write_text(yaml.safe_dump(FILE), encoding="utf-8")
    made = generate(source, folder / "made", upstream, *options, command="from-schema")
    filled = Path(__file__).parent / "filled" / "quay.py"
    (made.folder / made.package / "handlers" / "tools.py").write_bytes(filled.read_bytes())
    return made


@pytest.fixture(scope="module")
def quay(upstream: Upstream, tmp_path_factory: pytest.TempPathFactory) -> Server:
    return make(tmp_path_factory.mktemp("quay"), upstream)


class News:
    """What a client is told of its server's tools, in the way of its revision."""

    def __init__(self) -> None:
        self.count = 0
        self._arrived = anyio.Event()

    async def hear(self, message: Any) -> None:
        if isinstance(message, ToolListChangedNotification):
            self.count += 1
            self._arrived.set()

    async def follow(self, subscription: Any) -> None:
        async for _ in subscription:
            await self.hear(ToolListChangedNotification())

    async def wait(self) -> None:
        """Return when a notification has come since the last time."""
        with anyio.fail_after(20):
            await self._arrived.wait()
        self._arrived = anyio.Event()


@asynccontextmanager
async def listening(target: Any, mode: Any) -> AsyncIterator[tuple[Client, News]]:
    """A client that hears of changes, by a stream or, before 2026-07-28, without asking."""
    news = News()
    client = Client(target, mode=mode, message_handler=news.hear, read_timeout_seconds=20)
    async with client, anyio.create_task_group() as tasks:
        if mode == "legacy":
            # Over HTTP nothing says when the stream on which it will be told is open.
            while isinstance(target, str) and not news.count:
                await client.call_tool("many", {})
            yield client, news
        else:
            async with client.listen(tools_list_changed=True) as subscription:
                assert subscription.honored.tools_list_changed
                tasks.start_soon(news.follow, subscription)
                yield client, news
                tasks.cancel_scope.cancel()


async def names(client: Client) -> list[str]:
    return [tool.name for tool in (await client.list_tools()).tools]


def environment(server: Server, **more: str) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "QUAY_BASE_URL": server.upstream.url, **more}


def stdio(server: Server, **more: str) -> StdioServerParameters:
    env = environment(server, **more)
    command, *arguments = python("-m", server.package)
    return StdioServerParameters(command=command, args=arguments, cwd=server.folder, env=env)


async def season(target: Any, mode: Any) -> None:
    """A client sees a tool come, another one change, a third one go; and all of it undone."""
    async with listening(target, mode) as (client, news):
        assert client.server_capabilities.tools is not None
        assert client.server_capabilities.tools.list_changed
        before = await names(client)
        assert before == [*NAMES, "bad"]
        await client.call_tool("open_season", {})
        await news.wait()
        assert await names(client) == SUMMER
        result = await client.call_tool("crane", {"tons": 3})
        assert result.content[0].text == "3 tons"  # type: ignore[union-attr]  # it is text
        refused = await client.call_tool("crane", {"tons": "3"})
        assert refused.is_error
        with pytest.raises(MCPError) as unknown:
            await client.call_tool("winter", {})
        assert unknown.value.error.code == -32602
        await client.call_tool("close_season", {})
        await news.wait()
        assert await names(client) == before


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_over_stdio(quay: Server, mode: Any) -> None:
    anyio.run(season, stdio(quay), mode)


def test_over_http(quay: Server) -> None:
    with quay.over_http(environment(quay)) as url:
        for mode in ("legacy", "auto"):
            anyio.run(season, url, mode)


def test_every_client_is_told_and_none_twice_for_one_burst(quay: Server) -> None:
    async def main(url: str) -> None:
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

    with quay.over_http(environment(quay)) as url:
        anyio.run(main, url)


def test_the_operator_switches_tools_off_without_a_restart(quay: Server, tmp_path: Path) -> None:
    file = tmp_path / "tools.toml"
    file.write_text('disabled = ["winter", "*_season"]\n', encoding="utf-8")

    async def main() -> None:
        target = stdio(quay, QUAY_TOOLS_FILE=str(file))
        async with listening(target, "auto") as (client, news):
            assert await names(client) == ["many", "moor", "bad"]
            file.write_text('disabled = ["moor"]\n', encoding="utf-8")
            await news.wait()
            assert await names(client) == ["open_season", "close_season", "many", "winter", "bad"]

    anyio.run(main)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "cannot be read"),
        ("disabled = [", "no TOML"),
        ("x = " + "9" * 5000, "no TOML"),
        ("enabled = []", "must hold one list"),
    ],
)
def test_a_file_that_is_none_stops_the_start(
    quay: Server,
    tmp_path: Path,
    text: str | None,
    says: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "tools.toml"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    refusal = quay.module("_runtime.settings").ConfigurationError
    with pytest.raises(refusal, match=f"QUAY_TOOLS_FILE.*{says}"):
        quay.use(names, tools_file=str(file))
    monkeypatch.setenv("QUAY_TOOLS_FILE", str(file))
    assert quay.module("server").APP.main(["--check"]) == 2
    assert says in capsys.readouterr().err


def test_a_file_that_breaks_later_changes_nothing(
    quay: Server, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "tools.toml"
    file.write_text('disabled = ["winter"]', encoding="utf-8")
    kept: list[Any] = []
    quay_tools = quay.module("_runtime.changing_catalogue").ChangingCatalogue(
        quay.module("server").APP.catalogue, lambda: kept.append(1), lambda name, scopes: None
    )
    switches = quay.module("_runtime.switches").Switches(str(file), "X", quay_tools)
    assert quay_tools.get("winter") is None
    file.write_text("disabled = 7 ", encoding="utf-8")
    switches.look()
    assert quay_tools.get("winter") is None
    assert "stay as they are" in caplog.text
    file.write_text("disabled = []", encoding="utf-8")
    switches.look()
    assert quay_tools.get("winter") is not None
    assert len(kept) == 2


def headed(**arguments: str) -> dict[str, Any]:
    """A schema of arguments that clients repeat in headers."""
    fields = {name: {"type": "string", "x-mcp-header": arguments[name]} for name in arguments}
    return {"type": "object", "properties": fields}


@pytest.mark.parametrize(
    ("tool", "says"),
    [
        ({"name": "moor", "inputSchema": NOTHING}, "already"),
        ({"name": "no blanks", "inputSchema": NOTHING}, "name"),
        ({"name": "array", "inputSchema": {"type": "array"}}, "type: object"),
        ({"name": "odd", "inputSchema": {"type": "object", "properties": 3}}, "JSON Schema"),
        ({"name": "bare"}, "no tool of MCP"),
        ({"name": "own", "inputSchema": {**NOTHING, "$schema": "https://d.example"}}, "dialect"),
        ({"name": "told", "inputSchema": headed(x="no token")}, "token"),
        ({"name": "twice", "inputSchema": headed(x="Place", y="place")}, "duplicates"),
    ],
)
def test_a_tool_that_clients_could_not_read_is_not_added(
    quay: Server, tool: dict[str, Any], says: str
) -> None:
    assert says in quay.call("bad", {"tool": tool}).text


def test_the_list_depends_on_the_caller_and_never_on_the_connection(
    upstream: Upstream, tmp_path: Path
) -> None:
    """Where `hooks.may_use` decides, the list is for one caller only."""
    server = make(tmp_path, upstream, "--package", "quay_of_roles")
    (server.folder / server.package / "hooks.py").write_text(HOOKS, encoding="utf-8")

    async def seen(url: str, headers: dict[str, str], mode: Any) -> tuple[list[str], str | None]:
        async with httpx2.AsyncClient(headers=headers) as http:
            transport = streamable_http_client(url, http_client=http)
            async with Client(transport, mode=mode, read_timeout_seconds=20) as client:
                listed = await client.list_tools()
                found = [tool.name for tool in listed.tools]
                if "winter" not in found:
                    with pytest.raises(MCPError):
                        await client.call_tool("winter", {})
                return found, listed.cache_scope

    async def main(url: str) -> None:
        for mode in ("auto", "legacy"):
            mate, scope = await seen(url, {}, mode)
            master, _ = await seen(url, {"X-Role": "master"}, mode)
            assert "winter" not in mate
            assert "bad" not in master
            assert "winter" in master
            if mode != "legacy":
                assert scope == "private"

    with server.over_http(environment(server)) as url:
        anyio.run(main, url)


def test_a_tool_that_was_added_is_limited_and_written_down_as_others_are(
    quay: Server, tmp_path: Path
) -> None:
    schema = {"type": "object", "properties": {"tons": {"type": "integer", "writeOnly": True}}}
    crane = {"name": "crane", "description": "Lift.", "inputSchema": schema}

    async def main(client: Client) -> list[bool | None]:
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


def test_a_tool_that_was_off_when_it_went_is_on_when_it_comes_again(quay: Server) -> None:
    tools = quay.module("_runtime.changes").catalogue(quay.module("server").create_server())
    for _ in range(2):
        tools.add(crane("light"), nothing)
        assert tools.get("light") is not None
        tools.switch_off("light", "winter")
        tools.remove("light")
    assert tools.get("winter") is None


def test_who_may_use_a_tool_is_not_awaited(
    quay: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An `async def` would let everybody use everything."""

    async def may_use(tool: str, headers: Any) -> bool:
        return False

    monkeypatch.setattr(quay.module("hooks"), "may_use", may_use, raising=False)
    for arguments in ([], ["--http", "127.0.0.1:0"]):
        assert quay.module("server").APP.main(arguments) == 2
        assert "may_use in hooks.py must be a plain function" in capsys.readouterr().err


@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.parametrize(
    ("may_use", "logged"),
    [
        (lambda tool, headers: headers["x-role"], "KeyError: 'x-role'"),
        (lambda tool, headers: sys.exit("no roles"), "SystemExit: no roles"),
    ],
)
def test_who_may_use_a_tool_where_that_fails_nobody_may(
    quay: Server,
    mode: Any,
    may_use: Any,
    logged: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Over stdio there are no headers; why it failed is for the log alone."""
    monkeypatch.setattr(quay.module("hooks"), "may_use", may_use, raising=False)

    async def main() -> str:
        server = quay.module("server").create_server(quay.module("_runtime").Settings())
        async with Client(server, mode=mode, read_timeout_seconds=20) as client:
            assert await names(client) == []
            with pytest.raises(MCPError) as refused:
                await client.call_tool("moor", {})
            return refused.value.error.message

    assert anyio.run(main) == "Unknown tool: moor"
    assert logged in caplog.text


def test_no_tool_is_skipped_or_shown_twice_when_the_list_changes_between_pages(
    quay: Server,
) -> None:
    async def main(client: Client) -> list[str]:
        first = await client.list_tools()
        await client.call_tool("open_season", {})
        found = [tool.name for tool in first.tools]
        cursor = first.next_cursor
        while cursor is not None:
            page = await client.list_tools(cursor=cursor)
            found += [tool.name for tool in page.tools]
            cursor = page.next_cursor
        return found

    assert quay.use(main, page_size=2) == SUMMER


def test_a_server_that_cannot_change_does_not_say_so(
    generated: Callable[[str], Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = generated("bookshop.yaml")
    assert not (server.folder / server.package / "_runtime" / "changes.py").exists()

    async def main(client: Client) -> Any:
        return client.server_capabilities.tools

    assert not server.use(main).list_changed
    monkeypatch.setenv("BOOKSHOP_TOOLS_FILE", "/none")
    refused = server.module("_runtime.settings").ConfigurationError
    with pytest.raises(refused, match="list_changed"):
        server.module("server").APP.settings()
    monkeypatch.delenv("BOOKSHOP_TOOLS_FILE")
    monkeypatch.setattr(server.module("hooks"), "may_use", lambda *_: False, raising=False)
    with pytest.raises(refused, match=r"may_use in .*list_changed"):
        server.module("server").create_server()


@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
def test_a_tool_that_is_added_with_scopes_is_for_callers_who_have_them(
    quay: Server, era: str
) -> None:
    """Also once it was replaced; without scopes it is for all who signed in, as others are."""
    issuer = Issuer({"mate": ["quay"], "master": ["quay", "crane:lift"]})
    with in_thread(issuer.app) as issuer.url:
        settings = quay.module("_runtime").Settings(http_issuer=issuer.url, http_resource=RESOURCE)
        server = quay.module("server").create_server(settings)
        tools = quay.module("_runtime.changes").catalogue(server)
        app = quay.module("_runtime.serving.asgi").create_app(server, settings)

        def seen(who: str) -> tuple[set[str], int]:
            """Which cranes a caller sees, and what it gets for calling the heavy one."""
            headers = {"Authorization": f"Bearer {issuer.token(who)}"}

            async def main() -> tuple[set[str], int]:
                async with httpx2.AsyncClient(headers=headers) as http:
                    transport = streamable_http_client(url, http_client=http)
                    async with Client(transport, mode=era, read_timeout_seconds=20) as client:
                        listed = await names(client)
                message, more = current("heavy", {})
                called = httpx2.post(url, json=message, headers={**more, **headers})
                return set(listed) & {"heavy", "light"}, called.status_code

            return anyio.run(main)

        with in_thread(app) as base:
            url = f"{base}/mcp"
            tools.add(crane("light"), nothing)
            tools.add(crane("heavy"), nothing, scopes=["crane:lift"])
            metadata = httpx2.get(f"{base}/.well-known/oauth-protected-resource/mcp").json()
            assert metadata["scopes_supported"] == ["crane:lift"]
            assert seen("mate") == ({"light"}, 403)
            assert seen("master") == ({"light", "heavy"}, 200)
            tools.replace({**crane("heavy"), "description": "Lift more."})
            assert seen("mate") == ({"light"}, 403)
            tools.replace(crane("heavy"), scopes=[])
            assert seen("mate") == ({"light", "heavy"}, 200)
            tools.replace(crane("heavy"), scopes=["crane:lift"])
            tools.remove("heavy")
            tools.add(crane("heavy"), nothing)
            assert seen("mate") == ({"light", "heavy"}, 200)
        for wrong in ("crane:lift", ["two words"], [""]):
            with pytest.raises(ValueError, match="list of OAuth scopes"):
                tools.replace(crane("light"), scopes=wrong)


HOOKED = """

async def hooked(ctx):
    return "hooked"
"""


def test_the_command_line_lists_what_a_client_does(upstream: Upstream, tmp_path: Path) -> None:
    """Also what hooks add, remove and hide, on all pages."""
    server = make(tmp_path, upstream, "--page-size", "2")
    added = f"catalogue(server).add({crane('hooked') | {'annotations': READS}!r}, hooked)"
    hooks = HOOKS.replace("    yield", f"    {added}\n    yield") + HOOKED
    (server.folder / server.package / "hooks.py").write_text(hooks, encoding="utf-8")
    done = subprocess.run(
        python("-m", server.package, "--list"), cwd=server.folder, capture_output=True, text=True
    )
    assert [line.split()[:2] for line in done.stdout.splitlines()] == [
        *([name, "destructive"] for name in NAMES[:-1]),
        ["hooked", "reads"],
    ], done.stderr


def crane(name: str) -> dict[str, Any]:
    return {"name": name, "description": "Lift.", "inputSchema": NOTHING}


async def nothing(ctx: Any) -> str:
    return "nothing"
