"""An OAuth 2.0 authorization server (oauthlib's) and an API that it guards, as one application.

It is an OpenID provider too, as far as one is discovered, and exchanges tokens (RFC 8693) by a
grant type added to oauthlib's.
"""

import asyncio
import json
import secrets
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

from oauthlib.common import to_unicode
from oauthlib.oauth2 import RequestValidator, Server
from oauthlib.oauth2.rfc6749 import errors
from oauthlib.oauth2.rfc6749.grant_types import ClientCredentialsGrant
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"
CLIENT, SECRET = "client id", "sec:ret/é&+"
USER, PASSWORD = "rita", "pass&word é"
SCOPES = ("pets:read", "pets:write")
READ, WRITE = [{"pets": ["pets:read"]}], [{"pets": ["pets:write"]}]
"""What operations ask for that read or write pets."""


@dataclass
class Client:
    """The client of a request, as oauthlib wants it."""

    client_id: str


class Validator(RequestValidator):
    """What this authorization server knows, all of it in memory."""

    def __init__(self) -> None:
        self.tokens: dict[str, tuple[float, list[str]]] = {}
        self.refresh_tokens = {"first-refresh-token"}
        self.basic_allowed = self.body_allowed = True
        self.subjects: dict[str, str] = {}
        """Users, by the tokens that they have for the MCP server."""
        self.owners: dict[str, str] = {}

    def authenticate_client(self, request: Any, *_: Any) -> bool:
        request.client = Client(CLIENT)
        header = request.headers.get("Authorization", "")
        if header.startswith("Basic "):
            from base64 import b64decode
            from urllib.parse import unquote_plus

            name, _, secret = b64decode(header[6:]).decode().partition(":")
            given = (unquote_plus(name), unquote_plus(secret))
            return self.basic_allowed and given == (CLIENT, SECRET)
        given = (request.client_id, request.client_secret)
        return self.body_allowed and given == (CLIENT, SECRET)

    def validate_user(self, username: str, password: str, *_: Any) -> bool:
        return (username, password) == (USER, PASSWORD)

    def validate_grant_type(self, *_: Any) -> bool:
        return True

    def validate_scopes(self, _: str, scopes: list[str], *__: Any) -> bool:
        return set(scopes) <= set(SCOPES)

    def get_default_scopes(self, *_: Any) -> list[str]:
        return list(SCOPES)

    def save_bearer_token(self, token: dict[str, Any], *_: Any) -> None:
        ends = time.monotonic() + token["expires_in"]
        self.tokens[token["access_token"]] = (ends, token["scope"].split())
        if "refresh_token" in token:
            self.refresh_tokens.add(token["refresh_token"])

    def validate_bearer_token(self, token: str, *_: Any) -> bool:
        ends, _scopes = self.tokens.get(token, (0.0, []))
        return time.monotonic() < ends

    def validate_refresh_token(self, token: str, *_: Any) -> bool:
        return token in self.refresh_tokens

    def rotate_refresh_token(self, request: Any) -> bool:
        self.refresh_tokens.discard(request.refresh_token)
        return True

    def get_original_scopes(self, *_: Any) -> list[str]:
        return list(SCOPES)

    def owner(self, token: str) -> str:
        """Whom a token was exchanged for."""
        return self.owners.get(token, "")

    def revoke_token(self, token: str, *_: Any) -> None:
        self.tokens.pop(token, None)


class ExchangeGrant(ClientCredentialsGrant):
    """RFC 8693 2: a user's token for one of the API, which knows whose it is."""

    def validate_token_request(self, request: Any) -> None:
        self.validate_client_confidential(request)
        asked = (request.subject_token_type, request.requested_token_type, request.audience)
        if asked != (ACCESS_TOKEN, ACCESS_TOKEN, "pets-api"):
            raise errors.InvalidRequestError(request=request)
        if request.subject_token not in self.request_validator.subjects:
            raise errors.InvalidGrantError(
                description=f"{request.subject_token} is nobody's", request=request
            )
        self.validate_scopes(request)

    def create_token_response(self, request: Any, token_handler: Any) -> Any:
        headers, body, status = super().create_token_response(request, token_handler)
        if status != 200:
            return headers, body, status
        token = {**json.loads(body), "issued_token_type": ACCESS_TOKEN}
        user = self.request_validator.subjects[request.subject_token]
        self.request_validator.owners[token["access_token"]] = user
        return headers, json.dumps(token), status


@dataclass
class Guarded:
    """The two servers and what they saw."""

    lifetime: int = 3600
    delay: float = 0.0
    """Seconds that the token endpoint takes."""
    validator: Validator = field(default_factory=Validator)
    forms: list[dict[str, list[str]]] = field(default_factory=list)
    """What the token endpoint was asked for."""
    calls: list[tuple[str, str]] = field(default_factory=list)
    """Method and Authorization header of each call of the API."""
    metadata: dict[str, Any] = field(default_factory=dict)
    """What the provider says of itself other than the truth."""
    discovered: int = 0
    at_once: int = 0
    most_at_once: int = 0

    @property
    def app(self) -> Starlette:
        """The application: `/token`, `/revoke`, metadata, and an API at `/pets`."""
        routes = [
            Route("/.well-known/openid-configuration", self._metadata),
            Route("/token", self._token, methods=["POST"]),
            Route("/revoke", self._revoke, methods=["POST"]),
            Route("/pets", self._pets, methods=["GET", "POST", "DELETE"]),
        ]
        return Starlette(routes=routes)

    def revoke_all(self) -> None:
        """Every token that is out is worth nothing from now on."""
        self.validator.tokens.clear()

    async def _metadata(self, request: Request) -> Response:
        self.discovered += 1
        base = str(request.base_url).rstrip("/")
        found = {"issuer": base, "token_endpoint": f"{base}/token"}
        return JSONResponse({**found, **self.metadata})

    async def _token(self, request: Request) -> Response:
        body = (await request.body()).decode()
        self.forms.append(parse_qs(body))
        self.at_once += 1
        self.most_at_once = max(self.at_once, self.most_at_once)
        await asyncio.sleep(self.delay)
        self.at_once -= 1
        return self._respond(self._server.create_token_response, request, body)

    async def _revoke(self, request: Request) -> Response:
        body = (await request.body()).decode()
        return self._respond(self._server.create_revocation_response, request, body)

    @property
    def _server(self) -> Server:
        server = Server(
            self.validator,
            token_expires_in=self.lifetime,
            token_generator=lambda _: f"at-{secrets.token_urlsafe(12)}",
        )
        server.grant_types[EXCHANGE] = ExchangeGrant(self.validator)
        return server

    def _respond(self, create: Any, request: Request, body: str) -> Response:
        sent = {name.title(): value for name, value in request.headers.items()}
        headers, text, status = create(
            str(request.url).replace("http:", "https:"), "POST", body, sent
        )
        return Response(to_unicode(text or ""), status, headers)

    async def _pets(self, request: Request) -> Response:
        header = request.headers.get("authorization", "")
        self.calls.append((request.method, header))
        token = header.removeprefix("Bearer ")
        if not self.validator.validate_bearer_token(token, [], None):
            challenge = {"WWW-Authenticate": 'Bearer error="invalid_token"'}
            return JSONResponse({"message": "who are you?"}, 401, challenge)
        needed = "pets:read" if request.method == "GET" else "pets:write"
        if needed not in self.validator.tokens[token][1]:
            return JSONResponse({"message": f"{needed} is needed, {token} lacks it"}, 403)
        return JSONResponse({"with": token, "who": self.validator.owner(token)})
