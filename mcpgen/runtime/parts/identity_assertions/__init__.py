"""Enterprise-managed sign-in: the company's provider vouches for people, without a sign-in page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ...values.settings import ConfigurationError
from .settings import AssertionSettings

if TYPE_CHECKING:
    from ...app.builder import Builder
    from ...backend.session import Backend
    from ...calls.server import ServerParts

NEEDS = ("http", "sign_in")
SETTINGS = AssertionSettings
EXTENSION = "io.modelcontextprotocol/enterprise-managed-authorization"


def check(app: Builder, settings: Any) -> None:
    """Raise ConfigurationError if clients are configured, but no OpenID provider for sign-in."""
    if not settings.sign_in_clients:
        return
    prefix = f"{app.api.env_prefix}_SIGN_IN"
    if not settings.signs_in:
        raise ConfigurationError(
            f"{prefix}_CLIENTS needs {prefix}_PROVIDER and {prefix}_CLIENT_ID: the provider at "
            "which people sign in is the one whose assertions are accepted"
        )
    if settings.sign_in_provider == "github":
        raise ConfigurationError(
            f"{prefix}_CLIENTS needs an OpenID provider: GitHub does not issue identity assertions"
        )


def checklist(settings: Any, prefix: str) -> Iterator[str]:
    """The steps at the provider's console, or the missing settings."""
    if not settings.signs_in:
        return
    if not settings.sign_in_clients:
        yield (
            "no client can bring identity assertions over HTTP yet: "
            f"{prefix}_SIGN_IN_CLIENTS is not set"
        )
    elif settings.http_resource:
        url = settings.http_resource
        yield f"for identity assertions, at the provider: issuer URL {url}, resource {url}"


def install(server: ServerParts) -> None:
    """Let the configured clients bring assertions, if people can sign in."""
    from ..http import guard
    from ..sign_in.settings import SignInSettings

    own, settings = guard.of(server.server), server.settings_of(AssertionSettings)
    if own.issuing is not None and settings.sign_in_clients:
        server.server.extensions[EXTENSION] = {}
        among = server.settings_of(SignInSettings)
        own.issuing = partial(_issuing, server, own.issuing, settings, among)


def _issuing(
    server: ServerParts,
    issuing: Callable[[Backend, Sequence[str]], Any],
    settings: AssertionSettings,
    among: Any,
    backend: Backend,
    paths: Sequence[str],
) -> Any:
    """Make the issuer of tokens for the endpoints at these paths.

    The issuer also accepts identity assertions.
    """
    from mcp.server.auth.routes import ID_JAG_GRANT_PROFILE
    from mcp.shared.auth import JWT_BEARER_GRANT_TYPE

    from ...calls.store import store_of
    from .assertions import Assertions
    from .grant import AssertionGrant

    issued = issuing(backend, paths)
    authority, endpoints = issued.authority, issued.endpoints
    assertions = Assertions(authority, among, store_of(server))
    grant = AssertionGrant(assertions, authority.events, settings.sign_in_clients)
    endpoints.grants[JWT_BEARER_GRANT_TYPE] = grant.token
    endpoints.published |= {
        "authorization_grant_profiles_supported": [ID_JAG_GRANT_PROFILE],
        "token_endpoint_auth_methods_supported": [
            *("none", "client_secret_basic", "client_secret_post"),
        ],
    }
    return issued
