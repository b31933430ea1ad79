"""Links and commands with which people add a published server to their host."""

from __future__ import annotations

import base64
import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlencode

from ..package import InstallLinks, Variable


def install_links(
    server: str,
    distribution: str,
    version: str,
    variables: Sequence[Variable],
    published: Mapping[str, Any],
) -> InstallLinks:
    """The links for VS Code and Cursor, and the command for Claude Code.

    They contain no secrets: VS Code asks the user for each, and Cursor and Claude Code read them
    from the user's environment.
    """
    asked = [each for each in variables if each.is_asked]
    command = _command(distribution, version, asked, published)
    return InstallLinks(
        vs_code=_vs_code(server, command, asked),
        cursor=_cursor(server, command, asked),
        claude_code=claude_code(server, command, asked),
    )


def _command(
    distribution: str, version: str, asked: Sequence[Variable], published: Mapping[str, Any]
) -> list[str]:
    """The command that starts the server: `uvx`, `docker run`, or the installed console script."""
    if published.get("pypi", True):
        return ["uvx", distribution]
    if image := published.get("image"):
        passed = (part for each in asked for part in ("-e", each.name))
        return ["docker", "run", "-i", "--rm", *passed, f"{image}:{version}"]
    return [distribution]


def _vs_code(server: str, command: Sequence[str], asked: Sequence[Variable]) -> str:
    inputs = [
        {
            "type": "promptString",
            "id": each.name,
            "description": each.description,
            **({"password": True} if each.secret else {}),
        }
        for each in asked
    ]
    config = _config(command, {each.name: f"${{input:{each.name}}}" for each in asked})
    query = {"name": server, "config": _json(config)}
    query |= {"inputs": _json(inputs)} if asked else {}
    return f"https://insiders.vscode.dev/redirect/mcp/install?{urlencode(query, quote_via=quote)}"


def _cursor(server: str, command: Sequence[str], asked: Sequence[Variable]) -> str:
    config = _config(command, {each.name: f"${{env:{each.name}}}" for each in asked})
    encoded = base64.b64encode(_json(config).encode()).decode()
    query = urlencode({"name": server, "config": encoded}, quote_via=quote)
    return f"https://cursor.com/en/install-mcp?{query}"


def claude_code(server: str, command: Sequence[str], variables: Sequence[Variable]) -> str:
    """The command that adds the server to Claude Code, with the variables that it needs.

    The values come from the user's environment, so the command does not contain them.
    """
    asked = (each.name for each in variables if each.is_asked)
    passed = "".join(f' --env {name}="${name}"' for name in asked)
    return f"claude mcp add {server}{passed} -- {shlex.join(command)}"


def _config(command: Sequence[str], env: Mapping[str, str]) -> dict[str, Any]:
    first, *arguments = command
    config: dict[str, Any] = {"type": "stdio", "command": first, "args": arguments}
    return {**config, "env": dict(env)} if env else config


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
