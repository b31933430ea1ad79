"""People sign in at a provider by the server, with the SDK's own client."""

import json

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from bench.calls import free_port

from ...gated import SEEN, call
from .signing import REDIRECT, Browser, Hand, Storage, sdk_client, signing_server


@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
async def test_the_sdk_s_client_signs_in_and_calls(url, openid, era, tmp_path, monkeypatch):
    monkeypatch.setenv("SHOP_KEY", "sk-of-the-server")
    SEEN.clear()
    storage, browser = Storage(), Browser()
    auth = sdk_client(url, storage, browser)
    async with (
        httpx2.AsyncClient(auth=auth) as http,
        Client(streamable_http_client(url, http_client=http), mode=era) as client,
    ):
        assert [tool.name for tool in (await client.list_tools()).tools] == [
            *("getPet", "create", "fail", "state")
        ]
        result = await client.call_tool("getPet", {"petId": 7})
    assert result.structured_content == {"name": "Rex"}
    assert storage.tokens.scope == "pets:read pets:write"
    (page,) = browser.pages
    assert "Test &lt;b&gt;client" in page
    assert "http://127.0.0.1:3333, a program on this computer" in page
    assert "pets:read, pets:write" in page
    (asked,) = openid.steps("authorize")
    assert asked["scope"] == "openid profile email groups offline_access"
    assert asked["tenant"] == "a"
    audit = (tmp_path / "audit").read_text()
    steps = [json.loads(line) for line in audit.splitlines()]
    assert [each.get("sign_in") for each in steps if "sign_in" in each] == ["sign-in", "tokens"]
    (called,) = (each for each in steps if each.get("tool") == "getPet")
    assert called["caller"]["subject"] == "sub-of-ann"
    assert called["caller"]["issuer"] == openid.url
    secret = ("canary", storage.tokens.access_token, storage.tokens.refresh_token, "code-of")
    assert not any(each in audit for each in secret)
    assert not any("canary" in str(each.headers.raw) for each in SEEN)


def test_groups_say_what_a_person_may_do(url, openid):
    hand = Hand(url)
    openid.person = "bob"
    tokens = hand.sign_in(Browser())
    assert tokens["scope"] == "pets:read"
    assert call(url, "getPet", tokens["access_token"]).status_code == 200
    refused = call(url, "create", tokens["access_token"])
    assert refused.status_code == 403
    assert 'scope="pets:write"' in refused.headers["WWW-Authenticate"]
    openid.person = "ann"
    narrow = hand.sign_in(Browser(), scope="pets:read openid")
    assert narrow["scope"] == "pets:read"
    assert call(url, "create", narrow["access_token"]).status_code == 403
    openid.person = "eve"
    query = Browser().visit(hand.address())
    assert query["error"] == "access_denied"
    assert query["state"] == "state-of-the-client"
    assert query["iss"] == url


def test_what_clients_are_told(url):
    base = url.removesuffix("/mcp")
    challenge = httpx2.post(url).headers["WWW-Authenticate"]
    assert f'resource_metadata="{base}/.well-known/oauth-protected-resource/mcp"' in challenge
    resource = httpx2.get(f"{base}/.well-known/oauth-protected-resource/mcp").json()
    assert resource["authorization_servers"] == [url]
    answer = httpx2.get(
        f"{base}/.well-known/oauth-authorization-server/mcp",
        headers={"Origin": "https://a.example"},
    )
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    told = answer.json()
    assert told["issuer"] == url
    assert told["token_endpoint"] == f"{url}/oauth/token"
    assert told["token_endpoint_auth_methods_supported"] == ["none"]
    assert told["code_challenge_methods_supported"] == ["S256"]
    assert told["authorization_response_iss_parameter_supported"] is True
    assert told["client_id_metadata_document_supported"] is True
    assert told["scopes_supported"] == ["pets:read", "pets:write"]


def test_metadata_are_at_the_root_too(url):
    """Clients of 2025-03 look nowhere else."""
    base = f"{url.removesuffix('/mcp')}/.well-known/oauth-authorization-server"
    assert httpx2.get(base).json() == httpx2.get(f"{base}/mcp").json()
    assert httpx2.get(base, headers={"Host": "evil.example"}).status_code == 421


def test_tokens_are_refreshed_and_revoked(url):
    hand = Hand(url)
    first = hand.sign_in(Browser())
    second = hand.refresh(first["refresh_token"]).json()
    assert second["scope"] == "pets:read pets:write"
    assert call(url, "getPet", second["access_token"]).status_code == 200
    narrow = hand.refresh(second["refresh_token"], scope="pets:read").json()
    assert narrow["scope"] == "pets:read"
    form = {"token": narrow["refresh_token"], "client_id": hand.client_id}
    assert httpx2.post(f"{url}/oauth/revoke", data=form).status_code == 200
    for ended in (first, second, narrow):
        assert call(url, "getPet", ended["access_token"]).status_code == 401
    assert hand.refresh(narrow["refresh_token"]).json()["error"] == "invalid_grant"


def test_a_person_may_refuse(url):
    hand = Hand(url)
    hand.register()
    browser = Browser("deny")
    query = browser.visit(hand.address())
    assert query == {"error": "access_denied", "state": "state-of-the-client", "iss": url}
    assert not any("/authorize?tenant" in each for each in browser.visited)


def test_programs_of_this_machine_may_take_any_port(url):
    hand = Hand(url)
    hand.register(REDIRECT, "http://localhost/callback", "http://[::1]:1/callback")
    for redirect in (
        "http://127.0.0.1:5/callback",
        "http://localhost:6/callback",
        "http://[::1]:7/callback",
    ):
        tokens = Hand(url, hand.client_id, redirect).sign_in(Browser())
        assert tokens["access_token"]


@pytest.mark.parametrize("path", ["", "/shop/mcp"])
async def test_a_server_at_another_path(shop, openid, path):
    port, storage = free_port(), Storage()
    resource = f"http://127.0.0.1:{port}{path}"
    with signing_server(shop, openid, http_path=path, http_resource=resource, port=port) as url:
        async with (
            httpx2.AsyncClient(auth=sdk_client(url or "/", storage, Browser())) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            assert (await client.list_tools()).tools
    assert storage.tokens.scope == "pets:read pets:write"


async def test_an_address_below_the_server_s_is_the_server(url):
    """A client that narrows the server by its address signs in for that address."""
    storage, narrow = Storage(), f"{url}/readonly"
    async with (
        httpx2.AsyncClient(auth=sdk_client(narrow, storage, Browser())) as http,
        Client(streamable_http_client(narrow, http_client=http)) as client,
    ):
        assert "create" not in [tool.name for tool in (await client.list_tools()).tools]
    assert call(url, "getPet", storage.tokens.access_token).status_code == 200
