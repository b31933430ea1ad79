"""Servers over HTTP without sign-in: refused if callers have to sign in, otherwise reported."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from ...calls.access import FILE
from ...calls.catalogue import read_json
from ...values.settings import ConfigurationError
from .settings import HttpSettings


def check(settings: HttpSettings, prefix: str, package: str) -> Sequence[str]:
    """A list with the warning that anybody may call, or empty.

    Raises ConfigurationError if callers cannot sign in.
    """
    if lacking := way_missing(settings, prefix):
        raise ConfigurationError(lacking)
    if settings.callers_sign_in or settings.http_anonymous:
        return ()
    unbound = ""
    with suppress(FileNotFoundError):
        read_json(package, FILE)
        unbound = ", and without a caller the scopes of tools are not checked"
    is_told = unbound or settings.public_hosts or settings.is_guarded
    told = f"anybody may call: nobody has to sign in{unbound}; {_way_out(settings, prefix)}"
    return (told,) if is_told else ()


def way_missing(settings: HttpSettings, prefix: str) -> str:
    """Why callers who must sign in have no way to do it; empty if they have one or need none."""
    if settings.callers_sign_in or settings.http_anonymous is not False:
        return ""
    return f"callers must sign in, but nothing says how: {_way_out(settings, prefix)}"


def _way_out(settings: HttpSettings, prefix: str) -> str:
    ways = " or ".join(f"{prefix}_{way.upper()}" for way in settings.ways)
    taken = any(header.lower() == "authorization" for _, header in settings.caller_auth)
    before = (
        f"name another header than Authorization in {prefix}_CALLER_AUTH, and " if taken else ""
    )
    return f"{before}set {ways}, or {prefix}_HTTP_ANONYMOUS=true if anybody may call"
