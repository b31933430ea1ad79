"""From an answer to what the agent sees: content blocks and structured content."""

from __future__ import annotations

import logging
from base64 import b64encode
from collections.abc import Mapping
from typing import Any

from .answer import MediaType, decode
from .context import Response
from .errors import ToolError
from .jsontext import MAX_DEPTH, dump, has_surrogates, is_deeper, scrub, scrub_value
from .multipart import parts
from .shorten import shorten_json, shorten_text

logger = logging.getLogger(__name__)

Block = dict[str, Any]
Result = dict[str, Any]


def error_result(message: str) -> Result:
    """A failed call: the agent reads the text."""
    return {"content": [_text(message)], "isError": True}


def to_result(value: Any, tool: Mapping[str, Any], limit: int) -> Result:
    """Map what a handler returned.

    A `Response` is mapped by its kind, any other value as if it were a JSON answer. Whenever the tool
    advertises an `outputSchema` the result has structured content.

    Raises:
        ToolError: binary content of more than `limit` bytes.
    """
    response = value if isinstance(value, Response) else _own(value)
    builder = _Builder(tool, limit, list(response.misfits))
    match response.kind:
        case "json":
            builder.json(response)
        case "text":
            builder.text(str(response.data))
        case "empty":
            builder.empty(response)
        case "multipart":
            builder.multipart(response)
        case "binary":
            builder.binary(response.content, response.content_type)
    return builder.result()


def _own(value: Any) -> Response[Any]:
    if isinstance(value, bytes | bytearray):
        return Response(data=bytes(value), content=bytes(value), kind="binary")
    if isinstance(value, str):
        return Response(data=value, kind="text")
    return Response(data=value, kind="empty" if value is None else "json")
