"""The tables `[security_schemes.<name>]` of a `mcpgen.toml`: how to sign in to the API."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .tool_tables import SettingProblem, check_table

_NAME = re.compile(r"[A-Za-z0-9._-]+")
KEYS: Mapping[str, tuple[type, str]] = {
    "type": (str, "apiKey, http, oauth2, openIdConnect or mutualTLS."),
    "in": (str, "Of an apiKey: header, query or cookie."),
    "name": (str, "Of an apiKey: the header, parameter or cookie that holds it."),
    "scheme": (str, "Of http: bearer, basic, digest, or another one."),
    "flows": (dict, "Of oauth2: the flows with their URLs and scopes, as in OpenAPI."),
    "openIdConnectUrl": (str, "Of openIdConnect: where its discovery document is."),
}
"""For people; other keys of a Security Scheme Object are taken too."""
_NEEDED = {
    "apiKey": ("in", "name"),
    "http": ("scheme",),
    "oauth2": ("flows",),
    "openIdConnect": ("openIdConnectUrl",),
    "mutualTLS": (),
}
"""By type, the members that say how to sign in (OpenAPI 3.2.0, Security Scheme Object)."""
_HINT = 'Such as `type = "http"` and `scheme = "bearer"`.'


def check(tables: Any) -> dict[str, dict[str, Any]]:
    """The tables as they are, each a Security Scheme Object; raises SettingProblem."""
    schemes = {}
    for name, table in check_table("security_schemes", tables).items():
        called = f"security_schemes.{name}"
        if not _NAME.fullmatch(name):
            message = f"`{called}`: a name has A-Z, a-z, 0-9, `.`, `_` and `-` only"
            raise SettingProblem("settings-value", message)
        schemes[name] = dict(check_table(called, table))
        kind = schemes[name].get("type")
        if kind not in _NEEDED:
            message = f"`{called}.type` must be one of {', '.join(_NEEDED)}"
            raise SettingProblem("settings-value", message, _HINT)
        for key in _NEEDED[kind]:
            value_type = Mapping if key == "flows" else str
            if not isinstance(schemes[name].get(key), value_type) or not schemes[name][key]:
                message = f"`{called}` must say its `{key}`"
                raise SettingProblem("settings-value", message, _HINT)
    return schemes
