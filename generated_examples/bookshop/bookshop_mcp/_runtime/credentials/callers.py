"""Credentials that each caller over HTTP brings along, where the operator has turned that on.

Nothing here outlives the call, so that nothing of one caller can reach another.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..values.errors import optional
from ..values.settings import ConfigurationError, Settings
from . import auth
from .auth import Api, Requirement
from .schemes import Bearer, Credentials


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
        exchanged = optional("credentials.oauth").Exchanged
        schemes[key] = exchanged.of(schemes[key], settings, headers.get(header.lower(), ""))
    environment = ChainMap(values, environ)  # type: ignore[arg-type]  # it is only read
    return auth.choose(replace(api, security_schemes=schemes), security, environment, brought)


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
        if not any(optional("credentials.oauth").endpoint_of(scheme, settings)):
            said = "must be set: the API's document names no token endpoint by https"
            raise _refused(api, "exchange_token_url", said)


def _refused(api: Api, setting: str, said: str) -> ConfigurationError:
    return ConfigurationError(f"{api.env_prefix}_{setting.upper()} {said}")
