"""Results of calls that an API answers as a test says."""

from typing import Any

import httpx2
from jsonschema import Draft202012Validator
from mcp_types import JSONRPCResponse, jsonrpc_message_adapter
from mcp_types.methods import serialize_server_result

from mcpgen.runtime.results.content import Result, to_result
from mcpgen.runtime.results.limits import ResultLimit

from .support import client

STRING = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
OPEN = {"type": "object", "anyOf": [STRING, {"type": "object"}]}
PLAIN: dict[str, Any] = {"name": "t", "inputSchema": {"type": "object"}}
DESCRIBED: dict[str, Any] = {**PLAIN, "outputSchema": OPEN}
LIMIT = 1 << 20


def on_the_wire(result: Result) -> Result:
    """The result after both protocol eras' checks, and after it has been a line of JSON."""
    for version in ("2025-11-25", "2026-07-28"):
        dumped = serialize_server_result("tools/call", version, result)
        message = JSONRPCResponse(jsonrpc="2.0", id=1, result=dumped)
        line = message.model_dump_json(by_alias=True, exclude_unset=True)
        assert "\n" not in line
        jsonrpc_message_adapter.validate_json(line)
    return result


async def result_of(
    body: bytes,
    content_type: str | None = "application/json",
    status: int = 200,
    tool: dict[str, Any] = PLAIN,
    limit: int = LIMIT,
    **call: Any,
) -> Result:
    """The result of a call that the API answers like that."""
    headers = {"Content-Type": content_type} if content_type else {}
    headers |= call.pop("headers", {})
    api = client(lambda _: httpx2.Response(status, headers=headers, content=body))
    response = await api.send("GET", "/x", **call)
    result = on_the_wire(to_result(response, tool, ResultLimit(limit, "SHOP_MAX_RESULT_BYTES")))
    if tool is DESCRIBED:
        assert not result.get("isError")
        Draft202012Validator(OPEN).validate(result["structuredContent"])
    return result


def texts(result: Result) -> list[str]:
    """The text blocks."""
    return [block["text"] for block in result["content"] if block["type"] == "text"]
