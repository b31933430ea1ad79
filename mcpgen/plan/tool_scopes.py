"""`access.json`: the scopes that a caller over HTTP needs for each tool.

They are the scopes of the operation's own `security`, unless `mcpgen.toml` sets others. The scopes
in `[[with]]`, or else in `[tools."*"]`, apply to each tool that would need none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..api import Api, Tool
from ..settings.settings import EVERY
from ..text import literals

_SCOPED = ("oauth2", "openIdConnect")
_FOR_CLIENTS = {"offline_access"}
"""What clients ask for themselves, a refresh token: no resource needs it (MCP, Refresh Tokens)."""


def scopes_file(api: Api, tables: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """The file `access.json`, or nothing if no tool needs a scope; `tables` has the tools'
    settings.

    The file lists alternatives for each tool: a caller must have all scopes of one of them (OpenAPI
    3.1.2, Security Requirement Object).
    """
    own = {t.get("name", name): t["scopes"] for name, t in tables.items() if "scopes" in t}
    common = tables.get(EVERY, {}).get("scopes", [])
    parts = api.parts
    by_tool: dict[str, list[list[str]]] = {}
    for tool in api.tools:
        alternatives = _alternatives(parts.get(tool.api, api), tool, own.get(tool.name))
        if tool.replaces_scopes and tool.name not in own:
            alternatives = []
        default = list(tool.scopes) or common
        if default and not alternatives and tool.name not in own:
            alternatives = [default]
        if alternatives:
            by_tool[tool.name] = alternatives
    return {"access.json": literals.json_text(by_tool)} if by_tool else {}


def _alternatives(api: Api, tool: Tool, own: list[str] | None) -> list[list[str]]:
    if own is not None:
        return [own] if own else []
    if tool.http is None:
        return []
    scoped = {scheme.key for scheme in api.security_schemes if scheme.type in _SCOPED}
    alternatives = []
    for requirement in api.security_of(tool.http):
        scopes = set[str]().union(*(s for key, s in requirement.items() if key in scoped))
        alternatives.append(sorted(scopes - _FOR_CLIENTS))
    return alternatives if all(alternatives) else []
