"""`access.json`: the scopes that a caller over HTTP needs for each tool.

They are the scopes of the operation's own `security`, unless `mcpgen.toml` sets others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import literals
from ..api import Api, Tool

_SCOPED = ("oauth2", "openIdConnect")
_FOR_CLIENTS = {"offline_access"}
"""What clients ask for themselves, a refresh token: no resource needs it (MCP, Refresh Tokens)."""


def scopes_file(api: Api, tables: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """The file by its name, or nothing where no tool needs a scope; `tables` are of single tools.

    By tool: alternatives, one of which a caller must have whole (OpenAPI 3.1.2, Security
    Requirement Object).
    """
    own = {t.get("name", name): t["scopes"] for name, t in tables.items() if "scopes" in t}
    of = api.parts
    needed = {t.name: _alternatives(of.get(t.api, api), t, own.get(t.name)) for t in api.tools}
    found = {name: alternatives for name, alternatives in needed.items() if alternatives}
    return {"access.json": literals.json_text(found)} if found else {}


def _alternatives(api: Api, tool: Tool, own: list[str] | None) -> list[list[str]]:
    if own is not None:
        return [own] if own else []
    if tool.http is None:
        return []
    kinds = {scheme.key: scheme.type for scheme in api.security_schemes}
    found = [
        {s for key, listed in each.items() if kinds.get(key) in _SCOPED for s in listed}
        for each in api.security_of(tool.http)
    ]
    alternatives = [sorted(scopes - _FOR_CLIENTS) for scopes in found]
    return alternatives if all(alternatives) else []
