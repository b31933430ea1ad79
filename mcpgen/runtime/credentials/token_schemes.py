"""Security schemes whose credential is an access token: one that is ready, or one that is got."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..values.errors import ToolError
from ..values.urls import expand, is_secure
from .schemes import Credentials, Grant, OneVariable, Place


class TokenScheme(OneVariable):
    """A scheme whose token is ready, or got for a refresh token, or for client id and secret."""

    refresh_token_env: str
    client_id_env: str
    client_secret_env: str

    @property
    def endpoints(self) -> tuple[Place, Place, Place]:
        """The URLs for a token, for refreshing one, and of metadata that names both."""
        raise NotImplementedError

    @property
    def every_variable(self) -> tuple[str, ...]:
        """That of the token, and those that it can be got with."""
        names = (self.env, self.refresh_token_env, self.client_id_env, self.client_secret_env)
        return tuple(filter(None, names))

    @property
    def secrets(self) -> tuple[str, ...]:
        """All but the client's id."""
        return tuple(name for name in self.every_variable if name != self.client_id_env)

    def unset(self, environ: Mapping[str, str]) -> list[str]:
        """All of the ways, unless one is whole."""
        ways = ((self.env,), *self._ways())
        if any(all(environ.get(name) for name in way) for way in ways):
            return []
        return [", or ".join(" and ".join(way) for way in ways)]

    def _ways(self) -> list[tuple[str, ...]]:
        """The sets of variables that a token can be requested with."""
        token_url, refresh_url, discovery_url = self.endpoints
        ways: list[tuple[str, ...]] = []
        if refresh_url or discovery_url:
            ways.append((self.refresh_token_env,))
        if token_url or discovery_url:
            ways.append((self.client_id_env, self.client_secret_env))
        return [way for way in ways if all(way)]

    def sign(
        self, environ: Mapping[str, str], scopes: tuple[str, ...], brought: Mapping[str, str]
    ) -> Credentials:
        """Add the token, or say what it is got for."""
        if environ.get(self.env):
            return self._authorization("Bearer", environ, brought)

        def value(name: str) -> str:
            return environ.get(name, "").strip() if name else ""

        token_url, refresh_url, discovery_url = self.endpoints
        refresh_token = value(self.refresh_token_env) if refresh_url or discovery_url else ""
        grant = Grant(
            token_url=url_of(token_url, environ),
            refresh_url=url_of(refresh_url, environ),
            discovery_url=url_of(discovery_url, environ),
            client_id=value(self.client_id_env),
            client_secret=value(self.client_secret_env),
            refresh_token=refresh_token,
            # A refresh token has its scopes already. One grant is to serve all operations with it,
            # for it may be good only once.
            scopes=() if refresh_token else scopes,
        )
        return Credentials(grant=grant)


@dataclass(frozen=True)
class OAuth2(TokenScheme):
    """OAuth 2.0: a token that is ready, or got for a refresh token, or for client id and secret.

    `token_url` is that of the client credentials flow, `refresh_url` that of refreshing; empty
    where the document describes no such way.
    """

    env: str
    refresh_token_env: str = ""
    client_id_env: str = ""
    client_secret_env: str = ""
    token_url: Place = ""
    refresh_url: Place = ""

    @property
    def endpoints(self) -> tuple[Place, Place, Place]:
        """As for `TokenScheme`."""
        return self.token_url, self.refresh_url, ""


@dataclass(frozen=True)
class OpenIdConnect(TokenScheme):
    """OpenID Connect: a token that is ready, or got for a refresh token, or for id and secret.

    `discovery_url` is where the provider's metadata is; empty where no secret may be sent there.
    """

    env: str
    refresh_token_env: str = ""
    client_id_env: str = ""
    client_secret_env: str = ""
    discovery_url: Place = ""

    @property
    def endpoints(self) -> tuple[Place, Place, Place]:
        """As for `TokenScheme`."""
        return "", "", self.discovery_url


def url_of(place: Place, environ: Mapping[str, str]) -> str:
    """A URL for tokens with the variables that are set; empty where there is none.

    Raises:
        ToolError: it cannot be made of them, or may receive no secrets then.
    """
    if isinstance(place, str):
        return place
    url = expand(place, environ)
    if not is_secure(url):
        raise ToolError("The URL for access tokens is none by https: check the server's variables.")
    return url
