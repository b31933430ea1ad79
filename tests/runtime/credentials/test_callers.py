"""Credentials that each caller brings along: per request, never kept, off unless turned on."""

import asyncio
import os
from dataclasses import replace
from types import SimpleNamespace

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from tables import listed

from mcpgen.runtime import Api, ApiKey, Basic, Bearer, OAuth2, Settings, ToolError
from mcpgen.runtime.backend.client import ApiClient
from mcpgen.runtime.backend.session import Backend, Connections, Hooks, Session
from mcpgen.runtime.calls.caller import owner_of
from mcpgen.runtime.parts.http.callers import check_callers, choose_of_caller
from mcpgen.runtime.parts.http.settings import HttpSettings
from mcpgen.runtime.values.settings import ConfigurationError

from ..serving import current, in_thread

PACKAGE = "shop_of_callers_mcp"
ON = HttpSettings(base_url="https://api.example", caller_auth=(("pets", "X-Pets-Token"),))
OAUTH = OAuth2(
    "P_TOKEN", "P_REFRESH", "P_ID", "P_SECRET", "https://l.example/t", "https://l.example/t"
)
API = Api("P", security_schemes={"pets": OAUTH, "key": ApiKey("X-Key", env="P_KEY")})
SECURITY = [{"pets": ["read"]}]
CALLS = int(os.environ.get("MCPGEN_CALLS", "100"))


async def whoami(request: httpx2.Request) -> httpx2.Response:
    """The API: says who called, a little later and backwards, for a credential would be masked."""
    await asyncio.sleep(0)
    return httpx2.Response(200, json={"who": request.headers["authorization"][::-1]})


def backend(settings: Settings = ON) -> Backend:
    """What the calls of a server share."""
    connections = Connections(settings, httpx2.MockTransport(whoami))
    return Backend(API, settings, connections, Hooks(None), "shop/1.0")


@pytest.fixture(autouse=True)
def own_credentials(monkeypatch):
    """The server has credentials of its own."""
    for name in ("P_TOKEN", "P_REFRESH", "P_ID", "P_SECRET", "P_KEY", "SHOP_KEY"):
        monkeypatch.setenv(name, "the-servers-own")


@pytest.mark.parametrize("headers", [{}, {"x-pets-token": ""}, {"authorization": "Bearer x"}])
async def test_a_caller_without_a_token_does_not_get_the_servers(headers):
    client = ApiClient(backend(), "tool", None, headers)
    with pytest.raises(ToolError, match="in the header X-Pets-Token") as refused:
        await client.send("GET", "/who", security=SECURITY)
    assert "the-servers-own" not in refused.value.message


@listed(
    "headers, security, said", __file__, "of a credential that callers bring the header is told"
)
async def test_of_a_credential_that_callers_bring_the_header_is_told(headers, security, said):
    """Its variable is set, and does not count."""
    api = replace(API, security_schemes={**API.security_schemes, "lock": Bearer("P_LOCK")})
    client = ApiClient(replace(backend(), api=api), "tool", None, headers)
    with pytest.raises(ToolError) as refused:
        await client.send("GET", "/who", security=security)
    assert refused.value.message == said


async def test_whose_credential_is_used_and_told():
    shared = backend()

    async def call(number):
        token = f"token-of-{'ab'[number % 2]}"
        client = ApiClient(shared, "tool", None, {"x-pets-token": token})
        answer = await client.send("GET", "/who", security=SECURITY)
        return bool(answer.data == {"who": f"Bearer {token}"[::-1]})

    assert all(await asyncio.gather(*map(call, range(CALLS))))
    connections = Connections(ON, httpx2.MockTransport(lambda _: httpx2.Response(403)))
    shared = Backend(API, ON, connections, Hooks(None), "shop/1.0")
    for security, whose in ((SECURITY, "the caller's credential"), ([{"key": []}], "this server")):
        client = ApiClient(shared, "tool", None, {"x-pets-token": "of-a-caller"})
        with pytest.raises(ToolError, match="Retrying will not help") as refused:
            await client.send("GET", "/who", security=security)
        assert whose in refused.value.message
    sent = []
    transport = httpx2.MockTransport(
        lambda request: sent.append(request) or httpx2.Response(200, json={})
    )
    shared = replace(backend(), connections=Connections(ON, transport))
    client = ApiClient(shared, "tool", None, {"x-key": "callers"})
    await client.send("GET", "/who", security=[{"key": []}])
    assert sent[0].headers["x-key"] == "the-servers-own"


@pytest.mark.parametrize(
    ("settings", "caller"),
    [(Settings(base_url="https://api.example"), {"x-pets-token": "callers"}), (ON, None)],
    ids=["off", "over stdio, where there is one person"],
)
async def test_where_callers_bring_nothing_it_is_the_servers(settings, caller):
    client = ApiClient(backend(settings), "tool", None, caller)
    answer = await client.send("GET", "/who", security=SECURITY)
    assert answer.data == {"who": "Bearer the-servers-own"[::-1]}


def test_whoever_brings_another_credential_is_another_caller():
    """To whom an answer or a task is kept: by any header, of any API, that tells callers apart."""
    first = HttpSettings(caller_auth=(("key", "X-Key"),), caller_exchange=(("pets", "X-User"),))
    further = HttpSettings(caller_auth=(("pets", "X-Pets-Token"),))
    apis = {"": (API, first), "more": (API, further)}
    session = Session(apis, Hooks(None), "shop/1.0", None, None, {})
    brought = [{}, *({name: "a"} for name in ("authorization", "x-key", "x-user", "x-pets-token"))]
    requests = [
        SimpleNamespace(request=SimpleNamespace(headers=headers), lifespan_context=session)
        for headers in (*brought, {"x-other": "a"})
    ]
    assert len({owner_of(request) for request in requests}) == len(brought)


@pytest.mark.parametrize("exchanged", [False, True])
def test_a_placeholder_in_a_callers_header_is_no_credential(exchanged):
    """Clients leave it there too, where their own environment lacks the variable."""
    schemes = {"key": OAuth2("P_KEY")}
    api = Api("P", security_schemes=schemes, security=[{"key": []}])
    headers = (("key", "X-Key"),)
    settings = (
        HttpSettings(caller_exchange=headers) if exchanged else HttpSettings(caller_auth=headers)
    )
    for value in ("${API_KEY}", " ${API_KEY:-} "):
        with pytest.raises(ToolError, match="in the header X-Key"):
            choose_of_caller(api, None, settings, {"P_KEY": "the server's"}, {"x-key": value})


def test_what_cannot_be_turned_on():
    schemes = {"key": Bearer("P_KEY"), "basic": Basic("P_USER", "P_PASSWORD")}
    api = Api("P", security_schemes=schemes)
    for key, said in (("nobody", "the API; it has: key, basic"), ("basic", "no single header")):
        with pytest.raises(ConfigurationError, match=said):
            check_callers(api, HttpSettings(caller_auth=((key, "X-Key"),)))
    check_callers(api, HttpSettings(caller_auth=(("key", "X-Key"),)))
    for text in ("key", "key: ", "key: Host", "key: a b"):
        with pytest.raises(ConfigurationError, match="P_CALLER_AUTH"):
            HttpSettings.from_env("P", {"P_CALLER_AUTH": text})


def pets(request: httpx2.Request) -> httpx2.Response:
    """The API of the sample: its key is the pet's name."""
    return httpx2.Response(200, json={"name": request.headers["x-key"]})


async def test_two_callers_never_meet_over_http(shop):
    """Interleaved on 16 connections to one process; `MCPGEN_CALLS` says how many calls."""
    made = shop.APP.settings({"SHOP_CALLER_AUTH": "key: X-Shop-Key"})
    app = shop.create_app(made, transport=httpx2.MockTransport(pets))
    message, headers = current("getPet", {"petId": 7})
    left = iter(range(CALLS))
    met = []

    async def calls(http, base):
        count = 0
        for number in left:
            key = f"key-{'ab'[number % 2]}"  # too short to be masked
            own = headers | {"X-Shop-Key": key}
            answer = (await http.post(f"{base}/mcp", json=message, headers=own)).json()
            if answer["result"]["structuredContent"] != {"name": key}:
                met.append(answer)
            count += 1
        return count

    limits = httpx2.Limits(max_connections=16)
    with in_thread(app) as base:
        async with httpx2.AsyncClient(limits=limits, timeout=20) as http:
            counts = await asyncio.gather(*(calls(http, base) for _ in range(16)))
    assert met == []
    assert sum(counts) == CALLS


async def test_in_an_older_clients_session_it_is_the_header_of_each_request(shop):
    made = shop.APP.settings({"SHOP_CALLER_AUTH": "key: X-Shop-Key"})
    app = shop.create_app(made, transport=httpx2.MockTransport(pets))
    with in_thread(app) as base:
        async with httpx2.AsyncClient(headers={"X-Shop-Key": "first"}) as http:
            transport = streamable_http_client(f"{base}/mcp", http_client=http)
            async with Client(transport, mode="legacy", read_timeout_seconds=20) as client:
                for name in ("first", "second"):
                    http.headers["X-Shop-Key"] = name
                    result = await client.call_tool("getPet", {"petId": 7})
                    assert result.structured_content == {"name": name}


def test_a_wrong_name_does_not_start(shop, monkeypatch):
    monkeypatch.setenv("SHOP_CALLER_AUTH", "nobody: X-Shop-Key")
    assert shop.APP.main(["--list"]) == 2
