"""The MCP contract of a server: `tools.json`, which has the `tools/list` answer in wire format."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from ..api import Api, Icon, Offer, Tool
from ..runtime.parts.shaping import FIELDS, FIELDS_SCHEMA
from ..runtime.values.display import visible
from ..runtime.values.media import essence
from ..runtime.values.settings import BYTES_PER_TOKEN, DECLARED, GROUPS
from ..schemas.booleans import as_objects
from ..schemas.inlining import inlined
from ..text import literals
from ..text.prose import with_ours

Differing = tuple[list[dict[str, Any]], list[dict[str, Any]]]
"""Tools of two lists, as they are listed."""

_LETTERS = re.compile("[^a-z]")
_MAX_REQUIRED_NAMES = 20
"""The most required arguments that a description names."""

_MERGE_PATCH = "application/merge-patch+json"
_PATCHES = "The body is a JSON merge patch: only its members change, and null removes one."

_HEAD, _BETWEEN, _TAIL = b'{\n  "tools": [\n    {', b"\n    },\n    {", b"\n    }\n  ]\n}\n"
"""What stands around the members of each tool in `tools.json`."""


def encoded(api: Api) -> bytes:
    """The bytes of `tools.json`.

    Each tool is encoded separately: a long integer in one tool must not change how floats of other
    tools are written.
    """
    if not api.tools:
        return literals.json_data({"tools": []})
    texts = (literals.json_data({"tools": [wire_tool(tool)]}) for tool in api.tools)
    parts = (text[len(_HEAD) : -len(_TAIL)] for text in texts)
    return b"%b%b%b" % (_HEAD, _BETWEEN.join(parts), _TAIL)


def differing(one: bytes, other: bytes) -> Differing:
    """The tools that differ between two texts of `tools.json`.

    Only these tools are parsed. Raises ValueError for a text that `encoded` did not write.
    """
    mine, theirs = (dict.fromkeys(_members(text)) for text in (one, other))
    return (
        [json.loads(b"{%b}" % text) for text in mine if text not in theirs],
        [json.loads(b"{%b}" % text) for text in theirs if text not in mine],
    )


def _members(text: bytes) -> list[bytes]:
    """The members of each tool in a `tools.json`, as bytes; raises ValueError for other files."""
    if not (text.startswith(_HEAD) and text.endswith(_TAIL)):
        raise ValueError("this text is not written by mcpgen")
    return text[len(_HEAD) : -len(_TAIL)].split(_BETWEEN)


def spans_in(text: bytes) -> list[tuple[int, int]]:
    """The start and end of each tool's text, without braces, in the bytes that `encoded` wrote."""
    spans = []
    start = len(_HEAD)
    for members in _members(text):
        spans.append((start, start + len(members)))
        start += len(members) + len(_BETWEEN)
    return spans


def tokens(tools: Sequence[Mapping[str, Any]]) -> int:
    """About how many tokens a list of tools costs an agent; the exact count depends on the model.

    `_meta` is for clients: no model reads it.
    """
    read = [{key: value for key, value in tool.items() if key != "_meta"} for tool in tools]
    return len(literals.json_bytes(read)) // BYTES_PER_TOKEN


def tokens_in(text: str) -> int:
    """About how many tokens a text costs an agent."""
    return tokens_of_value(text)


def tokens_of_value(value: Any) -> int:
    """About how many tokens a JSON value costs an agent."""
    return len(literals.json_bytes(value)) // BYTES_PER_TOKEN


def tokens_of(listed: bytes) -> int:
    """About how many tokens a `tools/list` answer costs an agent, counted in its JSON."""
    return tokens(literals.parsed(listed)["tools"])


def offers_json(api: Api, parts: Collection[str]) -> dict[str, str]:
    """The contents of `resources.json`, `prompts.json` and `completions.json`, by file name."""
    files: dict[str, dict[str, Any]] = {}
    if "resources" in parts:
        files["resources.json"] = {
            "resources": [offer.written for offer in api.resources if not offer.is_template],
            "resourceTemplates": [offer.written for offer in api.resources if offer.is_template],
            "served": _served(api.resources),
        }
    if "prompts" in parts:
        listed = [offer.written for offer in api.prompts]
        files["prompts.json"] = {"prompts": listed, "served": _served(api.prompts)}
    if "completion" in parts:
        files["completions.json"] = {
            "resources": {o.key: dict(o.completions) for o in api.resources if o.is_template},
            "prompts": {o.key: dict(o.completions) for o in api.prompts},
        }
    return {name: literals.json_text(value) for name, value in files.items()}


def completes(api: Api) -> bool:
    """Whether any argument of a prompt or a resource template has completions."""
    return any(offer.completions for offer in (*api.resources, *api.prompts))


def _served(offers: Iterable[Offer]) -> dict[str, Any]:
    return {offer.key: dict(offer.served) for offer in offers if offer.served}


def wire_tool(tool: Tool) -> dict[str, Any]:
    """A tool in the format of `tools/list` (MCP 2026-07-28).

    A hand-written tool keeps all that its author wrote.
    """
    if tool.written is not None:
        meta = {**_grouped(tool), **tool.written.get("_meta", {}), **_budget(tool), **tool.meta}
        return {**tool.written, "_meta": meta} if meta else dict(tool.written)
    out: dict[str, Any] = {
        "name": tool.name,
        "title": tool.title,
        "description": with_ours(tool.description, f"{_patched(tool)} {_needed(tool)}".strip()),
        "inputSchema": _with_fields(as_objects(inlined(tool.input_schema)), tool),
    }
    if tool.output_schema is not None:
        out["outputSchema"] = as_objects(inlined(tool.output_schema))
    out["annotations"] = wire_annotations(tool)
    if tool.icons:
        out["icons"] = [wire_icon(i) for i in tool.icons]
    meta = {
        **({"anthropic/alwaysLoad": True} if tool.pinned else {}),
        **_grouped(tool),
        **({"anthropic/searchHint": " ".join(tool.keywords)} if tool.keywords else {}),
        **_budget(tool),
        **tool.meta,
    }
    return {**out, "_meta": meta} if meta else out


def _grouped(tool: Tool) -> dict[str, Any]:
    """The tool's group, in the format drafted by MCP's working group on primitive grouping."""
    return {GROUPS: [tool.group.slug]} if tool.group is not None and tool.group.slug else {}


def takes_fields(tool: Tool) -> bool:
    """Whether agents can select fields of the tool's answers with an argument `fields`.

    The tool must have no argument called `fields` or similar (`opt_fields`), which would be the
    API's own way to select. It must only read, because a tool that changes something answers with
    its result. The selected fields must still fit the schema that clients are promised.
    """
    if not (tool.is_wide and tool.annotations.read_only and tool.written is None):
        return False
    promised = tool.output_schema or {"type": "object"}
    is_open = promised == {"type": "object"} or {"type": "object"} in promised.get("anyOf", ())
    taken = tool.input_schema.get("properties", {})
    return is_open and not any(FIELDS in _LETTERS.sub("", name.lower()) for name in taken)


def _with_fields(schema: Any, tool: Tool) -> Any:
    if not takes_fields(tool):
        return schema
    properties = {**schema.get("properties", {}), FIELDS: dict(FIELDS_SCHEMA)}
    return {**schema, "properties": properties}


def _budget(tool: Tool) -> dict[str, Any]:
    """The `_meta` entry with the tool's limit for answers; empty if the settings set none."""
    return {DECLARED: tool.result_tokens * BYTES_PER_TOKEN} if tool.result_tokens else {}


def _patched(tool: Tool) -> str:
    """An explanation of JSON merge patches (RFC 7396), if a tool sends one without
    explaining it.
    """
    body = tool.http.body if tool.http is not None else None
    if body is None or essence(body.media_type) != _MERGE_PATCH:
        return ""
    return "" if "merge patch" in tool.description.lower() else _PATCHES


def _needed(tool: Tool) -> str:
    """The rules of `dependentRequired` as a sentence, since some clients ignore the keyword."""
    body = tool.http.body if tool.http is not None else None
    if body is None or not tool.input_schema.get("dependentRequired"):
        return ""
    labels = (
        visible(json.dumps(n, ensure_ascii=False)[1:-1]) for n in body.needed[:_MAX_REQUIRED_NAMES]
    )
    names = ", ".join(f"`{name}`" for name in labels)
    rest = len(body.needed) - _MAX_REQUIRED_NAMES
    more = f" and {rest} more" if rest > 0 else ""
    return f"Give {names}{more}, unless there is no request body at all." if names else ""


def wire_annotations(tool: Tool) -> dict[str, Any]:
    """The four hints of MCP, such as `readOnlyHint`, each with an explicit value."""
    hints = tool.annotations
    return {
        **({"title": hints.title} if hints.title else {}),
        "readOnlyHint": hints.read_only,
        "destructiveHint": hints.destructive,
        "idempotentHint": hints.idempotent,
        "openWorldHint": hints.open_world,
    }


def wire_icon(icon: Icon) -> dict[str, Any]:
    """An icon in wire format, with only the members that are set."""
    return {
        "src": icon.src,
        **({"mimeType": icon.mime_type} if icon.mime_type else {}),
        **({"sizes": list(icon.sizes)} if icon.sizes else {}),
        **({"theme": icon.theme} if icon.theme else {}),
    }
