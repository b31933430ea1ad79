"""The token endpoint's grant for assertions from configured clients (RFC 7523 2.1)."""

from __future__ import annotations

import base64
import binascii
import hmac
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING
from urllib.parse import unquote

from mcp.server.auth.handlers.token import TokenErrorResponse
from mcp.server.auth.json_response import PydanticJSONResponse
from mcp.server.auth.provider import IdentityAssertionParams, TokenError

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from ..sign_in.events import Events
    from .assertions import Assertions

_NO_STORE = {"Cache-Control": "no-store", "Pragma": "no-cache"}
_STEP = "assertion"


class AssertionGrant:
    """Answers token requests that bring an assertion."""

    def __init__(
        self, assertions: Assertions, events: Events, clients: Sequence[tuple[str, str]]
    ) -> None:
        """`clients` are pairs of a client id and the hash of its secret."""
        self._assertions = assertions
        self._events = events
        self._clients = clients

    async def token(self, request: Request) -> Response:
        """The access token, or an error response (RFC 6749 5); raises Unavailable."""
        form = {name: str(value) for name, value in (await request.form()).items()}
        client, headers = form.get("client_id", ""), _NO_STORE
        try:
            client = self._client(form, request.headers.get("authorization"))
            if not form.get("assertion"):
                raise TokenError("invalid_request", "the assertion is missing")
            params = IdentityAssertionParams(
                assertion=form["assertion"],
                scopes=form["scope"].split() if form.get("scope") else None,
                resource=form.get("resource") or None,
            )
            tokens = await self._assertions.exchange(client, params)
        except TokenError as problem:
            said = problem.error_description or problem.error
            self._events.put(client, _STEP, said)
            error = TokenErrorResponse(error=problem.error, error_description=said)
            if problem.error != "invalid_client":
                return PydanticJSONResponse(error, 400, headers)
            return PydanticJSONResponse(error, 401, {**headers, "WWW-Authenticate": "Basic"})
        return PydanticJSONResponse(tokens, 200, headers)

    def _client(self, form: Mapping[str, str], authorization: str | None) -> str:
        """The id of the client, which its secret authenticates; raises TokenError if that fails."""
        client, secret = form.get("client_id", ""), form.get("client_secret", "")
        if authorization is not None:
            if secret:
                raise TokenError("invalid_request", "the client authenticates in two ways")
            named, secret = _basic(authorization)
            if client not in ("", named):
                raise TokenError(
                    "invalid_client", "client_id differs from the one in Authorization"
                )
            client = named
        digest = sha256(secret.encode()).hexdigest()
        # All are compared: how long it takes says nothing of them.
        known = [name for name, kept in self._clients if hmac.compare_digest(kept, digest)]
        if client not in known:
            raise TokenError(
                "invalid_client",
                "the client may not bring assertions here, or its secret is wrong",
            )
        return client


def _basic(authorization: str) -> tuple[str, str]:
    """The client's id and secret in a header (RFC 6749 2.3.1); raises TokenError."""
    kind, _, pair = authorization.partition(" ")
    try:
        if kind.lower() != "basic":
            raise ValueError
        name, colon, secret = base64.b64decode(pair.strip(), validate=True).decode().partition(":")
        if not colon:
            raise ValueError
    except (ValueError, binascii.Error):
        raise TokenError("invalid_client", "Authorization must be Basic, with id:secret") from None
    return unquote(name), unquote(secret)
