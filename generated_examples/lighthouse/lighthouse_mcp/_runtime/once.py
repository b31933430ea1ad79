"""One call of a tool from the command line: `--call TOOL`."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server
    from mcp_types import CallToolResult


def call(server: Server[Any], tool: str, arguments: str) -> int:
    """Call a tool with arguments given as a JSON object, and print its result.

    The result is the exit code: 0, 1 where the tool answers with an error or is not there, 2 where
    the arguments are no JSON object.
    """
    try:
        given = json.loads(arguments)
    except ValueError as problem:
        given = problem
    if not isinstance(given, dict):
        print(f"--arguments must be a JSON object, not {arguments!r}", file=sys.stderr)
        return 2
    import anyio

    result = anyio.run(_call, server, tool, given)
    if isinstance(result, str):
        print(result, file=sys.stderr)
        return 1
    with suppress(BrokenPipeError):
        for block in result.content:
            print(_shown(block.model_dump(mode="json", by_alias=True)), flush=True)
    return 1 if result.is_error else 0


async def _call(server: Server[Any], tool: str, arguments: dict[str, Any]) -> CallToolResult | str:
    from mcp.client import Client
    from mcp.shared.exceptions import MCPError

    async with Client(server) as client:
        try:
            return await client.call_tool(tool, arguments)
        except MCPError as problem:
            listed = await client.list_tools()
            return problem.error.message + _advice(tool, [each.name for each in listed.tools])


def _advice(tool: str, names: list[str]) -> str:
    if tool in names:
        return ""
    from .problems import nearest

    meant = nearest(tool, names)
    return f"; did you mean {meant}?" if meant else "; --list prints the tools"


def _shown(block: dict[str, Any]) -> str:
    """A content block for a terminal: its text, indented where that is JSON, or what it is."""
    block |= block.get("resource", {})
    text = block.get("text")
    if text is None:
        size = len(block.get("data") or block.get("blob") or "") * 3 // 4
        what = block.get("uri") or block["type"]
        return f"[{what}: {block.get('mimeType', 'no media type')}, about {size:,} bytes]"
    with suppress(ValueError):
        text = json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    return "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in str(text))
