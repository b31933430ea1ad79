"""An OpenID provider: discovery, ID tokens and renewed sign-ins (OpenID Connect Core 1.0)."""

from __future__ import annotations

import hmac
import logging
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import anyio
import jwt
from mcp.server.auth.provider import construct_redirect_uri

from ...values.errors import ToolError
from ..http.jwks import IssuerKeys, Unavailable, metadata_of, verified
from .people import Errand, Person, Refusal, SignedIn, Wanted
from .tokens import PATIENCE, answered, challenge, end, fetched, granted

if TYPE_CHECKING:
    from ...backend.session import Backend
    from .providers import Row
    from .settings import SignInSettings

logger = logging.getLogger(__name__)

_METADATA_SECONDS = 3600.0
"""Seconds until the metadata is read again."""
_AUTHORIZE, _TOKEN = "authorization_endpoint", "token_endpoint"


class OpenIdProvider:
    """A `Provider` that publishes its metadata."""

    def __init__(self, row: Row, settings: SignInSettings, backend: Backend, callback: str) -> None:
        self._row = row
        self._settings = settings
        self._backend = backend
        self._callback = callback
        self.issuer = settings.sign_in_issuer or row.issuer
        self.wanted = Wanted()
        self.keys = IssuerKeys(backend, self.issuer)
        self._read = float("-inf")
        self._known: Mapping[str, Any] = {}

    async def address(self, errand: Errand) -> str:
        """The URL at the provider to which a browser is sent for a sign-in."""
        metadata = await self._metadata()
        scopes, more = self._scopes(metadata), {**self._row.parameters}
        if self._row.asks_consent and "offline_access" in scopes:
            more["prompt"] = "consent"
        wanted = self.wanted.joined(errand.wanted)
        return construct_redirect_uri(
            metadata[_AUTHORIZE],
            response_type="code",
            client_id=self._settings.sign_in_client_id,
            redirect_uri=self._callback,
            scope=" ".join(dict.fromkeys((*scopes, *wanted.scopes))),
            state=errand.state,
            nonce=errand.nonce,
            **challenge(errand),
            **{**more, **wanted.parameters},
        )

    async def redeem(self, code: str, issuer: str | None, errand: Errand) -> SignedIn:
        """Exchange the code for tokens, and return the person who signed in.

        An answer from another issuer, or for another sign-in, is refused.
        """
        metadata = await self._metadata()
        is_told = metadata.get("authorization_response_iss_parameter_supported") is True
        if (issuer is not None or is_told) and issuer != self.issuer:
            raise Refusal("the issuer is another one")
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": self._callback}
        answer = await self._granted({**form, "code_verifier": errand.verifier})
        claims = await self._claims(answer)
        if not hmac.compare_digest(str(claims.get("nonce")).encode(), errand.nonce.encode()):
            raise Refusal("the ID token belongs to another sign-in")
        return self._signed_in(answer, self.person(claims), "")

    async def renew(self, earlier: SignedIn) -> SignedIn:
        """Renew a sign-in with its refresh token; without one, check its access token."""
        if not earlier.refresh_token:
            return await self._confirmed(earlier)
        form = {"grant_type": "refresh_token", "refresh_token": earlier.refresh_token}
        answer = await self._granted(form)
        person = earlier.person
        if "id_token" in answer:
            person = self.person(await self._claims(answer))
            if person.subject != earlier.person.subject:
                raise Refusal("the refreshed ID token belongs to another person")
        return self._signed_in(answer, person, earlier.refresh_token)

    async def _confirmed(self, earlier: SignedIn) -> SignedIn:
        """Return `earlier` unless the provider refuses its access token, which raises Refusal."""
        url = (await self._metadata()).get("userinfo_endpoint")
        if not isinstance(url, str):
            return earlier
        headers = {"Authorization": f"Bearer {earlier.access_token}"}
        answer = await fetched(self._backend, "GET", url, headers)
        if answer["status"] in (401, 403):
            raise Refusal("the provider no longer accepts the access token")
        if "error" in answer:
            raise Unavailable
        return earlier

    async def answered(self, form: Mapping[str, str], url: str = "") -> Mapping[str, Any]:
        """The answer of the token endpoint at `url`, or of the provider's own token endpoint.

        For another endpoint, it is unknown how clients authenticate: HTTP Basic is tried first,
        then credentials in the body, which is all that many endpoints read.
        """
        if url:
            own = self._settings, self._backend, url, form
            answer = await answered(*own, ("client_secret_basic",))
            is_known = answer.get("error") != "invalid_client"
            return answer if is_known else await answered(*own, ("client_secret_post",))
        metadata = await self._metadata()
        methods: Any = metadata.get("token_endpoint_auth_methods_supported")
        usual = ["client_secret_basic"]  # OpenID Connect Discovery 3
        known = methods if isinstance(methods, list) else usual
        return await answered(self._settings, self._backend, metadata[_TOKEN], form, known)

    async def _granted(self, form: Mapping[str, str]) -> Mapping[str, Any]:
        return granted(await self.answered(form))

    async def _claims(self, answer: Mapping[str, Any]) -> dict[str, Any]:
        """The claims of the ID token; raises Refusal."""
        client = self._settings.sign_in_client_id or ""
        issuers = (self.issuer, *self._row.spelled)
        try:
            claims = await verified(str(answer["id_token"]), self.keys, [client], issuers)
        except KeyError:
            raise Refusal("the provider gives no ID token: is the scope openid allowed?") from None
        except (jwt.PyJWTError, ValueError, TypeError) as problem:
            raise Refusal(f"the ID token is refused: {type(problem).__name__}") from None
        if claims.get("azp", client) != client:
            raise Refusal("the ID token was issued to another client")
        return claims

    def person(self, claims: Mapping[str, Any]) -> Person:
        """The person in the claims; raises Refusal if they name nobody."""
        if not isinstance(claims.get("sub"), str) or not claims["sub"]:
            raise Refusal("the ID token names nobody")
        own = self._settings.sign_in_groups
        named = (claims.get(name) for name in ((own,) if own else self._row.groups))
        return Person(self.issuer, claims["sub"], tuple(each for n in named for each in _texts(n)))

    def _signed_in(self, answer: Mapping[str, Any], person: Person, refresh: str) -> SignedIn:
        rotated = answer.get("refresh_token")
        refresh = rotated if isinstance(rotated, str) else refresh
        return SignedIn(person, answer["access_token"], refresh, end(answer))

    def _scopes(self, metadata: Mapping[str, Any]) -> Sequence[str]:
        wanted, listed = self._row.scopes.split(), metadata.get("scopes_supported")
        if not isinstance(listed, list):
            return [each for each in wanted if each != "groups"]  # which is no standard one
        return [each for each in wanted if each in listed or each == "openid"]

    async def _metadata(self) -> Mapping[str, Any]:
        """The provider's metadata; raises Unavailable."""
        if not self._known or time.monotonic() > self._read + _METADATA_SECONDS:
            try:
                with anyio.fail_after(PATIENCE):
                    found = await metadata_of(self._backend, self.issuer, _AUTHORIZE, _TOKEN)
            except (ToolError, TimeoutError) as problem:
                logger.warning("the provider's metadata cannot be read: %s", problem)
                if not self._known:
                    raise Unavailable from None
            else:
                self._known = found
            self._read = time.monotonic()
        return self._known


def _texts(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [each for each in values if isinstance(each, str)]
