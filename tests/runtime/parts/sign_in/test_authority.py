"""What the authorization server hands out, by a clock of the tests and a provider that may fail."""

from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

import pytest
from mcp.server.auth.provider import AuthorizationParams, AuthorizeError, TokenError

from mcpgen.runtime.calls.access import Access
from mcpgen.runtime.calls.store import MemoryStore
from mcpgen.runtime.parts.http.jwks import Unavailable
from mcpgen.runtime.parts.sign_in.authority import Authority
from mcpgen.runtime.parts.sign_in.clients import LIFE, Clients
from mcpgen.runtime.parts.sign_in.consent import LIFE as LIFE_OF_PAGE
from mcpgen.runtime.parts.sign_in.events import Events
from mcpgen.runtime.parts.sign_in.grants import Grants
from mcpgen.runtime.parts.sign_in.people import Person, Refusal, SignedIn
from mcpgen.runtime.parts.sign_in.rights import Rights
from mcpgen.runtime.parts.sign_in.seals import Seals
from mcpgen.runtime.parts.sign_in.settings import SignInSettings

from .signing import CHALLENGE, REDIRECT

RESOURCE, ISSUER = "https://mcp.example/mcp", "https://login.example"
ANN = SignedIn(Person(ISSUER, "ann", ("Vets",)), "access", "refresh-1")
SETTINGS = SignInSettings(sign_in_scopes=(("Vets", "pets:read pets:write"),))


class World:
    """An authority, its clock, and the provider that it asks."""

    def __init__(self, settings: SignInSettings = SETTINGS) -> None:
        self.now = 1_000_000_000.0
        self.refused = self.down = False
        self.issuer = ISSUER
        self.renewals: list[str] = []
        self.answer: Callable[[SignedIn], SignedIn] = lambda earlier: earlier
        nothing: Any = None
        parts: Any = type("Parts", (), {"settings": settings, "may_change": True})
        rights = Rights(settings, Access({}, parts))
        self.seals = Seals((), lambda: self.now)
        self.clients = Clients(self.seals, nothing, lambda: rights.known)
        self.lines: list[Any] = []
        self.authority = Authority(
            provider=self,
            clients=self.clients,
            grants=Grants(MemoryStore(lambda: self.now)),
            rights=rights,
            seals=self.seals,
            events=Events(self),
            resources=(RESOURCE,),
            clock=lambda: self.now,
        )

    def put(self, caller: Any, line: Any) -> None:
        """A line of the audit log."""
        self.lines.append((line["sign_in"], line.get("reason")))

    async def renew(self, earlier: SignedIn) -> SignedIn:
        """The provider's answer."""
        self.renewals.append(earlier.refresh_token)
        if self.refused:
            raise Refusal("the provider answers invalid_grant")
        if self.down:
            raise Unavailable
        number = len(self.renewals) + 1
        return self.answer(replace(earlier, refresh_token=f"refresh-{number}"))

    async def client(self) -> Any:
        """A client that has registered."""
        given: Any = type("Given", (), {"redirect_uris": [REDIRECT], "client_name": "c"})()
        self.clients.register(given)
        return await self.authority.get_client(given.client_id)

    async def code(self, client: Any, signed_in: SignedIn = ANN) -> str:
        """The code for somebody who signed in."""
        params = AuthorizationParams.model_validate(
            {
                "state": None,
                "scopes": None,
                "code_challenge": CHALLENGE,
                "redirect_uri": REDIRECT,
                "redirect_uri_provided_explicitly": True,
            }
        )
        underway = self.authority.begin(client, params)
        return await self.authority.admit(underway, client.label, signed_in)

    async def tokens(self, client: Any, signed_in: SignedIn = ANN) -> Any:
        """The tokens for somebody who signed in."""
        code = await self.code(client, signed_in)
        loaded = await self.authority.load_authorization_code(client, code)
        assert loaded is not None
        return await self.authority.exchange_authorization_code(client, loaded)

    async def refreshed(self, client: Any, token: str) -> Any:
        """New tokens."""
        loaded = await self.authority.load_refresh_token(client, token)
        return await self.authority.exchange_refresh_token(client, loaded, loaded.scopes)

    async def is_good(self, tokens: Any) -> bool:
        """Whether an access token opens something."""
        return await self.authority.verify_token(tokens.access_token) is not None


@pytest.fixture
def world():
    return World()


async def test_a_code_is_good_for_a_minute(world):
    client = await world.client()
    code = await world.code(client)
    world.now += 61
    assert await world.authority.load_authorization_code(client, code) is None
    assert await world.tokens(client)


async def test_a_registration_and_a_page_end(world):
    client = await world.client()
    world.now += LIFE - 1
    assert await world.authority.get_client(client.client_id) is not None
    world.now += 2
    assert await world.authority.get_client(client.client_id) is None
    sealed = world.seals.seal("underway", {}, LIFE_OF_PAGE)
    assert world.seals.open("underway", sealed) == {}
    assert world.seals.open("access", sealed) is None
    world.now += LIFE_OF_PAGE
    assert world.seals.open("underway", sealed) is None


async def test_who_is_removed_at_the_provider_is_out_within_five_minutes(world):
    client = await world.client()
    tokens = await world.tokens(client)
    world.refused = True
    world.now += 299
    assert not await world.is_good(tokens)
    assert world.renewals == ["refresh-1"]
    assert not await world.is_good(tokens)
    assert await world.authority.load_refresh_token(client, tokens.refresh_token) is None
    assert world.lines[-1] == ("ended", "the provider answers invalid_grant")


async def test_a_refresh_asks_the_provider_too(world):
    client = await world.client()
    tokens = await world.tokens(client)
    world.refused = True
    world.now += 299
    with pytest.raises(TokenError, match="invalid_grant"):
        await world.refreshed(client, tokens.refresh_token)
    assert not await world.is_good(tokens)


async def test_who_leaves_a_group_loses_its_scopes_within_five_minutes(world):
    client = await world.client()
    tokens = await world.tokens(client)
    world.now += 299
    assert await world.is_good(tokens)
    world.answer = lambda earlier: replace(earlier, person=Person(ISSUER, "ann", ("Other",)))
    world.now += 299
    assert not await world.is_good(tokens)
    assert len(world.renewals) == 2


async def test_one_of_many_calls_renews(world):
    import anyio

    client = await world.client()
    tokens = await world.tokens(client)
    world.now += 299
    async with anyio.create_task_group() as group:
        for _ in range(50):
            group.start_soon(world.is_good, tokens)
    assert world.renewals == ["refresh-1"]
    world.now += 299
    assert await world.is_good(tokens)
    assert world.renewals == ["refresh-1", "refresh-2"]


async def test_a_provider_that_is_down_ends_nothing_for_an_hour(world):
    client = await world.client()
    tokens = await world.tokens(client)
    world.down = True
    world.now += 300
    assert await world.is_good(tokens)
    assert await world.is_good(tokens)
    assert len(world.renewals) == 1
    with pytest.raises(Unavailable):
        await world.refreshed(client, tokens.refresh_token)
    world.now += 31
    assert await world.is_good(tokens)
    assert len(world.renewals) == 3
    world.now += 3300
    assert not await world.is_good(tokens)
    world.down = False
    assert await world.is_good(await world.refreshed(client, tokens.refresh_token))


async def test_without_a_refresh_token_a_sign_in_ends_with_the_provider_s(world):
    client = await world.client()
    until = replace(ANN, refresh_token="", ends=world.now + 900)
    tokens = await world.tokens(client, until)
    assert tokens.refresh_token is None
    assert tokens.expires_in == 900
    forever = await world.tokens(client, replace(ANN, refresh_token="", ends=0.0))
    assert forever.refresh_token is not None


async def test_a_refresh_token_ends_unless_it_is_used(world):
    client = await world.client()
    tokens = await world.tokens(client)
    for _ in range(3):
        world.now += 29 * 86400
        tokens = await world.refreshed(client, tokens.refresh_token)
    world.now += 31 * 86400
    assert await world.authority.load_refresh_token(client, tokens.refresh_token) is None


async def test_a_refresh_whose_answer_is_lost_has_it_again(world):
    """Two at once as well: both get the same successor."""
    client = await world.client()
    tokens = await world.tokens(client)
    one, two = [
        await world.authority.load_refresh_token(client, tokens.refresh_token) for _ in range(2)
    ]
    assert one is not None
    assert two is not None
    first = await world.authority.exchange_refresh_token(client, one, one.scopes)
    again = await world.authority.exchange_refresh_token(client, two, two.scopes)
    world.now += 29
    late = await world.refreshed(client, tokens.refresh_token)
    assert first.refresh_token == again.refresh_token == late.refresh_token
    assert first.refresh_token != tokens.refresh_token
    for each in (first, again, late):
        assert await world.is_good(each)


async def test_a_refresh_token_is_good_once_but_for_that(world):
    client = await world.client()
    late = await world.tokens(client)
    await world.refreshed(client, late.refresh_token)
    world.now += 30
    older = await world.tokens(client)
    newest = await world.refreshed(
        client, (await world.refreshed(client, older.refresh_token)).refresh_token
    )
    for tokens in (late, older):
        assert await world.authority.load_refresh_token(client, tokens.refresh_token) is None
        assert world.lines[-1] == ("ended", "a refresh token that was used before")
    assert not await world.is_good(newest)


async def test_scopes_of_groups(world):
    world = World(SignInSettings(http_scopes=("base",)))
    tokens = await world.tokens(await world.client(), replace(ANN, person=Person(ISSUER, "x")))
    assert tokens.scope == "base"
    implied = (("pets:write", "pets:read"),)
    table = (("Vets", "pets:write"), ("*", "base"))
    world = World(SignInSettings(sign_in_scopes=table, http_implied_scopes=implied))
    tokens = await world.tokens(await world.client())
    assert tokens.scope == "base pets:read pets:write"
    guest = await world.tokens(await world.client(), replace(ANN, person=Person(ISSUER, "x")))
    assert guest.scope == "base"


async def test_tokens_of_a_provider_before_are_never_sent_to_the_next(world):
    client = await world.client()
    tokens = await world.tokens(client)
    world.issuer = "https://other.example"
    world.now += 299
    assert not await world.is_good(tokens)
    assert await world.authority.load_refresh_token(client, tokens.refresh_token) is None
    assert not world.renewals


async def test_what_a_browser_keeps_is_bounded(world):
    client = await world.client()
    params = AuthorizationParams.model_validate(
        {
            "state": "s" * 1000,
            "scopes": None,
            "code_challenge": CHALLENGE,
            "redirect_uri": REDIRECT,
            "redirect_uri_provided_explicitly": True,
        }
    )
    with pytest.raises(AuthorizeError):
        world.authority.begin(client, params)
    most = type("Given", (), {})()
    most.client_name, most.redirect_uris = "c" * 80, [f"https://a.example/{'x' * 80}"] * 10
    world.clients.register(most)
    largest = await world.authority.get_client(most.client_id)
    params.state, params.redirect_uri = "s" * 850, most.redirect_uris[0]
    underway = world.authority.begin(largest, params)
    assert len(world.seals.seal("underway", asdict(underway.allow()), 600)) < 4000
