"""The contents of a resource, from what reading it gave."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from mcp_types import (
    AudioContent,
    CallToolResult,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
)

from ..backend.answer import verbatim_of
from ..backend.response import Response
from ..results.content import Result
from ..results.returned import Media, is_content
from ..results.revisions import wire
from ..values.errors import ToolError
from ..values.jsontext import dump, scrub
from ..values.media import MediaType, is_json, is_text

BINARY = "application/octet-stream"
"""The media type of bytes of which nothing is known."""


def contents_of(value: Any, uri: str, mime: str | None) -> list[Result]:
    """The contents from what a function returned; of a tool's own result, those of its blocks.

    Raises:
        ToolError: the tool's result is an error.
    """
    if isinstance(value, CallToolResult):
        if value.is_error:
            raise ToolError("\n".join(b.text for b in value.content if isinstance(b, TextContent)))
        if value.structured_content is None:
            return [_content(block, uri, mime) for block in value.content]
        value = value.structured_content
    items = value if isinstance(value, list | tuple) and is_content(value) else [value]
    return [_content(item, uri, mime) for item in items]


def _content(value: Any, uri: str, mime: str | None) -> Result:
    """The contents of an answer, text, bytes, `Media`, a block or data."""
    from pydantic_core import to_jsonable_python

    if isinstance(value, TextContent):
        value = value.text
    if isinstance(value, ImageContent | AudioContent):
        return {"uri": uri, "mimeType": value.mime_type, "blob": value.data}
    if isinstance(value, EmbeddedResource):
        return wire(value.resource)
    if isinstance(value, ResourceLink):
        return text_contents(uri, value.uri, "text/uri-list")
    if isinstance(value, Response):
        kind = MediaType.read(value.content_type).name or mime
        if value.kind in ("json", "text"):
            if value.kind == "text":
                return text_contents(uri, value.data, kind or "text/plain")
            text = verbatim_of(value) or dump(value.data)
            return text_contents(uri, text, kind or "application/json")
        return bytes_contents(uri, value.data or b"", kind or BINARY)
    if isinstance(value, Media):
        return bytes_contents(uri, value.data, value.media_type)
    if isinstance(value, bytes | bytearray):
        return bytes_contents(uri, bytes(value), mime or BINARY)
    if isinstance(value, str):
        return text_contents(uri, value, mime or "text/plain")
    data = to_jsonable_python(value, by_alias=True)
    return text_contents(uri, dump(data), mime or "application/json")


def size_of(content: Result) -> int:
    """The bytes of contents, not of their base64."""
    text = content.get("text")
    if text is not None:
        return len(text.encode())
    blob: str = content["blob"]
    return len(blob) * 3 // 4 - blob[-2:].count("=")


def text_contents(uri: str, text: str, mime: str) -> Result:
    """The contents that are a text."""
    return {"uri": uri, "mimeType": mime, "text": scrub(text)}


def bytes_contents(uri: str, content: bytes, mime: str) -> Result:
    """The contents of bytes: as text, where their media type is one of text."""
    if is_text(mime) or is_json(mime):
        try:
            return text_contents(uri, content.decode("utf-8-sig"), mime)
        except UnicodeDecodeError:
            pass
    return {"uri": uri, "mimeType": mime, "blob": b64encode(content).decode("ascii")}
