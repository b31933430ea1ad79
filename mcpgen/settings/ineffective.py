"""Settings that only work with an OpenAPI document but are used with a tool file."""

from __future__ import annotations

from pathlib import PurePath

from ..diagnostics import Diagnostics
from .settings import FILTERS, KEYS, Settings


def report(settings: Settings, diagnostics: Diagnostics) -> None:
    """Report settings that are only for OpenAPI documents, since a tool file ignores them.

    Otherwise a user may believe, for example, that `read_only` removes tools of a tool file.
    """
    file = PurePath(settings.source).name
    for key in FILTERS:
        if getattr(settings, key) != KEYS[key].default:
            message = f"mcpgen.toml: `{key}` is only for OpenAPI documents; all of {file} is read"
            hint = "Leave single tools out with `enabled = false` in their tables."
            diagnostics.warning("settings-no-effect", message, hint=hint, setting=(key,))
    if settings.security_schemes:
        message = f"mcpgen.toml: `security_schemes` is for OpenAPI documents, and not for {file}"
        hint = "Write `server.securitySchemes` and `server.security` there."
        diagnostics.warning("settings-no-effect", message, hint=hint, setting=("security_schemes",))
    if settings.security != KEYS["security"].default:
        message = f"mcpgen.toml: `security` is for OpenAPI documents: {file} says who signs in"
        hint = "Write `server.security` there."
        diagnostics.warning("settings-no-effect", message, hint=hint, setting=("security",))
    if settings.base_url:
        message = f"mcpgen.toml: `base_url` is for OpenAPI documents: {file} says where its API is"
        hint = "Write `server.baseUrl` there, or set the server's base URL when it runs."
        diagnostics.warning("settings-no-effect", message, hint=hint, setting=("base_url",))
