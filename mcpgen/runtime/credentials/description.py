"""What a generated `api.py` declares: the API and the credentials that it asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from ..values.urls import ServerUrl


@dataclass(frozen=True)
class ApiKey:
    """A key in a header, a query parameter or a cookie."""

    name: str
    location: Literal["header", "query", "cookie"] = "header"
    env: str = ""


@dataclass(frozen=True)
class Basic:
    """HTTP Basic (RFC 7617)."""

    username_env: str
    password_env: str


@dataclass(frozen=True)
class Bearer:
    """HTTP Bearer (RFC 6750)."""

    env: str


@dataclass(frozen=True)
class HttpAuth:
    """Another registered HTTP scheme: `Authorization: <scheme> <value>`."""

    scheme: str
    env: str


@dataclass(frozen=True)
class OAuth2:
    """OAuth 2.0: a token that is ready, or got for a refresh token, or for client id and secret.

    `token_url` is that of the client credentials flow, `refresh_url` that of refreshing; empty
    where the document describes no such way.
    """

    env: str
    refresh_token_env: str = ""
    client_id_env: str = ""
    client_secret_env: str = ""
    token_url: str | ServerUrl = ""
    refresh_url: str | ServerUrl = ""


@dataclass(frozen=True)
class OpenIdConnect:
    """OpenID Connect: a token that is ready, or got for a refresh token, or for id and secret.

    `discovery_url` is where the provider's metadata is; empty where no secret may be sent there.
    """

    env: str
    refresh_token_env: str = ""
    client_id_env: str = ""
    client_secret_env: str = ""
    discovery_url: str | ServerUrl = ""


@dataclass(frozen=True)
class MutualTls:
    """A client certificate: the variables hold paths of PEM files.

    The key's variable may be unset where the certificate's file holds the key too.
    """

    cert_env: str
    key_env: str = ""


TokenScheme = OAuth2 | OpenIdConnect
Scheme = ApiKey | Basic | Bearer | HttpAuth | TokenScheme | MutualTls
Requirement = Mapping[str, Sequence[str]]


class Shaping(Protocol):
    """What agents see of a tool's answers: `shaping.Shape`."""

    def of_error(self, response: Any) -> Any:
        """An answer that is an error."""
        ...

    def of_returned(self, value: Any) -> Any:
        """What a handler returned."""
        ...


@dataclass(frozen=True)
class Api:
    """The API behind the tools."""

    env_prefix: str
    servers: Sequence[ServerUrl] = ()
    security_schemes: Mapping[str, Scheme] = field(default_factory=dict)
    security: Sequence[Requirement] = ()
    shapes: Mapping[str, Shaping] = field(default_factory=dict)
    """By tool."""
    refusals: Mapping[str, Mapping[str, Mapping[str, str | None]]] = field(default_factory=dict)
    """Names that members of free-form objects must not have, by tool and argument."""
