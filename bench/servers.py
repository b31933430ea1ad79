"""The hand-written server that generated ones are measured against: one tool, nothing else."""

HAND_WRITTEN = """
import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

TOOL = types.Tool(
    name="ping",
    description="Answer.",
    input_schema={"type": "object", "properties": {"text": {"type": "string"}}},
)


async def list_tools(ctx, params):
    return types.ListToolsResult(tools=[TOOL])


async def call_tool(ctx, params):
    return types.CallToolResult(content=[types.TextContent(text="pong")])


async def main():
    server = Server("ping", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


anyio.run(main)
"""

FASTMCP = """
import json
import sys

import httpx
from fastmcp import FastMCP

document = json.load(open(sys.argv[1]))
client = httpx.AsyncClient(base_url="http://127.0.0.1:9")
FastMCP.from_openapi(openapi_spec=document, client=client).run(show_banner=False)
"""
