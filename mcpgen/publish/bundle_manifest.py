"""`manifest.json` of a bundle for Claude Desktop (MCPB, its manifest version 0.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..api import Api
from ..package import Package, Variable
from ..text import literals
from .registry_entry import description


def manifest(
    package: Package, api: Api, published: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """The manifest of a server's bundle.

    The host application runs the server with uv, and asks the user for the variables' values.
    """
    run = ["run", "--directory", "${__dirname}", "--no-dev", package.distribution]
    variables = [each for each in package.variables if each.is_listed]
    env = {each.name: f"${{user_config.{each.name}}}" for each in variables}
    fields: dict[str, Any] = {
        "manifest_version": "0.4",
        "name": package.distribution,
        "display_name": package.title,
        "version": package.version,
        "description": description(package, api, published),
        "long_description": literals.one_line(api.description),
        "author": {"name": published.get("author") or package.title},
        "homepage": api.website_url if api.website_url.startswith("https://") else "",
        "icon": next((i.src for i in api.icons if _is_png(i.src, i.mime_type)), ""),
        "server": {
            "type": "uv",
            "entry_point": f"{package.name}/__main__.py",
            "mcp_config": {"command": "uv", "args": run, "env": env},
        },
        "tools": [_tool(each) for each in tools],
        "tools_generated": "changes" in package.parts,
        "compatibility": {
            "platforms": ["darwin", "win32", "linux"],
            "runtimes": {"python": ">=3.11"},
        },
        "user_config": {each.name: _option(each) for each in variables},
    }
    if url := published.get("repository"):
        fields["repository"] = {"type": "git", "url": url}
    return {key: value for key, value in fields.items() if value}


def _tool(tool: Mapping[str, Any]) -> dict[str, str]:
    about = literals.sentence(tool.get("description", ""))
    return {"name": tool["name"], **({"description": about} if about else {})}


def _option(variable: Variable) -> dict[str, Any]:
    """The host's question for a variable.

    Each question has a default: without one, hosts leave `${user_config.NAME}` in place, and an
    empty variable counts as unset.
    """
    kind, default = _typed(variable)
    option: dict[str, Any] = {
        "type": kind,
        "title": variable.name,
        "description": _describe(variable),
        "required": variable.required,
    }
    option |= {"sensitive": True} if variable.secret else {}
    return option if variable.required else {**option, "default": default}


def _describe(variable: Variable) -> str:
    if not variable.choices or all(each in variable.description for each in variable.choices):
        return variable.description
    return f"{variable.description} One of: {', '.join(variable.choices)}."


def _typed(variable: Variable) -> tuple[str, Any]:
    """The host's type for a variable, and its default.

    A number without a default gets the type `string`, since hosts would set a number to 0.
    """
    default = variable.default
    if variable.format == "boolean" and default in ("true", "false"):
        return "boolean", default == "true"
    if variable.format == "number" and default:
        return "number", float(default) if "." in default else int(default)
    if variable.format == "filepath":
        return "file", default
    return "string", default


def _is_png(src: str, mime_type: str | None) -> bool:
    is_png = mime_type == "image/png" if mime_type else src.endswith(".png")
    return src.startswith("https://") and is_png
