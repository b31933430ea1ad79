"""Settings that only work with an OpenAPI document but are used with a tool file."""

from __future__ import annotations

from pathlib import PurePath

from ..diagnostics import Diagnostics
from .settings import FILTERS, KEYS, Settings

_OTHER = "is not an OpenAPI document"


def report(settings: Settings, diagnostics: Diagnostics) -> None:
    """Report settings that are only for OpenAPI documents, since a tool file ignores them.

    Otherwise a user may believe, for example, that `read_only` removes tools of a tool file.
    """
    file = PurePath(settings.source).name
    for key in FILTERS:
        if getattr(settings, key) != KEYS[key].default:
            message = f"mcpgen.toml: `{key}` has no effect, because {file} {_OTHER}"
            hint = "Leave single tools out with `enabled = false` in their tables."
            diagnostics.warning("settings-no-effect", message, hint=hint, setting=(key,))
    if settings.security_schemes:
        message = f"mcpgen.toml: `security_schemes` has no effect, because {file} {_OTHER}"
        hint = "Write `server.securitySchemes` and `server.security` there."
        diagnostics.warning("settings-no-effect", message, hint=hint, setting=("security_schemes",))
    if settings.security != KEYS["security"].default:
        message = f"mcpgen.toml: `security` has no effect, because {file} {_OTHER}"
        hint = "Write `server.security` there."
        diagnostics.warning("settings-no-effect", message, hint=hint, setting=("security",))
    if settings.base_url:
        message = f"mcpgen.toml: `base_url` has no effect, because {file} {_OTHER}"
        hint = "Write `server.baseUrl` there, or set the server's base URL when it runs."
        diagnostics.warning("settings-no-effect", message, hint=hint, setting=("base_url",))
