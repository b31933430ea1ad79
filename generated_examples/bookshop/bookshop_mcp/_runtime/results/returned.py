"""Maps a hand-written handler's result to the result that the agent gets.

A handler returns data (JSON values, dataclasses, pydantic models, lists of these), or content
(text, bytes, `Media`, blocks of the MCP SDK, lists of these), or a complete result.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, get_args

import mcp_types as types
from pydantic_core import to_jsonable_python

from ..values.display import visible
from ..values.jsontext import scrub
from .blobs import Blob
from .content import Mapped, Result
from .limits import ResultLimit
from .revisions import wire

logger = logging.getLogger(__name__)

_BLOCKS = get_args(types.ContentBlock)
_UNDECLARED = "application/octet-stream"


@dataclass(frozen=True)
class Media:
    """Bytes with a media type, as a handler returns them: an image, audio, or embedded resource.

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
    """Map a handler's result, under the same limit as an API's answer.

    A result that does not fit the tool's outputSchema is marked as an error: clients would drop it.

    Raises:
        ToolError: `Media` over the limit.
        ValueError, TypeError: a value that is not JSON.
    """
    if isinstance(value, types.InputRequiredResult):
        return wire(value)
    mapping = Mapped(tool, limit, [])
    if isinstance(value, types.CallToolResult):
        result = wire(value)
        structured = result.get("structuredContent")
        fits = "structuredContent" not in result or not mapping.problem_of(structured)
    else:
        _map(value, mapping)
        result, fits = mapping.result(), True
    is_whole = tool.get("outputSchema") is None or "structuredContent" in result
    if result.get("isError") or (fits and is_whole):
        return result
    logger.error("%s: the handler's result does not fit the tool's outputSchema", tool.get("name"))
    text = (
        "Clients drop results that do not fit this tool's output schema, so this one is marked as "
        "an error; the answer is complete."
    )
    blocks = [*result.get("content", ()), {"type": "text", "text": text}]
    return {**result, "content": blocks, "isError": True}


def _map(value: Any, mapping: Mapped) -> None:
    if is_content(value):
        items = value if isinstance(value, list | tuple) else [value]
        mapping.blocks += [_block(item, mapping) for item in items]
    elif isinstance(value, str):
        mapping.text(value)
    elif value is not None:
        mapping.json(to_jsonable_python(value, by_alias=True), None)


def is_content(value: Any) -> bool:
    """Whether a value is a content block, `Media`, bytes, or a list with one of them."""
    if isinstance(value, list | tuple):
        return any(is_content(item) for item in value)
    return isinstance(value, (*_BLOCKS, Media, bytes, bytearray))


def _block(item: Any, mapping: Mapped) -> dict[str, Any]:
    if isinstance(item, _BLOCKS):
        return wire(item)
    if isinstance(item, str):
        return {"type": "text", "text": visible(scrub(item))}
    if not isinstance(item, bytes | bytearray | Media):
        reason = "is not content: a list holds content or data, only a CallToolResult both"
        raise TypeError(f"{type(item).__name__} {reason}")
    media = item if isinstance(item, Media) else Media(bytes(item))
    block = mapping.block(Blob.of(media.data, media.media_type), media.uri)
    if media.media_type.startswith("text/"):
        with suppress(UnicodeDecodeError):
            block["resource"]["text"] = media.data.decode()
            del block["resource"]["blob"]
    return {**block, **annotated(media)}


def annotated(media: Media) -> dict[str, Any]:
    """The member `annotations` of a content block; empty if no annotation is given."""
    annotations = {
        "audience": list(media.audience) or None,
        "priority": media.priority,
        "lastModified": media.last_modified,
    }
    values = {key: value for key, value in annotations.items() if value is not None}
    return {"annotations": values} if values else {}
