"""Tokens of an API that the provider gives for those of a person, and what it refuses."""

from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any, cast
from urllib.parse import quote_plus

import httpx2
import pytest

from mcpgen.runtime import SignInSettings
from mcpgen.runtime.parts.delegation.ways import Use, wanted
from mcpgen.runtime.parts.sign_in import provider_of
from mcpgen.runtime.parts.sign_in.people import Errand

from ...serving import in_thread
from ..sign_in.openid import CLIENT, SECRET
from .conftest import served
from .exchanging import ACCESS_TOKEN, EXCHANGE, ON_BEHALF_OF, Entra, Exchanging, Okta
from .test_own_tokens import link, refused, visited

EXCHANGED = {"delegated_token": "exchanged", "delegated_scopes": ()}
KINDS: dict[str, Any] = {"oidc": Exchanging, "auth0": Exchanging, "entra": Entra, "okta": Okta}
SAID = {
    "oidc": {
        "grant_type": EXCHANGE,
        "subject_token_type": ACCESS_TOKEN,
        "requested_token_type": ACCESS_TOKEN,
        "audience": "shop-api",
        "resource": "https://shop.example",
        "scope": "pets:read",
    },
    "entra": {
        "grant_type": ON_BEHALF_OF,
        "requested_token_use": "on_behalf_of",
        "scope": "pets:read",
    },
    "okta": {
        "grant_type": EXCHANGE,
        "subject_token_type": ACCESS_TOKEN,
        "audience": "shop-api",
        "scope": "pets:read",
    },
}
SAID["auth0"] = SAID["oidc"]


@pytest.fixture(params=[*KINDS])
def provider(request):
    """Each that exchanges tokens, as its documentation says."""
    openid = KINDS[request.param]()
    with in_thread(openid.app) as openid.url:
        yield request.param, openid


def exchanges(openid: Exchanging) -> list[dict[str, str]]:
    """The exchanges that a provider was asked for."""
    kinds = (EXCHANGE, ON_BEHALF_OF)
    return [each for each in openid.steps("token") if each["grant_type"] in kinds]


def test_each_person_has_a_token_of_the_api(
    shop: ModuleType, provider: tuple[str, Exchanging]
) -> None:
    name, openid = provider
    more = {"exchange_audience": "shop-api", "exchange_resource": "https://shop.example"}
    with served(shop, openid, sign_in_provider=name, **EXCHANGED, **more) as world:
        tokens = [world.sign_in(person) for person in ("ann", "bob")]
        with ThreadPoolExecutor(8) as pool:
            answers = [*pool.map(world.call, tokens * 10)]
    assert not any(is_error for is_error, _ in answers)
    people = [openid.of(each) for each in world.pets.tokens]
    assert (people.count("ann"), people.count("bob")) == (10, 10)
    assert all("exchanged" in each for each in world.pets.tokens)
    first, second = exchanges(openid)
    subjects = {each.pop("assertion", "") or each.pop("subject_token") for each in (first, second)}
    assert {openid.of(each) for each in subjects} == {"ann", "bob"}
    assert first == second == SAID[name]
    assert "pets:read" not in openid.steps("authorize")[0]["scope"]


def test_settings_replace_the_scopes_of_operations(shop: ModuleType, openid: Exchanging) -> None:
    more = {"delegated_scopes": ("a", "b"), "exchange_token_url": f"{openid.url}/token"}
    with served(shop, openid, **{**EXCHANGED, **more}) as world:
        assert not world.call(world.sign_in("ann"))[0]
    (form,) = exchanges(openid)
    assert form["scope"] == "a b"
    assert not {"audience", "resource"} & form.keys()


def test_a_token_that_the_api_refuses_is_exchanged_anew_once(
    shop: ModuleType, openid: Exchanging
) -> None:
    with served(shop, openid, **EXCHANGED) as world:
        ann = world.sign_in("ann")
        assert not world.call(ann)[0]
        (first,) = world.pets.tokens
        fine = world.pets.answer
        world.pets.answer = lambda token: httpx2.Response(401) if token == first else fine(token)
        assert not world.call(ann)[0]
        assert world.pets.tokens[1] == first != world.pets.tokens[2]
        world.pets.answer = lambda _: httpx2.Response(401)
        is_error, text = world.call(ann)
    assert is_error
    assert "the caller's credential for the API does not allow it" in text
    assert len(exchanges(openid)) == 3
    assert {openid.of(each) for each in world.pets.tokens} == {"ann"}


OF_SERVER = {
    "invalid_target": "its audience or resource is not one that the provider gives tokens for",
    "invalid_scope": "the provider does not give it these scopes",
    "invalid_client": "the provider does not know this server",
    "unauthorized_client": "does not let this server exchange tokens",
    "unsupported_grant_type": "the provider does not exchange tokens",
    "invalid_request": "does not take the person's token for an exchange",
    "an_error_of_its_own": "refuses to exchange tokens for that API",
}


@pytest.mark.parametrize("error", OF_SERVER)
def test_a_refusal_for_the_operator_is_told_by_name(
    shop: ModuleType, openid: Exchanging, error: str
) -> None:
    with served(shop, openid, **EXCHANGED, exchange_audience="shop-api") as world:
        ann = world.sign_in("ann")
        pair = b64encode(f"{CLIENT}:{quote_plus(SECRET)}".encode()).decode()
        why = f"because of {SECRET}, {quote_plus(SECRET)}, {pair} and more"
        openid.refusal = {"error": error, "error_description": why}
        is_error, text = world.call(ann)
    assert is_error
    assert "because of [credential], [credential], [credential] and" in text
    assert error in text
    assert OF_SERVER[error] in text
    assert "Nothing was sent to the API" in text
    assert "whoever runs this server" in text
    assert "/oauth/more" not in text
    assert not world.pets.seen


CLAIMS = '{"access_token":{"polids":{"essential":true,"values":["9ab03e19"]}}}'
OF_PERSON: list[tuple[str, dict[str, str], dict[str, str]]] = [
    ("invalid_grant", {}, {}),
    ("invalid_grant", {"suberror": "consent_required"}, {"prompt": "consent"}),
    ("interaction_required", {"claims": CLAIMS}, {"claims": CLAIMS}),
    ("consent_required", {}, {"prompt": "consent"}),
    ("login_required", {}, {}),
    ("access_denied", {}, {}),
    ("insufficient_user_authentication", {}, {}),
    ("insufficient_scope", {}, {}),
]


@pytest.mark.parametrize(("error", "more", "asked"), OF_PERSON)
def test_a_refusal_for_the_person_is_told_with_the_way_out(
    shop: ModuleType, openid: Exchanging, error: str, more: dict[str, str], asked: dict[str, str]
) -> None:
    with served(shop, openid, **EXCHANGED) as world:
        ann = world.sign_in("ann")
        openid.refusal = {"error": error, **more}
        is_error, text = world.call(ann)
        assert is_error
        assert error in text
        assert "wants more from the person" in text
        assert not world.pets.seen
        assert "Access is allowed" in visited(link(text))
        said = openid.steps("authorize")[-1]
        assert asked.items() <= said.items()
        openid.refusal = {}
        assert not world.call(ann)[0]
    assert openid.of(world.pets.tokens[0]) == "ann"


def test_what_the_api_wants_more_is_exchanged_anew(shop: ModuleType, openid: Exchanging) -> None:
    with served(shop, openid, **EXCHANGED) as world:
        ann = world.sign_in("ann")
        fine, world.pets.answer = (
            world.pets.answer,
            refused("insufficient_user_authentication", 401, acr_values="gold"),
        )
        text = world.call(ann)[1]
        assert "acr_values gold" in text
        assert "Access is allowed" in visited(link(text))
        world.pets.answer = fine
        assert not world.call(ann)[0]
    assert len({*world.pets.tokens}) == len(world.pets.tokens) == 2


@pytest.mark.parametrize(
    "said",
    [{"issued_token_type": "urn:ietf:params:oauth:token-type:id_token"}, {"token_type": "N_A"}],
)
def test_what_is_no_access_token_goes_nowhere(
    shop: ModuleType, openid: Exchanging, said: dict[str, str]
) -> None:
    openid.said = said
    with served(shop, openid, **EXCHANGED) as world:
        is_error, text = world.call(world.sign_in("ann"))
    assert is_error
    assert "canary" not in text
    assert not world.pets.seen


def test_a_provider_that_is_away_is_no_refusal(shop: ModuleType, openid: Exchanging) -> None:
    with served(shop, openid, **EXCHANGED) as world:
        ann = world.sign_in("ann")
        openid.down = True
        is_error, text = world.call(ann)
        openid.down = False
        assert not world.call(ann)[0]
    assert is_error
    assert "Retrying later may help" in text


def test_google_is_asked_for_scopes_on_top_of_earlier_ones(
    shop: ModuleType, openid: Exchanging
) -> None:
    """As https://developers.google.com/identity/protocols/oauth2/web-server says."""
    more: Any = {"sign_in_provider": "google", "sign_in_scopes": (("*", "pets:read"),)}
    with served(shop, openid, **more) as world:
        assert not world.call(world.sign_in("ann"))[0]
    (asked,) = openid.steps("authorize")
    assert (asked["include_granted_scopes"], asked["access_type"]) == ("true", "offline")
    assert "pets:read" in asked["scope"].split()


@pytest.mark.anyio
async def test_github_is_asked_for_scopes_of_the_api_beside_its_own() -> None:
    settings = SignInSettings(sign_in_provider="github", sign_in_client_id="the-server")
    made = provider_of(settings, cast(Any, None), "https://mcp.example/mcp/oauth/callback")
    made.wanted = wanted("github", "the-server", Use(exchanged=False, scopes=("repo",)))
    assert "scope=read%3Aorg+repo&" in await made.address(Errand("state", "nonce", "verifier"))


def test_audience_and_resource_of_the_own_token_are_asked_for_at_the_sign_in(
    shop: ModuleType, openid: Exchanging
) -> None:
    more = {"exchange_audience": "shop-api", "exchange_resource": "https://shop.example"}
    with served(shop, openid, sign_in_provider="auth0", **more) as world:
        assert not world.call(world.sign_in("ann"))[0]
    (asked,) = openid.steps("authorize")
    assert (asked["audience"], asked["resource"]) == ("shop-api", "https://shop.example")
    assert not exchanges(openid)
