"""The table `[auth]` of a `mcpgen.toml`: credentials that callers over HTTP bring along."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..runtime.values.urls import is_secure
from .tool_tables import SettingProblem, check_keys, check_table

AUTH_KEYS: Mapping[str, tuple[type, str]] = {
    "source": (str, "environment, or caller: callers over HTTP bring credentials of their own."),
    "headers": (dict, "Of security schemes, the header in which a caller's credential comes."),
    "exchange": (dict, "The same for a token that is exchanged for one of the API (RFC 8693)."),
    "exchange_token_url": (str, "Where, if not at the scheme's own token endpoint."),
    "exchange_audience": (str, "The audience that is asked for."),
    "exchange_resource": (str, "The resource, a URI, that is asked for."),
}
SETTINGS = {"headers": "caller_auth", "exchange": "caller_exchange"}
"""What the server's own settings call the tables."""
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
"""RFC 9110 5.1."""


def check(table: Any) -> dict[str, Any]:
    """The table as it is, if it is right; raises SettingProblem."""
    entries = check_table("auth", table)
    check_keys("auth", entries, AUTH_KEYS)
    if entries.get("source", "environment") not in ("environment", "caller"):
        raise SettingProblem("settings-value", "`auth.source` must be environment or caller")
    if entries.get("source") == "caller" and not (
        entries.get("headers") or entries.get("exchange")
    ):
        raise SettingProblem(
            "settings-value",
            "`auth` says that callers bring credentials, and not which",
            'Say which header feeds which scheme: `headers = {api_key = "X-Api-Key"}`.',
        )
    for key in ("headers", "exchange"):
        for scheme, header in entries.get(key, {}).items():
            if not isinstance(header, str) or not _HEADER.fullmatch(header):
                raise SettingProblem("settings-value", f'`auth.{key}."{scheme}"` is no header')
    if not is_secure(entries.get("exchange_token_url", "https://x")):
        raise SettingProblem("settings-value", "`auth.exchange_token_url` must be an https URL")
    return dict(entries)


def server_defaults(table: Mapping[str, Any]) -> dict[str, Any]:
    """What the server's own settings start from, by their names; nothing unless it is turned on."""
    if table.get("source") != "caller":
        return {}
    defaults: dict[str, Any] = {}
    for key in AUTH_KEYS:
        if isinstance(table.get(key), dict):
            defaults[SETTINGS[key]] = tuple(table[key].items())
        elif key in table and key != "source":
            defaults[key] = table[key]
    return defaults
