"""The sender of a request, and the identity that limits and stored values belong to."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from ..backend.response import headers_of

if TYPE_CHECKING:
    from mcp.server.auth.provider import AccessToken
    from mcp.server.context import ServerRequestContext

NAMELESS = "token-"
"""How the client ids begin that stand for tokens which name nobody."""
SHARED_TOKEN = "http-token"
"""The client id of whoever brings the one token of the server's environment."""


@dataclass(frozen=True)
class Caller:
    """The sender of a request; all senders without sign-in count as one caller."""

    client: str = ""
    subject: str = ""
    issuer: str = ""
    scopes: frozenset[str] | None = field(default=None, compare=False)
    """None: no scopes limit it. They are no part of who it is."""
    token: Any = field(default=None, compare=False, repr=False)
    """What verified it, as the part that did has it."""

    @classmethod
    def of(cls, request: Any) -> Caller:
        """The caller of an HTTP request; without a request, the anonymous caller."""
        scope: Mapping[str, Any] = getattr(request, "scope", None) or {}
        token: AccessToken | None = getattr(scope.get("user"), "access_token", None)
        if token is None:
            return cls()
        if token.claims is None:
            return cls(client=token.client_id)
        issuer, scopes = str(token.claims.get("iss", "")), frozenset(token.scopes)
        return cls(token.client_id, token.subject or "", issuer, scopes, token)

    @property
    def is_known(self) -> bool:
        """Whether a token identifies the caller; a shared token does not."""
        return self not in (Caller(), Caller(SHARED_TOKEN))

    @property
    def share(self) -> tuple[str, str, str]:
        """The identity under which calls are counted; a person's clients and tokens count
        together.
        """
        client = "" if self.subject or self.client.startswith(NAMELESS) else self.client
        return self.issuer, self.subject, client


def share_of(request: ServerRequestContext[Any]) -> object:
    """The identity under which a caller's calls are limited; empty if nothing identifies the
    caller.
    """
    caller = Caller.of(request.request)
    return caller.share if caller.is_known else owner_of(request)


def owner_of(request: ServerRequestContext[Any]) -> str:
    """The owner of a task or stored answer: the person who signed in, with whichever token.

    A token that all callers share identifies nobody. With such a token, or without any, the session
    and the credentials of the request identify the owner. If these are missing too, as over stdio,
    the owner is empty.
    """
    caller = Caller.of(request.request)
    who: list[str | None] = [caller.client, caller.issuer, caller.subject]
    if not caller.is_known:
        names = ("mcp-session-id", *request.lifespan_context.caller_headers)
        who = [headers_of(request).get(name) for name in names]
        if not any(who):
            return ""
    return sha256(json.dumps(who).encode()).hexdigest()
