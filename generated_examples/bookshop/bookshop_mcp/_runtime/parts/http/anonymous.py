"""Servers over HTTP on which nobody signs in: refused where that was not meant, else told of."""

from __future__ import annotations

from contextlib import suppress

from ..values.errors import ToolError, optional
from ..values.settings import ConfigurationError, Settings
from .access import scopes_by_tool


def check(settings: Settings, prefix: str, package: str) -> str:
    """What is to be told of a server on which nobody signs in; empty: nothing.

    Raises:
        ConfigurationError: its package speaks of callers, and nobody said that all may call.
    """
    if settings.callers_sign_in or settings.http_anonymous:
        return ""
    names = ["HTTP_TOKEN", "HTTP_ISSUER"]
    with suppress(ToolError):
        optional("guard.tokens")
        names.insert(0, "HTTP_TOKENS_FILE")
    ways = " or ".join(f"{prefix}_{name}" for name in names)
    way_out = f"set {ways}, or {prefix}_HTTP_ANONYMOUS=true if that is meant"
    if settings.http_anonymous is False:
        raise ConfigurationError(
            f"this server is made for callers who sign in, and anybody could call it: {way_out}"
        )
    is_scoped = bool(scopes_by_tool(package))
    if not (settings.public_hosts or settings.is_guarded or is_scoped):
        return ""
    unbound = ", and the scopes of tools bind nobody" if is_scoped else ""
    return f"anybody may call: nobody has to sign in{unbound}; {way_out}"
