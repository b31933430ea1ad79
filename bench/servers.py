"""The hand-written servers that generated ones are measured against, and an API for both."""

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

FASTMCP_BUILT = """
import json
import sys

from fastmcp import FastMCP

try:
    from httpx2 import AsyncClient
except ImportError:  # FastMCP before 4
    from httpx import AsyncClient

document = json.load(open(sys.argv[1]))
client = AsyncClient(base_url="http://127.0.0.1:9")
server = FastMCP.from_openapi(openapi_spec=document, client=client)
"""

FASTMCP = f"""{FASTMCP_BUILT}
server.run(show_banner=False)
"""

FASTMCP_HTTP = """
import json
import sys

from fastmcp import FastMCP

try:
    from httpx2 import AsyncClient
except ImportError:  # FastMCP before 4
    from httpx import AsyncClient

source, base_url, port = sys.argv[1:]
client = AsyncClient(base_url=base_url, timeout=60)
server = FastMCP.from_openapi(openapi_spec=json.load(open(source)), client=client)
server.run(
    transport="http",
    host="127.0.0.1",
    port=int(port),
    show_banner=False,
    log_level="ERROR",
    json_response=True,
    stateless_http=True,
)
"""

_CALLING = """
import asyncio
import json
import os
import sys
from contextlib import asynccontextmanager
from random import uniform

import anyio
import httpx2
import mcp_types as types
import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

tools_json, base_url, port = sys.argv[1:]
TOOLS = [types.Tool.model_validate(tool) for tool in json.load(open(tools_json))["tools"]]
SCHEMAS = {tool.name: tool.input_schema for tool in TOOLS}


@asynccontextmanager
async def lifespan(server):
    async with httpx2.AsyncClient(base_url=base_url) as client:
        yield client


async def list_tools(ctx, params):
    return types.ListToolsResult(tools=TOOLS)


%s


server = Server(
    "bench",
    lifespan=lifespan,
    on_list_tools=list_tools,
    on_call_tool=call_tool,
    get_tool_input_schema=SCHEMAS.get,
)


async def main():
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if port == "-":
    anyio.run(main)
else:
    uvicorn.run(server.streamable_http_app(), port=int(port), log_config=None, access_log=False)
"""

HAND_WRITTEN_CALLS = (
    _CALLING
    % """
async def call_tool(ctx, params):
    answer = await ctx.lifespan_context.get("/resource0", params=params.arguments)
    data = answer.raise_for_status().json()
    text = json.dumps(data, separators=(",", ":"))
    return types.CallToolResult(
        content=[types.TextContent(text=text)], structured_content=data
    )
"""
)

HAND_WRITTEN_SOAK = (
    _CALLING
    % """
async def call_tool(ctx, params):
    client, nonce = ctx.lifespan_context, params.arguments["nonce"]
    source, _, name = params.name.rpartition("_")
    url = f"{os.environ['SECOND'] if source else base_url}/{name}"
    headers = {"X-Key": ctx.request.headers[f"x-{source or 'caller'}-key"]}
    for left in (2, 1, 0) if name == "read" else (0,):
        try:
            if name == "read":
                answer = await client.get(url, params={"nonce": nonce}, headers=headers)
            else:
                answer = await client.post(url, json={"nonce": nonce}, headers=headers)
            data = answer.raise_for_status().json()
            break
        except (httpx2.HTTPError, ValueError) as error:
            status = getattr(getattr(error, "response", None), "status_code", None)
            passing = isinstance(error, httpx2.TransportError) or status == 429
            if not left or not passing:
                text = types.TextContent(text=f"{type(error).__name__}")
                return types.CallToolResult(content=[text], is_error=True)
            await asyncio.sleep(uniform(0, 0.2) if status else (2 - left) * uniform(0.2, 0.4))
    text = json.dumps(data, separators=(",", ":"))
    return types.CallToolResult(content=[types.TextContent(text=text)], structured_content=data)
"""
)

UPSTREAM = """
import asyncio
import json

BODY = json.dumps(
    {"field_0": "a text", "state": "open", "items": [{"id": n, "name": "name"} for n in range(8)]}
).encode()
TYPE = "Content-Type: application/json"
HEAD = f"HTTP/1.1 200 OK\\r\\n{TYPE}\\r\\nContent-Length: {len(BODY)}\\r\\n\\r\\n"
ANSWER = HEAD.encode() + BODY


class Api(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport, self.read = transport, b""

    def data_received(self, data):
        self.read += data
        while b"\\r\\n\\r\\n" in self.read:
            self.read = self.read.partition(b"\\r\\n\\r\\n")[2]
            self.transport.write(ANSWER)


async def main():
    server = await asyncio.get_running_loop().create_server(Api, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
"""
