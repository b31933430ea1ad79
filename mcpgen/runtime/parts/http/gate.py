"""Sign-in over HTTP: callers are identified by bearer tokens (RFC 6750, RFC 9728).

A token identifies the caller and what the caller may do here; it is never sent to the API.
"""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from mcp.server.auth.middleware.bearer_auth import BearerAuthBackend
from mcp.server.auth.provider import AccessToken, TokenVerifier
from mcp.server.auth.routes import build_resource_metadata_url, cors_middleware
from pydantic import AnyHttpUrl
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ...calls.access import Access
from ...calls.caller import SHARED_TOKEN, Caller
from ...values.environment import is_scope
from . import issuers
from .jwks import IssuerKeys, JwtVerifier, Unavailable
from .narrowing import ADDRESS, GROUP, narrows
from .requests import peeked

if TYPE_CHECKING:
    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp, Receive, Scope, Send

    from ...backend.session import Backend
    from .settings import HttpSettings

_SLUG = "any--group"
"""In the place of a group; none is called so."""
_BEARER = re.compile(rb"(?i:bearer) +[A-Za-z0-9._~+/-]+=* *")


class SharedToken:
    """The SDK's `TokenVerifier` for one token that all callers share."""

    def __init__(self, token: str) -> None:
        self._token = token.encode()

    async def verify_token(self, token: str) -> AccessToken | None:
        """The token, if it is correct; the comparison takes constant time."""
        if not hmac.compare_digest(token.encode("utf-8", "replace"), self._token):
            return None
        return AccessToken(token=token, client_id=SHARED_TOKEN, scopes=[])


def verifier(
    settings: HttpSettings,
    backend: Backend,
    paths: Sequence[str] = ("",),
    named: Callable[[], TokenVerifier] | None = None,
) -> TokenVerifier:
    """The verifier for tokens that the settings choose; a token may be for any of `paths`.

    `named` creates the verifier of named tokens; it is None if there is no file of tokens.
    """
    if settings.http_token is not None:
        return SharedToken(settings.http_token)
    if named is not None:
        return named()
    issuer, resource = settings.http_issuer or "", settings.http_resource
    keys = IssuerKeys(backend, issuer, settings.http_jwks_url)
    own = settings.http_audience
    audiences = (own,) if own else resources(resource or "", paths)
    below = None if own else ADDRESS
    stand_in = issuers.stand_in(issuer) if own else ""
    return JwtVerifier(keys, issuer, audiences, settings.http_implied_scopes, below, stand_in)


def resources(resource: str, paths: Sequence[str]) -> tuple[str, ...]:
    """The URLs of a server's endpoints, both as configured and in their usual spelling."""
    every = (f"{resource}{path}" for path in paths if not narrows(path))
    return tuple(spelled for url in every for spelled in (url, str(AnyHttpUrl(url))))


def metadata_routes(settings: HttpSettings, access: Access, below: str = "") -> list[BaseRoute]:
    """Protected resource metadata (RFC 9728), if there is an authorization server.

    `below` is the endpoint's path below the server's own, which may have a placeholder for a group.
    Identifiers are sent exactly as configured: clients compare them character by character (3.3;
    RFC 8414 3.3).
    """
    server = settings.authorization_server
    if server is None or settings.http_resource is None:
        return []
    resource = f"{settings.http_resource}{below}"

    async def answer(request: Request) -> Response:
        scopes = _filter_scopes(access.scopes(settings.http_scopes))  # tools may come with others
        metadata = {
            "resource": resource.replace(GROUP, request.path_params.get("group", "")),
            "authorization_servers": [server],
            **({"scopes_supported": scopes} if scopes else {}),
            "bearer_methods_supported": ["header"],
        }
        return JSONResponse(metadata, headers={"Cache-Control": "public, max-age=3600"})

    path, methods = urlsplit(_metadata_url(resource.replace(GROUP, _SLUG))).path, ["GET", "OPTIONS"]
    path = path.replace(_SLUG, GROUP)
    return [Route(path, cors_middleware(answer, methods), methods=methods)]


def _metadata_url(resource: str) -> str:
    return str(build_resource_metadata_url(AnyHttpUrl(resource)))


class Gate:
    """Passes requests on to `app` if their token allows the call."""

    def __init__(
        self,
        app: ASGIApp,
        settings: HttpSettings,
        access: Access,
        forbidden: Callable[[Caller, str], None],
        called: Callable[[Mapping[str, Any], Mapping[str, Any]], Any],
        verifier: TokenVerifier,
        below: str = "",
    ) -> None:
        """`access` knows the scopes of tools, and `verifier` checks tokens.

        `forbidden` is called with a caller whose scopes do not allow the called tool, and that
        tool's name. `called` returns the name of the called tool from the ASGI scope and the
        request's params.
        """
        self._called = called
        self._app = AuthContextMiddleware(app)
        self._access = access
        self._forbidden = forbidden
        self._tokens = BearerAuthBackend(verifier)
        self._has_issuer = bool(settings.authorization_server)
        self._required = settings.http_scopes if self._has_issuer else ()
        self._largest = settings.max_request_bytes
        self._metadata = ""
        if settings.authorization_server and settings.http_resource:
            resource = f"{settings.http_resource}{below}"
            self._metadata = _metadata_url(resource.replace(GROUP, _SLUG))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an HTTP request: 401 without a token, 403 without the scopes, else as `app`
        does.
        """
        refusal: JSONResponse | None
        try:
            refusal, receive = await self._checked(scope, receive)
        except Unavailable:
            text = {"error": "temporarily_unavailable"}
            refusal = JSONResponse(text, 503, {"Retry-After": "30"})
        await (refusal or self._app)(scope, receive, send)

    async def _checked(self, scope: Scope, receive: Receive) -> tuple[JSONResponse | None, Receive]:
        """The error response (None if the request may pass), and a `receive` for the request's
        body.
        """
        if _is_malformed(scope):
            return self._refusal(scope, 400, "invalid_request", ()), receive
        identity = await self._tokens.authenticate(HTTPConnection(scope))
        if identity is None:
            brought = b"authorization" in dict(scope["headers"])
            error = "invalid_token" if brought else ""
            return self._refusal(scope, 401, error, self._required), receive
        scope["auth"], scope["user"] = identity
        caller, access = Caller.of(HTTPConnection(scope)), self._access
        if caller.scopes is None:
            return None, receive
        if not caller.scopes.issuperset(self._required):
            return self._refusal(scope, 403, "insufficient_scope", self._required), receive
        if access.has_scopes and scope["method"] == "POST":
            receive, body = await peeked(scope, receive, self._largest)
            tool, is_through = self._called_tool(scope, body)
            is_on = tool is not None and access.is_on(HTTPConnection(scope), tool)
            # Clients ask an issuer for more scopes by 403; of a named token, a result tells.
            is_told = is_through and not self._has_issuer
            if is_on and tool and not (is_told or access.is_in_scope(caller, tool)):
                self._forbidden(caller, tool)
                needed = sorted({*self._required, *access.challenge(caller, tool)})
                return self._refusal(scope, 403, "insufficient_scope", needed), receive
        return None, receive

    def _called_tool(self, scope: Scope, body: bytes) -> tuple[str | None, bool]:
        """The tool that a request calls, and whether it is called through another tool."""
        try:
            message = json.loads(body)
            if message["method"] == "tools/call":
                params = message["params"]
                name = self._called(scope, params)
                return (name, name != params["name"]) if isinstance(name, str) else (None, False)
        except (ValueError, KeyError, TypeError, RecursionError):
            pass  # the protocol's own answer says what is wrong with it
        return None, False

    def _refusal(
        self, asked: Scope, status: int, error: str, scopes: Sequence[str]
    ) -> JSONResponse:
        scope = " ".join(_filter_scopes(scopes))
        group = asked.get("path_params", {}).get("group", "")
        metadata = self._metadata.replace(_SLUG, quote(group, safe=""))
        parts = {"error": error, "scope": scope, "resource_metadata": metadata}
        params = ", ".join(f'{name}="{value}"' for name, value in parts.items() if value)
        challenge = f"Bearer {params}".rstrip()
        body = {"error": error or "unauthorized"}
        return JSONResponse(body, status, {"WWW-Authenticate": challenge})


def _filter_scopes(scopes: Sequence[str]) -> list[str]:
    """The scopes that a token can have: those with only the characters that OAuth allows."""
    return list(filter(is_scope, scopes))


def _is_malformed(scope: Scope) -> bool:
    """Whether a request brings several credentials, or a malformed bearer token."""
    brought = [value for name, value in scope["headers"] if name == b"authorization"]
    bearers = [value for value in brought if value.lower().startswith(b"bearer")]
    return len(brought) > 1 or not all(_BEARER.fullmatch(value) for value in bearers)
