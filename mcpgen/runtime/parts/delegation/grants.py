"""The grants of people who signed in, kept valid while APIs are called with their tokens."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ...credentials.auth import UNSENT
from ...values.errors import ToolError
from ..http.jwks import Unavailable
from ..sign_in.authority import reaching
from ..sign_in.people import Refusal

if TYPE_CHECKING:
    from ..sign_in.authority import Authority
    from ..sign_in.grants import Grant
    from ..sign_in.people import SignedIn

MOST_EARLY = 30.0
"""Seconds before its end in which a token is not used any more, or a tenth of its life."""
_AGAIN = 30.0
"""Seconds until a token is renewed that an API has refused: each call might have it so."""


class DelegatedGrants:
    """Gives access to an authority's grants; renews their provider tokens for API calls."""

    def __init__(self, authority: Authority, clock: Callable[[], float] = time.time) -> None:
        self._authority = authority
        self._clock = clock

    async def get(self, grant_id: str, refused: str = "") -> Grant:
        """A grant, renewed if its provider token is about to expire or is the `refused` one.

        Raises:
            Refusal: the grant has ended.
            Unavailable: the provider does not answer, and the earlier token has expired.
            ToolError: the provider vouched for the person with an assertion and gave no token.
        """
        authority = self._authority
        with reaching():
            grant = await authority.grants.get(grant_id)
        if grant is not None and not grant.signed_in.access_token:
            raise ToolError(
                "The client signed the person in with an assertion, and such a sign-in gives no "
                f"token for APIs. {UNSENT} Ask them to sign in with a browser, then try again."
            )
        if grant is not None and (authority.is_old(grant) or self._is_used_up(grant, refused)):
            async with authority.changing(grant_id) as grant:
                if grant is not None:
                    due = self._is_used_up(grant, refused)
                    grant = await authority.renewed(grant, patient=True, due=due)
        if grant is None or not authority.is_of_this(grant):
            raise Refusal("the sign-in has ended")
        if 0.0 < grant.signed_in.ends <= self._clock():
            raise Unavailable
        return grant

    def _is_used_up(self, grant: Grant, refused: str) -> bool:
        """Whether the grant's access token expires soon, or was just refused by an API."""
        signed_in, since = grant.signed_in, self._clock() - grant.checked
        if refused and signed_in.access_token == refused:
            return since >= _AGAIN
        early = min(MOST_EARLY, (signed_in.ends - grant.checked) / 10)
        return bool(signed_in.ends) and self._clock() >= signed_in.ends - early

    async def extend(self, grant_id: str, signed_in: SignedIn) -> None:
        """Add a person's new permissions to their grant; raises Refusal, Unavailable."""
        events = self._authority.events
        async with self._authority.changing(grant_id) as grant:
            if grant is None:
                raise Refusal("the sign-in has ended")
            person, other = grant.signed_in.person, signed_in.person
            if (person.issuer, person.subject) != (other.issuer, other.subject):
                events.of(grant, "more", "another person answered")
                raise Refusal("another person signed in, not the one who was asked")
            refresh = signed_in.refresh_token or grant.signed_in.refresh_token
            signed_in, now = replace(signed_in, refresh_token=refresh), self._clock()
            await self._authority.grants.put(replace(grant, signed_in=signed_in, checked=now), now)
        events.of(grant, "more")
