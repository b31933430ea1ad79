"""Sign-in at a provider: for MCP clients, this server is the authorization server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ...values.settings import ConfigurationError
from .settings import SignInSettings

if TYPE_CHECKING:
    from ...app.builder import Builder
    from ...backend.session import Backend
    from ...calls.server import ServerParts
    from .people import Provider

NEEDS = ("http",)
SETTINGS = SignInSettings


def check(app: Builder, settings: SignInSettings) -> None:
    """Refuse a provider that cannot be used; raises ConfigurationError."""
    prefix = app.api.env_prefix
    if settings.sign_in_client_id and not settings.sign_in_provider:
        raise ConfigurationError(f"{prefix}_SIGN_IN_CLIENT_ID needs {prefix}_SIGN_IN_PROVIDER")
    if not settings.signs_in:
        return
    from . import providers

    providers.check(settings, prefix)
    if not settings.http_resource:
        raise ConfigurationError(
            f"{prefix}_HTTP_RESOURCE must be the URL by which clients reach this server, such as "
            "https://mcp.example.com/mcp: people are sent back to it when they have signed in"
        )


def checklist(settings: SignInSettings, prefix: str) -> Iterator[str]:
    """The steps to take at the provider's console, and a line for each missing setting."""
    from .providers import row_of
    from .routes import CALLBACK

    if not settings.sign_in_provider:
        return
    row = row_of(settings)
    resource = settings.http_resource or "https://mcp.example.com/mcp"
    yield f"at {row.title}: {row.console}; redirect URI {resource.rstrip('/')}{CALLBACK}"
    yield f"at {row.title}: {row.permissions}"
    for name in ("sign_in_client_id", "sign_in_client_secret", "http_resource"):
        if not getattr(settings, name):
            yield f"people cannot sign in over HTTP yet: {prefix}_{name.upper()} is not set"


def install(server: ServerParts) -> None:
    """Let callers over HTTP sign in, if the settings name a provider."""
    from ..http import guard

    settings = server.settings_of(SignInSettings)
    if settings.signs_in:
        own = guard.of(server.server)
        own.issuing = partial(_issuing, server, settings, own.audit)


def provider_of(settings: SignInSettings, backend: Backend, callback: str) -> Provider:
    """The provider that the settings name; it redirects browsers back to `callback`."""
    from .providers import row_of

    if settings.sign_in_provider == "github":
        from .github import GitHub

        return GitHub(row_of(settings), settings, backend, callback)
    from .oidc import OpenIdProvider

    return OpenIdProvider(row_of(settings), settings, backend, callback)


def _issuing(
    server: ServerParts,
    settings: SignInSettings,
    audit: Any,
    backend: Backend,
    paths: Sequence[str],
) -> Any:
    """The issuer of tokens for the endpoints at these paths."""
    from ...calls.access import Access
    from ...calls.store import store_of
    from ..http.gate import resources
    from . import providers
    from .authority import Authority
    from .clients import Clients
    from .consent import Cookies
    from .documents import Documents
    from .events import Events
    from .grants import Grants
    from .rights import Rights
    from .routes import CALLBACK, Endpoints
    from .seals import Seals

    resource = settings.http_resource or ""
    seals = Seals(settings.state_keys)
    rights = Rights(settings, Access.of(server))
    authority = Authority(
        provider=provider_of(settings, backend, f"{resource.rstrip('/')}{CALLBACK}"),
        clients=Clients(seals, Documents(settings), lambda: rights.known),
        grants=Grants(store_of(server)),
        rights=rights,
        seals=seals,
        events=Events(audit),
        resources=resources(resource, paths),
    )
    names = (server.info.title or server.info.name, providers.row_of(settings).title)
    endpoints = Endpoints(authority, settings, Cookies(seals, resource), names)
    return Issuing(authority, endpoints)


class Issuing:
    """Issues tokens, and verifies them as the SDK's `TokenVerifier`."""

    def __init__(self, authority: Any, endpoints: Any) -> None:
        self.authority = authority
        self.endpoints = endpoints
        self.verify_token = authority.verify_token
        self.routes = endpoints.routes
