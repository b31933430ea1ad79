"""The provider's own access token as the credential of the API."""

import logging
import re
from base64 import b64encode
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import httpx2
import pytest

from mcpgen.runtime import Api, ApiKey, DelegationSettings, OAuth2, ToolError
from mcpgen.runtime.parts.delegation import check, check_api
from mcpgen.runtime.values.settings import ConfigurationError

from ..sign_in.openid import CLIENT
from ..sign_in.signing import Browser
from .conftest import served
from .exchanging import Exchanging


def refused(error: str, status: int = 403, **more: str) -> Any:
    """An API that wants more of whoever calls."""
    said = "".join(f', {name}="{value}"' for name, value in more.items())
    headers = {"WWW-Authenticate": f'Bearer realm="shop", error="{error}"{said}'}
    return lambda _: httpx2.Response(status, json={"message": "no"}, headers=headers)


def link(text: str) -> str:
    """The address that a text has for the person."""
    found = re.search(r"http://127\S+/oauth/more\?ask=\S+", text)
    assert found is not None, text
    return found[0]


def test_the_api_sees_each_person(
    shop: ModuleType, openid: Exchanging, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with served(shop, openid) as world:
        tokens = {person: world.sign_in(person) for person in ("ann", "bob")}
        for person in ("ann", "bob", "ann"):
            assert world.call(tokens[person])[0] is False
    assert [openid.of(each) for each in world.pets.tokens] == ["ann", "bob", "ann"]
    assert not any("x-key" in each.headers for each in world.pets.seen)
    scopes = openid.steps("authorize")[0]["scope"].split()
    assert scopes == ["openid", "profile", "email", "groups", "offline_access", "pets:read"]
    heard = shop.hooks.CALLERS[-3:]
    assert [each[0] for each in heard] == ["sub-of-ann", "sub-of-bob", "sub-of-ann"]
    assert {each[1] for each in heard} == {openid.url}
    assert heard[0][2] == f"Bearer {world.pets.tokens[0]}"
    assert "canary" not in caplog.text


def test_no_other_host_gets_a_token(shop: ModuleType, openid: Exchanging) -> None:
    with served(shop, openid) as world:
        ann = world.sign_in("ann")
        world.pets.answer = lambda _: httpx2.Response(
            302, headers={"Location": "https://evil.example"}
        )
        assert world.call(ann)[0]
    assert {each.url.host for each in world.pets.seen} == {"shop.example"}


def test_whoever_has_not_signed_in_gets_no_credential_of_the_server(
    shop: ModuleType, openid: Exchanging
) -> None:
    more = {"sign_in_client_id": None, "http_anonymous": True, "http_resource": None}
    with served(shop, openid, **more) as world:
        is_error, text = world.call("")
    assert is_error
    assert "nobody has signed in" in text
    assert not world.pets.seen


@pytest.mark.parametrize(
    ("answer", "parameters"),
    [
        (refused("insufficient_scope", scope="pets:read"), {"prompt": "consent"}),
        (
            refused("insufficient_user_authentication", 401, acr_values="gold", max_age="5"),
            {"acr_values": "gold", "max_age": "5"},
        ),
        (refused("insufficient_claims", 401, claims="eyJhIjoxfQ=="), {"claims": '{"a":1}'}),
    ],
)
def test_what_the_api_wants_more_is_told_with_the_way_to_it(
    shop: ModuleType, openid: Exchanging, answer: Any, parameters: dict[str, str]
) -> None:
    with served(shop, openid) as world:
        ann = world.sign_in("ann")
        before, world.pets.answer = world.pets.answer, answer
        is_error, text = world.call(ann)
        assert is_error
        address = link(text)
        assert len(world.pets.seen) == 1
        openid.person = "bob"
        assert "another person" in visited(address)
        openid.person = "ann"
        assert "Access is allowed" in visited(address)
        asked = openid.steps("authorize")[-1]
        assert {name: asked.get(name) for name in parameters} == parameters
        assert "pets:read" in asked["scope"].split()
        world.pets.answer = before
        assert world.call(ann)[0] is False
    first, last = world.pets.tokens
    assert first != last
    assert {openid.of(first), openid.of(last)} == {"ann"}


ECHOES: list[Callable[[str], str]] = [
    lambda token: f'error="insufficient_user_authentication", acr_values="{token}"',
    lambda token: f'error="insufficient_scope", scope="{token}"',
    lambda token: f'error="insufficient_claims", claims="{b64encode(token.encode()).decode()}"',
]


@pytest.mark.parametrize("echo", ECHOES)
def test_a_challenge_that_repeats_the_token_tells_it_to_nobody(
    shop: ModuleType,
    openid: Exchanging,
    caplog: pytest.LogCaptureFixture,
    echo: Callable[[str], str],
) -> None:
    caplog.set_level(logging.INFO)
    with served(shop, openid) as world:
        ann = world.sign_in("ann")
        world.pets.answer = lambda token: httpx2.Response(
            403, headers={"WWW-Authenticate": f"Bearer {echo(token)}"}
        )
        is_error, text = world.call(ann)
    assert is_error
    assert "[credential]" in text
    assert "canary" not in text + caplog.text


def visited(address: str) -> str:
    """The page at which a browser ends that goes where an address leads."""
    browser = Browser()
    answer = browser.get(address)
    while "location" in answer.headers:
        answer = browser.get(answer.headers["location"])
    return answer.text


def test_what_a_browser_keeps_of_a_challenge_is_bounded(
    shop: ModuleType, openid: Exchanging
) -> None:
    claims = b64encode(b'"' * 1400).decode()  # two characters each, where it is kept
    said = {"acr_values": "a" * 1900, "max_age": "9" * 450, "claims": claims}
    with served(shop, openid) as world:
        ann = world.sign_in("ann")
        world.pets.answer = refused("insufficient_user_authentication", 401, **said)
        text = world.call(ann)[1]
        cookies = Browser().get(link(text)).headers.get_list("set-cookie")
        assert "Access is allowed" in visited(link(text))
    assert 3500 < max(len(each.partition(";")[0]) for each in cookies) < 4096
    assert "The link leaves out claims: too long." in text
    assert {"acr_values", "max_age"} <= openid.steps("authorize")[-1].keys()


def test_scopes_that_nobody_is_asked_for_are_named(shop: ModuleType, openid: Exchanging) -> None:
    with served(shop, openid) as world:
        ann = world.sign_in("ann")
        world.pets.answer = refused("insufficient_scope", scope="mail:read")
        _, text = world.call(ann)
    assert "mail:read" in text
    assert "/oauth/more" not in text


def test_the_address_is_good_for_its_own_server_alone(shop: ModuleType, openid: Exchanging) -> None:
    with served(shop, openid) as world:
        ann = world.sign_in("ann")
        world.pets.answer = refused("insufficient_scope")
        address = link(world.call(ann)[1])
        assert "ten minutes" in visited(f"{address[:-4]}AAAA")


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"delegated_schemes": ("gone",)}, "SCHEMES names no scheme of the API; it has: key"),
        ({"delegated_schemes": ("key",)}, "SCHEMES names a scheme whose credential is not an"),
        ({"caller_auth": (("members", "X-Own"),)}, "SCHEMES names a scheme that CALLER_AUTH"),
        (
            {"delegated_token": "exchanged", "sign_in_provider": "google"},
            "SHOP_DELEGATED_TOKEN: `google` does not exchange tokens",
        ),
    ],
)
def test_settings_that_cannot_be(settings: Any, problem: str) -> None:
    chosen: Any = DelegationSettings(**{"delegated_schemes": ("members",), **settings})
    known = {"key": ApiKey("X-Key", env="SHOP_KEY"), "members": OAuth2("SHOP_TOKEN")}
    with pytest.raises(ConfigurationError, match=re.escape(problem)):
        check_api(Api("SHOP", security_schemes=known), chosen)


def test_apis_of_two_audiences_do_not_get_each_others_token() -> None:
    settings = DelegationSettings(
        sign_in_provider="auth0",
        sign_in_client_id=CLIENT,
        delegated_schemes=("members",),
        exchange_audience="shop-api",
    )

    def app(**further: Any) -> Any:
        own = {"delegated_schemes": ("members",), **further}
        press = Api(env_prefix="PRESS", defaults=own)
        return SimpleNamespace(api=Api(env_prefix="SHOP"), apis={"press": press})

    with pytest.raises(ConfigurationError, match=r"SHOP_EXCHANGE_AUDIENCE .* PRESS_EXCHANGE_AUD"):
        check(app(exchange_audience="press-api"), settings)
    with pytest.raises(ConfigurationError):
        check(app(), settings)
    check(app(exchange_audience="shop-api"), settings)
    check(app(exchange_audience="press-api", delegated_token="exchanged"), settings)
    check(app(exchange_audience="press-api", delegated_schemes=()), settings)


@pytest.mark.parametrize("keys", [("members", "robots"), ("robots", "members")])
def test_of_two_tokens_that_go_together_the_person_s_goes(keys: tuple[str, str]) -> None:
    url = "https://login.example/token"
    schemes = {
        key: OAuth2(f"{key}_TOKEN", client_id_env="ID", client_secret_env="SECRET", token_url=url)
        for key in keys
    }
    api = Api(env_prefix="SHOP", security_schemes=schemes, security=[{key: [] for key in keys}])
    token = SimpleNamespace(delegation=object(), grant="grant")
    ann: Any = SimpleNamespace(token=token, subject="ann", issuer="https://login.example")
    settings = DelegationSettings(delegated_schemes=("members",))
    environ = {"ID": "the-server", "SECRET": "its-secret"}
    chosen = settings.credentials_of(api, None, environ, {}, ann)
    assert chosen.signer is not None
    assert chosen.signer.whose == "ann at https://login.example"


@pytest.mark.parametrize("other", [{"robots": []}, {}])
def test_a_call_as_the_person_does_not_become_one_as_the_server(other: dict[str, Any]) -> None:
    schemes: Any = {
        "members": OAuth2("SHOP_TOKEN"),
        "key": ApiKey("X-Key", env="SHOP_KEY"),
        "robots": ApiKey("X-Robot", env="ROBOTS_KEY"),
    }
    api = Api("SHOP", security_schemes=schemes, security=[{"members": [], "key": []}, other])
    token = SimpleNamespace(delegation=object(), grant="grant")
    ann: Any = SimpleNamespace(token=token, subject="ann", issuer="https://login.example")
    settings, environ = DelegationSettings(delegated_schemes=("members",)), {"ROBOTS_KEY": "own"}
    for who in (ann, None):
        with pytest.raises(ToolError, match="SHOP_KEY"):
            settings.credentials_of(api, None, environ, {}, who)
    chosen = settings.credentials_of(api, None, {**environ, "SHOP_KEY": "key"}, {}, ann)
    assert (chosen.headers, chosen.of_caller) == ((("X-Key", "key"),), True)
    assert chosen.signer is not None
    alone = settings.credentials_of(api, [{"robots": []}], environ, {}, ann)
    assert alone.headers == (("X-Robot", "own"),)
