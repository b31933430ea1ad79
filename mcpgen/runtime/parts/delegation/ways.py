"""The table of providers: how each of them exchanges a person's token for a token of an API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..sign_in.people import Wanted

ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"


@dataclass(frozen=True)
class Use:
    """What a token is for: an API, and the scopes that are requested there."""

    exchanged: bool
    url: str = ""
    """Where it is exchanged, if not at the provider's own token endpoint."""
    audience: str = ""
    resource: str = ""
    scopes: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The purpose in words, for people."""
        where = " and ".join(filter(None, (self.audience, self.resource)))
        scopes = " ".join(self.scopes)
        return ", ".join(filter(None, (where, scopes and f"scope {scopes}"))) or "the API"


@dataclass(frozen=True)
class Way:
    """A provider's rules for a request that exchanges a person's token."""

    grant_type: str
    subject: str
    """The parameter that holds the person's token."""
    fixed: Mapping[str, str] = field(default_factory=dict)
    takes: tuple[str, ...] = ("audience", "resource", "scope")
    """What it may say of the use."""
    own: str = ""
    """The scope by which the person's token is one for this server, so that it can be exchanged."""

    def form(self, token: str, use: Use) -> dict[str, str]:
        """The parameters of the request that exchanges `token`."""
        said = {"audience": use.audience, "resource": use.resource, "scope": " ".join(use.scopes)}
        kept = {name: said[name] for name in self.takes if said[name]}
        return {"grant_type": self.grant_type, self.subject: token, **self.fixed, **kept}


_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
_SUBJECT = {"subject_token_type": ACCESS_TOKEN}
_RFC_8693 = Way(_EXCHANGE, "subject_token", {**_SUBJECT, "requested_token_type": ACCESS_TOKEN})
WAYS: Mapping[str, Way] = {
    # https://learn.microsoft.com/entra/identity-platform/v2-oauth2-on-behalf-of-flow
    "entra": Way(
        "urn:ietf:params:oauth:grant-type:jwt-bearer",
        "assertion",
        {"requested_token_use": "on_behalf_of"},
        takes=("scope",),
        own="{client}/.default",
    ),
    # https://developer.okta.com/docs/guides/set-up-token-exchange/main/
    "okta": Way(_EXCHANGE, "subject_token", _SUBJECT, takes=("audience", "scope")),
    # https://auth0.com/docs/secure/call-apis-on-users-behalf/on-behalf-of-token-exchange
    "auth0": _RFC_8693,
    "oidc": _RFC_8693,
}
"""Of those that exchange a person's tokens; Google and GitHub do not."""
_PARAMETERS: Mapping[str, Mapping[str, str]] = {
    # https://developers.google.com/identity/protocols/oauth2/web-server#incrementalAuth
    "google": {"include_granted_scopes": "true"},
}
"""What a browser is sent with where the API takes the provider's own token."""


def wanted(provider: str, client: str, use: Use) -> Wanted:
    """The scopes and parameters that a sign-in needs for a token with this purpose."""
    if use.exchanged:
        own = WAYS[provider].own.format(client=client)
        return Wanted((own,) if own else ())
    said = {"audience": use.audience, "resource": use.resource}
    parameters = {name: value for name, value in said.items() if value}
    return Wanted(use.scopes, {**_PARAMETERS.get(provider, {}), **parameters})
