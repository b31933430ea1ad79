"""Telling clients that the tools changed, each in the way of its revision of the protocol.

Since 2026-07-28 a client opens a stream for that (`subscriptions/listen`); older ones are told on
their connection, over HTTP on the stream that they opened with GET.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import anyio
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from mcp_types import (
    SubscriptionFilter,
    SubscriptionsListenRequestParams,
    SubscriptionsListenResult,
)

if TYPE_CHECKING:
    from anyio.abc import TaskGroup
    from mcp.server.connection import Connection
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
    from mcp.server.lowlevel import Server

logger = logging.getLogger(__name__)

PAUSE = 0.1
"""Seconds after a notification in which further changes are saved up for the next."""


class Listening(ListenHandler):
    """Streams of the notifications that this server can send; what else is asked for is left out
    of the acknowledgement (2026-07-28, basic/patterns/subscriptions)."""

    async def __call__(
        self, ctx: ServerRequestContext[Any, Any], params: SubscriptionsListenRequestParams
    ) -> SubscriptionsListenResult:
        """Serve one stream until the client or the server ends it."""
        honoured = SubscriptionFilter(tools_list_changed=params.notifications.tools_list_changed)
        return await super().__call__(ctx, params.model_copy(update={"notifications": honoured}))


class Telling:
    """Who is to be told, and what was not told yet."""

    def __init__(self, pause: float = PAUSE) -> None:
        self._pause = pause
        self._bus = InMemorySubscriptionBus()
        self._connections: WeakSet[Connection] = WeakSet()
        self._owed: WeakSet[Connection] = WeakSet()
        self._busy: WeakSet[Connection] = WeakSet()
        """Being told, by a write that has not left."""
        self._news: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def install(self, server: Server[Any]) -> None:
        """Serve `subscriptions/listen`, and remember who connects in an older way."""
        handler = Listening(self._bus)
        server.add_request_handler(
            "subscriptions/listen", SubscriptionsListenRequestParams, handler
        )
        server.middleware.append(self._meet)

    def start(self, tasks: TaskGroup) -> None:
        """Tell of changes from now on; those before the server ran, nobody has seen otherwise."""
        self._loop, self._news = asyncio.get_running_loop(), asyncio.Event()
        tasks.start_soon(self._run, tasks)

    def changed(self) -> None:
        """Have everybody told, from any thread."""
        if self._loop is not None and self._news is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._news.set)

    async def _run(self, tasks: TaskGroup) -> None:
        assert self._news is not None
        while True:
            await self._news.wait()
            self._news.clear()
            await self._bus.publish(ToolsListChanged())
            for connection in list(self._connections):
                self._owed.add(connection)
                if connection.initialized.is_set() and connection not in self._busy:
                    tasks.start_soon(self._tell, connection)
            await anyio.sleep(self._pause)

    async def _tell(self, connection: Connection) -> None:
        # A client that does not read keeps only its own notification waiting.
        self._busy.add(connection)
        try:
            while connection in self._owed:
                self._owed.discard(connection)
                await connection.send_tool_list_changed()
        finally:
            self._busy.discard(connection)

    async def _meet(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        """A middleware that advertises `listChanged` where the notification can arrive."""
        result = await call_next(ctx)
        if ctx.method == "server/discover" and isinstance(result, Mapping):
            # The library claims it for every list as soon as there are streams.
            return _advertising(result, prompts=False, resources=False)
        if ctx.method != "initialize" or not isinstance(result, Mapping):
            return result
        connection: Connection = ctx.session._connection  # no accessor leads to it
        if not connection.has_standalone_channel:
            return result
        self._connections.add(connection)
        return _advertising(result, tools=True)


def _advertising(result: Mapping[str, Any], **lists: bool) -> dict[str, Any]:
    capabilities = dict(result.get("capabilities", {}))
    for name, can_change in lists.items():
        if name in capabilities:
            capabilities[name] = {**capabilities[name], "listChanged": can_change}
    return {**result, "capabilities": capabilities}
