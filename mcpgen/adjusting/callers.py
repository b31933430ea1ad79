"""Checks callers' credentials in the settings against the document's security schemes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from msgspec import structs

from .. import runtime
from ..api import Api, SecurityScheme
from ..diagnostics import Diagnostics
from ..operations.scheme_classes import class_of
from ..operations.token_urls import discovery_url, refresh_url, token_url
from ..runtime.parts.delegation.ways import WAYS
from ..settings import Settings
from ..settings.rows import settings_of
from ..settings.settings import Auth
from ..settings.values import OF_SOURCE, callers_defaults

_SIGN_IN = "sign_in"


def apply(api: Api, settings: Settings, diagnostics: Diagnostics) -> tuple[Api, Settings]:
    """Complete and check the tables [auth] and [with.auth]; returns both with the new tables."""
    parts = api.parts
    tables = {key: _whole(parts[key], each.callers) for key, each in api.further.items()}
    own = _whole(parts[""], settings.auth)
    _verify(api, own, settings, diagnostics)
    for key, each in api.further.items():
        _verify(each, tables[key], settings, diagnostics, of=("with",))
    further = {key: structs.replace(a, callers=tables[key]) for key, a in api.further.items()}
    return structs.replace(api, further=further), replace(settings, auth=own)


def _whole(api: Api, table: Mapping[str, Any]) -> Mapping[str, Any]:
    """A table of callers' credentials; one for the sign-in gets the schemes and scopes it omits.

    They are taken from the document. Any other table is returned unchanged.
    """
    if table.get("source") != _SIGN_IN:
        return table
    fitting = [each.key for each in api.security_schemes if _class(each).takes_tokens]
    whole = {"schemes": fitting, **table}
    if "scopes" not in table and table.get("token") != "exchanged":
        whole["scopes"] = sorted({*_scopes(api, whole["schemes"])})
    return whole


def _scopes(api: Api, schemes: list[str]) -> Iterator[str]:
    """The scopes that operations require of the given security schemes."""
    for tool in api.tools:
        for way in api.security_of(tool.http) if tool.http is not None else ():
            yield from (scope for key in schemes for scope in way.get(key, ()))


def _verify(
    api: Api,
    table: Mapping[str, Any],
    settings: Settings,
    diagnostics: Diagnostics,
    *,
    of: tuple[str, ...] = (),
) -> None:
    """Report callers' credentials whose security scheme is not in the document or does not fit.

    A table `auth` without `source` is reported too, since it looks as if it turned credentials on.
    `of` is the path in the settings to the table that contains `auth`.
    """
    if table and "source" not in table:
        message = "mcpgen.toml: `auth` is not turned on: callers bring no credentials"
        hint = 'Write `source = "caller"` there; `"environment"` leaves it off.'
        diagnostics.warning("settings-no-effect", message, hint=hint, setting=(*of, "auth"))
    source = table.get("source", "")
    for key in table.keys() - {"source"} if source in OF_SOURCE else ():
        if key not in OF_SOURCE[source]:
            message = f'mcpgen.toml: `auth.{key}` does nothing with `source = "{source}"`'
            hint = f"With this source, the allowed keys are {', '.join(OF_SOURCE[source])}."
            diagnostics.warning(
                "settings-no-effect", message, hint=hint, setting=(*of, "auth", key)
            )
    defaults = callers_defaults(table)
    schemes = {scheme.key: scheme for scheme in api.security_schemes}
    listing = f"The document's schemes: {', '.join(schemes) or 'none'}."
    if source == _SIGN_IN:
        error = partial(diagnostics.error, "auth-scheme")
        _verify_delegation(schemes, table, settings, error, (*of, "auth"), listing)
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


def _verify_delegation(
    schemes: Mapping[str, SecurityScheme],
    table: Mapping[str, Any],
    settings: Settings,
    report: Callable[..., None],
    place: tuple[str, ...],
    listing: str,
) -> None:
    """Report why the signed-in person's token cannot be sent to an API."""
    provider = settings.sign_in.get("provider", "")
    if not settings.sign_in:
        report(
            'mcpgen.toml: `source = "sign_in"` needs the table [sign_in]',
            hint="That table names the provider at which people sign in.",
            setting=(*place, "source"),
        )
    elif table.get("token") == "exchanged" and provider and provider not in WAYS:
        report(
            f"mcpgen.toml: `{provider}` does not exchange tokens",
            hint="Its own tokens go to the API as they are. Providers that exchange tokens: "
            f"{', '.join(WAYS)}.",
            setting=(*place, "token"),
        )
    if not table["schemes"]:
        report(
            "no security scheme of the document accepts an access token",
            hint=listing,
            setting=(*place, "source"),
        )
    for key in table["schemes"]:
        if key not in schemes:
            report(
                f"there is no security scheme `{key}`",
                hint=listing,
                setting=(*place, "schemes"),
            )
        elif not _class(schemes[key]).takes_tokens:
            report(
                f"`{key}` accepts no access token",
                hint="OAuth 2.0, OpenID Connect and HTTP Bearer do.",
                setting=(*place, "schemes"),
            )


def _verify_header(scheme: SecurityScheme, report: Callable[..., None]) -> None:
    if not _class(scheme).fits_header:
        report(f"the credentials of `{scheme.key}` do not fit into one header")


def _verify_exchange(
    scheme: SecurityScheme, defaults: Mapping[str, Any], report: Callable[..., None]
) -> None:
    if not _class(scheme).gets_tokens:
        report(
            f"`{scheme.key}` is neither OAuth 2.0 nor OpenID Connect: no token is exchanged for it",
            hint="`auth.headers` passes a caller's credential on unchanged.",
        )
    elif scheme.key in dict(defaults.get("caller_auth", ())):
        report(f"`{scheme.key}` is in `auth.headers` and in `auth.exchange`: keep one of them")
    elif not ("exchange_token_url" in defaults or _has_endpoint(scheme)):
        report(
            f"the document has no https token endpoint for `{scheme.key}`",
            hint="Set `auth.exchange_token_url`.",
        )


def _class(scheme: SecurityScheme) -> Any:
    return getattr(runtime, class_of(scheme))


def _has_endpoint(scheme: SecurityScheme) -> bool:
    return bool(token_url(scheme) or refresh_url(scheme) or discovery_url(scheme))
