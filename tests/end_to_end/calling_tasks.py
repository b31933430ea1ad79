"""A server whose tools run as tasks, and its callers over HTTP."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import anyio
import httpx2

from .servers import Server, generate_from, read
from .upstream import Upstream

EXTENSION = "io.modelcontextprotocol/tasks"
NOTHING = {"type": "object", "properties": {}}
CAPABILITIES: dict[str, Any] = {"elicitation": {"form": {}}, "extensions": {EXTENSION: {}}}
ENDED = ("completed", "failed", "cancelled")


class Refused(Exception):
    """A JSON-RPC error."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        super().__init__(error["message"])
        self.code = error["code"]
        self.data = error.get("data")


class Caller:
    """One caller over HTTP, in messages as they are on the wire."""

    def __init__(self, http: httpx2.AsyncClient, token: str, **headers: str) -> None:
        self._http = http
        self._token = token
        self._headers = headers
        self._ids = count(1)

    async def ask(
        self,
        method: str,
        params: Mapping[str, Any],
        capabilities: Mapping[str, Any] = CAPABILITIES,
        named: str | None = None,
    ) -> dict[str, Any]:
        """The result of a request; raises Refused."""
        name = params.get("name", params.get("taskId", "")) if named is None else named
        meta = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": capabilities,
        }
        headers = {
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2026-07-28",
            "Mcp-Method": method,
            "Mcp-Name": name,
            "Authorization": f"Bearer {self._token}",
            **self._headers,
        }
        body = {"jsonrpc": "2.0", "id": next(self._ids), "method": method}
        answer = await self._http.post(
            "/mcp", json={**body, "params": {**params, "_meta": meta}}, headers=headers
        )
        text = answer.text
        if "event-stream" in answer.headers["content-type"]:
            text = [line for line in text.splitlines() if line.startswith("data: {")][-1][6:]
        message = json.loads(text)
        if "error" in message:
            raise Refused(message["error"])
        result: dict[str, Any] = message["result"]
        return result

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        return await self.ask("tools/call", {"name": tool, "arguments": arguments})

    async def get(self, task: str) -> dict[str, Any]:
        return await self.ask("tasks/get", {"taskId": task})

    async def until(self, task: str, *statuses: str) -> dict[str, Any]:
        """Poll until the task is in one of these states."""
        with anyio.fail_after(20):
            while (found := await self.get(task))["status"] not in statuses:
                await anyio.sleep(0)
        return found


@asynccontextmanager
async def serving(server: Server, **settings: Any) -> AsyncIterator[httpx2.AsyncClient]:
    """The server as an ASGI application in this process."""
    made = server.module("server").APP.parts.kind(**settings)
    app = server.module("server").create_app(made)
    transport = httpx2.ASGITransport(app=app)
    base = "http://127.0.0.1:8000"
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=transport, base_url=base, timeout=30) as http,
    ):
        yield http


def make(folder: Path, upstream: Upstream, **changes: Any) -> Server:
    """The server of `yard`, filled in, whose file and settings are changed."""
    settings = changes.pop("settings", "")
    made = generate_from({**read("yard"), **changes}, folder, upstream, settings=settings)
    filled = Path(__file__).parent / "filled" / "yard.py"
    (made.folder / made.package / "handlers" / "tools.py").write_bytes(filled.read_bytes())
    return made
