"""The keys of who issues tokens: where they are, how long they are kept, and what tokens grant."""

from contextlib import suppress
from typing import Any

import anyio
import httpx2
import jwt
import pytest
from tables import table

from mcpgen.runtime import Api
from mcpgen.runtime.parts.http.jwks import IssuerKeys, JwtVerifier, Unavailable, scopes_of
from mcpgen.runtime.values.settings import Settings

from ... import support
from ...issuer import RESOURCE, SCOPES, Issuer
from ...serving import in_thread


async def test_keys_are_kept_and_read_again_where_one_is_new():
    own = Issuer(SCOPES)
    now = 1000.0
    with in_thread(own.app) as url:
        own.url = url
        backend = support.client(api=Api("P"))._backend
        keys = IssuerKeys(backend, url, clock=lambda: now)
        for _ in range(5):
            assert await keys.get("first")
        assert own.asked == ["metadata", "jwks"]
        own.rotate()
        assert not await keys.get("second")
        assert own.asked.count("jwks") == 1
        now += 31
        assert await keys.get("second")
        assert not await keys.get("first")
        assert own.asked.count("jwks") == 2
        own.broken = True
        now += 601
        assert await keys.get("second")
        assert own.asked.count("jwks") == 3
        for _ in range(2):  # a client would throw away a token that is refused
            with pytest.raises(Unavailable):
                await keys.get("third")
        own.broken = False
        now += 31
        assert not await keys.get("unknown")
        own.broken = True
        with pytest.raises(Unavailable):
            await IssuerKeys(backend, url).get("second")


@pytest.mark.parametrize("named", [True, False])
async def test_a_key_may_be_replaced_under_the_id_it_had_or_without_any(named):
    """Tokens of another key have the keys read again as seldom as those of an unknown id."""
    own, now = Issuer(SCOPES, "https://login.example"), 1000.0
    asked = []

    def published(request):
        asked.append(request.url.path)
        public = own.public if named else {**own.public, "kid": None}
        return httpx2.Response(200, json={"keys": [public]})

    def token():
        claims = jwt.decode(own.token("reader"), options={"verify_signature": False})
        return jwt.encode(claims, own.key, "RS256", headers={"kid": own.key_id} if named else {})

    backend = support.client(published, api=Api("P"))._backend
    keys = IssuerKeys(backend, own.url, f"{own.url}/jwks", clock=lambda: now)
    verifier = JwtVerifier(keys, own.url, (RESOURCE,))
    early = token()
    assert await verifier.verify_token(early)
    own.rotate()
    own.key_id = "first"
    assert not await verifier.verify_token(token())
    assert len(asked) == 1
    now += 31
    assert await verifier.verify_token(token())
    assert not await verifier.verify_token(early)
    assert len(asked) == 2


@table(
    "issuer_url, metadata",
    ("https://a.example/", "/.well-known/openid-configuration"),
    ("https://a.example/", "/.well-known/oauth-authorization-server"),
    ("https://a.example/realms/x", "/realms/x/.well-known/openid-configuration"),
    ("https://a.example/realms/x", "/.well-known/oauth-authorization-server/realms/x"),
    ("https://a.example/realms/x/", "/.well-known/oauth-authorization-server/realms/x"),
    ("https://a.example/realms/x", "/.well-known/openid-configuration/realms/x"),
)
async def test_keys_are_where_metadata_of_either_kind_says(issuer, issuer_url, metadata):
    def answer(request):
        if request.url.path == metadata:
            said = {"issuer": issuer_url, "jwks_uri": "https://a.example/keys"}
            return httpx2.Response(200, json=said)
        if request.url.path == "/keys":
            return httpx2.Response(200, json={"keys": [issuer.public]})
        return httpx2.Response(404, content=b"<html>")

    backend = support.client(answer, api=Api("P"))._backend
    assert await IssuerKeys(backend, issuer_url).get(issuer.key_id)


@pytest.mark.parametrize("named", ["https://a.example/x/", None, ["https://a.example/x"]])
async def test_metadata_of_another_issuer_is_not_followed(named, caplog):
    """The log says whose it is: mostly a slash is all that differs."""

    def answer(request):
        said = {"jwks_uri": "https://a.example/keys", "keys": []}
        return httpx2.Response(200, json={**said, **({"issuer": named} if named else {})})

    keys = IssuerKeys(support.client(answer, api=Api("P"))._backend, "https://a.example/x")
    with pytest.raises(Unavailable):
        await keys.get("first")
    assert (f"names another issuer, {named!r}" in caplog.text) == (named is not None)


async def test_an_issuer_may_publish_its_keys_at_another_place_from_some_day_on():
    issuer, place, asked, now = Issuer(SCOPES), "/old", list[str](), 1000.0

    def answer(request):
        asked.append(request.url.path)
        if request.url.path.startswith("/.well-known/"):
            own = "https://login.example"
            return httpx2.Response(200, json={"issuer": own, "jwks_uri": f"{own}{place}"})
        if request.url.path == place:
            return httpx2.Response(200, json={"keys": [issuer.public]})
        return httpx2.Response(404, json={})

    backend = support.client(answer, api=Api("P"))._backend
    keys = IssuerKeys(backend, "https://login.example", clock=lambda: now)
    assert await keys.get(issuer.key_id)
    place = "/new"
    issuer.rotate()
    now += 31
    assert await keys.get(issuer.key_id)
    assert asked.count("/new") == 1


async def test_a_token_with_an_unknown_key_does_not_hold_up_the_others():
    """Nor does an issuer that is slow to publish its keys again, and then does not."""
    own, answering, now = Issuer(SCOPES, "https://login.example"), anyio.Event(), 1000.0
    asked = []

    async def published(request):
        asked.append(request.url.path)
        if len(asked) > 1:
            await answering.wait()
            return httpx2.Response(500)
        return httpx2.Response(200, json={"keys": [own.public]})

    backend = support.client(published, api=Api("P"))._backend
    keys = IssuerKeys(backend, own.url, f"{own.url}/jwks", clock=lambda: now)
    assert await keys.get("first")
    now += 31

    async def get(key_id):
        with suppress(Unavailable):
            await keys.get(key_id)

    for unknown in (True, False):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(get, "unknown" if unknown else "first")
            while len(asked) == 1 + (not unknown):
                await anyio.sleep(0)
            with anyio.fail_after(5):
                assert await keys.get("first")
            answering.set()
        answering, now = anyio.Event(), now + 601
    assert len(asked) == 3


async def test_an_issuer_whose_keys_come_by_drips_is_given_up():
    async def drips():
        while True:
            yield b""
            await anyio.sleep(0)

    settings = Settings(timeout=0.05)
    dripping = httpx2.Response(200, content=drips())
    backend = support.client(lambda _: dripping, api=Api("P"), settings=settings)._backend
    with anyio.fail_after(5), pytest.raises(Unavailable):
        await IssuerKeys(backend, "https://login.example", "https://login.example/jwks").get("x")


async def test_metadata_and_keys_that_are_odd(issuer):
    def answer(request):
        if request.url.path == "/.well-known/openid-configuration":
            own = "https://login.example"
            return httpx2.Response(200, json={"issuer": own, "jwks_uri": f"{own}/jwks"})
        if request.url.path == "/jwks":
            return httpx2.Response(200, json={"keys": [issuer.public]})
        raise httpx2.ReadError("cut off")

    backend = support.client(answer, api=Api("P"))._backend
    assert await IssuerKeys(backend, "https://login.example").get(issuer.key_id)
    odd = [{"kty": "oct"}, {"kty": "RSA", "n": 1}, {"kty": "EC", "crv": "x"}, {}, None, "key"]
    odd += [{**issuer.public, "alg": "HS256"}, {**issuer.public, "use": "enc"}]
    published = httpx2.Response(200, json={"keys": [issuer.public, *odd]})
    backend = support.client(lambda _: published, api=Api("P"))._backend
    keys = IssuerKeys(backend, "https://login.example", "https://login.example/jwks")
    assert await keys.get(issuer.key_id)
    assert await keys.get(None), "a token may leave out which key it is where there is one"


@table(
    "claims, scopes",
    ({"scope": "a b", "scp": ["c", "b"]}, ["a", "b", "c"]),
    ({"scope": None, "scp": 5}, []),
    ({"scope": {"a": 1}, "scp": True}, []),
)
def test_the_scopes_of_a_token(claims, scopes):
    assert scopes_of(claims, ()) == scopes


class Published:
    """The keys of an issuer, in the place of `IssuerKeys`."""

    def __init__(self, own: Issuer) -> None:
        self.own = own

    async def get(self, key_id: str | None, *, replaced: bool = False) -> Any:
        return [(self.own.key.public_key(), ("RS256",))]


TENANT = "11111111-2222-3333-4444-555555555555"
V1, V2 = f"https://sts.windows.net/{TENANT}/", f"https://login.microsoftonline.com/{TENANT}/v2.0"


@pytest.mark.parametrize("issuer", [V1, V2])
async def test_entra_names_itself_in_two_ways_and_gives_roles(issuer):
    own = Issuer(SCOPES)
    made = JwtVerifier(Published(own), issuer, [RESOURCE])
    for name in (V1, V2):
        token = own.token("x", iss=name, scope=None, scp="pets:read", roles=["pets:write"])
        access = await made.verify_token(token)
        assert access.scopes == ["pets:read", "pets:write"]
    for name in (V1.replace("1", "9"), V2.removesuffix("/v2.0"), "https://sts.windows.net/x/"):
        assert await made.verify_token(own.token("x", iss=name)) is None
    plain = JwtVerifier(Published(own), "https://login.example", [RESOURCE])
    token = own.token("x", iss="https://login.example", roles=["pets:write"])
    assert (await plain.verify_token(token)).scopes == []


async def test_cognito_s_tokens_are_for_the_client_that_they_name():
    from mcpgen.runtime import HttpSettings
    from mcpgen.runtime.parts.http.gate import verifier

    pool = "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_AbC123"
    own = Issuer(SCOPES)
    settings = HttpSettings(http_issuer=pool, http_resource=RESOURCE, http_audience="app")
    made = verifier(settings, None)
    made.keys = Published(own)

    def token(**claims):
        usual = {"iss": pool, "aud": None, "client_id": "app", "token_use": "access"}
        return str(own.token("x", **{**usual, **claims}))

    assert await made.verify_token(token())
    wrong = [{"client_id": "other"}, {"token_use": "id"}, {"aud": "other"}, {"client_id": None}]
    for claims in (*wrong, {"iss": f"{pool}9"}):
        assert await made.verify_token(token(**claims)) is None
    assert await made.verify_token(token(aud="app"))
    plain = verifier(HttpSettings(http_issuer=pool, http_resource=RESOURCE), None)
    plain.keys = Published(own)
    assert await plain.verify_token(token()) is None
