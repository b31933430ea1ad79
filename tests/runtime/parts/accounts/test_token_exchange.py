"""Token exchange (RFC 8693): each caller's token for one of the API, by request, kept nowhere."""

import asyncio
import os
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import httpx2
import pytest
from tables import table

from mcpgen.runtime import (
    Api,
    ApiError,
    Bearer,
    OAuth2,
    OpenIdConnect,
    ServerUrl,
    ToolError,
    Variable,
)
from mcpgen.runtime.backend.client import ApiClient
from mcpgen.runtime.backend.session import Backend, Connections, Hooks
from mcpgen.runtime.parts.accounts.oauth import tokens_of
from mcpgen.runtime.parts.http.callers import check_callers
from mcpgen.runtime.parts.http.settings import HttpSettings
from mcpgen.runtime.values.settings import ConfigurationError

from ...authorization import CLIENT, EXCHANGE, SECRET, Guarded

READ = [{"pets": ["pets:read"]}]
CALLS = int(os.environ.get("MCPGEN_CALLS", "40"))
ENV = ("P_TOKEN", "P_REFRESH", "P_ID", "P_SECRET")


@pytest.fixture
def guarded():
    """The authorization server, where two users have tokens for this MCP server, and the API."""
    found = Guarded()
    found.validator.subjects = {f"token-of-{user}": user for user in ("ann", "ben")}
    return found


@pytest.fixture(autouse=True)
def own_credentials(monkeypatch):
    """The server has credentials of its own, a ready token among them."""
    for name, value in zip(ENV, ("ready", "first-refresh-token", CLIENT, SECRET), strict=True):
        monkeypatch.setenv(name, value)


def backend(url: str, discovered: bool = False, **settings: Any) -> Backend:
    """What the calls of a server share that exchanges tokens."""
    scheme = OpenIdConnect(*ENV, f"{url}/.well-known/openid-configuration")
    known = scheme if discovered else OAuth2(*ENV, f"{url}/token", f"{url}/token")
    api = Api("P", security_schemes={"pets": known})
    asked = {"caller_exchange": (("pets", "Authorization"),), "exchange_audience": "pets-api"}
    made = HttpSettings(**({"base_url": url, "timeout": 20.0, "retries": 0} | asked | settings))
    return Backend(api, made, Connections(made), Hooks(None), "shop/1.0")


def caller(shared: Backend, token: str) -> ApiClient:
    """The client of one caller's request."""
    return ApiClient(shared, "tool", None, {"authorization": token})


@pytest.mark.parametrize("discovered", [False, True])
async def test_the_api_gets_a_token_of_its_own(guarded, url, discovered):
    shared = backend(url, discovered)
    answer = await caller(shared, "Bearer token-of-ann").send("GET", "/pets", security=READ)
    assert answer.data["who"] == "ann"
    (form,) = guarded.forms
    assert form["grant_type"] == [EXCHANGE]
    assert form["subject_token"] == ["token-of-ann"]
    assert form["scope"] == ["pets:read"]
    assert all("token-of-ann" not in header for _, header in guarded.calls)


async def test_two_callers_never_get_each_others_token(guarded, url):
    """A hundred calls at a time; `MCPGEN_CALLS` says how many in all."""
    shared = backend(url)

    async def call(number):
        user = ("ann", "ben")[number % 2]
        answer = await caller(shared, f"token-of-{user}").send("GET", "/pets", security=READ)
        return bool(answer.data["who"] == user)

    for start in range(0, CALLS, 100):
        batch = range(start, min(start + 100, CALLS))
        assert all(await asyncio.gather(*(call(number) for number in batch)))
    assert len(guarded.forms) == CALLS
    assert len({header for _, header in guarded.calls}) == CALLS
    assert not tokens_of(shared)._kept


@pytest.mark.parametrize("token", ["", "Bearer ", "Bearer token-of-nobody"])
async def test_a_caller_without_a_good_token_does_not_get_the_servers(guarded, url, token):
    with pytest.raises(ToolError) as refused:
        await caller(backend(url), token).send("GET", "/pets", security=READ)
    assert guarded.calls == []
    assert "token-of-nobody" not in refused.value.message
    said = "400 (invalid_grant: [credential] is nobody's)" if len(token) > 9 else "Authorization"
    assert said in refused.value.message


@pytest.mark.parametrize("header", ["Basic YW5uOmhlci1wYXNzd29yZA==", "DPoP token-of-ann", "a b"])
async def test_what_is_no_bearers_token_is_sent_nowhere(guarded, url, header):
    """Another scheme's credential is a password, or is worth nothing without its proof."""
    with pytest.raises(ToolError, match="Authorization"):
        await caller(backend(url), header).send("GET", "/pets", security=READ)
    assert not guarded.forms
    assert not guarded.calls


async def test_a_scope_that_may_not_be_had(guarded, url):
    ann = caller(backend(url), "Bearer token-of-ann")
    with pytest.raises(ToolError, match=r"400 \(invalid_scope\)"):
        await ann.send("GET", "/pets", security=[{"pets": ["admin"]}])
    with pytest.raises(ApiError, match="403"):
        await ann.send("POST", "/pets", security=READ)
    assert len(guarded.calls) == 1


async def test_a_token_that_the_api_refuses_is_not_asked_for_again(guarded, url):
    guarded.lifetime = -1
    with pytest.raises(ApiError, match="401"):
        await caller(backend(url), "Bearer token-of-ann").send("GET", "/pets", security=READ)
    assert (len(guarded.forms), len(guarded.calls)) == (1, 1)


@table(
    "kind, good",
    ("urn:ietf:params:oauth:token-type:jwt", True),
    (None, True),
    ("urn:ietf:params:oauth:token-type:id_token", False),
    (["x"], False),
)
async def test_only_an_access_token_is_sent_to_the_api(kind, good):
    """RFC 8693 2.2.1."""
    calls = []

    def answer(request):
        if request.url.path == "/token":
            body = {"access_token": "had", "token_type": "Bearer", "issued_token_type": kind}
            kept = {name: value for name, value in body.items() if value is not None}
            return httpx2.Response(200, json=kept)
        calls.append(request.headers["authorization"])
        return httpx2.Response(200, json={})

    shared = backend("https://x.example")
    shared = replace(shared, connections=Connections(shared.settings, httpx2.MockTransport(answer)))
    ann = caller(shared, "Bearer token-of-ann")
    with nullcontext() if good else pytest.raises(ToolError, match="is not an access token"):
        await ann.send("GET", "/pets", security=READ)
    assert calls == (["Bearer had"] if good else [])


async def test_the_token_endpoint_and_resource_of_the_environment(guarded, url):
    shared = backend(
        "http://127.0.0.1:9",
        base_url=url,
        exchange_token_url=f"{url}/token",
        exchange_resource="https://api.example/pets",
    )
    await caller(shared, "Bearer token-of-ben").send("GET", "/pets", security=READ)
    assert guarded.forms[0]["resource"] == ["https://api.example/pets"]


@pytest.mark.parametrize("security", [[], [{"key": []}, {"pets": []}]])
async def test_where_no_token_is_exchanged_its_url_need_not_be_secure(security, monkeypatch):
    """Operations that ask for none failed together with those that do."""
    monkeypatch.setenv("P_HOST", "b.test:0")
    monkeypatch.setenv("P_KEY", "sentinel-key")
    place = ServerUrl("https://{host}/token", {"host": Variable("a.test", env="P_HOST")})
    shared = backend("https://api.example")
    schemes = {"pets": OAuth2(*ENV, place), "key": Bearer("P_KEY")}
    answering = httpx2.MockTransport(lambda _: httpx2.Response(200, json={}))
    shared = replace(
        shared,
        api=replace(shared.api, security_schemes=schemes),
        connections=Connections(shared.settings, answering),
    )
    ann = caller(shared, "Bearer token-of-ann")
    assert (await ann.send("GET", "/pets", security=security)).status == 200
    with pytest.raises(ToolError, match="must use https"):
        await ann.send("GET", "/pets", security=READ)


async def test_without_a_request_over_http_the_servers_own_is_used(guarded, url):
    with pytest.raises(ApiError, match="401"):
        await ApiClient(backend(url), "tool").send("GET", "/pets", security=READ)
    assert guarded.calls == [("GET", "Bearer ready")]


def test_what_cannot_be_turned_on():
    schemes = {"key": Bearer("P_KEY"), "bare": OAuth2("P_TOKEN")}
    api = Api("P", security_schemes=schemes)

    def asked(key, **others):
        return HttpSettings(caller_exchange=((key, "Authorization"),), **others)

    for settings, said in (
        (asked("nobody"), "P_CALLER_EXCHANGE names no scheme of the API; it has: key, bare"),
        (asked("key"), "P_CALLER_EXCHANGE names a scheme that is neither"),
        (asked("bare"), "P_EXCHANGE_TOKEN_URL must be set"),
        (asked("bare", caller_auth=(("bare", "X-Token"),)), "names a scheme that CALLER_AUTH"),
    ):
        with pytest.raises(ConfigurationError, match=said):
            check_callers(api, settings)
    check_callers(api, asked("bare", exchange_token_url="https://login.example/token"))
    with pytest.raises(ConfigurationError, match="P_EXCHANGE_TOKEN_URL must be an https URL"):
        HttpSettings.from_env("P", {"P_EXCHANGE_TOKEN_URL": "http://login.example/token"})
