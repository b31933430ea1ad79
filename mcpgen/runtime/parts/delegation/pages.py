"""The pages on which a signed-in person gives further permissions."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

from starlette.responses import RedirectResponse, Response

from ..http.jwks import Unavailable
from ..sign_in import consent
from ..sign_in.consent import Underway, new_id
from ..sign_in.people import Refusal
from ..sign_in.routes import PATH

if TYPE_CHECKING:
    from starlette.requests import Request

    from ..sign_in.consent import Cookies
    from ..sign_in.people import Provider
    from ..sign_in.seals import Seals
    from .grants import DelegatedGrants

MORE = f"{PATH}/more"
"""Below the server's own path."""


class Pages:
    """Redirects a link to a further sign-in, and serves the page after the person's return."""

    def __init__(
        self, provider: Provider, grants: DelegatedGrants, cookies: Cookies, seals: Seals
    ) -> None:
        self._provider = provider
        self._grants = grants
        self._cookies = cookies
        self._seals = seals

    async def begin(self, request: Request) -> Response:
        """Redirect to the provider. Anybody may open this page, since it reveals nothing."""
        asked = self._seals.open("more", request.query_params.get("ask", ""))
        if asked is None:
            return consent.problem("This address was valid for ten minutes and has expired.")
        underway = replace(_nobody(), more=asked).allow()
        try:
            address = await self._provider.address(underway.errand)
        except Unavailable:
            return consent.problem("The provider does not answer. Try again later.", 503)
        response = RedirectResponse(address, 303, consent.HEADERS)
        self._cookies.keep(response, underway)
        return response

    async def end(self, request: Request, underway: Underway) -> Response:
        """The page for a person who comes back from the provider."""
        query = request.query_params
        if "code" not in query:
            response: Response = consent.problem("The provider says that access was not allowed.")
        else:
            try:
                signed_in = await self._provider.redeem(
                    query["code"], query.get("iss"), underway.errand
                )
                await self._grants.extend((underway.more or {})["grant"], signed_in)
            except Refusal as refusal:
                response = consent.problem(f"Access was not allowed: {refusal}.")
            except Unavailable:
                response = consent.problem("The provider does not answer. Try again later.", 503)
            else:
                text = "Go back to your client and let it try again."
                response = consent.page("Access is allowed", f"<p>{escape(text)}</p>")
        self._cookies.drop(response, underway)
        return response


def _nobody() -> Underway:
    """A sign-in that no client began; afterwards, the browser is not redirected to a client."""
    return Underway(
        id=new_id(),
        client="",
        redirect_uri="",
        explicit=False,
        state=None,
        asked=None,
        resource="",
        challenge="",
    )
