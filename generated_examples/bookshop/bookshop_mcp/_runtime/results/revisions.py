"""Lists and results as they are sent, also for clients of older revisions of the protocol.

One value that a revision does not know makes its clients refuse the whole message.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS

from ..values.jsontext import has_surrogates, scrub_value

_ANY_STRUCTURE = "2026-07-28"
"""From here on structured content and output schemas need not be objects."""
_RESOURCE_LINKS = "2025-06-18"
"""From here on there are links, and structured content."""
_AUDIO = "2025-03-26"
TTL_MS = 300_000
"""What is listed is the same for everyone and changes only with the package's files."""

Tool = Mapping[str, Any]
Result = dict[str, Any]


def wire(model: Any) -> dict[str, Any]:
    """A model of the MCP SDK as it is sent; lone surrogates, which UTF-8 lacks, become U+FFFD."""
    dumped: dict[str, Any] = model.model_dump(mode="json", by_alias=True, exclude_none=True)
    return scrub_value(dumped) if has_surrogates(dumped) else dumped


def page(key: str, items: Sequence[Any], cursor: str | None, size: int | None) -> dict[str, Any]:
    """The page of `items` that starts at a cursor, which is the index of the page's first item.

    Raises:
        MCPError: a cursor that did not come from a page.
    """
    size = size or len(items) or 1
    start = 0
    if cursor is not None:
        if cursor not in map(str, range(size, len(items), size)):
            message = "Unknown cursor: use the nextCursor of a page"
            raise MCPError(code=INVALID_PARAMS, message=message)
        start = int(cursor)
    result: dict[str, Any] = {
        "resultType": "complete",
        key: list(items[start : start + size]),
        "ttlMs": TTL_MS,
        "cacheScope": "public",
    }
    if start + size < len(items):
        result["nextCursor"] = str(start + size)
    return result


def tools_for(version: str, tools: Iterable[Tool]) -> list[Tool]:
    """The tools, without the output schemas that clients of the revision would refuse."""
    if version >= _ANY_STRUCTURE:
        return list(tools)
    return [
        tool if has_object(tool) else {k: v for k, v in tool.items() if k != "outputSchema"}
        for tool in tools
    ]


def has_object(tool: Tool) -> bool:
    """Whether a tool's outputSchema describes an object, or there is no outputSchema."""
    schema = tool.get("outputSchema")
    return schema is None or schema.get("type") == "object"


def result_for(version: str, result: Result) -> Result:
    """The result, adapted to the MCP revision of a client.

    Structured content that is not an object is wrapped in one if the revision requires objects.
    Content blocks that the revision lacks are replaced.
    """
    if version >= _ANY_STRUCTURE:
        return result
    out = dict(askable(version, result))
    if "structuredContent" in out and not isinstance(out["structuredContent"], Mapping):
        out["structuredContent"] = {"result": out["structuredContent"]}
    if version < _RESOURCE_LINKS:
        out["content"] = [_older(block, version) for block in out.get("content", ())]
    return out


def summarized(version: str, result: Result) -> Result:
    """The result with one line in place of a text that repeats the structured content.

    Clients of revisions without structured content keep the text.
    """
    content = result.get("content") or [{}]
    structured = result.get("structuredContent")
    if version < _RESOURCE_LINKS or structured is None or content[0].get("type") != "text":
        return result
    size = len(content[0]["text"].encode())
    line = {
        "type": "text",
        "text": f"The answer is the structured content: {size:,} bytes of JSON.",
    }
    return {**result, "content": [line, *content[1:]]}


def askable(version: str, result: Result) -> Result:
    """Return the result, unless it asks the user in a way that the client's protocol version lacks.

    Raises:
        MCPError: the revision does not support it.
    """
    if version < _ANY_STRUCTURE and result.get("resultType") == "input_required":
        message = "This asks the user in a way that clients before 2026-07-28 do not have"
        raise MCPError(INTERNAL_ERROR, message)
    return result


def _older(block: Mapping[str, Any], version: str) -> Mapping[str, Any]:
    if block.get("type") == "resource_link":
        about = block.get("description") or block.get("title") or block.get("name", "")
        return {"type": "text", "text": f"{about}: {block.get('uri', '')}"}
    if block.get("type") == "audio" and version < _AUDIO:
        uri = "resource://audio"
        content = {"uri": uri, "mimeType": block.get("mimeType"), "blob": block.get("data")}
        return {"type": "resource", "resource": content}
    return block
