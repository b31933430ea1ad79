"""The MCP contract of a server: `tools.json`, the `tools/list` answer as it goes over the wire."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from . import literals
from .api import Api, Icon, Tool

_BYTES_PER_TOKEN = 4
"""A rule of thumb for JSON."""


def tools_json(api: Api) -> str:
    """The text of `tools.json`."""
    return literals.json_text({"tools": [wire_tool(t) for t in api.tools]})


def tokens(tools: Sequence[Mapping[str, Any]]) -> int:
    """About how many tokens listing the tools costs an agent; the count depends on the model."""
    text = json.dumps(list(tools), ensure_ascii=False, separators=(",", ":"))
    return len(text.encode("utf-8", "surrogatepass")) // _BYTES_PER_TOKEN


def wire_tool(tool: Tool) -> dict[str, Any]:
    """A tool as `tools/list` answers it (MCP 2026-07-28, Tool); an author's words are unchanged."""
    if tool.written is not None:
        return dict(tool.written)
    out: dict[str, Any] = {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.input_schema,
    }
    if tool.output_schema is not None:
        out["outputSchema"] = tool.output_schema
    out["annotations"] = wire_annotations(tool)
    if tool.icons:
        out["icons"] = [wire_icon(i) for i in tool.icons]
    if tool.meta:
        out["_meta"] = dict(tool.meta)
    return out


def wire_annotations(tool: Tool) -> dict[str, Any]:
    """All four hints, always explicit."""
    hints = tool.annotations
    return {
        **({"title": hints.title} if hints.title else {}),
        "readOnlyHint": hints.read_only,
        "destructiveHint": hints.destructive,
        "idempotentHint": hints.idempotent,
        "openWorldHint": hints.open_world,
    }


def wire_icon(icon: Icon) -> dict[str, Any]:
    """An icon with the members that are set."""
    return {
        "src": icon.src,
        **({"mimeType": icon.mime_type} if icon.mime_type else {}),
        **({"sizes": list(icon.sizes)} if icon.sizes else {}),
        **({"theme": icon.theme} if icon.theme else {}),
    }
