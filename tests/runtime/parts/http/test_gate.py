"""Callers over HTTP: a token lets them in, and its scopes say what they see and call."""

import json
import logging
import re
from types import SimpleNamespace

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from tables import table

from mcpgen.runtime import Settings
from mcpgen.runtime.calls.access import Access
from mcpgen.runtime.calls.caller import Caller
from mcpgen.runtime.parts.http.listen import without_query
from mcpgen.runtime.parts.http.settings import HttpSettings

from ... import sample
from ...gated import SEEN, call, client, issued, pets, served
from ...issuer import RESOURCE, SCOPES, Issuer
from ...serving import HEADERS, INITIALIZE, current, in_thread

PACKAGE = "shop_behind_a_gate_mcp"
TOKEN = "canary-token-of-callers"
ERAS = pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
ACCESS = {"getPet": [["pets:read"], ["pets:admin", "all"]], "create": [["pets:write"]]}


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    """A credential of the server's own, and nothing seen."""
    monkeypatch.setenv("SHOP_KEY", "sk-of-the-server")
    SEEN.clear()


@ERAS
async def test_one_token_for_all(shop, era):
    with served(shop, http_token=TOKEN) as url:
        for wrong in (None, "wrong", TOKEN[:-1], TOKEN + "x"):
            answer = call(url, "getPet", wrong)
            assert answer.status_code == 401
            assert answer.headers["WWW-Authenticate"].startswith("Bearer")
            assert ("invalid_token" in answer.headers["WWW-Authenticate"]) == (wrong is not None)
        assert not SEEN
        async with client(url, TOKEN, era) as made:
            listed = await made.list_tools()
            assert len(listed.tools) == len(sample.TOOLS)
            assert (await made.call_tool("getPet", {"petId": 7})).structured_content
        health = httpx2.get(url.replace("/mcp", "/healthz"))
        assert health.status_code == 200
    (seen,) = SEEN
    assert TOKEN not in str(seen.headers.raw)
    assert seen.headers["X-Key"] == "sk-of-the-server"


def test_scopes_of_a_tool_that_goes_are_those_of_the_package_again():
    parts = SimpleNamespace(settings=Settings())
    access = Access(ACCESS, parts)
    reader, writer = (Caller(scopes=frozenset(SCOPES[who])) for who in ("reader", "writer"))
    access.demand("getPet", ["pets:write"])
    assert not access.is_in_scope(reader, "getPet")
    assert access.is_in_scope(writer, "getPet")
    access.demand("getPet", [])
    assert access.is_in_scope(Caller(scopes=frozenset()), "getPet")
    access.demand("getPet", None)
    assert access.is_in_scope(reader, "getPet")
    assert not access.is_in_scope(Caller(scopes=frozenset()), "getPet")


@ERAS
async def test_two_callers_see_and_call_their_own_tools(shop, issuer, era):
    names = {}
    with served(shop, http_issuer=issuer.url, http_resource=RESOURCE) as url:
        for who in SCOPES:
            async with client(url, issued(issuer, who), era) as made:
                listed = await made.list_tools()
                names[who] = [tool.name for tool in listed.tools]
                if era == "2026-07-28":
                    assert listed.cache_scope == "private"
        async with client(url, issued(issuer, "reader"), era) as made:
            assert (await made.call_tool("getPet", {"petId": 7})).structured_content
    assert names == {
        "reader": ["getPet", "fail", "state"],
        "writer": ["getPet", "create", "fail", "state"],
        "nobody": ["fail", "state"],
    }
    assert len(SEEN) == 1
    assert all(part not in str(SEEN[0].headers.raw) for part in ("eyJ", "Bearer"))


def test_a_scope_that_is_missing_is_named(shop, issuer):
    settings = {"http_issuer": issuer.url, "http_resource": RESOURCE}
    with served(shop, **settings, http_scopes=("other",)) as url:
        answer = call(url, "getPet", issuer.token("reader"))
        assert answer.status_code == 403
        assert 'scope="other"' in answer.headers["WWW-Authenticate"]
    with served(shop, **settings) as url:
        answer = call(url, "create", issuer.token("reader"))
        assert answer.status_code == 403
        told = answer.headers["WWW-Authenticate"]
        assert 'error="insufficient_scope", scope="pets:write"' in told
        assert call(url, "getPet", issuer.token("reader")).status_code == 200
        assert call(url, "getPet", issuer.token("x", scope="all pets:admin")).status_code == 200
        by_list = issuer.token("x", scope=None, scp=["pets:read"])
        assert call(url, "getPet", by_list).status_code == 200
        metadata = re.search(r'resource_metadata="([^"]+)"', told)
        assert metadata[1] == "https://mcp.example/.well-known/oauth-protected-resource/mcp"
        path = httpx2.URL(metadata[1]).path
        said = httpx2.get(url.removesuffix("/mcp") + path).json()
    assert said["resource"] == RESOURCE
    assert said["authorization_servers"] == [issuer.url]  # compared as they are (RFC 8414 3.3)
    assert said["scopes_supported"] == ["all", "pets:admin", "pets:read", "pets:write"]


def test_what_is_no_scope_is_not_told(issuer, tmp_path):
    """A document's words would end the challenge, or begin one of their own."""
    odd = [
        'a"',
        'a", resource_metadata="https://evil.example/',
        "a\\b",
        "a b",
        "\u8aad",
        "a\r\nB: c",
    ]
    access = {"getPet": [["pets:read", *odd]], "create": [["", *odd]]}
    (sample.write(tmp_path, "odd_scopes_mcp") / "access.json").write_text(json.dumps(access))
    with (
        sample.imported(tmp_path, "odd_scopes_mcp") as odd_shop,
        served(odd_shop, http_issuer=issuer.url, http_resource=RESOURCE) as url,
    ):
        told = [call(url, tool, issuer.token("nobody")) for tool in ("getPet", "create")]
        metadata = httpx2.get(url.replace("/mcp", "/.well-known/oauth-protected-resource/mcp"))
    assert [answer.status_code for answer in told] == [403, 403]
    challenges = [answer.headers["WWW-Authenticate"].partition(", resource")[0] for answer in told]
    alone = 'Bearer error="insufficient_scope"'
    assert challenges == [f'{alone}, scope="pets:read"', alone]
    assert metadata.json()["scopes_supported"] == ["pets:read"]


def test_a_session_belongs_to_the_caller_that_opened_it(shop, issuer):
    """Its id lets nobody in, and serves nobody else who may come in."""

    def post(message, who, session=""):
        own = {"Authorization": f"Bearer {issuer.token(who)}"} if who else {}
        own |= {"Mcp-Session-Id": session} if session else {}
        return httpx2.post(url, json=message, headers=HEADERS | own)

    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    with served(shop, http_issuer=issuer.url, http_resource=RESOURCE) as url:
        assert post(INITIALIZE, None).status_code == 401
        session = post(INITIALIZE, "writer").headers["mcp-session-id"]
        assert post(listing, "writer", session).status_code == 200
        assert post(listing, "reader", session).status_code == 404
        assert post(listing, None, session).status_code == 401


def test_a_scope_may_stand_for_others(shop, issuer):
    made = shop.APP.settings(
        {
            "SHOP_HTTP_ISSUER": issuer.url,
            "SHOP_HTTP_RESOURCE": RESOURCE,
            "SHOP_HTTP_IMPLIED_SCOPES": "root: admin\nadmin: pets:read pets:write",
        }
    )
    settings = {"http_issuer": issuer.url, "http_resource": RESOURCE}
    with served(shop, **settings, http_implied_scopes=made.http_implied_scopes) as url:
        assert call(url, "create", issuer.token("x", scope="root")).status_code == 200
        assert call(url, "create", issuer.token("x", scope="pets:read")).status_code == 403


def test_a_caller_is_limited_whatever_scopes_its_tokens_have(shop, issuer):
    asked = {"http_issuer": issuer.url, "http_resource": RESOURCE, "calls_per_minute": 1}
    with served(shop, **asked) as url:
        answers = [
            call(url, "create", issuer.token("writer", scope=scope)).json()["result"]
            for scope in ("pets:write", "pets:write pets:read", "pets:write more")
        ]
    assert [answer.get("isError", False) for answer in answers] == [False, True, True]
    assert "1 calls a minute from you" in answers[1]["content"][0]["text"]
    assert len(SEEN) == 1


@pytest.mark.parametrize("claims", [{"sub": "ann"}, {"sub": None, "client_id": None}])
def test_a_caller_is_limited_whatever_clients_and_tokens_it_has(shop, issuer, claims):
    """A person registers clients at will; a token that names nobody is one of many."""
    asked = {"http_issuer": issuer.url, "http_resource": RESOURCE, "calls_per_minute": 2}
    with served(shop, **asked) as url:
        for number, refused in enumerate((False, False, True)):
            own = {"client_id": f"client-{number}", "jti": str(number), **claims}
            token = issuer.token("writer", scope="pets:write", **own)
            result = call(url, "create", token).json()["result"]
            assert result.get("isError", False) is refused
        other = issuer.token("writer", sub="bob")
        assert "isError" not in call(url, "create", other).json()["result"]


def test_to_open_a_session_counts_as_a_call_and_one_caller_has_half_of_them(shop, issuer):
    def opened(who, client="one"):
        token = issuer.token(client, sub=who)
        return httpx2.post(
            url, json=INITIALIZE, headers=HEADERS | {"Authorization": f"Bearer {token}"}
        )

    asked = {"http_issuer": issuer.url, "http_resource": RESOURCE}
    with served(shop, **asked, calls_per_minute=1) as url:
        assert "protocolVersion" in opened("ann").text
        assert "1 calls a minute from you" in opened("ann", "two").text
    with served(shop, **asked, http_max_sessions=4) as url:
        codes = [opened("ann", client).status_code for client in ("one", "two", "three")]
        assert (codes, opened("bob").status_code) == ([200, 200, 503], 200)


def test_who_brings_no_token_is_told_where_to_have_one(shop, issuer):
    settings = {"http_issuer": issuer.url, "http_resource": RESOURCE, "http_scopes": ("other",)}
    with served(shop, **settings) as url:
        for token, error in ((None, ""), ("abc", 'error="invalid_token", ')):
            answer = call(url, "getPet", token)
            assert answer.status_code == 401
            metadata = "https://mcp.example/.well-known/oauth-protected-resource/mcp"
            told = f'Bearer {error}scope="other", resource_metadata="{metadata}"'
            assert answer.headers["WWW-Authenticate"] == told
            assert answer.json() == {"error": "invalid_token" if token else "unauthorized"}
        path = httpx2.URL(metadata).path
        said = httpx2.get(url.removesuffix("/mcp") + path).json()
    assert said["resource"] == RESOURCE
    assert len(said["authorization_servers"]) == 1


def test_no_scopes_are_told_where_none_is_needed(tmp_path):
    """Not even an empty list (RFC 9728 3.2)."""
    sample.write(tmp_path, "open_shop_mcp")
    settings = {"http_issuer": "https://issuer.example", "http_resource": RESOURCE}
    with sample.imported(tmp_path, "open_shop_mcp") as found, served(found, **settings) as url:
        path = "/.well-known/oauth-protected-resource/mcp"
        said = httpx2.get(url.removesuffix("/mcp") + path).json()
    assert said["resource"] == RESOURCE
    assert "scopes_supported" not in said


@table(
    "foreign, status", ({"Origin": "https://evil.example"}, 403), ({"Host": "evil.example"}, 421)
)
def test_who_comes_from_elsewhere_is_not_even_asked_for_a_token(shop, issuer, foreign, status):
    message, headers = current("getPet", {"petId": 7})
    for settings in ({"http_token": TOKEN}, {"http_issuer": issuer.url, "http_resource": RESOURCE}):
        with served(shop, **settings) as url:
            for method in ("POST", "GET", "DELETE"):
                answer = httpx2.request(method, url, json=message, headers=headers | foreign)
                assert answer.status_code == status
                assert "WWW-Authenticate" not in answer.headers


def test_a_malformed_credential_is_a_bad_request(shop):
    message, headers = current("getPet", {"petId": 7})
    sent = [(name, text.encode()) for name, text in headers.items()]
    with served(shop, http_token=TOKEN) as url:
        for brought, status in (
            (["Bearer"], 400),
            (["Bearer a b"], 400),
            (["Bearer\té"], 400),
            ([f"Bearer {TOKEN}", f"Bearer {TOKEN}"], 400),
            ([f"Bearer {TOKEN}", "Basic eDp5"], 400),
            (["Basic eDp5"], 401),
            ([f"bEARER {TOKEN}"], 200),
        ):
            own = [("Authorization", text.encode("latin-1")) for text in brought]
            answer = httpx2.post(url, json=message, headers=[*sent, *own])
            assert answer.status_code == status, brought
            told = answer.headers.get("WWW-Authenticate", "")
            assert ("invalid_request" in told) == (status == 400), brought


def test_a_token_in_a_query_lets_nobody_in_and_is_not_logged(shop, caplog):
    logger = logging.getLogger("uvicorn.access")
    logger.addFilter(without_query)
    try:
        with caplog.at_level("DEBUG"), served(shop, http_token=TOKEN) as url:
            assert call(f"{url}?access_token={TOKEN}", "getPet", None).status_code == 401
            logger.info('%s - "%s %s HTTP/%s" %d', "1:2", "GET", f"/mcp?t={TOKEN}", "1.1", 401)
    finally:
        logger.removeFilter(without_query)
    assert '"GET /mcp HTTP/1.1" 401' in caplog.text
    assert TOKEN not in "".join(r.getMessage() for r in caplog.records if r.name != "httpx2")


def test_an_issuer_that_does_not_answer_is_not_the_callers_fault(shop):
    settings = {"http_issuer": "http://127.0.0.1:9", "http_resource": RESOURCE}
    with served(shop, **settings, retries=0) as url:
        answer = call(url, "getPet", Issuer(SCOPES, "http://127.0.0.1:9").token("reader"))
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "30"


def test_settings_that_do_not_go_together(shop):
    for environ, said in (
        ({"SHOP_HTTP_ISSUER": "https://a.example"}, "SHOP_HTTP_RESOURCE"),
        ({"SHOP_HTTP_ISSUER": "https://a.example", "SHOP_HTTP_TOKEN": TOKEN}, "exclude"),
        ({"SHOP_HTTP_ISSUER": "http://a.example"}, "SHOP_HTTP_ISSUER must be an https URL"),
        (
            {"SHOP_HTTP_RESOURCE": RESOURCE, "SHOP_HTTP_SCOPES": "books"},
            "SHOP_HTTP_ISSUER must .* without it, SHOP_HTTP_RESOURCE and SHOP_HTTP_SCOPES",
        ),
        ({"SHOP_HTTP_AUDIENCE": "canary"}, "SHOP_HTTP_AUDIENCE"),
        ({"SHOP_HTTP_JWKS_URL": "https://a.example/canary"}, "SHOP_HTTP_JWKS_URL"),
        ({"SHOP_HTTP_IMPLIED_SCOPES": "a: canary"}, "SHOP_HTTP_IMPLIED_SCOPES would"),
        ({"SHOP_HTTP_TOKEN": TOKEN, "SHOP_HTTP_SCOPES": "canary"}, "SHOP_HTTP_SCOPES would"),
        ({"SHOP_HTTP_TOKEN": "short"}, "SHOP_HTTP_TOKEN must be at least 16"),
        ({"SHOP_HTTP_TOKEN_FILE": "/nowhere/canary"}, "SHOP_HTTP_TOKEN_FILE"),
        ({"SHOP_AUDIT": "/nowhere/canary"}, "SHOP_AUDIT names a file"),
        ({"SHOP_HTTP_IMPLIED_SCOPES": "canary"}, "SHOP_HTTP_IMPLIED_SCOPES must be lines"),
        ({"SHOP_HTTP_IMPLIED_SCOPES": "a: b\ncanary:  "}, "SHOP_HTTP_IMPLIED_SCOPES must be lines"),
        ({"SHOP_CALLS_PER_MINUTE": "0"}, "SHOP_CALLS_PER_MINUTE must be"),
        ({"SHOP_CALLS_PER_MINUTE_BY_TOOL": "canary: 1"}, "SHOP_CALLS_PER_MINUTE_BY_TOOL names a"),
    ):
        with pytest.raises(Exception, match=said) as refused:
            shop.APP.settings(environ)
        assert type(refused.value).__name__ == "ConfigurationError"
        assert not re.search("canary|short", str(refused.value))


def test_mounted_in_another_application_its_metadata_is_where_clients_look_for_it(shop, issuer):
    settings = HttpSettings(http_issuer=issuer.url, http_resource="https://mcp.example/shop/mcp")
    app = shop.create_app(settings, transport=httpx2.MockTransport(pets))
    of_root = [route for route in app.routes if "/.well-known/" in route.path]  # as READMEs say
    with in_thread(Starlette(routes=[Mount("/shop", app), *of_root])) as base:
        challenge = call(f"{base}/shop/mcp", "getPet", None).headers["WWW-Authenticate"]
        told = re.search('resource_metadata="https://mcp.example(.+?)"', challenge)
        found = httpx2.get(f"{base}{told[1]}").json()
        assert found["resource"] == "https://mcp.example/shop/mcp"


def test_a_body_that_is_no_call_is_answered_by_the_protocol(shop, issuer):
    own = HEADERS | {"Authorization": f"Bearer {issuer.token('reader')}"}
    settings = {"http_issuer": issuer.url, "http_resource": RESOURCE, "max_request_bytes": 5000}
    with served(shop, **settings) as url:
        for body in (b"", b"[]", b"{", b'{"method": "tools/call"}', b"[" * 4000):
            assert httpx2.post(url, content=body, headers=own).status_code == 400
        assert httpx2.post(url, content=b" " * 6000, headers=own).status_code == 413
