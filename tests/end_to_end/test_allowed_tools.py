"""Which tools a caller may use: what the operator left on, the hook allows and scopes cover."""

import sys
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from runtime.issuer import RESOURCE, Issuer
from runtime.serving import current, in_thread
from tables import table

from .changing import crane, hook, listening, names


def test_the_operator_switches_tools_off_without_a_restart(quay, tmp_path):
    file = tmp_path / "tools.toml"
    file.write_text('disabled = ["winter", "*_season"]\n', encoding="utf-8")

    async def main():
        settings = quay.module("_runtime").ChangeSettings(tools_file=str(file))
        server = quay.module("server").create_server(settings)
        async with listening(server, "auto") as (client, news):
            assert await names(client) == ["many", "moor", "bad"]
            file.write_text('disabled = ["moor"]\n', encoding="utf-8")
            await news.wait()
            assert await names(client) == ["open_season", "close_season", "many", "winter", "bad"]

    anyio.run(main)


@table(
    "text, says",
    (None, "cannot be read"),
    ("disabled = [", "not TOML"),
    ("x = " + "9" * 5000, "not TOML"),
    ("enabled = []", "must hold one list"),
)
def test_a_file_that_is_none_stops_the_start(quay, tmp_path, text, says, monkeypatch, capsys):
    file = tmp_path / "tools.toml"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    refusal = quay.module("_runtime.values.settings").ConfigurationError
    with pytest.raises(refusal, match=f"QUAY_TOOLS_FILE.*{says}"):
        quay.use(names, tools_file=str(file))
    monkeypatch.setenv("QUAY_TOOLS_FILE", str(file))
    assert quay.module("server").APP.main(["--check"]) == 2
    assert says in capsys.readouterr().err


def test_a_file_that_breaks_later_changes_nothing(quay, tmp_path, caplog):
    file = tmp_path / "tools.toml"
    file.write_text('disabled = ["winter"]', encoding="utf-8")
    kept = []
    quay_tools = quay.module("_runtime.parts.changes.changes").ChangingCatalogue(
        quay.module("server").APP.catalogue, lambda: kept.append(1), lambda name, scopes: None
    )
    switches = quay.module("_runtime.parts.changes.changes").Switches(str(file), "X", quay_tools)
    assert quay_tools.get("winter") is None
    file.write_text("disabled = 7 ", encoding="utf-8")
    switches.look()
    assert quay_tools.get("winter") is None
    assert "stay as they are" in caplog.text
    file.write_text("disabled = []", encoding="utf-8")
    switches.look()
    assert quay_tools.get("winter") is not None
    assert len(kept) == 2


def test_the_list_depends_on_the_caller_and_never_on_the_connection(quay, monkeypatch):
    """Where `hooks.may_use` decides, the list is for one caller only."""
    hook(quay, monkeypatch)

    async def seen(url, headers, mode):
        async with httpx2.AsyncClient(headers=headers) as http:
            transport = streamable_http_client(url, http_client=http)
            async with Client(transport, mode=mode, read_timeout_seconds=20) as client:
                listed = await client.list_tools()
                found = [tool.name for tool in listed.tools]
                if "winter" not in found:
                    with pytest.raises(MCPError):
                        await client.call_tool("winter", {})
                return found, listed.cache_scope

    async def main(url):
        for mode in ("auto", "legacy"):
            mate, scope = await seen(url, {}, mode)
            master, _ = await seen(url, {"X-Role": "master"}, mode)
            assert "winter" not in mate
            assert "bad" not in master
            assert "winter" in master
            if mode != "legacy":
                assert scope == "private"

    with in_thread(quay.module("server").create_app()) as base:
        anyio.run(main, f"{base}/mcp")


def test_a_tool_that_was_off_when_it_went_is_on_when_it_comes_again(quay):
    tools = quay.module("_runtime.parts.changes.changes").catalogue(
        quay.module("server").create_server()
    )
    for _ in range(2):
        tools.add(crane("light"), nothing)
        assert tools.get("light") is not None
        tools.switch_off("light", "winter")
        tools.remove("light")
    assert tools.get("winter") is None


def test_who_may_use_a_tool_is_not_awaited(quay, monkeypatch, capsys):
    """An `async def` would let everybody use everything."""

    async def may_use(tool, headers):
        return False

    monkeypatch.setattr(quay.module("hooks"), "may_use", may_use, raising=False)
    for arguments in ([], ["--http", "127.0.0.1:0"]):
        assert quay.module("server").APP.main(arguments) == 2
        assert "may_use in hooks.py must be a plain function" in capsys.readouterr().err


@pytest.mark.parametrize("mode", ["legacy", "auto"])
@table(
    "may_use, logged",
    (lambda tool, headers: headers["x-role"], "KeyError: 'x-role'"),
    (lambda tool, headers: sys.exit("no roles"), "SystemExit: no roles"),
)
def test_who_may_use_a_tool_where_that_fails_nobody_may(
    quay, mode, may_use, logged, monkeypatch, caplog
):
    """Over stdio there are no headers; why it failed is for the log alone."""
    monkeypatch.setattr(quay.module("hooks"), "may_use", may_use, raising=False)

    async def main():
        server = quay.module("server").create_server(quay.module("_runtime").Settings())
        async with Client(server, mode=mode, read_timeout_seconds=20) as client:
            assert await names(client) == []
            with pytest.raises(MCPError) as refused:
                await client.call_tool("moor", {})
            return refused.value.error.message

    assert anyio.run(main) == "Unknown tool: moor"
    assert logged in caplog.text


def test_a_tool_that_is_added_with_scopes_is_for_callers_who_have_them(quay):
    """Also once it was replaced; without scopes it is for all who signed in, as others are."""
    issuer = Issuer({"mate": ["quay"], "master": ["quay", "crane:lift"]})
    with in_thread(issuer.app) as issuer.url:
        settings = quay.module("_runtime").HttpSettings(
            http_issuer=issuer.url, http_resource=RESOURCE
        )
        server = quay.module("server").create_server(settings)
        tools = quay.module("_runtime.parts.changes.changes").catalogue(server)
        app = quay.module("_runtime.parts.http.asgi").create_app(server, settings)

        def seen(who):
            """Which cranes a caller sees, and what it gets for calling the heavy one."""
            headers = {"Authorization": f"Bearer {issuer.token(who)}"}

            async def main():
                found = []
                async with httpx2.AsyncClient(headers=headers) as http:
                    for era in ("legacy", "2026-07-28"):
                        transport = streamable_http_client(url, http_client=http)
                        async with Client(transport, mode=era, read_timeout_seconds=20) as client:
                            found.append({*await names(client)} & {"heavy", "light"})
                return found

            old, new = anyio.run(main)
            assert old == new
            message, more = current("heavy", {})
            return new, httpx2.post(url, json=message, headers={**more, **headers}).status_code

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


async def nothing(ctx: Any) -> str:
    return "nothing"
