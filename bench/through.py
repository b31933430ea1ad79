"""A generated server as if all its tools were listed, each call going through the search surface.

    python -m bench.through FOLDER BASE_URL

This is for suites that list tools and call them by name, such as a round trip. FOLDER holds a
server that was generated with the search surface; each variable of its `.env.example` is set.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import CallToolRequestParams, PaginatedRequestParams

from mcpgen.runtime.parts.search.answers import EFFECTS
from mcpgen.runtime.parts.search.index import FILE, SearchIndex


def environment(folder: Path, base_url: str) -> dict[str, str]:
    """The environment, with a value for each credential, and for the URL of each API."""
    found = {**os.environ, "PYTHONPATH": str(folder)}
    for line in (folder / ".env.example").read_text("utf-8").splitlines():
        name, separator, _ = line.partition("=")
        if separator and not name.startswith("#"):
            found.setdefault(name, base_url if name.endswith("_BASE_URL") else "a-token")
    return found


async def main(folder: Path, base_url: str) -> None:
    """Serve over stdio."""
    package = next(folder.glob("*/search.json")).parent
    tools = json.loads((package / "tools.json").read_bytes())["tools"]
    effects = {row.name: row.effect for row in SearchIndex((package / FILE).read_bytes()).rows}
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", package.name, "--base-url", base_url, "--surface", "search"],
        env=environment(folder, base_url),
        cwd=str(folder),
    )
    server: Server[Any] = Server("through")
    async with Client(stdio_client(command)) as client:

        async def list_tools(_: Any, __: PaginatedRequestParams) -> dict[str, Any]:
            return {"resultType": "complete", "tools": tools}

        async def call(_: Any, params: CallToolRequestParams) -> Any:
            if params.name not in effects:
                return await client.call_tool(params.name, params.arguments or {})
            arguments = {"name": params.name, "arguments": params.arguments or {}, "as": "json"}
            return await client.call_tool(EFFECTS[effects[params.name]], arguments)

        server.add_request_handler("tools/list", PaginatedRequestParams, list_tools)
        server.add_request_handler("tools/call", CallToolRequestParams, call)
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(main, Path(sys.argv[1]).resolve(), sys.argv[2])
