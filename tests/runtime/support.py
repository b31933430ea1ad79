"""A client of the runtime without a package, and an API on a socket that does what a test says."""

import asyncio
import gzip
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import httpx2

from mcpgen.runtime import Api, ServerUrl, Settings
from mcpgen.runtime.backend.client import ApiClient
from mcpgen.runtime.backend.observing import Report
from mcpgen.runtime.backend.session import Backend, Connections, Hooks

HOME = "https://api.example/v1"
JSON = "Content-Type: application/json"
NOTHING = gzip.compress(b"", mtime=0)
"""As much as an empty text takes."""


def fast(**settings: Any) -> Settings:
    """Settings whose limits a test reaches at once."""
    return Settings(**({"timeout": 5.0, "connect_timeout": 1.0, "read_timeout": 5.0} | settings))


def client(
    answer: Callable[[httpx2.Request], Any] | None = None,
    *,
    api: Api | None = None,
    settings: Settings | None = None,
    hooks: ModuleType | None = None,
    report: Report | None = None,
    mock: bool = False,
) -> ApiClient:
    """A client whose API is a function, or the network where there is none."""
    transport = None if answer is None else httpx2.MockTransport(answer)
    settings = settings or Settings(retries=0)
    backend = Backend(
        api=api or Api(env_prefix="SHOP", servers=[ServerUrl(HOME)]),
        settings=settings,
        connections=Connections(settings, transport),
        hooks=Hooks(hooks),
        user_agent="shop/1.0",
        mock=mock,
    )
    return ApiClient(backend, "tool", report)


@dataclass
class Seen:
    """What arrived at the socket: connections, and the head and body of each request."""

    port: int = 0
    connections: int = 0
    heads: list[bytes] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)

    @property
    def url(self) -> str:
        """The API's base URL."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def targets(self) -> list[str]:
        """The request target of each request."""
        return [head.split(b" ")[1].decode() for head in self.heads]


Reply = Callable[[asyncio.StreamWriter, bytes], Awaitable[None]]


@asynccontextmanager
async def api_on_socket(reply: Reply | bytes) -> AsyncIterator[Seen]:
    """Serve on 127.0.0.1; `reply` is the bytes of every answer, or a function that writes them."""
    seen = Seen()
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.connections += 1
        tasks.add(asyncio.current_task())  # type: ignore[arg-type]
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                seen.heads.append(head)
                length = 0
                for line in head.lower().split(b"\r\n"):
                    if line.startswith(b"content-length:"):
                        length = int(line.partition(b":")[2])
                seen.bodies.append(await reader.readexactly(length))
                if isinstance(reply, bytes):
                    writer.write(reply)
                else:
                    await reply(writer, head)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass  # the test is over, or the client hung up
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    seen.port = server.sockets[0].getsockname()[1]
    try:
        yield seen
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def raw(body: bytes, status: str = "200 OK", *headers: str) -> bytes:
    """An HTTP answer with its Content-Length."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body
