"""A server whose tools change, and clients that hear of it."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp_types import ToolListChangedNotification
from prepared import python

from .servers import Server, generate_from
from .upstream import Upstream

NAMES = ["open_season", "close_season", "many", "moor", "winter"]
NOTHING = {"type": "object", "properties": {}, "additionalProperties": False}
FILE = {
    "server": {"name": "quay", "listChanged": True},
    "tools": [
        *({"name": name, "description": "Some.", "inputSchema": NOTHING} for name in NAMES),
        {
            "name": "bad",
            "description": "Some.",
            "inputSchema": {"type": "object", "properties": {"tool": {"type": "object"}}},
        },
    ],
}
SUMMER = ["open_season", "close_season", "many", "moor", "bad", "crane"]


def make(folder: Path, upstream: Upstream, *options: str) -> Server:
    made = generate_from(FILE, folder, upstream, *options)
    filled = Path(__file__).parent / "filled" / "quay.py"
    (made.folder / made.package / "handlers" / "tools.py").write_bytes(filled.read_bytes())
    return made


def hook(server: Server, monkeypatch: pytest.MonkeyPatch, *added: tuple[Any, Any]) -> None:
    """Have hooks take `bad` away, add tools, and hide `winter` from all but masters."""
    catalogue = server.module("_runtime").catalogue

    @asynccontextmanager
    async def lifespan(running: Any) -> AsyncIterator[None]:
        catalogue(running).remove("bad")
        for tool, handler in added:
            catalogue(running).add(tool, handler)
        yield

    def may_use(tool: str, headers: Any) -> bool:
        return tool != "winter" or headers.get("x-role") == "master"

    for function in (lifespan, may_use):
        monkeypatch.setattr(server.module("hooks"), function.__name__, function, raising=False)


class News:
    """What a client is told of its server's tools, in the way of its revision."""

    def __init__(self) -> None:
        self.count = 0
        self._arrived = anyio.Event()

    async def hear(self, message: Any) -> None:
        if isinstance(message, ToolListChangedNotification):
            self.count += 1
            self._arrived.set()

    async def follow(self, subscription: Any) -> None:
        async for _ in subscription:
            await self.hear(ToolListChangedNotification())

    async def wait(self) -> None:
        """Return when a notification has come since the last time."""
        with anyio.fail_after(20):
            await self._arrived.wait()
        self._arrived = anyio.Event()


@asynccontextmanager
async def listening(target: Any, mode: Any) -> AsyncIterator[tuple[Client, News]]:
    """A client that hears of changes, by a stream or, before 2026-07-28, without asking."""
    news = News()
    client = Client(target, mode=mode, message_handler=news.hear, read_timeout_seconds=20)
    async with client, anyio.create_task_group() as tasks:
        if mode == "legacy":
            # Over HTTP nothing says when the stream on which it will be told is open.
            while isinstance(target, str) and not news.count:
                await client.call_tool("many", {})
            yield client, news
        else:
            async with client.listen(tools_list_changed=True) as subscription:
                assert subscription.honored.tools_list_changed
                tasks.start_soon(news.follow, subscription)
                yield client, news
                tasks.cancel_scope.cancel()


async def names(client: Client) -> list[str]:
    return [tool.name for tool in (await client.list_tools()).tools]


def environment(server: Server, **more: str) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "QUAY_BASE_URL": server.upstream.url, **more}


def stdio(server: Server, **more: str) -> StdioServerParameters:
    env = environment(server, **more)
    command, *arguments = python("-m", server.package)
    return StdioServerParameters(command=command, args=arguments, cwd=server.folder, env=env)


def crane(name: str) -> dict[str, Any]:
    return {"name": name, "description": "Lift.", "inputSchema": NOTHING}
