"""An OAuth 2.0 authorization server (oauthlib's) whose access tokens are JSON Web Tokens."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm
from oauthlib.oauth2 import Server
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from .authorization import Client, Validator

RESOURCE = "https://mcp.example/mcp"
SCOPES = {"reader": ["pets:read"], "writer": ["pets:read", "pets:write"], "nobody": ["other"]}
"""What each client may do that has no secret."""


class Clients(Validator):
    """Knows clients without secrets, and the scopes that each may have."""

    def __init__(self, scopes: Mapping[str, list[str]]) -> None:
        super().__init__()
        self.scopes = scopes

    def authenticate_client(self, request: Any, *_: Any) -> bool:
        request.client = Client(request.client_id)
        return request.client_id in self.scopes

    def validate_scopes(self, client: str, scopes: list[str], *_: Any) -> bool:
        return set(scopes) <= set(self.scopes[client])

    def get_default_scopes(self, client: str, *_: Any) -> list[str]:
        return list(self.scopes[client])


@dataclass
class Issuer:
    """The server: its key, what it was asked for, and what it puts into tokens besides."""

    scopes: Mapping[str, list[str]]
    url: str = ""
    key_id: str = "first"
    key: Any = field(default_factory=lambda: rsa.generate_private_key(65537, 2048))
    asked: list[str] = field(default_factory=list)
    broken: bool = False
    others: list[dict[str, Any]] = field(default_factory=list)
    """Keys that are published before its own."""

    @property
    def app(self) -> Starlette:
        """The application."""
        routes = [
            Route("/.well-known/oauth-authorization-server", self._metadata),
            Route("/token", self._token, methods=["POST"]),
            Route("/jwks", self._jwks),
        ]
        return Starlette(routes=routes)

    def rotate(self) -> None:
        """Sign with another key from now on; the one before is gone."""
        self.key, self.key_id = rsa.generate_private_key(65537, 2048), "second"

    def token(self, client: str, **claims: Any) -> str:
        """A token as `/token` issues it; None takes a claim out."""
        own = {
            "iss": self.url,
            "aud": RESOURCE,
            "sub": f"sub-of-{client}",
            "client_id": client,
            "scope": " ".join(self.scopes.get(client, ())),
            "exp": int(time.time()) + 600,
        }
        kept = {name: value for name, value in {**own, **claims}.items() if value is not None}
        return jwt.encode(kept, self.key, "RS256", headers={"kid": self.key_id, "typ": "at+jwt"})

    @property
    def public(self) -> dict[str, Any]:
        """The key as it is published."""
        public = json.loads(RSAAlgorithm.to_jwk(self.key.public_key()))
        return {**public, "kid": self.key_id, "use": "sig"}

    async def _metadata(self, request: Request) -> Response:
        self.asked.append("metadata")
        return JSONResponse({"issuer": self.url, "jwks_uri": f"{self.url}/jwks"})

    async def _jwks(self, request: Request) -> Response:
        self.asked.append("jwks")
        if self.broken:
            return Response(status_code=500)
        return JSONResponse({"keys": [*self.others, self.public]})

    async def _token(self, request: Request) -> Response:
        server = Server(
            Clients(self.scopes),
            token_generator=lambda asked: self.token(
                asked.client.client_id, scope=" ".join(asked.scopes)
            ),
        )
        body = (await request.body()).decode()
        url = str(request.url).replace("http:", "https:")
        headers, text, status = server.create_token_response(url, "POST", body, {})
        return Response(text, status, headers)
