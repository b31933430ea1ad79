"""The headers of an answer that an agent needs in addition to the body.

An `ETag` that the next call has to repeat, or a token that another tool takes, is useless if the
agent never sees it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from ..api import In, Tool

MEMBER = "_headers"
"""The member of structured content that holds them."""
_LEADING = frozenset({
    "etag", "last-modified", "location", "content-location", "operation-location",
    "azure-asyncoperation", "content-range", "upload-offset", "upload-length",
})  # fmt: skip
"""Preconditions, offsets, and where to go on."""
_NEVER = frozenset({
    "connection", "content-encoding", "content-length", "content-type", "date", "server",
    "set-cookie", "transfer-encoding", "vary",
})  # fmt: skip
"""What says nothing of the API's answer, or must not be shown unless it is asked for."""
_CONDITIONS = ("if-match", "if-none-match")


def needed(tools: Sequence[Tool]) -> tuple[Tool, ...]:
    """The tools, each with only those response headers that an agent needs.

    An agent needs a header that leads to a next request, or that has the name of a tool's argument.
    If an operation of the same path takes an entity tag, `ETag` is needed whether it is declared or
    not (RFC 9110 13.1).
    """
    header_names = {a.wire_name.lower() for tool in tools for a in tool.arguments} | _LEADING
    tagged = {tool.http.path for tool in tools if tool.http and _is_conditional(tool)}
    return tuple(_with_needed(tool, header_names - _NEVER, tagged) for tool in tools)


def _with_needed(tool: Tool, header_names: Iterable[str], tagged: Iterable[str]) -> Tool:
    names = [name for name in tool.answer_headers if name.lower() in header_names]
    is_tagged = tool.http is not None and tool.http.path in tagged
    return with_headers(tool, [*names, *(["ETag"] if is_tagged else [])])


def _is_conditional(tool: Tool) -> bool:
    headers = (a.wire_name.lower() for a in tool.arguments if a.location is In.HEADER)
    return any(name in _CONDITIONS for name in headers)


def with_headers(tool: Tool, names: Iterable[str]) -> Tool:
    """A copy of the tool with these answer headers, also in an outputSchema made by mcpgen."""
    chosen = tuple({name.lower(): name for name in reversed([*names])}.values())[::-1]
    schema = tool.output_schema
    if chosen and schema is not None and tool.written is None:
        schema = _declared(schema, chosen)
    if (chosen, schema) == (tool.answer_headers, tool.output_schema):
        return tool
    return replace(tool, answer_headers=chosen, output_schema=schema)


def _declared(schema: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """The outputSchema, with a property for the headers added.

    The property has no `type`, since the API's own answers may have a property of that name.
    """
    texts = {name: {"type": "string"} for name in names}
    about = {"description": "Headers of the answer.", "properties": texts}
    return {**schema, "properties": {**schema.get("properties", {}), MEMBER: about}}
