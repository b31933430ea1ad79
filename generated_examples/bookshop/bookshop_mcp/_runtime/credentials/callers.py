"""Credentials that each caller over HTTP brings along, where the operator has turned that on.

Nothing here outlives the call, so that nothing of one caller can reach another.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..values.errors import optional
from ..values.settings import ConfigurationError, Settings
from . import auth
from .auth import Api, Requirement
from .schemes import Bearer, Credentials, Grant, Place, Scheme, Source


@dataclass(frozen=True)
class _Exchange(Scheme):
    """A caller's token, in place of a scheme's own, to be exchanged for one of the API."""

    variable: str
    scheme: Any
    settings: Settings
    subject_token: str = field(repr=False)

    def unset(self, environ: Mapping[str, str]) -> list[str]:
        """What stands for a token that the caller did not bring."""
        return [] if self.subject_token else [self.variable]

    def sign(self, source: Source) -> Credentials:
        """Say what the token is got for."""
        url_of = optional("credentials.oauth").url_of
        urls = (url_of(each, source.environ) for each in _endpoint(self.scheme, self.settings))
        token_url, discovery_url = urls
        secret = source.environ.get(self.scheme.client_secret_env, "").strip()
        grant = Grant(
            token_url=token_url,
            refresh_url="",
            discovery_url=discovery_url,
            client_id=source.environ.get(self.scheme.client_id_env, "").strip(),
            client_secret=secret,
            refresh_token="",
            scopes=source.scopes,
            subject_token=self.subject_token,
            audience=self.settings.exchange_audience or "",
            resource=self.settings.exchange_resource or "",
        )
        return Credentials(grant=grant, secrets=(self.subject_token, secret))


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
    schemes, values = dict(api.security_schemes), dict[str, str]()
    brought = {schemes[key].variables[0]: header for key, header in settings.brought}
    for key, header in settings.caller_auth:
        env = schemes[key].variables[0]
        values[env] = headers.get(header.lower(), "")
        if schemes[key].gets_tokens:  # none is got for a caller
            schemes[key] = Bearer(env)
    for key, header in settings.caller_exchange:
        token = _bearer(headers.get(header.lower(), ""))
        schemes[key] = _Exchange(schemes[key].variables[0], schemes[key], settings, token)
    environment = ChainMap(values, environ)  # type: ignore[arg-type]  # it is only read
    return auth.choose(replace(api, security_schemes=schemes), security, environment, brought)


def _bearer(header: str) -> str:
    """The token of a header, with or without its scheme; empty where the scheme is another."""
    kind, _, token = header.strip().partition(" ")
    if kind.lower() == "bearer":
        return token.strip()
    return "" if token else kind


def _endpoint(scheme: Any, settings: Settings) -> tuple[Place, Place]:
    """The token endpoint, or else where metadata names it."""
    if settings.exchange_token_url:
        return settings.exchange_token_url, ""
    return scheme.token_url or scheme.refresh_url, scheme.discovery_url


def check(api: Api, settings: Settings) -> None:
    """Refuse a setting that names what the API does not have or a header cannot carry.

    Raises:
        ConfigurationError: naming the variable.
    """
    for setting in ("caller_auth", "caller_exchange"):
        for key, _ in getattr(settings, setting):
            if key not in api.security_schemes:
                names = ", ".join(api.security_schemes) or "none"
                raise _refused(api, setting, f"names a scheme that is none of the API's: {names}")
    for key, _ in settings.caller_auth:
        if not api.security_schemes[key].fits_header:
            raise _refused(api, "caller_auth", "names a scheme that no single header can carry")
    for key, _ in settings.caller_exchange:
        scheme = api.security_schemes[key]
        if not scheme.gets_tokens:
            said = "names a scheme that is neither OAuth 2.0 nor OpenID Connect"
            raise _refused(api, "caller_exchange", said)
        if key in dict(settings.caller_auth):
            raise _refused(api, "caller_exchange", "names a scheme that CALLER_AUTH names too")
        if not any(_endpoint(scheme, settings)):
            said = "must be set: the API's document names no token endpoint by https"
            raise _refused(api, "exchange_token_url", said)


def _refused(api: Api, setting: str, said: str) -> ConfigurationError:
    return ConfigurationError(f"{api.env_prefix}_{setting.upper()} {said}")
