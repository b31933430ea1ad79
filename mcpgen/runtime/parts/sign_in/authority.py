"""The authorization server for MCP clients: the callbacks of the SDK's handlers, and tokens.

The provider sees this server as a single client, and the provider's tokens are not given to MCP
clients. Each token that this server issues is bound to a client, a person, a resource and scopes.
"""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    AuthorizeError,
    RefreshToken,
    TokenError,
)
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from pydantic import AnyUrl, PrivateAttr

from ...calls.store import StoreError
from ..http.jwks import Unavailable
from ..http.narrowing import ADDRESS
from .consent import Underway, new_id
from .grants import CODE, Grant
from .people import Refusal, SignedIn

if TYPE_CHECKING:
    from .clients import Client, Clients
    from .events import Events
    from .grants import Grants
    from .people import Provider
    from .rights import Rights
    from .seals import Seals

LIFE = 3600.0
"""Seconds that an access token lasts, at most."""
_REFRESH_SECONDS = 30 * 86400.0
"""Seconds that a refresh token lasts without being used."""
FRESH = 270.0
"""Seconds that the provider's last word on a person holds: less than five minutes."""
_RETRY_SECONDS = 30.0
"""Seconds until a provider that did not answer is asked again."""
_MAX_STATE_LENGTH = 1000
"""Characters of a client's state and redirect URI: the browser keeps them in a cookie."""
_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")


class Code(AuthorizationCode):
    """An authorization code, with the id of its grant."""

    grant: str


class Refresh(RefreshToken):
    """A refresh token, with the id of its grant."""

    grant: str


class Access(AccessToken):
    """An access token, with the id of its grant."""

    grant: str
    _delegation: Any = PrivateAttr(None)

    @property
    def delegation(self) -> Any:
        """What obtains the person's tokens for APIs; None without the part `delegation`."""
        return self._delegation


class Authority:
    """An `OAuthAuthorizationServerProvider` and a `TokenVerifier` of the SDK."""

    def __init__(
        self,
        *,
        provider: Provider,
        clients: Clients,
        grants: Grants,
        rights: Rights,
        seals: Seals,
        events: Events,
        resources: Sequence[str],
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`resources` are the URLs of this server's endpoints, in any spelling."""
        self.provider = provider
        self.clients = clients
        self.rights = rights
        self.events = events
        self.delegation: Any = None
        """What gets tokens of APIs for people, where the server has that part."""
        self.grants = grants
        self._seals = seals
        self._resources = resources
        self._clock = clock

    def is_own(self, resource: str | None) -> bool:
        """Whether a resource (RFC 8707) is this server; True if the client named no resource."""
        return resource is None or ADDRESS.sub("", resource) in self._resources

    async def get_client(self, client_id: str) -> Client | None:
        """The client with that id; None if it is unknown."""
        return await self.clients.get(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        """Let a client register; raises RegistrationError."""
        self.clients.register(client_info)

    def begin(self, client: Client, params: AuthorizationParams) -> Underway:
        """The sign-in that an authorization request begins; raises AuthorizeError."""
        if not _CHALLENGE.fullmatch(params.code_challenge):
            raise AuthorizeError("invalid_request", "code_challenge must be made with S256")
        if not self.is_own(params.resource):
            raise AuthorizeError("invalid_target", "resource is not this server")
        if len(params.state or "") + len(str(params.redirect_uri)) > _MAX_STATE_LENGTH:
            raise AuthorizeError("invalid_request", "state is too long")
        return Underway(
            id=new_id(),
            client=client.client_id,
            redirect_uri=str(params.redirect_uri),
            explicit=params.redirect_uri_provided_explicitly,
            state=params.state,
            asked=params.scopes,
            resource=params.resource or self._resources[0],
            challenge=params.code_challenge,
        )

    async def admit(self, underway: Underway, label: str, signed_in: SignedIn) -> str:
        """The authorization code for a sign-in that is complete; raises Refusal, Unavailable."""
        now = self._clock()
        grant, code = Grant(
            id=token_urlsafe(16),
            client=underway.client,
            label=label,
            resource=underway.resource,
            asked=None if underway.asked is None else tuple(underway.asked),
            signed_in=signed_in,
            checked=now,
            challenge=underway.challenge,
            redirect_uri=underway.redirect_uri,
            explicit=underway.explicit,
        ).with_secret("code", code_ends=now + CODE, ends=now + CODE)
        if self._scopes(grant) is None:
            self.events.of(grant, "sign-in", "in no group that may do anything here")
            raise Refusal("in no group that may do anything here")
        with reaching():
            await self.grants.put(grant, now)
        self.events.of(grant, "sign-in")
        return code

    def _scopes(self, grant: Grant) -> list[str] | None:
        return self.rights.of(grant.signed_in.person.groups, grant.asked)

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> Code | None:
        """The authorization code, which becomes invalid with this request.

        A second use ends every token that was issued for it (RFC 6749 4.1.2).
        """
        async with self.changing(authorization_code) as grant:
            if grant is None:
                return None
            if not grant.code or grant.client != client.client_id:
                why = "a code of another client" if grant.code else "a code that was used before"
                await self._end(grant, why)
                return None
            if not grant.has(grant.code, authorization_code):
                return None
            await self.grants.put(replace(grant, code=""), self._clock())
        return Code(
            code=authorization_code,
            scopes=self._scopes(grant) or [],
            expires_at=grant.code_ends,
            client_id=grant.client,
            code_challenge=grant.challenge,
            redirect_uri=AnyUrl(grant.redirect_uri),
            redirect_uri_provided_explicitly=grant.explicit,
            resource=grant.resource,
            grant=grant.id,
        )

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: Code
    ) -> OAuthToken:
        """Access and refresh tokens for an authorization code; raises TokenError."""
        async with self.changing(authorization_code.grant) as grant:
            if grant is not None and not grant.refresh:
                return await self.issue(grant, None)
        raise _ended()

    async def load_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: str
    ) -> Refresh | None:
        """The refresh token, if valid; using one again ends its sign-in (RFC 9700 4.14.2)."""
        async with self.changing(refresh_token) as grant:
            if grant is None or grant.client != client.client_id or not grant.refresh:
                return None
            if not grant.takes(refresh_token, self._clock()):
                await self._end(grant, "a refresh token that was used before")
                return None
        return Refresh(
            token=refresh_token,
            client_id=grant.client,
            scopes=self._scopes(grant) or [],
            expires_at=int(grant.ends),
            grant=grant.id,
        )

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: Refresh, scopes: list[str]
    ) -> OAuthToken:
        """New tokens for a refresh token, which is replaced; raises TokenError, Unavailable."""
        with suppress(Refusal):
            async with self.changing(refresh_token.grant) as grant:
                if grant is not None and grant.takes(refresh_token.token, self._clock()):
                    grant = await self.renewed(grant, patient=False)
                    return await self.issue(grant, scopes, refresh_token.token)
                if grant is not None:
                    await self._end(grant, "a refresh token that was used before")
        raise _ended()

    async def issue(
        self, grant: Grant, scopes: Sequence[str] | None, used: str | None = None
    ) -> OAuthToken:
        """New tokens for a grant; `used` is the refresh token that they replace.

        If the provider gives no refresh token, the grant ends with the provider's access token.
        """
        now, own, refresh = self._clock(), self._scopes(grant) or [], None
        granted = own if scopes is None else [each for each in own if each in scopes]
        if grant.signed_in.refresh_token or not grant.signed_in.ends:
            grant, refresh = grant.rotate(used, now) if used else grant.with_secret("refresh")
            grant = replace(grant, ends=now + _REFRESH_SECONDS)
        else:
            grant = replace(grant, refresh="-", ends=grant.signed_in.ends)
        await self.grants.put(grant, now)
        life = min(LIFE, max(1.0, grant.ends - now))
        access = self._seals.seal("access", {"grant": grant.id, "scopes": granted}, life)
        self.events.of(grant, "tokens")
        return OAuthToken(
            access_token=access,
            expires_in=int(life),
            scope=" ".join(granted) or None,
            refresh_token=refresh,
        )

    async def load_access_token(self, token: str) -> Access | None:
        """The access token; it is returned even if the provider has since locked the person out."""
        value, grant = await self._opened(token)
        return None if grant is None else self._access(token, grant, value["scopes"])

    async def verify_token(self, token: str) -> Access | None:
        """The access token, if the provider has confirmed its person within the last five minutes.

        Raises:
            Unavailable: the store cannot be reached.
        """
        value, grant = await self._opened(token)
        if grant is not None and self.is_old(grant):
            async with self.changing(grant.id) as grant:
                try:
                    grant = grant and await self.renewed(grant, patient=True)
                except Refusal:
                    grant = None
        if grant is None or self._scopes(grant) is None:
            return None
        access = self._access(token, grant, value["scopes"])
        return access.model_copy(update={"client_id": grant.label})

    async def _opened(self, token: str) -> tuple[dict[str, Any], Grant | None]:
        """The contents of an access token, and its grant, if both are valid."""
        value = self._seals.open("access", token)
        with reaching():
            grant = None if value is None else await self.grants.get(value["grant"])
        return value or {}, grant if grant is not None and self.is_of_this(grant) else None

    def is_of_this(self, grant: Grant) -> bool:
        """Whether a grant is for this server, and from the provider that is configured now.

        Without this check, a new provider would receive the tokens of the earlier one.
        """
        return self.is_own(grant.resource) and grant.signed_in.person.issuer == self.provider.issuer

    def _access(self, token: str, grant: Grant, scopes: Sequence[str]) -> Access:
        person = grant.signed_in.person
        access = Access(
            token=token,
            client_id=grant.client,
            scopes=[each for each in self._scopes(grant) or () if each in scopes],
            resource=grant.resource,
            subject=person.subject,
            claims={"iss": person.issuer, "sub": person.subject},
            grant=grant.id,
        )
        access._delegation = self.delegation
        return access

    def is_old(self, grant: Grant) -> bool:
        """Whether the provider's last confirmation of the person is too old."""
        return self._clock() >= grant.checked + FRESH

    async def renewed(self, grant: Grant, *, patient: bool, due: bool = False) -> Grant:
        """The grant, renewed at the provider if the last confirmation is old, or if `due` is set.

        `patient`: if the provider does not answer, the grant is kept, and a later call asks again.

        Raises:
            Refusal: the provider no longer lets the person in, and the grant has ended.
            Unavailable: the provider does not answer.
        """
        now = self._clock()
        if not (due or self.is_old(grant)) or (patient and now < grant.pause):
            return grant
        with anyio.CancelScope(shield=True):  # a refresh token that is used once must not be lost
            try:
                signed_in = await self.provider.renew(grant.signed_in)
                grant = replace(grant, signed_in=signed_in, checked=now)
            except Refusal as refusal:
                await self._end(grant, str(refusal))
                raise
            except Unavailable:
                if not patient:
                    raise
                grant = replace(grant, pause=now + _RETRY_SECONDS)
            await self.grants.put(grant, now)
        return grant

    async def revoke_token(self, token: Any) -> None:
        """End the sign-in to which a token belongs."""
        async with self.changing(token.grant) as grant:
            if grant is not None:
                await self.grants.end(grant.id)
                self.events.of(grant, "revoked")

    async def _end(self, grant: Grant, why: str) -> None:
        await self.grants.end(grant.id)
        self.events.of(grant, "ended", why)

    @asynccontextmanager
    async def changing(self, token: str) -> AsyncIterator[Grant | None]:
        """The grant that a token or id names; it is locked while the context is open."""
        with reaching():
            async with self.grants.lock(token.partition(".")[0]):
                grant = await self.grants.of(token)
                yield grant if grant is not None and self.is_of_this(grant) else None


def _ended() -> TokenError:
    """The error for an ended sign-in; it is frozen, so raise it outside of context managers."""
    return TokenError("invalid_grant", "the sign-in has ended")


@contextmanager
def reaching() -> Iterator[None]:
    """A context in which an unreachable store raises Unavailable."""
    try:
        yield
    except StoreError:
        raise Unavailable from None
