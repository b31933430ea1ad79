"""Access tokens of an issuer: how they may be signed, for whom they are, and whom they name."""

import json

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from jwt.algorithms import ECAlgorithm, OKPAlgorithm
from tables import table

from mcpgen.runtime import Api
from mcpgen.runtime.parts.http.jwks import IssuerKeys, JwtVerifier

from ... import support
from ...gated import SEEN, call, forged, served, typed
from ...issuer import RESOURCE, SCOPES, Issuer

PACKAGE = "shop_with_tokens_mcp"
ACCESS = {"getPet": [["pets:read"]], "create": [["pets:write"]]}


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    """A credential of the server's own, and nothing seen."""
    monkeypatch.setenv("SHOP_KEY", "sk-of-the-server")
    SEEN.clear()


@pytest.mark.parametrize("kind", ["JWT", "at+jwt", "application/at+JWT", None])
def test_an_access_token_may_say_that_it_is_one(shop, issuer, kind):
    with served(shop, http_issuer=issuer.url, http_resource=RESOURCE) as url:
        assert call(url, "create", typed(issuer, kind)).status_code == 200


def test_all_keys_are_tried_that_a_token_may_be_signed_with(shop, issuer, monkeypatch):
    """A token need not name a key, and keys of different types may share a name (RFC 7517 4.5)."""
    curve = json.loads(ECAlgorithm.to_jwk(ec.generate_private_key(ec.SECP384R1()).public_key()))
    another = Issuer(SCOPES, issuer.url, key_id="other")
    others = [{**curve, "kid": issuer.key_id}, another.public, {**curve, "use": "enc"}]
    monkeypatch.setattr(issuer, "others", others)
    named = issuer.token("writer")
    claims = jwt.decode(named, options={"verify_signature": False})
    unnamed = jwt.encode(claims, issuer.key, "RS256")
    stranger = jwt.encode(claims, Issuer(SCOPES).key, "RS256")
    with served(shop, http_issuer=issuer.url, http_resource=RESOURCE) as url:
        assert call(url, "create", named).status_code == 200
        assert call(url, "create", unnamed).status_code == 200
        assert call(url, "create", stranger).status_code == 401


def test_a_signature_by_edwards_curves(shop, issuer, monkeypatch):
    key = ed25519.Ed25519PrivateKey.generate()
    public = {**json.loads(OKPAlgorithm.to_jwk(key.public_key())), "kid": "ed"}
    monkeypatch.setattr(issuer, "others", [public])
    claims = jwt.decode(issuer.token("writer"), options={"verify_signature": False})
    signed = jwt.encode(claims, key, "EdDSA", headers={"kid": "ed"})
    with served(shop, http_issuer=issuer.url, http_resource=RESOURCE) as url:
        assert call(url, "create", signed).status_code == 200


def test_a_token_that_is_none_for_this_server_is_refused(shop, issuer, caplog):
    """The log says why, if it is asked."""
    with served(shop, http_issuer=issuer.url, http_resource=RESOURCE) as url:
        assert call(url, "create", issuer.token("writer")).status_code == 200
        for what, token in forged(issuer).items():
            with caplog.at_level("INFO"):
                caplog.clear()
                answer = call(url, "create", token)
            assert answer.status_code == 401, what
            assert "a token was refused: " in caplog.text, what
            assert 'error="invalid_token"' in answer.headers["WWW-Authenticate"]
        assert call(url, "create", issuer.token("writer")).status_code == 200
    assert len(SEEN) == 2


@table(
    "resource, audience, status",
    ("https://mcp.example", "https://mcp.example", 200),
    ("https://mcp.example", "https://mcp.example/", 200),
    ("HTTPS://MCP.example:443/Mcp", "https://mcp.example/Mcp", 200),
    ("https://mcp.example/Mcp", "https://mcp.example/mcp", 401),
    ("https://mcp.example/mcp", "https://mcp.example/mcp/", 401),
    ("https://mcp.example", "https://mcp.example.evil/", 401),
)
def test_a_token_names_this_server_as_clients_spell_its_url(
    shop, issuer, resource, audience, status
):
    """They ask for tokens by the URL as browsers normalise it: with a path, in lower case."""
    token = issuer.token("reader", aud=audience)
    with served(shop, http_issuer=issuer.url, http_resource=resource) as url:
        assert call(url, "getPet", token).status_code == status
    named = {"http_resource": resource, "http_audience": "urn:of-our-own"}
    with served(shop, http_issuer=issuer.url, **named) as url:
        assert call(url, "getPet", token).status_code == 401
        assert call(url, "getPet", issuer.token("reader", aud="urn:of-our-own")).status_code == 200


async def test_callers_whose_tokens_name_nobody_are_not_one(issuer):
    """Tasks and answers are kept for whoever began them."""
    keys = IssuerKeys(support.client(api=Api("P"))._backend, issuer.url)
    verifier = JwtVerifier(keys, issuer.url, (RESOURCE,))

    async def who(**claims):
        found = await verifier.verify_token(issuer.token("writer", **claims))
        return found.client_id, found.subject

    nobody = {"sub": None, "client_id": None, "exp": 4_000_000_000}
    assert await who(**nobody, jti="1") == await who(**nobody, jti="1")
    assert await who(**nobody, jti="1") != await who(**nobody, jti="2")
    assert await who(sub=None, jti="1") == await who(sub=None, jti="2") == ("writer", None)
    assert await who(client_id=None) == ("sub-of-writer", "sub-of-writer")
