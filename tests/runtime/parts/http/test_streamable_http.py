"""The server over Streamable HTTP, for current and older clients."""

import asyncio
import importlib
import queue
import threading
from types import ModuleType
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from starlette.applications import Starlette
from starlette.routing import Mount
from tables import table

from mcpgen.runtime.parts.http import readers
from mcpgen.runtime.parts.http.listen import Address, check
from mcpgen.runtime.parts.http.settings import HttpSettings
from mcpgen.runtime.values.settings import ConfigurationError

from ... import sample
from ...serving import HEADERS, INITIALIZE, current, in_thread

PACKAGE = "shop_over_http_mcp"
ERAS = pytest.mark.parametrize("era", ["legacy", "2026-07-28"])


def pets(request: httpx2.Request) -> httpx2.Response:
    """The API."""
    return httpx2.Response(200, json={"name": "Rex", "owner": None, "path": request.url.path})


@pytest.fixture(autouse=True)
def key(monkeypatch):
    """A credential is set."""
    monkeypatch.setenv("SHOP_KEY", "sk-SENTINEL")


def app(shop: ModuleType, **settings: Any) -> Any:
    """The ASGI application in front of `pets`."""
    return shop.create_app(HttpSettings(**settings), transport=httpx2.MockTransport(pets))


@ERAS
@pytest.mark.parametrize("stateless", [False, True])
async def test_a_session(shop, era, stateless):
    with in_thread(app(shop, http_stateless=stateless)) as base:
        async with Client(f"{base}/mcp", mode=era, read_timeout_seconds=20) as client:
            listed = await client.list_tools()
            result = await client.call_tool("getPet", {"petId": 7})
            wrong = await client.call_tool("getPet", {"petId": "x"})
    dumped = [tool.model_dump(by_alias=True, exclude_none=True) for tool in listed.tools]
    assert dumped == sample.TOOLS
    assert result.structured_content == {"name": "Rex", "owner": None, "path": "/v1/pets/7"}
    assert wrong.is_error


@pytest.mark.parametrize(("said", "taken"), [(None, "2025-03-26"), ("2024-11-05", "2024-11-05")])
async def test_without_a_header_a_request_is_of_2025_03_26(shop, said, taken):
    """Where no sessions are kept, nothing else says of which revision it is."""
    params = {"name": "fail", "arguments": {"how": "revision"}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    own = {} if said is None else {"MCP-Protocol-Version": said}
    with in_thread(app(shop, http_stateless=True)) as base:
        answer = httpx2.post(f"{base}/mcp", json=message, headers=HEADERS | own)
    assert f'"text":"{taken}"' in answer.text


async def test_the_lifespan_is_entered_once(shop):
    opened = importlib.import_module(f"{PACKAGE}.hooks").OPENED
    opened.clear()
    with in_thread(app(shop)) as base:
        for _ in range(2):
            async with Client(f"{base}/mcp", mode="legacy", read_timeout_seconds=20) as client:
                found = await client.call_tool("state", {})
                assert found.structured_content == {"state": {"db": "open"}, "tool": "state"}
        assert opened == ["shop"]
    assert opened == ["shop", "closed"]


def mounted(path: str, inner: Any) -> Starlette:
    """An application with the server's inside, started as READMEs say."""
    return Starlette(routes=[Mount(path, inner)], lifespan=inner.router.lifespan_context)


async def test_mounted_in_another_application(shop):
    with in_thread(mounted("/shop", app(shop))) as base:
        async with Client(f"{base}/shop/mcp", read_timeout_seconds=20) as client:
            result = await client.call_tool("getPet", {"petId": 7})
            assert not result.is_error
        assert httpx2.get(f"{base}/shop/healthz").status_code == 200


@pytest.mark.parametrize("prefix", ["", "/shop"])
def test_a_slash_behind_the_path_leads_no_client_elsewhere(shop, prefix):
    served = app(shop)
    outer = mounted(prefix, served) if prefix else served
    with in_thread(outer) as base:
        url = f"{base}{prefix}/mcp/"
        message, headers = current("getPet", {"petId": 7})
        found = httpx2.post(url, json=message, headers=headers)
        foreign = httpx2.post(url, json={}, headers={**HEADERS, "Host": "evil.example"})
        longer = httpx2.post(url, json={}, headers={**HEADERS, "Host": "localhost:80@evil"})
    assert found.status_code == 200
    assert longer.status_code == 421
    assert foreign.status_code == 421


@pytest.fixture(scope="module")
def named(shop):
    """The server where it is known by names, and to web pages of an origin."""
    hosts = ("shop.example", "Port.example:81", "default.example:443", "[2001:db8::1]")
    settings = {"public_hosts": hosts, "allow_origins": ("https://app.example",)}
    with in_thread(app(shop, **settings)) as base:
        yield base


@table(
    "headers, status",
    ({}, 200),
    ({"Host": "localhost"}, 200),
    ({"Host": "localhost:1"}, 200),
    ({"Host": "LocalHost:1"}, 200),
    ({"Host": "evil.example"}, 421),
    ({"Host": "127.0.0.1.evil.example"}, 421),
    ({"Host": "shop.example"}, 200),
    ({"Host": "shop.example:8443"}, 200),
    ({"Host": "SHOP.example", "Origin": "https://Shop.Example"}, 200),
    ({"Host": "SHOP.example.evil"}, 421),
    ({"Host": "port.example:81"}, 200),
    ({"Host": "port.example:82"}, 421),
    ({"Host": "port.example"}, 421),
    ({"Host": "default.example"}, 200),
    ({"Host": "default.example:443"}, 200),
    ({"Host": "default.example:444"}, 421),
    ({"Host": "[2001:db8::1]:8443"}, 200),
    ({"Host": "shop.example", "Origin": "https://shop.example"}, 200),
    ({"Origin": "http://localhost:6274"}, 200),
    ({"Origin": "https://app.example"}, 200),
    ({"Origin": "https://evil.example"}, 403),
    ({"Origin": "null"}, 403),
    ({"Host": "localhost:80@evil"}, 421),
    ({"Host": "localhost:x"}, 421),
    ({"Host": "localhost:"}, 421),
    ({"Host": "shop.example:80/evil"}, 421),
    ({"Host": "[::1]:80.evil.example"}, 421),
    ({"Host": "[::1"}, 421),
    ({"Origin": "http://localhost:x.evil.com"}, 403),
    ({"Origin": "http://localhost:80@evil.example"}, 403),
    ({"Origin": "http://shop.example:80/x"}, 403),
    ({"Origin": "http://localhost:80 http://evil.example"}, 403),
)
async def test_only_known_hosts_and_origins(named, headers, status):
    message, own = current("getPet", {"petId": 7})
    modern = httpx2.post(f"{named}/mcp", json=message, headers=own | headers)
    older = httpx2.post(f"{named}/mcp", json=INITIALIZE, headers=HEADERS | headers)
    assert (modern.status_code, older.status_code) == (status, status)
    assert ("SHOP_PUBLIC_HOSTS" in modern.text) == ("SHOP_PUBLIC_HOSTS" in older.text)
    assert ("SHOP_PUBLIC_HOSTS" in modern.text) == (status == 421)
    assert "access-control-allow-origin" not in older.headers or status == 200


APPS = (
    *("tauri://localhost", "app://obsidian.md", "vscode-webview://1a2b", "chrome-extension://abc"),
    "null",
)


@table(
    "allowed, origin, status",
    *((origin, origin, 200) for origin in APPS),
    ("tauri://localhost", "tauri://elsewhere", 403),
    ("app://obsidian.md", "https://obsidian.md", 403),
    ("*", "https://whoever.example", 200),
    ("*", "null", 200),
    ("https://app.example", "null", 403),
)
async def test_pages_of_programs_may_call_where_that_is_said(shop, allowed, origin, status):
    message, own = current("getPet", {"petId": 7})
    asked = {"Access-Control-Request-Method": "POST", "Origin": origin}
    with in_thread(app(shop, allow_origins=readers.origins(allowed))) as base:
        answer = httpx2.post(f"{base}/mcp", json=message, headers=own | {"Origin": origin})
        before = httpx2.options(f"{base}/mcp", headers=asked)
    assert answer.status_code == status
    assert before.headers.get("access-control-allow-origin") in (
        (origin, "*") if status == 200 else (None,)
    )


@table(
    "text",
    *("https://*.example.com", "https://*", "app.example", "ftp://a.example", "tauri://*"),
    *("https://a@b.example", "https://a.example/path", "javascript://x"),
)
def test_what_no_origin_can_be_is_refused(text):
    with pytest.raises(ValueError, match="origins separated by commas"):
        readers.origins(f"https://app.example, {text}")


@pytest.mark.parametrize("allowed", ["*", "null", "https://app.example, null"])
def test_pages_of_whoever_may_call_only_where_callers_bring_a_token(shop, allowed):
    environ = {"SHOP_ALLOW_ORIGINS": allowed}
    own = importlib.import_module(f"{PACKAGE}._runtime.values.settings").ConfigurationError
    with pytest.raises(own, match=r"SHOP_ALLOW_ORIGINS.*SHOP_HTTP_TOKEN"):
        shop.APP.settings(environ)
    shop.APP.settings(environ | {"SHOP_HTTP_TOKEN": "t" * 16})


@pytest.mark.parametrize("path", ["/mcp", "/shop/v1", "/", "/a/b/"])
async def test_the_path_is_set_by_a_variable_and_by_nothing_else(shop, path):
    settings = HttpSettings.from_env(
        "SHOP", {"SHOP_HTTP_PATH": path, "SHOP_HTTP_RESOURCE": "https://shop.example/other/mcp"}
    )
    message, own = current("getPet", {"petId": 7})
    served = shop.create_app(settings, transport=httpx2.MockTransport(pets))
    with in_thread(served) as base:
        async with Client(base + path, mode="legacy", read_timeout_seconds=20) as client:
            assert not (await client.call_tool("getPet", {"petId": 7})).is_error
        at = [f"{path.rstrip('/')}{end}" for end in ("", "/")]
        codes = [httpx2.post(base + each, json=message, headers=own).status_code for each in at]
        assert codes == [200, 200]
        for elsewhere in {"/mcp", "/other/mcp"} - {path}:
            assert httpx2.post(base + elsewhere, json=message, headers=own).status_code == 404
        assert httpx2.get(f"{base}/healthz").status_code == 200


@pytest.mark.parametrize("text", ["mcp", "/a//b", "/a/../b", "/a?b", "/a b", "/healthz", "/é"])
def test_what_no_path_can_be_is_refused(text):
    with pytest.raises(ConfigurationError, match="SHOP_HTTP_PATH must be a path"):
        HttpSettings.from_env("SHOP", {"SHOP_HTTP_PATH": text})


async def test_a_web_page_of_an_allowed_origin_may_ask_first(named):
    asked = {"Access-Control-Request-Method": "POST", "Origin": "https://app.example"}
    good = httpx2.options(f"{named}/mcp", headers=asked)
    evil = httpx2.options(f"{named}/mcp", headers=asked | {"Origin": "https://evil.example"})
    assert good.headers["access-control-allow-origin"] == "https://app.example"
    assert "access-control-allow-origin" not in evil.headers


async def test_a_request_is_bounded(shop):
    message, headers = current("create", {"name": "x" * 2000})
    with in_thread(app(shop, max_request_bytes=1000)) as base:
        known = httpx2.post(f"{base}/mcp", json=message, headers=headers)
        chunked = httpx2.post(f"{base}/mcp", content=iter([b"x" * 600] * 2), headers=headers)
        older = httpx2.post(f"{base}/mcp", content=b"x" * 1001, headers=HEADERS)
    assert [answer.status_code for answer in (known, chunked, older)] == [413, 413, 413]


@ERAS
@pytest.mark.parametrize("stateless", [False, True])
async def test_hanging_up_in_the_middle_of_a_request_is_no_error_of_the_server(
    shop, era, stateless, caplog
):
    """Whoever does that could fill the log with tracebacks."""
    own = HEADERS | {"Host": "localhost"} | ({} if era == "legacy" else current("x", {})[1])
    headers = [(name.lower().encode(), value.encode()) for name, value in own.items()]
    scope = {"type": "http", "method": "POST", "path": "/mcp", "headers": headers}
    arriving = [
        {"type": "http.request", "body": b'{"json', "more_body": True},
        {"type": "http.disconnect"},
    ]
    answered = []

    async def receive():
        return arriving.pop(0)

    async def send(message):
        answered.append(message)

    served = app(shop, http_stateless=stateless)
    async with served.router.lifespan_context(served):
        await served(scope, receive, send)
    assert arriving == []
    assert "Traceback" not in caplog.text


async def test_health(shop):
    with in_thread(app(shop)) as base:
        for path in ("/healthz", "/readyz"):
            assert httpx2.get(f"{base}{path}", headers={"Host": "10.0.0.7"}).status_code == 200
        assert httpx2.get(f"{base}/elsewhere").status_code == 404
        foreign = httpx2.get(f"{base}/healthz/", headers={"Host": "evil.example"})
        assert (foreign.status_code, "evil" in str(foreign.headers)) == (404, False)


@pytest.mark.parametrize("kind", ["current", "with a session", "without a session"])
async def test_hanging_up_cancels_a_call_unless_it_is_of_a_session(shop, kind):
    """Before 2026-07-28 a client may come back to its session, so the call goes on."""
    goes_on = kind == "with a session"
    arrived, gone, answer = threading.Event(), threading.Event(), threading.Event()
    ends = queue.Queue()

    async def pet(_):
        arrived.set()
        try:
            await anyio.to_thread.run_sync(answer.wait, abandon_on_cancel=True)
        except asyncio.CancelledError:
            ends.put("cancelled")
            raise
        ends.put("answered")
        return httpx2.Response(200, json={"name": "Rex"})

    settings = HttpSettings(http_stateless=not goes_on)
    served = shop.create_app(settings, transport=httpx2.MockTransport(pet))

    async def watched(scope, receive, send):
        async def receiving():
            message = await receive()
            if message["type"] == "http.disconnect" and arrived.is_set():
                gone.set()
            return message

        await served(scope, receiving, send)

    message, headers = current("getPet", {"petId": 7})
    with in_thread(watched) as base:
        async with httpx2.AsyncClient(timeout=20) as http:
            if kind != "current":
                begun = await http.post(f"{base}/mcp", json=INITIALIZE, headers=HEADERS)
                headers = HEADERS | {"Mcp-Session-Id": begun.headers.get("mcp-session-id", "none")}
                message["params"].pop("_meta")
            call = asyncio.create_task(http.post(f"{base}/mcp", json=message, headers=headers))
            assert await anyio.to_thread.run_sync(arrived.wait, 20)
            call.cancel()
            assert await anyio.to_thread.run_sync(gone.wait, 20)
        if goes_on:
            assert ends.empty()
            answer.set()
        end = await anyio.to_thread.run_sync(ends.get, True, 20)
        answer.set()
    assert end == ("answered" if goes_on else "cancelled")


@table(
    "text, address",
    ("8080", ("127.0.0.1", 8080)),
    ("0.0.0.0:80", ("0.0.0.0", 80)),
    ("localhost", ("localhost", 8000)),
    ("[::1]:9000", ("::1", 9000)),
    ("[::1]", ("::1", 8000)),
    ("::1", ("::1", 8000)),
    ("127.0.0.1:0", ("127.0.0.1", 0)),
)
def test_addresses(text, address):
    assert Address.read(text) == address


@pytest.mark.parametrize("text", [":80", "host:", "host:x", "host:70000", "host:-1"])
def test_what_is_no_address(text):
    with pytest.raises(ConfigurationError, match="--http must be"):
        Address.read(text)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.7", "shop.example"])
def test_other_machines_need_a_name(host):
    with pytest.raises(ConfigurationError, match="SHOP_PUBLIC_HOSTS"):
        check(Address(host, 80), HttpSettings(), "SHOP")
    check(Address(host, 80), HttpSettings(public_hosts=("shop.example",)), "SHOP")


@table(
    "asks, is_open",
    ({}, True),
    ({"http_token": "t"}, False),
    ({"http_issuer": "https://a.example"}, False),
)
def test_it_is_said_that_nobody_signs_in_where_it_is_so(asks, is_open):
    with pytest.raises(ConfigurationError) as refused:
        check(Address("0.0.0.0", 80), HttpSettings(**asks), "SHOP")
    assert ("set SHOP_HTTP_TOKEN" in str(refused.value)) is is_open


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "127.9.9.9"])
def test_this_machine_does_not(host):
    check(Address(host, 80), HttpSettings(), "SHOP")


async def test_both_eras_at_once_on_one_server(shop):
    results = []

    async def use(url, era):
        async with Client(url, mode=era, read_timeout_seconds=20) as client:
            for number in range(5):
                result = await client.call_tool("getPet", {"petId": number})
                results.append(result.structured_content)

    with in_thread(app(shop)) as base:
        async with anyio.create_task_group() as tasks:
            for era in ("legacy", "2026-07-28") * 3:
                tasks.start_soon(use, f"{base}/mcp", era)
    paths = sorted(result["path"] for result in results if result)
    assert paths == sorted(f"/v1/pets/{number}" for number in range(5) for _ in range(6))
