"""Clients that bring a company's assertions: what they get for them, and what is refused."""

import base64
import json
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from urllib.parse import quote

import httpx2
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.auth.provider import IdentityAssertionParams, TokenError

from mcpgen.runtime import AssertionSettings, SignInSettings
from mcpgen.runtime.calls.store import MemoryStore, Store
from mcpgen.runtime.parts import identity_assertions
from mcpgen.runtime.parts.http.jwks import LEEWAY
from mcpgen.runtime.parts.identity_assertions.assertions import Assertions
from mcpgen.runtime.parts.sign_in.people import Person
from mcpgen.runtime.values.settings import ConfigurationError, combined

from ..sign_in.openid import CLIENT, OpenId
from ..sign_in.signing import Browser, Hand, Storage, signing_server
from ..sign_in.test_authority import RESOURCE, World
from ..sign_in.test_sign_in import call
from .company import AGENT, AGENT_SECRET, CLIENTS, ask, issued, sdk_client

STRANGER = rsa.generate_private_key(65537, 2048)
OTHER = "https://other.example/mcp"


@pytest.mark.parametrize("method", ["client_secret_post", "client_secret_basic"])
async def test_the_sdk_s_client_signs_a_person_in(
    url: str, openid: OpenId, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    monkeypatch.setenv("SHOP_KEY", "sk-of-the-server")
    storage = Storage()
    auth = sdk_client(openid, url, storage=storage, token_endpoint_auth_method=method)
    async with (
        httpx2.AsyncClient(auth=auth) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        result = await client.call_tool("getPet", {"petId": 7})
        extensions = client.server_capabilities.extensions
    assert "io.modelcontextprotocol/enterprise-managed-authorization" in (extensions or {})
    assert result.structured_content == {"name": "Rex"}
    tokens = storage.tokens
    assert (tokens.refresh_token, tokens.scope) == (None, "pets:read pets:write")
    assert 0 < tokens.expires_in < 300
    audit = (tmp_path / "audit").read_text()
    assert '"caller": {"client": "agent", "subject": "sub-of-ann", "issuer": "http' in audit
    assert '"sign_in": "assertion", "outcome": "ok"' in audit
    assert "canary" not in audit
    assert openid.steps("token") == []


def test_what_clients_are_told(url: str) -> None:
    base = url.removesuffix("/mcp")
    told = httpx2.get(f"{base}/.well-known/oauth-authorization-server/mcp").json()
    profiles = told["authorization_grant_profiles_supported"]
    assert profiles == ["urn:ietf:params:oauth:grant-profile:id-jag"]
    assert "urn:ietf:params:oauth:grant-type:jwt-bearer" in told["grant_types_supported"]
    methods = told["token_endpoint_auth_methods_supported"]
    assert methods == ["none", "client_secret_basic", "client_secret_post"]


def test_rights_are_those_of_groups_and_of_the_assertion(url: str, openid: OpenId) -> None:
    def granted(person="ann", asked=None, **claims):
        answer = ask(url, issued(openid, url, person, **claims), scope=asked)
        assert answer.status_code == 200, answer.text
        assert "refresh_token" not in answer.json()
        assert answer.headers["Cache-Control"] == "no-store"
        return answer.json().get("scope")

    assert granted("bob") == "pets:read"
    assert granted(scope="pets:read else") == "pets:read"
    assert granted(asked="pets:read") == "pets:read"
    assert granted(asked="pets:read", scope="pets:read pets:write") == "pets:read"
    assert granted("bob", scope="pets:write") is None
    assert granted(resource=None, aud=[url]) == "pets:read pets:write"
    assert granted(resource=[f"{url}/readonly"]) == "pets:read pets:write"
    token = ask(url, issued(openid, url, "bob")).json()["access_token"]
    assert call(url, "getPet", token).status_code == 200
    assert call(url, "create", token).status_code == 403


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "of another audience": ({"aud": OTHER}, "its audience is not this server"),
    "of several audiences": ({"aud": ["OWN", OTHER]}, "it has several audiences"),
    "for another client": ({"client_id": "other"}, "it was issued for another client"),
    "for another resource": ({"resource": OTHER}, "it is for another resource"),
    "for another resource too": ({"resource": ["OWN", OTHER]}, "it is for another resource"),
    "for no resource": ({"resource": []}, "it is for another resource"),
    "expired": ({"iat": -400, "exp": -100}, "it has expired"),
    "not good yet": ({"iat": 200}, "it is not valid yet"),
    "too long": ({"exp": 3600}, "it lasts 3600 seconds, and at most 600 are allowed"),
    "of another issuer": (
        {"iss": OTHER},
        "its issuer is not the provider at which people sign in here",
    ),
    "of another type": (
        {"header": {"typ": "JWT"}},
        "its type is not oauth-id-jag+jwt",
    ),
    "signed by another": ({"key": STRANGER}, "its signature is wrong"),
    "of an unknown key": (
        {"key": STRANGER, "header": {"kid": "x"}},
        "its key is not one that the issuer publishes",
    ),
    "without a person": ({"sub": None}, "it has no `sub`"),
    "without an id": ({"jti": None}, "it has no `jti`"),
    "without a client": ({"client_id": None}, "it has no `client_id`"),
    "without a time": ({"iat": None}, "it has no `iat`"),
    "without an end": ({"exp": None}, "it has no `exp` or no `aud`"),
    "without an audience": ({"aud": None}, "it has no `exp` or no `aud`"),
    "with a proof": ({"cnf": {"jkt": "x"}}, "`cnf` asks for a proof that is not checked"),
    "of a tenant": ({"tenant": "t"}, "`tenant` asks for a tenant of a shared issuer"),
    "with details": ({"authorization_details": [{}]}, "`authorization_details` asks for rights"),
    "of nobody's group": (
        {"person": "eve"},
        "the person is in no group that may do anything here",
    ),
    "of other scopes": ({"scope": "else"}, "this server has none of its scopes"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_an_assertion_is_refused(url: str, openid: OpenId, tmp_path: Path, case: str) -> None:
    given, why = REFUSED[case]
    now = int(time.time())
    claims = {
        name: now + value if isinstance(value, int) else value for name, value in given.items()
    }
    for name in ("aud", "resource"):
        if isinstance(claims.get(name), list):
            claims[name] = [url if each == "OWN" else each for each in claims[name]]
    answer = ask(url, issued(openid, url, **claims))
    assert answer.status_code == 400
    assert answer.json()["error"] == "invalid_grant"
    told = answer.json()["error_description"]
    assert f"the assertion is refused: {why}" in told
    assert not {*'"\\'} & {*told}  # RFC 6749 5.2
    lines = [json.loads(line) for line in (tmp_path / "audit").read_text().splitlines()]
    assert lines[-1]["caller"] == {"client": AGENT}
    assert why in lines[-1]["reason"]


def test_what_is_no_assertion_is_refused(url: str, openid: OpenId) -> None:
    claims = jwt.decode(issued(openid, url), options={"verify_signature": False})
    head = {"typ": "oauth-id-jag+jwt", "kid": "k"}
    public = openid.key.public_key().public_numbers()
    shared = jwt.encode(claims, str(public.n) * 4, "HS256", headers=head)
    unsigned = jwt.encode(claims, None, "none", headers=head)
    for text in (shared, unsigned, "x", "a.b.c", issued(openid, url)[:-9]):
        assert ask(url, text).json()["error"] == "invalid_grant"
    assert ask(url, "").json()["error"] == "invalid_request"
    tokens = Hand(url).sign_in(Browser())
    assert ask(url, tokens["access_token"]).json()["error"] == "invalid_grant"


def test_an_assertion_is_good_once(url: str, openid: OpenId) -> None:
    assertion = issued(openid, url)
    stolen = ask(url, assertion, client_id="other", client_secret="of-the-other")
    assert "another client" in stolen.json()["error_description"]
    first = ask(url, assertion)
    assert first.status_code == 200
    again = ask(url, assertion)
    assert (again.status_code, again.json()["error"]) == (400, "invalid_grant")
    assert again.json()["error_description"].endswith("it was used before")
    assert call(url, "getPet", first.json()["access_token"]).status_code == 200


def assertions_of(openid: OpenId, store: Store, clock: Callable[[], float]) -> Assertions:
    """What takes assertions in a process with a store and a clock."""

    class Keys:
        async def get(self, key_id: Any, *, replaced: bool = False) -> Any:
            return [(openid.key.public_key(), ("RS256",))]

    world: Any = World()
    openid.url, world.keys = world.issuer, Keys()
    world.person = lambda claims: Person(world.issuer, claims["sub"], ("Vets",))
    settings = SignInSettings(
        sign_in_provider="oidc", sign_in_client_id=CLIENT, http_resource=RESOURCE
    )
    return Assertions(world.authority, settings, store, clock)


async def test_a_process_whose_clock_is_late_takes_no_assertion_again(openid: OpenId) -> None:
    """The note of the one that took it first is there for as long as the late one takes it."""
    lasting = []

    class Noting(MemoryStore):
        is_shared = True

        async def replace(self, name: Any, old: Any, new: bytes, ttl: float) -> bool:
            lasting.append(ttl)
            return await super().replace(name, old, new, ttl)

    begun = time.time()
    early = assertions_of(openid, Noting(), lambda: time.time() + LEEWAY)
    params = IdentityAssertionParams(assertion=issued(openid, RESOURCE))
    assert (await early.exchange(AGENT, params)).access_token
    assert lasting[0] >= int(begun) + 300 + LEEWAY - time.time()


async def test_what_may_have_been_used_before_a_restart_is_refused(openid: OpenId) -> None:
    """A process without a shared store has forgotten what was."""
    begun = int(time.time())
    restarted = assertions_of(openid, MemoryStore(), lambda: begun + 0.5)
    older = IdentityAssertionParams(assertion=issued(openid, RESOURCE, iat=begun - 1))
    with pytest.raises(TokenError) as caught:
        await restarted.exchange(AGENT, older)
    assert "before this server started" in str(caught.value.error_description)
    newer = IdentityAssertionParams(assertion=issued(openid, RESOURCE, iat=begun))
    assert (await restarted.exchange(AGENT, newer)).access_token


def test_a_person_is_the_same_one_in_the_browser(url: str, openid: OpenId, tmp_path: Path) -> None:
    """Whoever calls is known by issuer and subject, and by nobody else's."""
    tokens = {"ann": [Hand(url).sign_in(Browser())["access_token"]], "bob": []}
    for _ in range(3):
        for who, own in tokens.items():
            own.append(ask(url, issued(openid, url, who)).json()["access_token"])
    brought = [(who, token) for who, own in tokens.items() for token in own]
    with ThreadPoolExecutor(8) as pool:
        calls = pool.map(lambda each: call(url, "getPet", each[1]).status_code, brought * 10)
        assert {*calls} == {200}
    lines = [json.loads(line) for line in (tmp_path / "audit").read_text().splitlines()]
    callers = [each["caller"] for each in lines if each.get("tool") == "getPet"]
    assert {each["issuer"] for each in callers} == {openid.url}
    by_subject = Counter(each["subject"] for each in callers)
    assert by_subject == {"sub-of-ann": 40, "sub-of-bob": 30}


def basic(client: str, secret: str) -> str:
    return f"Basic {base64.b64encode(f'{client}:{secret}'.encode()).decode()}"


def test_a_client_shows_who_it_is(url: str, openid: OpenId) -> None:
    """By both ways of RFC 6749 2.3.1; some clients do not name themselves a second time."""
    good = basic(AGENT, quote(AGENT_SECRET, safe=""))
    assert ask(url, issued(openid, url), auth=good, client_id=None).status_code == 200
    assert ask(url, issued(openid, url), auth=good).status_code == 200

    hand = Hand(url)
    hand.register()
    wrong = [
        {"client_secret": "wrong"},
        {"client_secret": None},
        {"client_secret": CLIENTS[0][1]},
        {"client_secret": "of-the-other"},
        {"client_id": "nobody"},
        {"client_id": None},
        {"client_id": hand.client_id, "client_secret": None},
        {"auth": good, "client_id": "other"},
        {"auth": basic(AGENT, "wrong")},
        {"auth": "Basic %%%"},
        {"auth": "Basic bm9jb2xvbg=="},
        {"auth": "Bearer x"},
    ]
    for case in wrong:
        answer = ask(url, issued(openid, url), **case)
        assert (answer.status_code, answer.json()["error"]) == (401, "invalid_client"), case
        assert answer.headers["WWW-Authenticate"] == "Basic"
    both = ask(url, issued(openid, url), auth=good, client_secret=AGENT_SECRET)
    assert both.json()["error"] == "invalid_request"


def test_a_client_of_assertions_has_nothing_else(url: str, openid: OpenId) -> None:
    assert ask(url, "x", grant_type="refresh_token").json()["error"] == "invalid_client"
    page = httpx2.get(Hand(url, AGENT).address())
    assert page.status_code == 400
    other = ask(url, issued(openid, url), resource=OTHER).json()
    assert other["error"] == "invalid_target"
    bound = issued(openid, url, resource=f"{url}/other")
    assert ask(url, bound).json()["error"] == "invalid_grant"
    narrow = ask(url, issued(openid, url, scope="pets:read"), scope="pets:write").json()
    assert narrow["error"] == "invalid_scope"


def test_a_provider_that_does_not_answer(shop: ModuleType, openid: OpenId) -> None:
    closed = OpenId(url="http://127.0.0.1:9", key=openid.key)
    with signing_server(shop, closed, sign_in_clients=CLIENTS) as url:
        answer = ask(url, issued(closed, url))
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "30"


def test_without_clients_nothing_is_served(shop: ModuleType, openid: OpenId) -> None:
    with signing_server(shop, openid) as url:
        assert ask(url, issued(openid, url)).json()["error"] == "invalid_client"
        base = url.removesuffix("/mcp")
        told = httpx2.get(f"{base}/.well-known/oauth-authorization-server/mcp").json()
    assert "authorization_grant_profiles_supported" not in told
    assert told["grant_types_supported"] == ["authorization_code", "refresh_token"]


def test_settings_that_cannot_be() -> None:
    kind = combined([SignInSettings, AssertionSettings])
    app = SimpleNamespace(api=SimpleNamespace(env_prefix="SHOP"))
    github = {"sign_in_provider": "github", "sign_in_client_id": CLIENT}
    identity_assertions.check(app, kind(**github))
    with pytest.raises(ConfigurationError, match="_CLIENTS needs SHOP_SIGN_IN_PROVIDER"):
        identity_assertions.check(app, kind(sign_in_clients=CLIENTS))
    with pytest.raises(ConfigurationError, match="GitHub does not issue identity assertions"):
        identity_assertions.check(app, kind(sign_in_clients=CLIENTS, **github))


@pytest.mark.parametrize("text", ["agent: abc", "agent", f"a b: {'0' * 64}", f": {'0' * 64}"])
def test_lines_of_clients(text: str) -> None:
    environ = {"SHOP_SIGN_IN_CLIENTS": text}
    with pytest.raises(ConfigurationError, match="must be lines `client-id: SHA-256"):
        AssertionSettings.from_env("SHOP", environ)
    environ = {"SHOP_SIGN_IN_CLIENTS": f"a: {'0' * 64}\na: {'1' * 64}"}
    kept = AssertionSettings.from_env("SHOP", environ).sign_in_clients
    assert kept == (("a", "0" * 64), ("a", "1" * 64))
