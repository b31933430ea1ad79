"""People and tokens as identity providers report them, and the interface of a provider."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True)
class Person:
    """A signed-in person; a subject identifies a person only together with its issuer."""

    issuer: str
    subject: str
    groups: tuple[str, ...] = ()


@dataclass(frozen=True)
class SignedIn:
    """A person, and the provider's tokens, which are sent only to that provider."""

    person: Person
    access_token: str
    refresh_token: str = ""
    ends: float = 0.0
    """When the access token ends, in seconds since 1970; 0: the provider does not say."""


class Refusal(Exception):
    """The provider does not let the person in, or no longer does; the message has no secret."""


@dataclass(frozen=True)
class Wanted:
    """The scopes and parameters that a sign-in requests in addition to the usual ones."""

    scopes: tuple[str, ...] = ()
    parameters: Mapping[str, str] = field(default_factory=dict)

    def joined(self, other: Wanted) -> Wanted:
        """These scopes and parameters together with `other`, whose parameters override these."""
        scopes = dict.fromkeys((*self.scopes, *other.scopes))
        return Wanted(tuple(scopes), {**self.parameters, **other.parameters})


@dataclass(frozen=True)
class Errand:
    """An authorization request to the provider, with the values that must come back unchanged."""

    state: str
    nonce: str
    verifier: str
    """Of PKCE (RFC 7636), so that nobody else's code is taken."""
    wanted: Wanted = Wanted()


class Provider(Protocol):
    """An identity provider. Each method raises Refusal, or Unavailable if there is no answer."""

    issuer: str
    """By which it names itself."""
    wanted: Wanted
    """What every sign-in asks for besides."""

    async def address(self, errand: Errand) -> str:
        """The URL at the provider to which a browser is sent for a sign-in."""
        ...

    async def redeem(self, code: str, issuer: str | None, errand: Errand) -> SignedIn:
        """The signed-in person, from the returned code and `iss` (RFC 9207)."""
        ...

    async def renew(self, earlier: SignedIn) -> SignedIn:
        """The same person, as the provider describes them now."""
        ...

    async def answered(self, form: Mapping[str, str], url: str = "") -> Mapping[str, Any]:
        """The answer of the token endpoint at `url`, or of the provider's own token endpoint."""
        ...
