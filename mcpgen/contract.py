"""The MCP contract of a server: `tools.json`, the `tools/list` answer as it goes over the wire."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from . import literals
from .api import Api, Icon, Offer, Tool
from .schemas.booleans import as_objects

_BYTES_PER_TOKEN = 4
"""A rule of thumb for JSON."""


def tools_json(api: Api) -> str:
    """The text of `tools.json`."""
    return literals.json_text({"tools": [wire_tool(t) for t in api.tools]})


def tokens(tools: Sequence[Mapping[str, Any]]) -> int:
    """About how many tokens listing the tools costs an agent; the count depends on the model."""
    text = json.dumps(list(tools), ensure_ascii=False, separators=(",", ":"))
    return len(text.encode("utf-8", "surrogatepass")) // _BYTES_PER_TOKEN


def offers_json(api: Api, features: Collection[str]) -> dict[str, str]:
    """The texts of `resources.json`, `prompts.json` and `completions.json` of these features."""
    found: dict[str, dict[str, Any]] = {}
    if "resources" in features:
        found["resources.json"] = {
            "resources": [offer.written for offer in api.resources if not offer.is_template],
            "resourceTemplates": [offer.written for offer in api.resources if offer.is_template],
            "served": _served(api.resources),
        }
    if "prompts" in features:
        listed = [offer.written for offer in api.prompts]
        found["prompts.json"] = {"prompts": listed, "served": _served(api.prompts)}
    if "completion" in features:
        found["completions.json"] = {
            "resources": {o.key: dict(o.completions) for o in api.resources if o.is_template},
            "prompts": {o.key: dict(o.completions) for o in api.prompts},
        }
    return {name: literals.json_text(value) for name, value in found.items()}


def completes(api: Api) -> bool:
    """Whether any argument of a prompt or template is completed."""
    return any(offer.completions for offer in (*api.resources, *api.prompts))


def _served(offers: Iterable[Offer]) -> dict[str, Any]:
    return {offer.key: dict(offer.served) for offer in offers if offer.served}


def wire_tool(tool: Tool) -> dict[str, Any]:
    """A tool as `tools/list` answers it (MCP 2026-07-28, Tool); an author's words are unchanged."""
    if tool.written is not None:
        return dict(tool.written)
    out: dict[str, Any] = {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": as_objects(tool.input_schema),
    }
    if tool.output_schema is not None:
        out["outputSchema"] = as_objects(tool.output_schema)
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
