"""What is written down of each call: the audit log."""

import json
import os
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client

from mcpgen.runtime import Api
from mcpgen.runtime.backend.observing import Observed
from mcpgen.runtime.calls.caller import Caller
from mcpgen.runtime.parts.http.audit import Audit
from mcpgen.runtime.parts.http.requests import Call
from mcpgen.runtime.parts.http.settings import HttpSettings

from ... import sample
from ...serving import current, in_thread

PACKAGE = "shop_with_audit_mcp"
CANARY = "canary-of-the-server"
TOOLS = [
    *sample.TOOLS[:2],
    {
        "name": "signIn",
        "inputSchema": {
            "type": "object",
            "properties": {
                "user": {"type": "string"},
                "phrase": {"type": "string", "format": "password"},
                "apiKey": {"type": "string"},
                "ids": {"type": "array"},
                "account": {"$ref": "#/$defs/Account"},
                "accounts": {"type": "array", "items": {"$ref": "#/$defs/Account"}},
                "pins": {"$ref": "#/$defs/Pins"},
            },
            "$defs": {
                "Account": {
                    "type": "object",
                    "properties": {"pin": {"type": "string", "writeOnly": True}},
                },
                "Pins": {"additionalProperties": {"type": "string", "format": "password"}},
            },
        },
    },
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where the sample package is."""
    found = tmp_path_factory.mktemp("shop")
    sample.write(found, PACKAGE, TOOLS)
    return found


@pytest.fixture(scope="module")
def shop(folder):
    """Its `server` module."""
    with sample.imported(folder, PACKAGE) as found:
        yield found


@pytest.fixture(autouse=True)
def credential(monkeypatch):
    """The server's own."""
    monkeypatch.setenv("SHOP_KEY", CANARY)


async def lines_of(shop: ModuleType, path: Path, **settings: Any) -> list[dict[str, Any]]:
    """The audit log of a few calls."""

    def answer(request: httpx2.Request) -> httpx2.Response:
        status = 404 if request.url.path.endswith("/8") else 200
        return httpx2.Response(status, json={"name": CANARY})

    made = HttpSettings(audit=str(path), calls_per_minute=5, **settings)
    server = shop.create_server(made, transport=httpx2.MockTransport(answer))
    async with Client(server) as client:
        await client.call_tool("getPet", {"petId": 7})
        await client.call_tool("getPet", {"petId": 8})
        await client.call_tool("create", {"name": f"x {CANARY} \u202e\n", "password": "canary"})
        with pytest.raises(Exception, match="Unknown tool"):
            await client.call_tool("nothing", {CANARY: 1})
        await client.call_tool("getPet", {"petId": "canary"})
        await client.call_tool("getPet", {"petId": 7})
    return [json.loads(line) for line in path.read_text().splitlines()]


async def test_each_call_is_a_line_of_the_audit_log(shop, tmp_path):
    path = tmp_path / "audit.jsonl"
    lines = await lines_of(shop, path)
    assert "canary" not in path.read_text()
    assert path.stat().st_mode & 0o077 == 0
    assert [line["tool"] for line in lines] == ["getPet"] * 2 + ["create", "nothing"] + [
        "getPet"
    ] * 2
    assert [line["outcome"] for line in lines] == [
        "ok",
        "error",
        "ok",
        "refused",
        "error",
        "limited",
    ]
    assert lines[0]["operations"] == [
        {"operation": "GET /pets/{petId}", "status": 200, "bytes": 23}
    ]
    assert lines[1]["operations"] == [
        {"operation": "GET /pets/{petId}", "status": 404, "bytes": None}
    ]
    assert lines[2]["arguments"] == ["name", "password"]
    assert lines[4]["operations"] == []
    assert all(line["duration_ms"] >= 0 and line["time"].endswith("+00:00") for line in lines)


async def test_a_call_that_its_caller_cancels_is_written_down_as_such(shop, tmp_path):
    path, begun = tmp_path / "audit.jsonl", anyio.Event()

    async def answer(request):
        begun.set()
        await anyio.sleep_forever()
        raise AssertionError

    server = shop.create_server(
        HttpSettings(audit=str(path)), transport=httpx2.MockTransport(answer)
    )
    async with Client(server) as client, anyio.create_task_group() as tasks:
        tasks.start_soon(client.call_tool, "getPet", {"petId": 1})
        await begun.wait()
        tasks.cancel_scope.cancel()
    assert [json.loads(line)["outcome"] for line in path.read_text().splitlines()] == ["cancelled"]


async def test_values_are_written_only_where_asked_and_no_secret_is(shop, tmp_path):
    path = tmp_path / "audit.jsonl"
    lines = await lines_of(shop, path, audit_values=True)
    assert CANARY not in path.read_text()
    assert lines[0]["arguments"] == {"petId": "7"}
    assert lines[2]["arguments"] == {"name": "x [credential] \u202e\n", "password": "[credential]"}
    server = shop.create_server(HttpSettings(audit=str(path), audit_values=True))
    async with Client(server) as client:
        asked = {"user": "ann", "phrase": "canary", "apiKey": "canary", "ids": [1]}
        await client.call_tool("signIn", asked)
    last = json.loads(path.read_text().splitlines()[-1])
    masked = {"phrase": "[credential]", "apiKey": "[credential]"}
    assert last["arguments"] == {"user": "ann", **masked, "ids": "[1]"}


async def test_no_secret_inside_a_value_is_written_down(shop, tmp_path):
    path = tmp_path / "audit.jsonl"
    account = {"id": 7, "pin": "canary", "login": {"newPassword": "canary"}}
    server = shop.create_server(HttpSettings(audit=str(path), audit_values=True))
    async with Client(server) as client:
        for given in (account, json.dumps(account)):
            await client.call_tool("signIn", {"account": given, "accounts": [given]})
        await client.call_tool("signIn", {"pins": {"home": "canary"}})
    assert "canary" not in path.read_text()
    lines = [json.loads(line)["arguments"] for line in path.read_text().splitlines()]
    masked = {"id": 7, "pin": "[credential]", "login": {"newPassword": "[credential]"}}
    home = {"pins": json.dumps({"home": "[credential]"})}
    assert lines == [*[{"account": json.dumps(masked), "accounts": json.dumps([masked])}] * 2, home]


@pytest.mark.parametrize("depth", [600, 100_000])
async def test_a_call_with_a_value_of_any_depth_is_written_down(shop, tmp_path, depth):
    """Where it cannot be looked into nothing of it is written, and nowhere what is secret."""
    path = tmp_path / "audit.jsonl"
    server = shop.create_server(HttpSettings(audit=str(path), audit_values=True))
    text = "[" * depth + '{"password": "canary"}' + "]" * depth
    async with Client(server) as client:
        await client.call_tool("signIn", {"user": text})
    [line] = path.read_text().splitlines()
    assert list(json.loads(line)["arguments"]) == ["user"]
    assert "canary" not in line


async def test_a_large_value_is_written_down_in_bounded_time(shop, tmp_path):
    path = tmp_path / "audit.jsonl"
    server = shop.create_server(HttpSettings(audit=str(path), audit_values=True))
    async with Client(server) as client:
        start = time.process_time()
        await client.call_tool("signIn", {"ids": [[{"a": [1, 2]}] * 100] * 1000})
        assert time.process_time() - start < 20
    [line] = path.read_text().splitlines()
    assert json.loads(line)["arguments"]["ids"].startswith('[[{"a": [1, 2]}, {"a"')
    assert len(line) < 2000


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is full")
async def test_a_line_that_cannot_be_written_costs_no_answer(shop, caplog):
    """What the API was asked to do is done, and whoever gets an error would ask again."""
    answering = httpx2.MockTransport(lambda _: httpx2.Response(200, json={"name": "Rex"}))
    server = shop.create_server(HttpSettings(audit="/dev/full"), transport=answering)
    async with Client(server) as client:
        result = await client.call_tool("create", {"name": "Rex"})
    assert result.structured_content == {"name": "Rex"}
    assert "audit log cannot be written: No space left on device" in caplog.text


@pytest.mark.skipif(os.name == "nt", reason="a file that is open has one name there")
async def test_a_log_that_was_rotated_goes_on_under_its_own_name(shop, tmp_path):
    path, kept = tmp_path / "audit.jsonl", tmp_path / "audit.jsonl.1"
    answering = httpx2.MockTransport(lambda _: httpx2.Response(200, json={"name": "Rex"}))
    server = shop.create_server(HttpSettings(audit=str(path)), transport=answering)
    async with Client(server) as client:
        await client.call_tool("getPet", {"petId": 1})
        path.rename(kept)
        await client.call_tool("getPet", {"petId": 2})
        await client.call_tool("getPet", {"petId": 3})
    assert len(kept.read_text().splitlines()) == 1
    assert len(path.read_text().splitlines()) == 2
    assert path.stat().st_mode & 0o077 == 0


def test_a_caller_is_named_and_its_token_is_not(shop, capfd):
    app = shop.create_app(
        HttpSettings(http_token="canary-of-callers", audit="stderr"),
        transport=httpx2.MockTransport(lambda _: httpx2.Response(200, json={})),
    )
    message, headers = current("getPet", {"petId": 7})
    own = headers | {"Authorization": "Bearer canary-of-callers"}
    with in_thread(app) as base:
        assert httpx2.post(f"{base}/mcp", json=message, headers=own).status_code == 200
    said = capfd.readouterr().err
    line = next(json.loads(line) for line in said.splitlines() if line.startswith("{"))
    assert line["caller"] == {"client": "http-token"}
    assert "canary" not in said


def test_a_long_request_id_is_cut(tmp_path):
    """A client may choose one of eight megabytes for each call."""
    path = tmp_path / "audit.jsonl"
    log = Audit(Api("SHOP"), HttpSettings(audit=str(path)))
    for given in ("x" * 10_000, 7, None):
        call = Call("tools/call", "getPet", Caller(), request_id=given)
        log.write(call, {}, "ok", Observed(), 0.0)
    log.close()
    lines = path.read_text().splitlines()
    assert [json.loads(line)["request_id"] for line in lines] == ["x" * 200, 7, None]


async def test_several_processes_write_whole_lines_to_one_file(tmp_path):
    """A line is longer than what a file object keeps back."""
    path, names = tmp_path / "audit.jsonl", [f"{number}{'x' * 200}" for number in range(50)]
    logs = [Audit(Api("SHOP"), HttpSettings(audit=str(path))) for _ in range(3)]
    call = Call("tools/call", "getPet", Caller(), dict.fromkeys(names, 1))

    def write(log):
        for _ in range(100):
            log.write(call, {}, "ok", Observed(), 0.0)
        log.close()

    async with anyio.create_task_group() as tasks:
        for log in logs:
            tasks.start_soon(anyio.to_thread.run_sync, write, log)
    lines = path.read_text().splitlines()
    assert len(lines) == 300
    assert all(len(json.loads(line)["arguments"]) == 50 for line in lines)
    assert min(map(len, lines)) > 8192
