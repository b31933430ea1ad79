"""People's tokens for APIs: the provider's own, or exchanged tokens, kept until they expire."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ...backend.observing import OBSERVED
from ...calls.store import Bounds, Name
from ...credentials.auth import UNSENT, no_token
from ...values.errors import ToolError
from ...values.urls import Origin
from ..accounts.token_answers import check, refusal, seconds
from ..http.jwks import Unavailable
from ..sign_in.people import Refusal, Wanted
from .grants import MOST_EARLY
from .ways import ACCESS_TOKEN, WAYS, Use

if TYPE_CHECKING:
    from ...calls.store import Store
    from ..sign_in.authority import Authority
    from ..sign_in.grants import Grant
    from ..sign_in.seals import Seals
    from .challenges import Challenge
    from .grants import DelegatedGrants

LINK = 600.0
"""Seconds in which a person may follow the link to a page that asks for more."""
_UNSAID = 300.0
"""Seconds that a token is kept whose end is not told."""
_OF_PERSON = 400_000
"""Bytes of exchanged tokens that are kept of a person, some hundred: the oldest go first."""
_MOST = 2500
"""Characters that a link asks for: sealed, they must fit into a cookie, whose most is 4,096."""
_LEASE = 90.0
_USABLE = (ACCESS_TOKEN, "urn:ietf:params:oauth:token-type:jwt")
_OF_PERSONS = (
    *("invalid_grant", "access_denied"),
    *("consent_required", "interaction_required", "login_required"),  # OpenID Connect Core 3.1.2.6
    *("insufficient_user_authentication", "insufficient_scope"),  # RFC 9470, RFC 6750
)
"""Errors of an exchange that the person can mend, at the provider's page."""
_OF_SERVER = {
    "invalid_target": "its audience or resource is not one that the provider gives tokens for",
    "invalid_scope": "the provider does not give it these scopes",
    "invalid_client": "the provider does not know this server by its client id and secret",
    "unauthorized_client": "the provider does not let this server exchange tokens",
    "unsupported_grant_type": "the provider does not exchange tokens",
    "invalid_request": "the provider does not take the person's token for an exchange",
}
"""Errors that whoever runs the server mends (RFC 6749 5.2, RFC 8693 2.2.2)."""


class Delegation:
    """Obtains API tokens for people whose grants the authorization server holds."""

    def __init__(
        self,
        authority: Authority,
        grants: DelegatedGrants,
        store: Store,
        seals: Seals,
        provider: str,
        page: str,
        secrets: tuple[str, ...] = (),
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`provider` is a key of `WAYS`; at the URL `page`, people give further permissions.

        `secrets` are the credentials of this server at the provider.
        """
        self._authority = authority
        self._grants = grants
        self._store = store
        self._seals = seals
        self._provider = provider
        self._page = page
        self._secrets = secrets
        self._clock = clock

    async def token(self, grant_id: str, use: Use, refused: str = "") -> str:
        """A token for an API on behalf of a grant's person: neither `refused` nor about to expire.

        Raises:
            ToolError: there is no token; the message says why, and what helps.
        """
        try:
            if not use.exchanged:
                grant = await self._grants.get(grant_id, refused)
                return grant.signed_in.access_token
            grant = await self._grants.get(grant_id)
            return await self._kept(grant, use, refused)
        except Refusal as ended:
            raise ToolError(
                f"The person's sign-in at this server has ended ({ended}). {UNSENT} Retrying helps "
                "once they have signed in again; the client's next call asks them to."
            ) from None
        except Unavailable:
            raise ToolError(
                f"The provider at which the person signed in does not answer. {UNSENT} Retrying "
                "later may help."
            ) from None

    async def forget(self, grant_id: str, use: Use) -> None:
        """Delete the exchanged token, as the person is about to grant more permissions."""
        if use.exchanged:
            await self._store.delete(_name(grant_id, use))

    async def _kept(self, grant: Grant, use: Use, refused: str) -> str:
        """The stored token for a purpose, or a new one; only one process at a time exchanges it."""
        name = _name(grant.id, use)
        if kept := await self._read(name, refused):
            return kept
        async with self._store.lock(name, _LEASE, _LEASE):
            if kept := await self._read(name, refused):
                return kept
            answer = await self._exchanged(grant, use)
            token: str = answer["access_token"]
            life = seconds(answer.get("expires_in", _UNSAID))
            life = max(1.0, min(life - min(MOST_EARLY, life / 10), grant.ends - self._clock()))
            person, until = grant.signed_in.person, self._clock() + life
            within: Bounds = {("delegated", person.issuer, person.subject): _OF_PERSON}
            value = json.dumps({"token": token, "until": until}).encode()
            await self._store.put(name, value, life, within)
            return token

    async def _read(self, name: Name, refused: str) -> str:
        kept = json.loads(await self._store.get(name) or b"{}")
        is_good = kept and kept["until"] > self._clock() and kept["token"] != refused
        return str(kept["token"]) if is_good else ""

    async def _exchanged(self, grant: Grant, use: Use) -> Mapping[str, Any]:
        """The provider's answer to a token exchange; raises ToolError, Unavailable."""
        provider, subject = self._authority.provider, grant.signed_in.access_token
        url = use.url or provider.issuer
        form = WAYS[self._provider].form(subject, use)
        answer: Mapping[str, Any] = {"error": "none came"}
        try:
            answer = await provider.answered(form, use.url)
        finally:
            if (observed := OBSERVED.get()) is not None:
                outcome = "error" if "error" in answer else "ok"
                observed.on_token(Origin.of(url).host, outcome)
        if "error" in answer:
            why, later = refusal(answer, (subject, *self._secrets))
            raise no_token(url, why, later or self._mended(grant.id, use, answer))
        check(answer, url, "", ())
        if answer.get("issued_token_type", ACCESS_TOKEN) not in _USABLE:
            raise no_token(url, "its token is no access token.", "Retrying will not help.")
        return answer

    def _mended(self, grant_id: str, use: Use, answer: Mapping[str, Any]) -> str:
        """What went wrong in a refused exchange, and who can correct it."""
        error = str(answer["error"])
        of_server = _OF_SERVER.get(error, "the provider refuses to exchange tokens for that API")
        if error not in _OF_PERSONS:
            return (
                f"The person's token was not exchanged for a token for {use.words}: {of_server}. "
                "Retrying will not help until whoever runs this server corrects that."
            )
        claims, suberror = answer.get("claims"), answer.get("suberror")  # of Entra
        wants_consent = "consent_required" in (error, suberror)
        parameters = {"prompt": "consent"} if wants_consent else {}
        if isinstance(claims, str):
            parameters["claims"] = claims
        scopes = use.scopes if wants_consent and not WAYS[self._provider].own else ()
        return (
            f"The provider wants more from the person before it gives a token for {use.words}. "
            f"{self._asked(grant_id, Wanted(scopes, parameters))}"
        )

    def advice(self, grant_id: str, use: Use, challenge: Challenge) -> str:
        """Advice for an answer of the API that demands more consent or a newer sign-in."""
        unknown = [each for each in challenge.scopes if each not in use.scopes]
        if unknown:
            return (
                f"The API wants scopes that this server never asks for: {' '.join(unknown)}. "
                "Whoever runs it can add them to its settings (DELEGATED_SCOPES)."
            )
        is_consent = challenge.error == "insufficient_scope"
        parameters = {**({"prompt": "consent"} if is_consent else {}), **challenge.parameters}
        what = (
            "the person has not allowed" if is_consent else "asks for a newer or stronger sign-in"
        )
        named = " ".join(challenge.scopes or use.scopes) if is_consent else ""
        named = named or ", ".join(f"{key} {value}" for key, value in challenge.parameters.items())
        return (
            f"The API {'wants what ' if is_consent else ''}{what}{f' ({named})' if named else ''}. "
            f"{self._asked(grant_id, Wanted(use.scopes, parameters))}"
        )

    def _asked(self, grant_id: str, wanted: Wanted) -> str:
        """A message with a link at which the person can grant the permissions in `wanted`."""
        parameters, long = {**wanted.parameters}, list[str]()
        value = {"grant": grant_id, "scopes": wanted.scopes, "parameters": parameters}
        while parameters and len(json.dumps(value)) > _MOST:
            long.append(max(parameters, key=lambda name: len(json.dumps(parameters[name]))))
            del parameters[long[-1]]
        without = f" The link leaves out {' and '.join(long)}: too long." if long else ""
        link = f"{self._page}?ask={self._seals.seal('more', value, LINK)}"
        return (
            f"The person can allow it in their browser, within {LINK / 60:.0f} minutes: {link} "
            f"Then call again.{without}"
        )


def _name(grant_id: str, use: Use) -> Name:
    return ("delegated", grant_id, use.url, use.audience, use.resource, *use.scopes)
