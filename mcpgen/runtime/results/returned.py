"""Maps what a hand-written handler returns to what the agent sees.

Data (JSON values, dataclasses, pydantic models, lists of those), content (text, bytes, `Media`,
blocks of the MCP SDK, lists of those), or a whole result.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

from mcp_types import (
    AudioContent,
    CallToolResult,
    EmbeddedResource,
    ImageContent,
    InputRequiredResult,
    ResourceLink,
    TextContent,
)
from pydantic_core import to_jsonable_python

from ..values.display import visible
from ..values.errors import ToolError
from ..values.jsontext import scrub
from .content import Mapped, Result, ResultLimit, bytes_block
from .revisions import wire

logger = logging.getLogger(__name__)

_BLOCKS = (TextContent, ImageContent, AudioContent, EmbeddedResource, ResourceLink)
_UNDECLARED = "application/octet-stream"


@dataclass(frozen=True)
class Media:
    """Bytes of a media type, as a handler returns them: an image, audio, or an embedded resource.

    `audience`, `priority` (0 to 1) and `last_modified` (ISO 8601) are MCP's annotations.
    """

    data: bytes
    media_type: str = _UNDECLARED
    uri: str = ""
    """Names the resource; made from its content where it is empty."""
    audience: Sequence[Literal["user", "assistant"]] = ()
    priority: float | None = None
    last_modified: str | None = None


def from_handler(value: Any, tool: Mapping[str, Any], limit: ResultLimit) -> Result:
    """Map what a handler returned; the limit is that of an API's answer.

    A result that does not fit the tool's outputSchema is marked as an error: clients would drop it.

    Raises:
        ToolError: `Media` over the limit.
        ValueError, TypeError: a value that is not JSON.
    """
    if isinstance(value, InputRequiredResult):
        return wire(value)
    mapped = Mapped(tool, limit, [])
    if isinstance(value, CallToolResult):
        return _whole(wire(value), mapped)
    if is_content(value):
        items = value if isinstance(value, list | tuple) else [value]
        mapped.blocks += _blocks(items, mapped)
    elif isinstance(value, str):
        mapped.text(value)
    elif value is not None:
        mapped.json(to_jsonable_python(value, by_alias=True), None)
    return _checked(mapped.result(), tool)


def _whole(result: Result, mapped: Mapped) -> Result:
    """A result that the handler made itself."""
    if result.get("isError") or "structuredContent" not in result:
        return _checked(result, mapped.tool)
    problem = mapped.problem_of(result["structuredContent"])
    return _refused(result, mapped.tool) if problem else result


def _checked(result: Result, tool: Mapping[str, Any]) -> Result:
    """The result, unless its tool promises structured content and it has none."""
    promised = tool.get("outputSchema") is not None
    if not promised or "structuredContent" in result or result.get("isError"):
        return result
    return _refused(result, tool)


def _refused(result: Result, tool: Mapping[str, Any]) -> Result:
    logger.error("%s: the handler's result does not fit the tool's outputSchema", tool.get("name"))
    text = (
        "It is marked as an error only because it does not fit this tool's output schema, and "
        "clients drop such results; the answer is whole."
    )
    blocks = [*result.get("content", ()), {"type": "text", "text": text}]
    return {**result, "content": blocks, "isError": True}


def is_content(value: Any) -> bool:
    """Whether a value is a content block, `Media`, bytes, or a list with one of them."""
    if isinstance(value, list | tuple):
        return any(is_content(item) for item in value)
    return isinstance(value, (*_BLOCKS, Media, bytes, bytearray))


def _blocks(items: Iterable[Any], mapped: Mapped) -> list[dict[str, Any]]:
    found = []
    for item in items:
        if isinstance(item, _BLOCKS):
            found.append(wire(item))
        elif isinstance(item, str):
            found.append({"type": "text", "text": visible(scrub(item))})
        elif isinstance(item, bytes | bytearray | Media):
            media = item if isinstance(item, Media) else Media(bytes(item))
            found.append(_media(media, mapped))
        else:
            said = "is no content: a list holds content or data, and a CallToolResult may have both"
            raise TypeError(f"{type(item).__name__} {said}")
    return found


def _media(media: Media, mapped: Mapped) -> dict[str, Any]:
    if len(media.data) > mapped.limit.size:
        raise ToolError(
            f"The answer is {len(media.data):,} bytes of {media.media_type}, more than the "
            f"{mapped.limit.size:,} that this server passes on. Ask for less, or raise "
            f"{mapped.limit.variable}."
        )
    block = bytes_block(media.data, media.media_type, mapped.tool, media.uri)
    if media.media_type.partition("/")[0] == "text":
        with suppress(UnicodeDecodeError):
            block["resource"]["text"] = media.data.decode()
            del block["resource"]["blob"]
    return {**block, **annotated(media)}


def annotated(media: Media) -> dict[str, Any]:
    """What a block of it says of its audience, priority and age, if anything."""
    given = {
        "audience": list(media.audience) or None,
        "priority": media.priority,
        "lastModified": media.last_modified,
    }
    kept = {key: value for key, value in given.items() if value is not None}
    return {"annotations": kept} if kept else {}
