"""The MCP contract of a server: `tools.json`, the `tools/list` answer as it goes over the wire."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from . import literals
from .api import Api, Icon, Offer, Tool
from .prose import with_ours
from .runtime.results.visible import visible
from .sameness import identical, shared_end, shared_start
from .schemas.booleans import as_objects
from .schemas.inlining import inlined

Differing = tuple[list[dict[str, Any]], list[dict[str, Any]]]
"""Tools of two lists, as they are listed."""
Span = tuple[int, int]
"""Where something in a text starts and ends."""

_BYTES_PER_TOKEN = 4
"""A rule of thumb for JSON."""

_NAMED_NEEDS = 20
"""The most required arguments that a description names."""

_HEAD, _BETWEEN, _TAIL = b'{\n  "tools": [\n    {', b"\n    },\n    {", b"\n    }\n  ]\n}\n"
"""What stands around the members of each tool in `tools.json`."""
_NAMED = b'\n      "name": "'
"""The first of them, unless an author wrote another first; a longer text is found faster."""


def tools_json(api: Api, before: tuple[Api, bytes] | None = None) -> bytes:
    """The bytes of `tools.json`; `before` is an earlier API and the bytes written from it.

    The bytes of tools that have not changed are copied from there.
    """
    earlier, text = before or (None, b"")
    there = _there(earlier, text) if earlier is not None else {}
    if not api.tools:
        return _text([])
    parts: list[bytes | Span] = []
    for tool in api.tools:
        old, span = there.get(tool.name, (None, (0, 0)))
        last = parts[-1] if parts else b""
        if old is None or not identical(tool, old):
            # One by one: a long integer in a tool must not change how others' floats are written.
            parts.append(_text([tool])[len(_HEAD) : -len(_TAIL)])
        elif isinstance(last, tuple) and last[1] + len(_BETWEEN) == span[0]:
            parts[-1] = (last[0], span[1])
        else:
            parts.append(span)
    view = memoryview(text)
    texts = (part if isinstance(part, bytes) else view[part[0] : part[1]] for part in parts)
    return b"%b%b%b" % (_HEAD, _BETWEEN.join(texts), _TAIL)


def _there(api: Api, text: bytes) -> dict[str, tuple[Tool, Span]]:
    """Each tool of an API by name, with the span of its members in the text of its `tools.json`.

    Empty for a text that has other tools, or was not written by `tools_json`.
    """
    ends = list(_places(_BETWEEN + _NAMED, text))
    if len(ends) != len(api.tools) - 1:
        ends = list(_places(_BETWEEN, text))
    starts = [len(_HEAD), *(end + len(_BETWEEN) for end in ends)]
    spans = list(zip(starts, [*ends, len(text) - len(_TAIL)], strict=True))
    if len(spans) != len(api.tools) or not _is_ours(text):
        return {}
    return {tool.name: (tool, span) for tool, span in zip(api.tools, spans, strict=True)}


def _places(part: bytes, text: bytes) -> Iterator[int]:
    """Where a part stands in a text."""
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + len(part))


def _text(tools: Iterable[Tool]) -> bytes:
    return literals.json_data({"tools": [wire_tool(tool) for tool in tools]})


def changed(one: Api, other: Api) -> Differing:
    """The tools that two APIs do not have in common: those of the first, those of the second."""
    mine, theirs = ({tool.name: tool for tool in api.tools} for api in (one, other))
    return (
        [wire_tool(tool) for name, tool in mine.items() if not identical(tool, theirs.get(name))],
        [wire_tool(tool) for name, tool in theirs.items() if not identical(tool, mine.get(name))],
    )


def differing(one: bytes, other: bytes) -> Differing:
    """The tools that two texts of `tools.json` do not have in common.

    Only these tools are parsed. Raises ValueError for a text that `tools_json` did not write.
    """
    start, end = _alike(one, other)
    mine, theirs = (dict.fromkeys(_members(text, start, end)) for text in (one, other))
    return (
        [json.loads(b"{%b}" % text) for text in mine if text not in theirs],
        [json.loads(b"{%b}" % text) for text in theirs if text not in mine],
    )


def _alike(one: bytes, other: bytes) -> tuple[int, int]:
    """The lengths of the prefix and the suffix that two texts share, in whole tools."""
    start = shared_start(one, other)
    start = max(one.rfind(_BETWEEN, 0, start), 0)
    end = shared_end(one, other, start)
    place = one.find(_BETWEEN, len(one) - end)
    return start, len(one) - place if place >= 0 else 0


def _members(text: bytes, start: int, end: int) -> list[bytes]:
    """The text of each tool's members in a text of `tools.json`.

    `start` and `end` are how many bytes to skip on either side; they must fall between tools.
    """
    if not _is_ours(text):
        raise ValueError("this is no text of ours")
    first = start + len(_BETWEEN) if start else len(_HEAD)
    last = len(text) - (end or len(_TAIL))
    return text[first:last].split(_BETWEEN) if first < last else []


def _is_ours(text: bytes) -> bool:
    return text.startswith(_HEAD) and text.endswith(_TAIL)


def tokens(tools: Sequence[Mapping[str, Any]]) -> int:
    """About how many tokens a list of tools costs an agent; the true count depends on the model."""
    return len(literals.json_bytes(list(tools))) // _BYTES_PER_TOKEN


def tokens_in(text: str) -> int:
    """About how many tokens a text costs an agent."""
    return len(literals.json_bytes(text)) // _BYTES_PER_TOKEN


def tokens_of(listed: bytes) -> int:
    """About how many tokens a `tools/list` answer costs an agent, from its text."""
    return tokens(literals.parsed(listed)["tools"])


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
    """Whether any argument of a prompt or a resource template has completions."""
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
        "description": with_ours(tool.description, _needed(tool)),
        "inputSchema": as_objects(inlined(tool.input_schema)),
    }
    if tool.output_schema is not None:
        out["outputSchema"] = as_objects(inlined(tool.output_schema))
    out["annotations"] = wire_annotations(tool)
    if tool.icons:
        out["icons"] = [wire_icon(i) for i in tool.icons]
    return out


def _needed(tool: Tool) -> str:
    """What `dependentRequired` says, for the models whose clients leave it out of the schema."""
    body = tool.http.body if tool.http is not None else None
    if body is None or not tool.input_schema.get("dependentRequired"):
        return ""
    shown = (visible(json.dumps(n, ensure_ascii=False)[1:-1]) for n in body.needed[:_NAMED_NEEDS])
    names = ", ".join(f"`{name}`" for name in shown)
    rest = len(body.needed) - _NAMED_NEEDS
    more = f" and {rest} more" if rest > 0 else ""
    return f"Required with any part of the request body: {names}{more}." if names else ""


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
