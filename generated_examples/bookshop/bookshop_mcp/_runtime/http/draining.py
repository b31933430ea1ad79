"""Stops an HTTP server: calls in flight finish, streams that only wait for news end at once."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_SIGNALS = (signal.SIGTERM, signal.SIGINT)


def end_streams(server: Server[Any]) -> None:
    """Answer the requests for streams of notifications, so that clients see them end on purpose."""
    listening = server.get_request_handler("subscriptions/listen")
    if listening is not None:
        streams: Any = listening.handler  # a Listening, whose module is not in every server
        streams.close()


class Draining:
    """Whether the process of a server was asked to stop."""

    def __init__(self, server: Server[Any]) -> None:
        self._server = server
        self._begun = anyio.Event()

    @property
    def begun(self) -> bool:
        """Whether draining has begun."""
        return self._begun.is_set()

    def begin(self) -> None:
        """Begin draining: end the waiting streams."""
        self._begun.set()
        end_streams(self._server)

    async def stream(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a GET; draining looks to its stream as if the client had hung up."""
        open_ended = False

        async def sending(message: Message) -> None:
            nonlocal open_ended
            open_ended = message["type"] == "http.response.start" or message.get("more_body", False)
            await send(message)

        async def receiving() -> Message:
            async with anyio.create_task_group() as tasks:
                found: list[Message] = []

                async def first(source: Callable[[], Any]) -> None:
                    found.append(await source() or {"type": "http.disconnect"})
                    tasks.cancel_scope.cancel()

                tasks.start_soon(first, receive)
                tasks.start_soon(first, self._begun.wait)
            return found[0]

        await app(scope, receiving, sending)
        if open_ended and self.begun:
            await send({"type": "http.response.body", "body": b"", "more_body": False})


@asynccontextmanager
async def draining_signals(draining: Draining) -> AsyncIterator[None]:
    """Begin draining at the signals that stop the process.

    uvicorn still sees the signals. Older clients' calls are answered on streams, which
    `sse_starlette` would cut off at the signal, so its automatic end of streams is turned off
    meanwhile.
    """
    from sse_starlette.sse import AppStatus

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in _SIGNALS}

    def handle(number: int, frame: Any) -> None:
        loop.call_soon_threadsafe(draining.begin)
        earlier = before[signal.Signals(number)]
        if callable(earlier):
            earlier(number, frame)

    for number in _SIGNALS:
        signal.signal(number, handle)
    automatic = AppStatus.enable_automatic_graceful_drain
    AppStatus.enable_automatic_graceful_drain = False
    try:
        yield
    finally:
        AppStatus.enable_automatic_graceful_drain = automatic
        for number, earlier in before.items():
            if signal.getsignal(number) is handle:  # else whoever ran the event loop has left it
                signal.signal(number, earlier)
