"""The clients that may request a sign-in: by metadata document, or by registration.

Only the client keeps its registration: its id is the sealed registration itself. So registrations
take no space here, however many there are, and each one expires.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from mcp.server.auth.provider import RegistrationError
from mcp.shared.auth import InvalidRedirectUriError, OAuthClientInformationFull
from pydantic import AnyUrl, ValidationError

from ...values.display import visible
from .redirects import is_same_program, problem_of

if TYPE_CHECKING:
    from .documents import Documents
    from .seals import Seals

LIFE = 180 * 86400.0
"""Seconds that a registration lasts."""
_MOST, _LONGEST = 10, 1000
"""Redirect URIs of a registration, and characters of all of them."""
_MAX_NAME_LENGTH = 80
"""Characters of a client's name that are shown."""


class Client(OAuthClientInformationFull):
    """A client in the form that the SDK's handlers expect."""

    known_scopes: tuple[str, ...] = ()
    """All that there are here."""

    @property
    def label(self) -> str:
        """The client's name in logs: the URL of its document, or a short text."""
        is_document = self.client_id.startswith("https://")
        digest = sha256(self.client_id.encode()).hexdigest()[:12]
        return self.client_id if is_document else f"registered-{digest}"

    @property
    def name(self) -> str:
        """The name that the client gives itself, with invisible characters escaped."""
        return visible(" ".join((self.client_name or "").split()))[:_MAX_NAME_LENGTH]

    def validate_scope(self, requested_scope: str | None) -> list[str] | None:
        """The requested scopes that exist on this server (RFC 6749 3.3); None for all scopes."""
        asked = (requested_scope or "").split()
        return [each for each in asked if each in self.known_scopes] or None

    def validate_redirect_uri(self, redirect_uri: AnyUrl | None) -> AnyUrl:
        """The redirect URI, if it is one of the client's; the port of a loopback URI may differ."""
        own = self.redirect_uris or []
        if redirect_uri is None and len(own) == 1:
            return own[0]
        if redirect_uri is not None:
            asked = str(redirect_uri)
            if any(str(each) == asked or is_same_program(str(each), asked) for each in own):
                return redirect_uri
        raise InvalidRedirectUriError("redirect_uri is not one of the client's")


class Clients:
    """The clients of the authorization server; `scopes` returns the scopes that exist."""

    def __init__(
        self, seals: Seals, documents: Documents, scopes: Callable[[], Iterable[str]]
    ) -> None:
        self._seals = seals
        self._documents = documents
        self._scopes = scopes

    async def get(self, client_id: str) -> Client | None:
        """The client with an id; None if there is none, or if it has expired."""
        if client_id.startswith("https://"):
            given = await self._documents.get(client_id)
        else:
            given = self._seals.open("client", client_id)
        if given is None:
            return None
        try:
            client = Client.model_validate(
                {
                    "client_name": given.get("client_name"),
                    "redirect_uris": given.get("redirect_uris"),
                    "token_endpoint_auth_method": "none",
                    "client_id": client_id,
                    "known_scopes": tuple(self._scopes()),
                }
            )
        except ValidationError:
            return None
        # Of what browsers make of each, for `https:a@b` leads to the host b.
        uris = map(str, client.redirect_uris or ())
        return None if any(map(problem_of, uris)) else client

    def register(self, client: OAuthClientInformationFull) -> None:
        """Give a client an id; it gets no secret, since PKCE and its redirect URIs protect it.

        Raises:
            RegistrationError: a redirect URI is not allowed, or there are too many.
        """
        uris = [str(each) for each in client.redirect_uris or ()]
        if len(uris) > _MOST or sum(map(len, uris)) > _LONGEST:
            most = f"at most {_MOST} redirect URIs, of {_LONGEST} characters together"
            raise RegistrationError("invalid_redirect_uri", most)
        for problem in filter(None, map(problem_of, uris)):
            raise RegistrationError("invalid_redirect_uri", problem)
        name = (client.client_name or "")[:_MAX_NAME_LENGTH]
        kept: Mapping[str, Any] = {"client_name": name, "redirect_uris": uris}
        client.client_id = self._seals.seal("client", kept, LIFE)
        client.token_endpoint_auth_method = "none"
        client.client_secret = client.client_secret_expires_at = None
