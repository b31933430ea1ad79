"""Delegation: the API is called with the token of the signed-in person, not with the server's."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ...values.settings import ConfigurationError, of_further
from .settings import DelegationSettings

if TYPE_CHECKING:
    from ...app.builder import Builder
    from ...backend.session import Backend
    from ...calls.server import ServerParts
    from ...credentials.api import Api

NEEDS = ("sign_in",)
SETTINGS = DelegationSettings


def check(app: Builder, settings: DelegationSettings) -> None:
    """Refuse APIs that need provider tokens for different audiences; raises ConfigurationError.

    A sign-in has one token of the provider, and that token has one audience.
    """
    own = {
        (each.exchange_audience, each.exchange_resource): prefix
        for prefix, each in _settings_of(app, settings)
        if each.delegated_schemes and each.delegated_token == "own"
    }
    if settings.signs_in and len(own) > 1:
        names = " and ".join(f"{prefix}_EXCHANGE_AUDIENCE and _RESOURCE" for prefix in own.values())
        raise ConfigurationError(
            f"{names} must be the same: the provider's own token has one audience, so each API "
            "would get the token for the other; DELEGATED_TOKEN `exchanged` gives each API its own"
        )


def check_api(api: Api, settings: DelegationSettings) -> None:
    """Refuse schemes that cannot carry a token, and exchanges that the provider does not support.

    Raises:
        ConfigurationError: the message names the variable.
    """
    from .ways import WAYS

    prefix = f"{api.env_prefix}_DELEGATED"
    for key in settings.delegated_schemes:
        scheme = api.security_schemes.get(key)
        if scheme is None:
            names = ", ".join(api.security_schemes) or "none"
            reason = f"names no scheme of the API; it has: {names}"
        elif not scheme.takes_tokens:
            reason = "names a scheme whose credential is not an access token"
        elif key in dict(settings.brought):
            reason = "names a scheme that CALLER_AUTH or CALLER_EXCHANGE names too"
        else:
            continue
        raise ConfigurationError(f"{prefix}_SCHEMES {reason}")
    exchanges = settings.delegated_schemes and settings.delegated_token == "exchanged"
    provider = settings.sign_in_provider
    if exchanges and provider and provider not in WAYS:
        raise ConfigurationError(
            f"{prefix}_TOKEN: `{provider}` does not exchange tokens; `own` sends the provider's "
            "access token"
        )


def checklist_api(api: Api, settings: DelegationSettings) -> Iterator[str]:
    """The source of an API's credentials, as a line of the checklist."""
    from .credentials import use_of

    use = use_of(settings)
    for key in settings.delegated_schemes:
        words = (
            f"exchanged for a token for {use.words}" if use.exchanged else "as the provider gave it"
        )
        yield f"{key}: over HTTP, calls carry the token of whoever signed in, {words}"


def install(server: ServerParts) -> None:
    """Let the server get tokens for APIs on behalf of people, if people sign in."""
    from ..http import guard

    settings = server.settings_of(DelegationSettings)
    if settings.signs_in:
        own = guard.of(server.server)
        own.issuing = partial(_issuing, server, settings, own.issuing)


def _settings_of(
    having: Builder | ServerParts, settings: DelegationSettings
) -> Iterator[tuple[str, DelegationSettings]]:
    """The prefix and the settings of each API."""
    yield having.api.env_prefix, settings
    for each in having.apis.values():
        yield each.env_prefix, of_further(settings, each.env_prefix, os.environ, each.defaults)


def _issuing(
    server: ServerParts,
    settings: DelegationSettings,
    issuing: Any,
    backend: Backend,
    paths: Sequence[str],
) -> Any:
    """Make the issuer of tokens for the endpoints at these paths.

    The issuer also gets tokens for the APIs.
    """
    from ...calls.store import store_of
    from ..sign_in.people import Wanted
    from ..sign_in.seals import Seals
    from ..sign_in.tokens import secrets
    from .credentials import use_of
    from .grants import DelegatedGrants
    from .pages import MORE, Pages
    from .tokens import Delegation
    from .ways import wanted

    made, seals = issuing(backend, paths), Seals(settings.state_keys)
    provider, client = settings.sign_in_provider or "", settings.sign_in_client_id or ""
    asked = Wanted()
    for _, each in _settings_of(server, settings):
        if each.delegated_schemes:
            asked = asked.joined(wanted(provider, client, use_of(each)))
    authority = made.authority
    authority.provider.wanted = asked
    page = f"{(settings.http_resource or '').rstrip('/')}{MORE}"
    grants = DelegatedGrants(authority)
    own = authority, grants, store_of(server), seals, provider, page
    authority.delegation = Delegation(*own, secrets(settings))
    pages = Pages(authority.provider, grants, made.endpoints.cookies, seals)
    made.endpoints.more = pages.end
    made.endpoints.further[MORE] = pages.begin
    return made
