"""The `messages` of a prompt: content blocks of the protocol (MCP, server/prompts)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ...runtime.parts.content.static_content import problem_of
from ..openapi import media

if TYPE_CHECKING:
    from ...diagnostics import Diagnostics
    from ...source.document import Node

_CODES = {"mimeType": "media-type", "uri": "uri", "data": "blob", "blob": "blob"}


def check_messages(node: Node, arguments: Iterable[str], diagnostics: Diagnostics) -> None:
    """Report invalid messages; text with placeholders is checked when a call fills them in."""
    places = [f"{{{name}}}" for name in arguments]
    for message in node.elements():
        content = message["content"]
        for key, child in (*content.items(), *content.optional("resource").items()):
            if key not in _CODES or any(place in child.value for place in places):
                continue
            problem = problem_of(key, child.value)
            if key == "mimeType" and not media.is_valid(child.value):
                problem = "is not a media type"
            if problem:
                diagnostics.error(_CODES[key], f"{child.value[:80]!r} {problem}", child)


def with_media_types(messages: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The messages, with a media type added to each embedded resource that has none."""
    return [{**message, "content": _with_media_type(message["content"])} for message in messages]


def _with_media_type(content: Mapping[str, Any]) -> Mapping[str, Any]:
    resource: Any = content.get("resource")
    if content["type"] != "resource" or "mimeType" in resource:
        return content
    kind = "text/plain" if "text" in resource else "application/octet-stream"
    return {**content, "resource": {**resource, "mimeType": kind}}
