"""The table of providers: the scopes of each, and its differences from OpenID Connect."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ...values.settings import ConfigurationError

if TYPE_CHECKING:
    from .settings import SignInSettings


@dataclass(frozen=True)
class Row:
    """A row of the table: a provider, and how it differs from OpenID Connect."""

    title: str
    groups: tuple[str, ...]
    """The claims that name a person's groups or roles."""
    example: str = ""
    """What its issuer looks like; empty where `issuer` is the only one."""
    issuer: str = ""
    domain: str = ""
    """Where its issuers are, so that `oidc` with one of them is as strict."""
    spelled: tuple[str, ...] = ()
    """How its tokens spell it else."""
    scopes: str = "openid profile email groups offline_access"
    """What is asked for, of what its metadata lists."""
    parameters: Mapping[str, str] = field(default_factory=dict)
    """What a browser is sent with besides."""
    asks_consent: bool = False
    """Whether its page must ask where `offline_access` is wanted (OpenID Connect Core 11)."""
    is_open: bool = False
    """Whether everybody has, or can get, an account there."""
    console: str = ""
    """Where this server is registered there, and as what."""
    permissions: str = ""
    """What its console asks for besides."""


PROVIDERS = {
    "entra": Row(
        title="Microsoft Entra ID",
        groups=("roles", "groups"),
        example="https://login.microsoftonline.com/TENANT-ID/v2.0",
        domain="login.microsoftonline.com",
        console="App registrations > New registration > Web",
        permissions="app roles (or the groups claim) for the groups of `scopes`",
    ),
    "google": Row(
        title="Google",
        groups=("hd",),
        issuer="https://accounts.google.com",
        domain="accounts.google.com",
        spelled=("accounts.google.com",),
        parameters={"access_type": "offline", "prompt": "consent"},
        is_open=True,
        console="Google Auth Platform > Clients > Create client > Web application",
        permissions="the scopes openid, email and profile",
    ),
    "github": Row(
        title="GitHub",
        groups=(),
        issuer="https://github.com",
        scopes="read:org",
        is_open=True,
        console="Settings > Developer settings > OAuth Apps > New OAuth App",
        permissions="an owner's approval in organisations that restrict apps (read:org)",
    ),
    "okta": Row(
        title="Okta",
        groups=("groups",),
        example="https://acme.okta.com",
        console="Applications > Create App Integration > OIDC > Web Application",
        permissions="the grant Refresh Token, and a groups claim in the ID token",
    ),
    "auth0": Row(
        title="Auth0",
        groups=("groups", "roles"),
        example="https://acme.eu.auth0.com/",
        domain="auth0.com",
        is_open=True,
        console="Applications > Create Application > Regular Web Application",
        permissions="an action that adds the roles to the ID token, named by `groups`",
    ),
    "oidc": Row(
        title="the provider",
        groups=("groups", "roles"),
        example="https://login.example.com",
        asks_consent=True,
        console="a confidential client with the authorization code flow and PKCE",
        permissions="the scopes openid, profile, email and, where it has them, offline_access",
    ),
}


def row_of(settings: SignInSettings) -> Row:
    """The row of the provider that the settings name."""
    return PROVIDERS[settings.sign_in_provider or "oidc"]


def check(settings: SignInSettings, prefix: str) -> None:
    """Raise ConfigurationError for settings that name no issuer or would let everybody in."""
    row = row_of(settings)
    issuer = settings.sign_in_issuer or row.issuer
    if not issuer:
        raise ConfigurationError(
            f"{prefix}_SIGN_IN_ISSUER must be the issuer of {row.title}, such as {row.example}"
        )
    row = _row_at(issuer, row)
    tenant = issuer.removesuffix("/v2.0").rpartition("/")[2]
    if row is PROVIDERS["entra"] and tenant in ("common", "organizations", "consumers"):
        raise ConfigurationError(
            f"{prefix}_SIGN_IN_ISSUER must hold the id of your own tenant, not `{tenant}`: with "
            "that, people of every tenant could sign in"
        )
    if row.is_open and not settings.sign_in_scopes:
        raise ConfigurationError(
            f"anybody can have an account at {row.title}: {prefix}_SIGN_IN_SCOPES, or "
            "[sign_in.scopes] of mcpgen.toml, must say who may do what here; `*` is everybody"
        )


def _row_at(issuer: str, row: Row) -> Row:
    """The row of the provider to whose domain an issuer belongs; if there is none, the given
    row.
    """
    host = f".{urlsplit(issuer).hostname}"
    at = (each for each in PROVIDERS.values() if each.domain and host.endswith(f".{each.domain}"))
    return next(at, row)
