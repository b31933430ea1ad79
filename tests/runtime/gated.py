"""The sample package behind its gate, calls to it, and the tokens that they bring."""

import base64
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from types import ModuleType
from typing import Any

import httpx2
import jwt
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from mcpgen.runtime import HttpSettings

from .issuer import SCOPES, Issuer
from .serving import current, in_thread

SEEN: list[httpx2.Request] = []


def pets(request: httpx2.Request) -> httpx2.Response:
    """The API."""
    SEEN.append(request)
    return httpx2.Response(200, json={"name": "Rex"})


@contextmanager
def served(shop: ModuleType, **settings: Any) -> Iterator[str]:
    """The server on loopback, and its endpoint's URL."""
    app = shop.create_app(HttpSettings(**settings), transport=httpx2.MockTransport(pets))
    with in_thread(app) as base:
        yield f"{base}/mcp"


@asynccontextmanager
async def client(url: str, token: str, era: str) -> AsyncIterator[Client]:
    """A client that brings a token."""
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers) as http:
        transport = streamable_http_client(url, http_client=http)
        async with Client(transport, mode=era, read_timeout_seconds=20) as made:
            yield made


def call(url: str, tool: str, token: str | None) -> httpx2.Response:
    """The HTTP answer to one call."""
    message, headers = current(tool, {"petId": 7} if tool == "getPet" else {"name": "x"})
    if token is not None:
        headers = {**headers, "Authorization": f"Bearer {token}"}
    return httpx2.post(url, json=message, headers=headers)


def issued(issuer: Issuer, client_id: str) -> str:
    """A token from the token endpoint."""
    form = {"grant_type": "client_credentials", "client_id": client_id}
    return str(httpx2.post(f"{issuer.url}/token", data=form).json()["access_token"])


def forged(issuer: Issuer) -> dict[str, str]:
    """Tokens that are none for this server."""
    good = issuer.token("writer")
    head, body, signature = good.split(".")
    claims = json.loads(base64.urlsafe_b64decode(body + "=="))
    claims["scope"] = "everything"
    changed = base64.urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip("=")
    stranger = Issuer(SCOPES, issuer.url)
    return {
        "another audience": issuer.token("writer", aud="https://other.example/mcp"),
        "no audience": issuer.token("writer", aud=None),
        "another issuer": issuer.token("writer", iss="https://evil.example"),
        "expired": issuer.token("writer", exp=1_000_000_000),
        "without an end": issuer.token("writer", exp=None),
        "not yet": issuer.token("writer", nbf=4_000_000_000),
        "another key": stranger.token("writer"),
        "unknown key": jwt.encode(claims, stranger.key, "RS256", headers={"kid": "zzz"}),
        "changed": f"{head}.{changed}.{signature}",
        "unsigned": jwt.encode(claims, None, "none", headers={"kid": "first"}),
        "bound to a key": issuer.token(
            "writer", cnf={"jkt": "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"}
        ),
        "bound to a certificate": issuer.token(
            "writer", cnf={"x5t#S256": "bwcK0esc3ACC3DB2Y5_lESsXE8o"}
        ),
        "of a logout": typed(issuer, "logout+jwt"),
        "of an event": typed(issuer, "application/secevent+jwt"),
        "by a shared secret": jwt.encode(claims, "x" * 64, "HS256", headers={"kid": "first"}),
        "no token": "abc",
        "nothing": "..",
    }


def typed(issuer: Issuer, kind: str | None) -> str:
    """A token of a type."""
    claims = jwt.decode(issuer.token("writer"), options={"verify_signature": False})
    return jwt.encode(claims, issuer.key, "RS256", headers={"kid": issuer.key_id, "typ": kind})
