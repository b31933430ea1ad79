"""Credentials for the API that callers bring over HTTP; see `HttpSettings`."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...credentials.api import Api, Requirement
from ...credentials.auth import choose
from ...credentials.schemes import Bearer, Credentials
from ...values.environment import actual
from ...values.settings import ConfigurationError


def choose_of_caller(
    api: Api,
    security: Sequence[Requirement] | None,
    settings: Any,
    environ: Mapping[str, str],
    headers: Mapping[str, str],
) -> Credentials:
    """The credentials of a call with these HTTP headers; the other arguments are as for `choose`.

    Raises:
        ToolError: no alternative is complete; the text names the headers.
    """
    schemes, values = dict(api.security_schemes), dict[str, str]()
    brought = {schemes[key].variables[0]: header for key, header in settings.brought}
    for key, header in settings.caller_auth:
        env = schemes[key].variables[0]
        values[env] = actual(headers.get(header.lower(), ""))
        if schemes[key].gets_tokens:  # none is got for a caller
            schemes[key] = Bearer(env)
    for key, header in settings.caller_exchange:
        own: Any = schemes[key]  # one that gets tokens, as `check_callers` has seen
        schemes[key] = own.exchanged(settings, actual(headers.get(header.lower(), "")))
    environment = ChainMap(values, environ)  # type: ignore[arg-type]  # it is only read
    return choose(replace(api, security_schemes=schemes), security, environment, brought)


def check_callers(api: Api, settings: Any) -> None:
    """Refuse a setting that names an unknown scheme or has a value that no header can carry.

    Raises:
        ConfigurationError: the message names the variable.
    """
    for key, header in settings.brought:
        scheme: Any = api.security_schemes.get(key)
        exchanged = key in dict(settings.caller_exchange)
        setting = "caller_exchange" if exchanged else "caller_auth"
        if scheme is None:
            names = ", ".join(api.security_schemes) or "none"
            reason = f"names no scheme of the API; it has: {names}"
        elif not exchanged and not scheme.fits_header:
            reason = "names a scheme that no single header can carry"
        elif exchanged and not scheme.gets_tokens:
            reason = "names a scheme that is neither OAuth 2.0 nor OpenID Connect"
        elif not exchanged and settings.callers_sign_in and header.lower() == "authorization":
            reason = "would send callers' tokens for this server to the API: name another header"
        elif exchanged and key in dict(settings.caller_auth):
            reason = "names a scheme that CALLER_AUTH names too"
        elif exchanged and not any(scheme.endpoint(settings)):
            setting = "exchange_token_url"
            reason = "must be set: the API's document names no token endpoint with https"
        else:
            continue
        raise ConfigurationError(f"{api.env_prefix}_{setting.upper()} {reason}")
