"""Checks the credentials that callers bring against the document's security schemes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from .. import runtime
from ..api import Api, SecurityScheme
from ..diagnostics import Diagnostics
from ..operations.scheme_classes import class_of
from ..operations.token_urls import discovery_url, refresh_url, token_url
from ..settings.rows import settings_of
from ..settings.settings import Auth
from ..settings.values import callers_defaults


def verify(
    api: Api, table: Mapping[str, Any], diagnostics: Diagnostics, *, of: tuple[str, ...] = ()
) -> None:
    """Report callers' credentials whose scheme the document lacks, or has as another kind.

    So is a table that does not turn them on: somebody may believe that it does. `of` are the words
    that lead to it in the settings.
    """
    if table and "source" not in table:
        message = "mcpgen.toml: `auth` is not turned on: callers bring no credentials"
        hint = 'Write `source = "caller"` there; `"environment"` leaves it off.'
        diagnostics.warning("settings-no-effect", message, hint=hint, setting=(*of, "auth"))
    defaults = callers_defaults(table)
    schemes = {scheme.key: scheme for scheme in api.security_schemes}
    listing = f"The document's schemes: {', '.join(schemes) or 'none'}."
    for name in ("headers", "exchange"):
        setting = settings_of(Auth)[name].row.server
        for key, _ in defaults.get(setting, ()):
            report = partial(diagnostics.error, "auth-scheme", setting=(*of, "auth", name, key))
            if key not in schemes:
                report(f"there is no security scheme `{key}`", hint=listing)
            elif setting == "caller_auth":
                _verify_header(schemes[key], report)
            else:
                _verify_exchange(schemes[key], defaults, report)


def _verify_header(scheme: SecurityScheme, report: Callable[..., None]) -> None:
    if not _class(scheme).fits_header:
        report(f"no single header can carry `{scheme.key}`")


def _verify_exchange(
    scheme: SecurityScheme, defaults: Mapping[str, Any], report: Callable[..., None]
) -> None:
    if not _class(scheme).gets_tokens:
        report(
            f"`{scheme.key}` is neither OAuth 2.0 nor OpenID Connect: no token is exchanged for it",
            hint="`auth.headers` hands a caller's credential through as it is.",
        )
    elif scheme.key in dict(defaults.get("caller_auth", ())):
        report(f"`{scheme.key}` is handed through and exchanged")
    elif not ("exchange_token_url" in defaults or _has_endpoint(scheme)):
        report(
            f"the document names no token endpoint of `{scheme.key}` by https",
            hint="Set `auth.exchange_token_url`.",
        )


def _class(scheme: SecurityScheme) -> Any:
    return getattr(runtime, class_of(scheme))


def _has_endpoint(scheme: SecurityScheme) -> bool:
    return bool(token_url(scheme) or refresh_url(scheme) or discovery_url(scheme))
