"""The endpoints of the authorization server, and its metadata.

The paths of the endpoints are below the server's own path.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qs, urlsplit

from mcp.server.auth.handlers.authorize import AuthorizationHandler
from mcp.server.auth.handlers.register import RegistrationHandler
from mcp.server.auth.handlers.token import TokenHandler
from mcp.server.auth.middleware.client_auth import AuthenticationError, ClientAuthenticator
from mcp.server.auth.provider import AuthorizationParams, construct_redirect_uri
from mcp.server.auth.routes import cors_middleware
from mcp.server.auth.settings import ClientRegistrationOptions
from mcp.server.transport_security import RequestBodyLimitMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route, request_response

from ...values.urls import Origin, parsed
from ..http.asgi import is_own
from ..http.jwks import Unavailable
from . import consent
from .consent import Cookies, Underway
from .people import Refusal

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

    from .authority import Authority
    from .clients import Client
    from .settings import SignInSettings

PATH = "/oauth"
"""Below the server's own."""
CALLBACK = f"{PATH}/callback"
_MAX_BODY_BYTES = 64 * 1024
_NO_STORE = {"Cache-Control": "no-store"}
Handle = Callable[[Request], Awaitable[Response]]


class _Asked:
    """Replaces the SDK's provider during one authorization request.

    The SDK redirects to the URL that `authorize` returns; this server answers with a page instead.
    """

    def __init__(self, authority: Authority) -> None:
        self._authority = authority
        self.client: Client | None = None
        self.underway: Underway | None = None

    async def get_client(self, client_id: str) -> Client | None:
        """The client with that id; None if it is unknown."""
        self.client = await self._authority.get_client(client_id)
        return self.client

    async def authorize(self, client: Client, params: AuthorizationParams) -> str:
        """Store the new sign-in in `underway`; raises AuthorizeError for an invalid request."""
        self.underway = self._authority.begin(client, params)
        return "/"


class Endpoints:
    """The endpoints of the authorization server, by path."""

    def __init__(
        self,
        authority: Authority,
        settings: SignInSettings,
        cookies: Cookies,
        names: tuple[str, str],
    ) -> None:
        """`names` are the names of the server and of the provider, as people see them."""
        self._authority = authority
        self._settings = settings
        self.cookies = cookies
        self._server, self._provider = names
        self._issuer = settings.authorization_server or ""
        self._registering = RegistrationHandler(
            cast(Any, authority), ClientRegistrationOptions(enabled=True)
        )
        self._authenticator = ClientAuthenticator(cast(Any, authority))
        self._exchanging = TokenHandler(cast(Any, authority), self._authenticator)
        self.more: Callable[[Request, Underway], Awaitable[Response]] | None = None
        """Answers whoever comes back from the provider for a sign-in that there is already."""
        self.further: dict[str, Handle] = {}
        """What answers browsers at the paths of other parts."""
        self.grants: dict[str, Handle] = {}
        """What answers at the token endpoint by further types of grants."""
        self.published: dict[str, Any] = {}
        """Further metadata."""

    def routes(self) -> list[BaseRoute]:
        """The routes of all endpoints."""
        path = f"{self._settings.http_path}{PATH}"
        issuer = urlsplit(self._issuer)
        well_known = "/.well-known/oauth-authorization-server"
        below = issuer.path.rstrip("/")  # RFC 8414 3; MCP clients of 2025-03 know the root alone
        return [
            *(
                self._of_clients(f"{well_known}{path}", self.metadata, "GET")
                for path in dict.fromkeys((below, ""))
            ),
            self._of_browsers(f"{path}/authorize", self.authorize, "GET"),
            self._of_browsers(f"{path}/consent", self.consent, "POST"),
            self._of_browsers(f"{path}/callback", self.callback, "GET"),
            *(
                self._of_browsers(f"{self._settings.http_path}{each}", handle, "GET")
                for each, handle in self.further.items()
            ),
            self._of_clients(f"{path}/token", self.token, "POST"),
            self._of_clients(f"{path}/register", self.register, "POST"),
            self._of_clients(f"{path}/revoke", self.revoke, "POST"),
        ]

    def _of_clients(self, path: str, handle: Handle, method: str) -> BaseRoute:
        """A route for programs and for web pages of any origin: it uses no cookie."""
        methods = [method, "OPTIONS"]
        app = cors_middleware(self._guarded(handle), methods)
        return Route(path, RequestBodyLimitMiddleware(app, _MAX_BODY_BYTES), methods=methods)

    def _of_browsers(self, path: str, handle: Handle, method: str) -> BaseRoute:
        """A route for browsers; HEAD, which Starlette answers like GET, has no effect."""

        async def answer(request: Request) -> Response:
            if request.method != method:
                return Response(status_code=405, headers={"Allow": method})
            return await handle(request)

        app = request_response(self._guarded(answer))
        return Route(path, RequestBodyLimitMiddleware(app, _MAX_BODY_BYTES), methods=[method])

    def _guarded(self, handle: Handle) -> Handle:
        """A handler that answers 421 to a foreign Host, and 503 if a service is unreachable."""

        async def answer(request: Request) -> Response:
            if not is_own(request.headers.get("host", "").lower(), self._settings):
                return Response("This server does not accept that Host header\n", 421)
            try:
                return await handle(request)
            except Unavailable:
                error = {"error": "temporarily_unavailable"}
                return JSONResponse(error, 503, {**_NO_STORE, "Retry-After": "30"})

        return answer

    async def metadata(self, request: Request) -> Response:
        """The metadata of the authorization server (RFC 8414)."""
        base = f"{self._issuer.rstrip('/')}{PATH}"
        known = {
            "issuer": self._issuer,
            "authorization_endpoint": f"{base}/authorize",
            "token_endpoint": f"{base}/token",
            "registration_endpoint": f"{base}/register",
            "revocation_endpoint": f"{base}/revoke",
            "scopes_supported": self._authority.rights.known,
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", "refresh_token", *self.grants],
            "token_endpoint_auth_methods_supported": ["none"],
            "revocation_endpoint_auth_methods_supported": ["none"],
            "code_challenge_methods_supported": ["S256"],
            "client_id_metadata_document_supported": True,
            "authorization_response_iss_parameter_supported": True,
            **self.published,
        }
        return JSONResponse(known, headers={"Cache-Control": "public, max-age=3600"})

    async def authorize(self, request: Request) -> Response:
        """The page that asks the person for consent, or an OAuth error response."""
        asked = _Asked(self._authority)
        response = await AuthorizationHandler(cast(Any, asked)).handle(request)
        client_id = request.query_params.get("client_id", "")
        if asked.underway is None or asked.client is None:
            label = asked.client.label if asked.client is not None else client_id
            self._tell(label, "authorization", response)
            if location := response.headers.get("location"):
                return consent.error(construct_redirect_uri(location, iss=self._issuer))
            return response
        underway = asked.underway
        page = consent.question(
            underway,
            action=f"{urlsplit(self._issuer).path.rstrip('/')}{PATH}/consent",
            name=asked.client.name,
            server=self._server,
            provider=self._provider,
            scopes=underway.asked or self._authority.rights.known,
        )
        self.cookies.keep(page, underway)
        return page

    async def consent(self, request: Request) -> Response:
        """The redirect to the provider, or back to the client, depending on the person's answer."""
        form = await request.form()
        underway = self.cookies.of(request, str(form.get("id", "")), allowed=False)
        origin = request.headers.get("origin")
        if underway is None or (origin is not None and not self._is_same(origin)):
            return self._stopped(
                "consent", "the sign-in was begun in another browser, or too long ago"
            )
        label = await self._label(underway)
        if form.get("answer") != "allow":
            self._authority.events.put(label, "consent", "the person did not allow it")
            return self._back(underway, error="access_denied")
        allowed = underway.allow()
        try:
            address = await self._authority.provider.address(allowed.errand)
        except Unavailable:
            self._authority.events.put(label, "consent", "the provider does not answer")
            return self._back(underway, error="temporarily_unavailable")
        response = RedirectResponse(address, 303, consent.HEADERS)
        self.cookies.drop(response, underway)
        self.cookies.keep(response, allowed)
        return response

    async def callback(self, request: Request) -> Response:
        """The redirect back to the client with a code, after the provider signed the person in."""
        query = request.query_params
        underway = self.cookies.of(request, query.get("state", ""), allowed=True)
        if underway is None:
            return self._stopped(
                "callback", "the sign-in was begun in another browser, or too long ago"
            )
        if underway.more is not None and self.more is not None:
            return await self.more(request, underway)
        label = await self._label(underway)
        if "code" not in query:
            error = query.get("error", "")[:100]
            self._authority.events.put(label, "callback", f"the provider answers {error}")
            return self._back(underway, error="access_denied")
        try:
            errand, provider = underway.errand, self._authority.provider
            signed_in = await provider.redeem(query["code"], query.get("iss"), errand)
            code = await self._authority.admit(underway, label, signed_in)
        except Refusal as refusal:
            self._authority.events.put(label, "callback", str(refusal))
            return self._back(underway, error="access_denied")
        except Unavailable:
            self._authority.events.put(label, "callback", "the provider does not answer")
            return self._back(underway, error="temporarily_unavailable")
        return self._back(underway, code=code)

    async def token(self, request: Request) -> Response:
        """The tokens for a code or a refresh token (RFC 6749 4.1.3, 6)."""
        form = await request.form()
        client_id, resources = str(form.get("client_id", "")), form.getlist("resource")
        names = [name for name, _ in form.multi_items() if name != "resource"]  # as RFC 8707 2
        if len(names) > len({*names}):
            text = {"error": "invalid_request", "error_description": "a parameter is given twice"}
            response: Response = JSONResponse(text, 400, _NO_STORE)
        elif not all(self._authority.is_own(str(each)) for each in resources if each):
            text = {"error": "invalid_target", "error_description": "resource is not this server"}
            response = JSONResponse(text, 400, _NO_STORE)
        elif (kind := str(form.get("grant_type", "token"))) in self.grants:
            return await self.grants[kind](request)
        else:
            response = await self._exchanging.handle(request)
        self._tell(client_id, str(form.get("grant_type", "token"))[:40], response)
        return response

    async def register(self, request: Request) -> Response:
        """Register a client (RFC 7591)."""
        response = await self._registering.handle(request)
        self._tell("", "registration", response)
        return response

    async def revoke(self, request: Request) -> Response:
        """Revoke a sign-in (RFC 7009), given its access token or its refresh token."""
        form, authority = await request.form(), self._authority
        try:
            client = await self._authenticator.authenticate_request(request)
        except AuthenticationError:
            response = JSONResponse({"error": "invalid_client"}, 401, _NO_STORE)
            self._tell(str(form.get("client_id", "")), "revocation", response)
            return response
        text = str(form.get("token", ""))
        token = await authority.load_access_token(text) or await authority.load_refresh_token(
            client, text
        )
        if token is not None and token.client_id == client.client_id:
            await authority.revoke_token(token)
        return Response(status_code=200, headers=_NO_STORE)

    def _back(self, underway: Underway, **answer: str) -> Response:
        """The redirect to the client, with the client's state, and this server as `iss`."""
        more = {**answer, "state": underway.state, "iss": self._issuer}
        url = construct_redirect_uri(underway.redirect_uri, **more)
        response = RedirectResponse(url, 303, consent.HEADERS)
        self.cookies.drop(response, underway)
        return response

    def _stopped(self, step: str, why: str) -> Response:
        self._authority.events.put("", step, why)
        return consent.problem(f"{why[:1].upper()}{why[1:]}.")

    def _is_same(self, origin: str) -> bool:
        return parsed(origin) is not None and Origin.of(origin) == Origin.of(self._issuer)

    async def _label(self, underway: Underway) -> str:
        client = await self._authority.get_client(underway.client)
        return client.label if client is not None else underway.client

    def _tell(self, client: str, step: str, response: Response) -> None:
        """Record the error in a response of the SDK's handlers, if there is one."""
        error = ""
        if location := response.headers.get("location"):
            error = parse_qs(urlsplit(location).query).get("error", [""])[0]
        elif response.status_code >= 400:
            with suppress(ValueError):
                error = json.loads(bytes(response.body))["error"]
        if error:
            self._authority.events.put(client, step, error)
