"""Credentials that each caller over HTTP brings along, where the operator has turned that on.

Nothing here outlives the call, so that nothing of one caller can reach another.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from ..values.errors import optional
from ..values.settings import ConfigurationError, Settings
from . import auth
from .description import Api, Requirement
from .schemes import Credentials, Place, Scheme, TokenExchange


def choose(
    api: Api,
    security: Sequence[Requirement] | None,
    settings: Settings,
    environ: Mapping[str, str],
    headers: Mapping[str, str],
) -> Credentials:
    """The credentials of a call whose request over HTTP had these headers; else as `auth.choose`.

    Raises:
        ToolError: no alternative is complete; the text names the headers.
    """
    values = _values(api, settings, headers)
    environment = ChainMap(values, environ)  # type: ignore[arg-type]  # it is only read
    brought = {api.security_schemes[key].variables[0]: header for key, header in settings.brought}
    exchanged = _exchanged(api, settings, environ, headers)
    return auth.choose(api, security, environment, exchanged, brought)


def _values(api: Api, settings: Settings, headers: Mapping[str, str]) -> dict[str, str]:
    """What replaces the variables of the callers' schemes: a header the first, nothing others."""
    found: dict[str, str] = {}
    for key, header in settings.caller_auth:
        scheme = api.security_schemes[key]
        found |= dict.fromkeys(scheme.every_variable, "")
        found[scheme.variables[0]] = headers.get(header.lower(), "")
    return found


def _exchanged(
    api: Api, settings: Settings, environ: Mapping[str, str], headers: Mapping[str, str]
) -> dict[str, Callable[[], TokenExchange] | None]:
    """What makes the request for a token, by scheme; None where the caller brought none."""
    found: dict[str, Callable[[], TokenExchange] | None] = {}
    for key, header in settings.caller_exchange:
        subject = _bearer(headers.get(header.lower(), ""))
        asked = partial(_exchange, api.security_schemes[key], settings, environ, subject)
        found[key] = asked if subject else None
    return found


def _bearer(header: str) -> str:
    """The token of a header, with or without its scheme; empty where the scheme is another."""
    kind, _, token = header.strip().partition(" ")
    if kind.lower() == "bearer":
        return token.strip()
    return "" if token else kind


def _exchange(
    scheme: Any, settings: Settings, environ: Mapping[str, str], subject: str
) -> TokenExchange:
    """The exchange of a caller's token for one of a `TokenScheme`."""
    url_of = optional("credentials.token_schemes").url_of
    token_url, discovery_url = (url_of(place, environ) for place in _endpoint(scheme, settings))
    return TokenExchange(
        token_url=token_url,
        discovery_url=discovery_url,
        client_id=environ.get(scheme.client_id_env, "").strip(),
        client_secret=environ.get(scheme.client_secret_env, "").strip(),
        subject_token=subject,
        audience=settings.exchange_audience or "",
        resource=settings.exchange_resource or "",
    )


def _endpoint(scheme: Scheme, settings: Settings) -> tuple[Place, Place]:
    """The token endpoint, or else where metadata names it."""
    token_url, refresh_url, discovery_url = scheme.endpoints
    if settings.exchange_token_url:
        return settings.exchange_token_url, ""
    return token_url or refresh_url, discovery_url


def check(api: Api, settings: Settings) -> None:
    """Refuse a setting that names what the API does not have or a header cannot carry.

    Raises:
        ConfigurationError: naming the variable.
    """
    for name in ("caller_auth", "caller_exchange"):
        for key, _ in getattr(settings, name):
            if key not in api.security_schemes:
                known = ", ".join(api.security_schemes) or "none"
                raise _refused(api, name, f"names a scheme that is none of the API's: {known}")
    for key, _ in settings.caller_auth:
        if not api.security_schemes[key].fits_header:
            raise _refused(api, "caller_auth", "names a scheme that no single header can carry")
    for key, _ in settings.caller_exchange:
        scheme = api.security_schemes[key]
        if not scheme.endpoints:
            said = "names a scheme that is neither OAuth 2.0 nor OpenID Connect"
            raise _refused(api, "caller_exchange", said)
        if key in dict(settings.caller_auth):
            raise _refused(api, "caller_exchange", "names a scheme that CALLER_AUTH names too")
        if not any(_endpoint(scheme, settings)):
            said = "must be set: the API's document names no token endpoint by https"
            raise _refused(api, "exchange_token_url", said)


def _refused(api: Api, setting: str, said: str) -> ConfigurationError:
    return ConfigurationError(f"{api.env_prefix}_{setting.upper()} {said}")
