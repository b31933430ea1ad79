"""A call that becomes a task, followed by a client in memory."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from mcp import Client
from mcp.client.extension import advertise
from mcp_types import Request, Result
from pydantic import ConfigDict


class Said(Result):
    """All that a result says."""

    model_config = ConfigDict(extra="allow")


@dataclass
class Task:
    """A task that goes on, and the client that began it."""

    client: Client
    name: str = ""

    async def ask(self, what: str) -> dict[str, Any]:
        """`get` or `cancel` it."""
        return await self._send(f"tasks/{what}", {"taskId": self.name})

    async def begin(self, tool: str, arguments: dict[str, Any], hear: Any) -> None:
        """Call the tool."""
        params = {"name": tool, "arguments": arguments}
        self.name = (await self._send("tools/call", params, hear))["taskId"]

    async def _send(self, method: str, params: dict[str, Any], hear: Any = None) -> dict[str, Any]:
        request = Request[Any, str](method=method, params=params)
        result = await self.client.session.send_request(request, Said, progress_callback=hear)
        return result.model_dump()


@asynccontextmanager
async def task_of(
    server: Any, tool: str, arguments: dict[str, Any] | None = None, hear: Any = None
) -> AsyncIterator[Task]:
    """The task that a call of a server's tool becomes; `hear` is told the call's progress."""
    extensions = [advertise("io.modelcontextprotocol/tasks")]
    async with Client(server, extensions=extensions, read_timeout_seconds=20) as client:
        task = Task(client)
        await task.begin(tool, arguments or {}, hear)
        yield task
