"""Grants by a clock of the tests and a provider that may fail: how long their tokens go to APIs."""

from dataclasses import replace
from typing import Any

import pytest

from mcpgen.runtime import ToolError
from mcpgen.runtime.parts.delegation.grants import DelegatedGrants
from mcpgen.runtime.parts.http.jwks import Unavailable
from mcpgen.runtime.parts.sign_in.people import Person, Refusal, SignedIn

from ..sign_in.test_authority import ANN, ISSUER, World
from ..sign_in.test_authority import world as world

pytestmark = pytest.mark.anyio


def grants(world: World) -> DelegatedGrants:
    """The grants of the authority."""
    return DelegatedGrants(world.authority, lambda: world.now)


async def grant_of(world: World, tokens: Any) -> Any:
    """The grant of an access token, by its id."""
    access = await world.authority.load_access_token(tokens.access_token)
    assert access is not None
    return access.grant


async def test_the_providers_token_is_renewed_before_it_ends_and_where_it_is_refused(
    world: World,
) -> None:
    client = await world.client()
    ends = world.now + 200
    grant = await grant_of(world, await world.tokens(client, replace(ANN, ends=ends)))
    world.answer = lambda earlier: replace(
        earlier, access_token=f"access-{len(world.renewals)}", ends=world.now + 1000
    )
    world.now = ends - 21
    assert (await grants(world).get(grant)).signed_in.access_token == "access"
    world.now = ends - 19
    assert (await grants(world).get(grant)).signed_in.access_token == "access-1"
    kept = await grants(world).get(grant, "access-1")
    assert kept.signed_in.access_token == "access-1"
    world.now += 31
    assert (await grants(world).get(grant, "another")).signed_in.access_token == "access-1"
    again = await grants(world).get(grant, "access-1")
    assert again.signed_in.access_token == "access-2"
    assert world.renewals == ["refresh-1", "refresh-2"]


async def test_whom_the_provider_vouched_for_has_no_token(world: World) -> None:
    """Of an identity assertion; nothing is asked of the provider, whose answer would end it."""
    client = await world.client()
    vouched = replace(ANN, access_token="", refresh_token="", ends=world.now + 270)
    grant = await grant_of(world, await world.tokens(client, vouched))
    world.now += 260
    with pytest.raises(ToolError, match="with a browser"):
        await grants(world).get(grant)
    assert not world.renewals


async def test_a_token_that_has_ended_goes_nowhere(world: World) -> None:
    client = await world.client()
    tokens = await world.tokens(client, replace(ANN, ends=world.now + 100))
    grant = await grant_of(world, tokens)
    world.down = True
    world.now += 99
    assert (await grants(world).get(grant)).signed_in.access_token == "access"
    world.now += 1
    with pytest.raises(Unavailable):
        await grants(world).get(grant)
    world.down, world.refused = False, True
    world.now += 30
    with pytest.raises(Refusal, match="invalid_grant"):
        await grants(world).get(grant)
    with pytest.raises(Refusal, match="has ended"):
        await grants(world).get(grant)


async def test_calls_that_go_on_see_a_removal_within_five_minutes(world: World) -> None:
    client = await world.client()
    grant = await grant_of(world, await world.tokens(client))
    other = await grant_of(world, await world.tokens(client, replace(ANN, refresh_token="x")))
    world.refused = True
    world.now += 269
    assert await grants(world).get(grant)
    world.now += 2
    with pytest.raises(Refusal):
        await grants(world).get(grant)
    world.refused = False
    assert await grants(world).get(other)


async def test_only_the_same_person_allows_a_sign_in_more(world: World) -> None:
    client = await world.client()
    grant = await grant_of(world, await world.tokens(client))
    bob = SignedIn(Person(ISSUER, "bob"), "of-bob", "refresh-of-bob")
    elsewhere = SignedIn(Person("https://other.example", "ann"), "of-other")
    for other in (bob, elsewhere):
        with pytest.raises(Refusal, match="another person"):
            await grants(world).extend(grant, other)
    assert (await grants(world).get(grant)).signed_in == ANN
    await grants(world).extend(grant, replace(ANN, access_token="wider", refresh_token=""))
    now = (await grants(world).get(grant)).signed_in
    assert (now.access_token, now.refresh_token) == ("wider", "refresh-1")
    with pytest.raises(Refusal, match="has ended"):
        await grants(world).extend("no-such-grant", ANN)
