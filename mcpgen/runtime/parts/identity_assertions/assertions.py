"""Identity assertions (draft-ietf-oauth-identity-assertion-authz-grant, its profile for MCP).

The provider at which people sign in signs an assertion for a person, a client and this server. The
client can exchange the assertion once for an access token. The token expires before the provider's
statement about the person is five minutes old; for the next token, the client asks the provider for
another assertion.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Any, NoReturn

import jwt
from mcp.server.auth.provider import IdentityAssertionParams, TokenError

from ...calls.store import StoreError
from ..http.jwks import LEEWAY, Refused, Unavailable, scopes_of, verified
from ..http.narrowing import ADDRESS
from ..sign_in.authority import FRESH
from ..sign_in.grants import Grant
from ..sign_in.people import SignedIn

if TYPE_CHECKING:
    from mcp.shared.auth import OAuthToken

    from ...calls.store import Store
    from ..sign_in.authority import Authority
    from ..sign_in.settings import SignInSettings

_TYPE = "oauth-id-jag+jwt"
_LONGEST = 600
"""Seconds that an assertion may last."""
_NEEDED = ("sub", "client_id", "jti")
_BEYOND = {
    "authorization_details": "rights that this server cannot read",
    "cnf": "a proof that is not checked",
    "tenant": "a tenant of a shared issuer, whose people this server cannot tell apart",
}
"""Claims that narrow an assertion by what nobody here heeds, so it is not good at all."""
_PROBLEMS: Mapping[type[Exception], str] = {
    jwt.ExpiredSignatureError: "it has expired",
    jwt.ImmatureSignatureError: "it is not valid yet",
    jwt.InvalidAudienceError: "its audience is not this server",
    jwt.InvalidSignatureError: "its signature is wrong",
    jwt.MissingRequiredClaimError: "it has no `exp` or no `aud`",
}


class Assertions:
    """Issues access tokens in exchange for assertions."""

    def __init__(
        self,
        authority: Authority,
        settings: SignInSettings,
        store: Store,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._authority = authority
        self._provider: Any = authority.provider
        """An `OpenIdProvider`: no other signs assertions."""
        self._settings = settings
        self._store = store
        self._begun = 0 if store.is_shared else int(clock())
        """What was issued before may have been used: nothing is left of that."""
        self._clock = clock

    async def exchange(self, client: str, params: IdentityAssertionParams) -> OAuthToken:
        """The access token for the assertion of an authenticated client.

        Raises:
            TokenError: the assertion is refused.
            Unavailable: the provider's keys, or the store, cannot be reached.
        """
        authority = self._authority
        claims = await self._claims(params.assertion)
        if claims["client_id"] != client:
            _refuse("it was issued for another client")
        now, person = self._clock(), self._provider.person(claims)
        grant = Grant(
            id=token_urlsafe(16),
            client=client,
            label=client,
            resource=self._resource(claims, params.resource),
            asked=self._asked(claims, params.scopes),
            signed_in=SignedIn(person, access_token="", ends=now + FRESH),
            checked=now,
        )
        if authority.rights.of(person.groups, None) is None:
            authority.events.of(grant, "assertion", "in no group that may do anything here")
            unnamed = "" if person.groups else ", and it names no groups"
            _refuse(f"the person is in no group that may do anything here{unnamed}")
        try:
            await self._use(claims, now)
            authority.events.of(grant, "assertion")
            return await authority.issue(grant, None)
        except StoreError:
            raise Unavailable from None

    async def _claims(self, assertion: str) -> dict[str, Any]:
        """The claims of the provider's assertion for this server; raises TokenError."""
        issuer, own = self._provider.issuer, self._settings.authorization_server or ""
        try:
            kind = str(jwt.get_unverified_header(assertion).get("typ"))
            named = jwt.decode(assertion, options={"verify_signature": False}).get("iss")
            if kind.lower().removeprefix("application/") != _TYPE:
                _refuse(f"its type is not {_TYPE}")
            if named != issuer:
                _refuse("its issuer is not the provider at which people sign in here")
            claims = await verified(assertion, self._provider.keys, [own], [issuer])
        except (jwt.PyJWTError, ValueError, TypeError) as problem:
            own_words = str(problem) if isinstance(problem, Refused) else "it is not a signed JWT"
            _refuse(_PROBLEMS.get(type(problem), own_words))
        for name in _NEEDED:
            if not isinstance(claims.get(name), str) or not claims[name]:
                _refuse(f"it has no `{name}`")
        for name, what in _BEYOND.items():
            if claims.get(name):
                _refuse(f"`{name}` asks for {what}")
        if not isinstance(claims["aud"], str) and len(claims["aud"]) != 1:
            _refuse("it has several audiences")
        if "iat" not in claims:
            _refuse("it has no `iat`")
        if (life := int(claims["exp"]) - int(claims["iat"])) > _LONGEST:
            _refuse(f"it lasts {life} seconds, and at most {_LONGEST} are allowed")
        if int(claims["iat"]) < self._begun:
            _refuse("it was issued before this server started, and may have been used")
        return claims

    def _resource(self, claims: Mapping[str, Any], asked: str | None) -> str:
        """The resource of an assertion, which must be this server; raises TokenError."""
        claimed = claims.get("resource")
        if claimed is None:
            return asked or self._settings.http_resource or ""
        named = claimed if isinstance(claimed, list) else [claimed]
        is_own = self._authority.is_own
        if not named or not all(isinstance(each, str) and is_own(each) for each in named):
            _refuse("it is for another resource")
        if asked is not None and _plain(asked) not in map(_plain, named):
            raise TokenError("invalid_target", "resource differs from the assertion's")
        return str(named[0] if asked is None else asked)

    def _asked(self, claims: Mapping[str, Any], scopes: list[str] | None) -> tuple[str, ...] | None:
        """The scopes that assertion and request both allow; None if neither names any."""
        if "scope" not in claims:
            return None if scopes is None else tuple(scopes)
        implied = self._settings.http_implied_scopes
        claimed, known = scopes_of(claims, implied, ("scope",)), self._authority.rights.known
        if known and not {*claimed} & {*known}:
            _refuse("this server has none of its scopes")
        both = claimed if scopes is None else [each for each in claimed if each in scopes]
        if claimed and not both:
            raise TokenError(
                "invalid_scope", "the assertion has none of the scopes that are asked for"
            )
        return tuple(both)

    async def _use(self, claims: Mapping[str, Any], now: float) -> None:
        """Mark an assertion as used; raises TokenError if any process has marked it before.

        A process with a slow clock accepts an assertion for longer, so the mark is kept for longer
        too.
        """
        name = ("assertion", claims["iss"], claims["jti"])
        life = max(1.0, int(claims["exp"]) - now + 2 * LEEWAY + 1)
        if not await self._store.replace(name, None, b"used", life):
            _refuse("it was used before")


def _plain(resource: str) -> str:
    """The URL of a resource; a restriction at its end, such as `/readonly`, is removed."""
    return ADDRESS.sub("", resource).rstrip("/")


def _refuse(why: str) -> NoReturn:
    raise TokenError("invalid_grant", f"the assertion is refused: {why}")
