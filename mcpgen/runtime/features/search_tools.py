"""The search surface's own tools, as `tools/list` answers them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .search_pages import MOST

FIND, DESCRIBE, READ, WRITE = "find_tools", "describe_tools", "call_read_tool", "call_write_tool"
MOST_FOUND, MOST_DESCRIBED = 50, 8
USUAL = 20
_AREAS = 1900
"""Characters of the areas in a description."""

_NAME = {"type": "string", "description": "The tool's name, as find_tools has it."}
_ARGUMENTS = {"type": "object", "description": "The tool's arguments, as describe_tools has them."}
_PAGES = {
    "type": "integer",
    "minimum": 1,
    "maximum": MOST,
    "description": "Join up to so many pages of a list; default: one.",
}
_FIELDS = {
    "type": "array",
    "items": {"type": "string"},
    "description": "Only these fields of the answer, such as $.items[*].id; default: all.",
}


def own_tools(
    prefix: str, title: str, areas: Sequence[tuple[str, int, str]], *, writes: bool, pages: bool
) -> list[dict[str, Any]]:
    """The tools of the surface; `areas` are names with their counts and what they are about."""
    found = [_find(title, areas, writes=writes), _describe(), _call_read(pages=pages)]
    if writes:
        found.append(_call_write())
    return [{**tool, "name": f"{prefix}{tool['name']}"} for tool in found]


def _find(title: str, areas: Sequence[tuple[str, int, str]], *, writes: bool) -> dict[str, Any]:
    count = sum(number for _, number, _ in areas)
    text = (
        f"Find the tools of {title} by what they do: {count:,} tools in all. Say it in a few words "
        "of the API, such as `list open invoices`; another wording helps where nothing fits. "
        "Answers a line for each tool: name(required, optional?) - summary [effect].\n"
        f"Areas: {_listed(areas)}"
    )
    properties: dict[str, Any] = {
        "query": {"type": "string", "description": "What the tool does, in a few words."},
        "area": {"type": "string", "description": "Only this area; without query: all of it."},
        "limit": {"type": "integer", "minimum": 1, "maximum": MOST_FOUND, "default": USUAL},
        "cursor": {"type": "string", "description": "Where a list goes on."},
    }
    if writes:
        properties["effect"] = {"enum": ["read", "write"]}
    return _tool(FIND, "Find tools", text, properties, ())


def _listed(areas: Sequence[tuple[str, int, str]]) -> str:
    """The areas, the largest first, as many as there is room for."""
    shown: list[str] = []
    for name, number, about in sorted(areas, key=lambda area: -area[1]):
        text = f"{name} ({number})" + (f": {about}" if about else "")
        if len("; ".join([*shown, text])) > _AREAS:
            return "; ".join(
                [*shown, f"and {len(areas) - len(shown)} more (call without arguments)"]
            )
        shown.append(text)
    return "; ".join(shown)


def _describe() -> dict[str, Any]:
    text = (
        "How tools are called, before a first call: each argument with its type, bounds, default "
        "and text, and what the tool answers."
    )
    names = {"type": "array", "items": {"type": "string"}, "minItems": 1}
    properties = {
        "names": {**names, "maxItems": MOST_DESCRIBED},
        "path": {"type": "string", "description": "Only this part, such as body.lines[]."},
        "schema": {"type": "boolean", "description": "true: JSON Schemas.", "default": False},
    }
    return _tool(DESCRIBE, "Describe tools", text, properties, ("names",))


def _call_read(*, pages: bool) -> dict[str, Any]:
    text = "Call a tool that only reads ([read]). Answers what the tool answers."
    properties = {"name": _NAME, "arguments": _ARGUMENTS, "fields": _FIELDS}
    properties |= {"pages": _PAGES} if pages else {}
    return _tool(READ, "Call a reading tool", text, properties, ("name",), open_world=True)


def _call_write() -> dict[str, Any]:
    text = "Call a tool that changes something ([write], [delete]). Answers what the tool answers."
    properties = {"name": _NAME, "arguments": _ARGUMENTS, "fields": _FIELDS}
    hints = {"reads": False, "open_world": True}
    return _tool(WRITE, "Call a changing tool", text, properties, ("name",), **hints)


def _tool(
    name: str,
    title: str,
    text: str,
    properties: Mapping[str, Any],
    required: Sequence[str],
    *,
    reads: bool = True,
    open_world: bool = False,
) -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }
    hints = {
        "readOnlyHint": reads,
        "destructiveHint": not reads,
        "idempotentHint": reads,
        "openWorldHint": open_world,
    }
    return {
        "name": name,
        "title": title,
        "description": text,
        "inputSchema": schema if required else {k: v for k, v in schema.items() if k != "required"},
        "annotations": hints,
        "_meta": {"anthropic/alwaysLoad": True},
    }
