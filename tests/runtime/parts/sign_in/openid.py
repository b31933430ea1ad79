"""An OpenID provider that knows one client, and signs in whoever `person` says, without a page."""

import base64
import json
import time
from dataclasses import dataclass, field
from hashlib import sha256
from secrets import token_hex
from typing import Any
from urllib.parse import urlencode

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

CLIENT, SECRET = "the-server", "canary secret/of the server"


@dataclass
class OpenId:
    """The provider; what is asked of it is in `asked`, and its answers follow its fields."""

    url: str = ""
    person: str = "ann"
    groups: dict[str, list[str]] = field(default_factory=dict)
    key: Any = field(default_factory=lambda: rsa.generate_private_key(65537, 2048))
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    claims: dict[str, Any] = field(default_factory=dict)
    """What its ID tokens have besides."""
    back: dict[str, str] = field(default_factory=dict)
    """What it sends browsers back with besides."""
    gone: set[str] = field(default_factory=set)
    """Who was removed."""
    down: bool = False
    refreshes: bool = True
    life: int = 600
    """Seconds that its access tokens last."""
    given: dict[str, Any] = field(default_factory=dict)
    """What its answers with tokens have besides."""
    more: dict[str, Any] = field(default_factory=dict)
    """What its metadata has besides."""

    def __post_init__(self) -> None:
        self._codes: dict[str, dict[str, str]] = {}
        self._tokens: dict[str, str] = {}

    @property
    def app(self) -> Starlette:
        """The application."""
        routes = [
            Route("/.well-known/openid-configuration", self._metadata),
            Route("/jwks", self._jwks),
            Route("/authorize", self._authorize),
            Route("/token", self._token, methods=["POST"]),
            Route("/userinfo", self._userinfo),
        ]
        return Starlette(routes=routes)

    def steps(self, step: str) -> list[dict[str, str]]:
        """What it was asked at one of its endpoints."""
        return [values for name, values in self.asked if name == step]

    async def _metadata(self, request: Request) -> Response:
        endpoints = {
            "authorization_endpoint": f"{self.url}/authorize?tenant=a",
            "token_endpoint": f"{self.url}/token",
            "userinfo_endpoint": f"{self.url}/userinfo",
            "jwks_uri": f"{self.url}/jwks",
        }
        scopes = ["openid", "profile", "email", "offline_access", "groups"]
        known = {"issuer": self.url, **endpoints, "scopes_supported": scopes, **self.more}
        return JSONResponse(known)

    async def _jwks(self, request: Request) -> Response:
        public = json.loads(RSAAlgorithm.to_jwk(self.key.public_key()))
        return JSONResponse({"keys": [{**public, "kid": "k", "use": "sig"}]})

    async def _authorize(self, request: Request) -> Response:
        query = dict(request.query_params)
        self.asked.append(("authorize", query))
        code = f"code-of-the-provider-{token_hex(8)}"
        self._codes[code] = {**query, "person": self.person}
        answer = {"code": code, "state": query["state"], **self.back}
        return RedirectResponse(f"{query['redirect_uri']}?{urlencode(answer)}")

    async def _token(self, request: Request) -> Response:
        form = {name: str(value) for name, value in (await request.form()).items()}
        self.asked.append(("token", form))
        if self.down:
            return Response("down", 502)
        pair = base64.b64decode(request.headers["authorization"].removeprefix("Basic ")).decode()
        if pair != "the-server:canary+secret%2Fof+the+server":
            return JSONResponse({"error": "invalid_client"}, 401)
        if form["grant_type"] not in ("refresh_token", "authorization_code"):
            return self.exchange(form)
        if form["grant_type"] == "refresh_token":
            person = self._tokens.pop(form["refresh_token"], "")
            own: dict[str, Any] = {}
        else:
            begun = self._codes.pop(form["code"], {})
            digest = sha256(form["code_verifier"].encode()).digest()
            proof = base64.urlsafe_b64encode(digest).decode().rstrip("=")
            is_same = begun.get("redirect_uri") == form["redirect_uri"]
            person = begun.get("person", "") if is_same and proof == begun["code_challenge"] else ""
            own = {"nonce": begun.get("nonce")}
        if not person or person in self.gone:
            return JSONResponse({"error": "invalid_grant"}, 400)
        return JSONResponse(self._answer(person, own))

    def exchange(self, form: dict[str, str]) -> Response:
        """The answer to another grant type."""
        return JSONResponse({"error": "unsupported_grant_type"}, 400)

    def _answer(self, person: str, own: dict[str, Any]) -> dict[str, Any]:
        now = int(time.time())
        claims = {
            "iss": self.url,
            "aud": CLIENT,
            "sub": f"sub-of-{person}",
            "iat": now,
            "exp": now + 300,
            "groups": self.groups.get(person, []),
            **own,
            **self.claims,
        }
        access, refresh = f"canary-access-{token_hex(8)}", f"canary-refresh-{token_hex(8)}"
        self._tokens |= {access: person, refresh: person}
        answer = {
            "access_token": access,
            "token_type": "Bearer",
            "expires_in": self.life,
            "id_token": jwt.encode(claims, self.key, "RS256", headers={"kid": "k"}),
        }
        refreshing = {"refresh_token": refresh} if self.refreshes else {}
        return {**answer, **refreshing, **self.given}

    async def _userinfo(self, request: Request) -> Response:
        person = self._tokens.get(request.headers["authorization"].removeprefix("Bearer "), "")
        self.asked.append(("userinfo", {"person": person}))
        known = person and person not in self.gone
        return JSONResponse({"sub": f"sub-of-{person}"}, 200 if known else 401)
