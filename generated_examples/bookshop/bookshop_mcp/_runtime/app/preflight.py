"""Finds faults in the environment before the server starts to serve."""

from __future__ import annotations

import re
import ssl
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from ..backend.signing import base_url
from ..credentials.api import Api
from ..values.environment import EnvironmentWithFiles, actual, is_placeholder
from ..values.errors import ToolError
from ..values.settings import ConfigurationError, Settings
from ..values.urls import Origin, check_base_url, expand

_ODD = re.compile(
    r"""(?P<quotes>(["']).*\2)|(?P<placeholder>\{\{.*}}|%\w+%|\$[A-Za-z_]\w*|<[^<>]*>)"""
    r"|(?P<header>authorization:.*)|(?P<schemes>(bearer|basic|token|apikey|jwt)(\s+\S+){2})",
    re.DOTALL | re.IGNORECASE,
)
"""Values that people rarely mean, by what is wrong with them."""


def check(api: Api, settings: Settings, environ: Mapping[str, str]) -> None:
    """Refuse credentials that no header can carry, and server variables that give no valid URL.

    Raises:
        ConfigurationError: naming the variable, without its value.
    """
    for scheme in api.security_schemes.values():
        if problem := scheme.unsendable(environ):
            raise ConfigurationError(problem)
    variables_of_url = api.servers[0].variables.values() if api.servers else ()
    variables = [v.env for v in variables_of_url if v.env and actual(environ.get(v.env, ""))]
    if settings.base_url or not variables:
        return
    try:
        check_base_url(expand(api.servers[0], environ))
    except ToolError as problem:
        raise ConfigurationError(problem.message) from None
    except ValueError as problem:
        names = " and ".join(map(str, variables))
        raise ConfigurationError(f"with {names}, the URL of the API {problem}") from None


def check_files(api: Api, settings: Settings, environ: Mapping[str, str]) -> None:
    """Refuse a proxy whose package is missing, and unreadable credential and certificate files.

    This is only for servers over HTTP. Over stdio, where clients show nothing of a server that
    stops, the calls that need a file report the problem.

    Raises:
        ConfigurationError: naming the variable, without its value.
    """
    contents = EnvironmentWithFiles(environ)
    for scheme in api.security_schemes.values():
        try:
            values = {name: contents.get(name, "") for name in scheme.variables}
        except ToolError as problem:
            raise ConfigurationError(problem.message.removesuffix(" Nothing was sent.")) from None
        if unusable := scheme.unreadable(values) or scheme.unsendable(values):
            raise ConfigurationError(unusable)
    prefix = api.env_prefix
    if settings.file_root and not Path(settings.file_root).is_dir():
        raise ConfigurationError(f"{prefix}_FILE_ROOT does not name a folder")
    if (settings.proxy or "").lower().startswith("socks") and find_spec("socksio") is None:
        raise ConfigurationError(
            f"{prefix}_PROXY is a SOCKS proxy, for which a package is missing: pip install socksio"
        )
    system = environ.get("SSL_CERT_FILE")
    trusted = ((f"{prefix}_CA_BUNDLE", settings.ca_bundle), ("SSL_CERT_FILE", system))
    for variable, path in trusted:
        try:
            if path:
                ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(path)
        except OSError:
            reason = "does not name a readable file with certificates (PEM)"
            raise ConfigurationError(f"{variable} {reason}") from None


def missing(
    api: Api,
    settings: Settings,
    environ: Mapping[str, str],
    *,
    signs: bool = False,
    is_served: bool = True,
) -> Iterator[str]:
    """A line for a proxy that is not used, and a line for each scheme without a credential.

    With `signs` the author's hook may sign requests, and each line says so. A credential
    that callers bring counts as missing, unless the server `is_served` over HTTP.

    Raises:
        ConfigurationError: no URL of the API is known, so that no operation can be called.
    """
    try:
        url = base_url(api, None, settings, environ)
    except ToolError as problem:
        if api.servers:
            raise ConfigurationError(problem.message) from None
    else:
        from ..backend.failures import unread_proxy  # with the HTTP client

        unread = unread_proxy(Origin.of(url).scheme, api.env_prefix, environ)
        if unread and settings.proxy is None:
            yield unread.rstrip(". ")
    contents = EnvironmentWithFiles(environ)
    of_callers = settings.of_callers
    unset = {
        name: names
        for name, scheme in api.security_schemes.items()
        if not (is_served and name in of_callers) and (names := scheme.unset(contents))
    }
    enough = [" with ".join(way) for way in api.security if way and unset.keys().isdisjoint(way)]
    chosen = {name for way in api.security for name in way} if enough else set()
    for name, names in unset.items():
        beside = f" (not needed where {enough[0]} will do)" if name in chosen else ""
        beside = " (not needed where `authenticate` in hooks.py signs)" if signs else beside
        by_callers = f" (over HTTP, {of_callers[name]})" if name in of_callers else ""
        yield f"{name} has no credential: {' and '.join(names)}{beside or by_callers}"


def remarks(apis: Sequence[Api], environ: Mapping[str, str]) -> Iterator[str]:
    """A line for each variable whose value is probably a mistake."""
    contents = EnvironmentWithFiles(environ)
    prefixes = tuple(f"{api.env_prefix}_" for api in apis)
    schemes = [scheme for api in apis for scheme in api.security_schemes.values()]
    for scheme in schemes:
        with suppress(ToolError):
            if remark := scheme.remark(contents):
                yield remark
    own = (name for name in environ if name.startswith(prefixes))
    for name in dict.fromkeys((*own, *(name for scheme in schemes for name in scheme.variables))):
        if is_placeholder(environ.get(name, "")):
            yield f"{name} counts as unset: it holds `${{...}}`, which was not replaced"
        with suppress(ToolError):  # of a file; whoever needs it says so
            if odd := _ODD.fullmatch(contents.get(name, "").strip()):
                yield f"{name} is used exactly as set, {odd.lastgroup} included"
