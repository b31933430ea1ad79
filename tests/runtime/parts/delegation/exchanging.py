"""Providers that give tokens of an API for those of a person."""

from dataclasses import dataclass, field
from secrets import token_hex
from typing import Any

from starlette.responses import JSONResponse, Response

from ..sign_in.openid import CLIENT, OpenId

EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
ON_BEHALF_OF = "urn:ietf:params:oauth:grant-type:jwt-bearer"
ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"


@dataclass
class Exchanging(OpenId):
    """One that speaks RFC 8693; `refusal` is what it refuses exchanges with."""

    refusal: dict[str, Any] = field(default_factory=dict)
    said: dict[str, Any] = field(default_factory=dict)
    """What its answers to exchanges have besides."""

    def of(self, token: str) -> str:
        """Whose an access token is."""
        return self._tokens.get(token, "")

    def exchange(self, form: dict[str, str]) -> Response:
        """A token of the API that `audience`, `resource` or `scope` name."""
        if self.refusal:
            return JSONResponse(self.refusal, 400)
        person = self.subject(form)
        if not person or person in self.gone:  # RFC 8693 2.2.2
            return JSONResponse({"error": "invalid_request"}, 400)
        token = f"canary-exchanged-{token_hex(8)}"
        self._tokens[token] = person
        answer = {"access_token": token, "token_type": "Bearer", "expires_in": self.life}
        return JSONResponse({**answer, "issued_token_type": ACCESS_TOKEN, **self.said})

    def subject(self, form: dict[str, str]) -> str:
        """Whose the token is that is to be exchanged."""
        is_right = (form["grant_type"], form["subject_token_type"]) == (EXCHANGE, ACCESS_TOKEN)
        return self.of(form["subject_token"]) if is_right else ""


@dataclass
class Entra(Exchanging):
    """Entra, as https://learn.microsoft.com/entra/identity-platform/v2-oauth2-on-behalf-of-flow.

    The assertion must be a token for the server itself: one that was asked for by a scope of it.
    """

    def subject(self, form: dict[str, str]) -> str:
        """Whose the assertion is."""
        asked = self.steps("authorize")[-1]["scope"].split()
        is_right = form["grant_type"] == ON_BEHALF_OF and form["scope"]
        is_right = is_right and form["requested_token_use"] == "on_behalf_of"
        return self.of(form["assertion"]) if is_right and f"{CLIENT}/.default" in asked else ""


@dataclass
class Okta(Exchanging):
    """Okta, as https://developer.okta.com/docs/guides/set-up-token-exchange/main/."""

    def subject(self, form: dict[str, str]) -> str:
        """Whose the token is; audience and scope must be given."""
        return super().subject(form) if form.get("audience") and form.get("scope") else ""
