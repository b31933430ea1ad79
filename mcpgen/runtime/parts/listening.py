"""Notifies clients of changes, by the rules of each client's protocol version.

Since 2026-07-28 a client opens a stream for notifications (`subscriptions/listen`). An older client
gets them on its connection, which over HTTP is the stream that it opened with GET. A notification
only asks a client to look again, so changes before it is sent are combined into one notification.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote
from weakref import WeakKeyDictionary

import anyio
import mcp_types as types
from mcp.server.subscriptions import SUBSCRIPTION_ID_META_KEY
from mcp.shared.exceptions import MCPError

from ..calls.caller import share_of
from ..calls.server import ServerParts

if TYPE_CHECKING:
    from anyio.abc import TaskGroup
    from mcp.server.connection import Connection
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
    from mcp.server.lowlevel import Server

    from ..calls.context import Context

PAUSE = 0.1
"""Seconds after a notification in which further changes are saved up for the next."""
MOST_STREAMS = 1024
MOST_SUBJECTS = 1000
"""Subjects of one client; further ones are not agreed to."""

_CAPABILITIES = {
    "tools": {"listChanged": "toolsListChanged"},
    "prompts": {"listChanged": "promptsListChanged"},
    "resources": {"listChanged": "resourcesListChanged", "subscribe": "resourceSubscriptions"},
}
"""The capabilities that promise news, and the member of the filter that asks for them."""

Params = dict[str, Any]
MayHear = Callable[["ServerRequestContext[Any]", str], "bool | Awaitable[bool]"]


class Topic(NamedTuple):
    """Something that clients can watch: the method of its notifications, and its URI."""

    method: str
    subject: str = ""

    @property
    def plain(self) -> Topic:
        """The topic with its URI percent-decoded, so that `a b` equals a client's `a%20b`."""
        return self._replace(subject=unquote(self.subject))


@dataclass(frozen=True)
class Kind:
    """A kind of notification that a part of the server sends."""

    member: str
    """The member of a client's filter that asks for it: true, or a list of subjects."""
    method: str
    may_hear: MayHear = lambda _, __: True
    """Whether who asks may hear of a subject, at once or awaited."""
    params: Callable[[str], Params | None] = lambda _: {}
    """What a notification says of a subject now; None: nothing any more."""
    has_state: bool = False
    """A client that begins to listen is told at once how each subject stands."""


class Listener:
    """A client that listens: its topics and its pending notifications."""

    def __init__(self, topics: Iterable[Topic] = (), tasks: TaskGroup | None = None) -> None:
        self.topics = {topic.plain: topic for topic in topics}
        """Each as the client spelled it."""
        self.tasks = tasks
        """Where notifications are written to a client without a stream."""
        self.news = anyio.Event()
        self.closed = False
        self.busy = False
        """A notification is being written to it."""
        self.owed: dict[Topic, None] = {}

    def hear(self, topic: Topic) -> None:
        """Queue a notification that a topic has changed, if the client listens to that topic."""
        if (own := self.topics.get(topic.plain)) is not None:
            self.owed[own] = None
            self.news.set()

    def close(self) -> None:
        """Stop as soon as the pending notifications are sent."""
        self.closed = True
        self.news.set()


class Listening:
    """Keeps track of the clients that listen, and handles `subscriptions/listen`."""

    def __init__(self) -> None:
        self.parts: dict[str, Any] = {}
        """The parts of the server that have news."""
        self._kinds: dict[str, Kind] = {}
        self._streams: dict[Listener, object] = {}
        """With whose share each counts."""
        self._closed = False
        self._older: WeakKeyDictionary[Connection, Listener] = WeakKeyDictionary()
        self._loop: asyncio.AbstractEventLoop | None = None

    def add(self, kind: Kind) -> None:
        """Let clients subscribe to one more kind of notification."""
        self._kinds[kind.method] = kind

    def changed(self, topic: Topic) -> None:
        """Notify every listener of a topic; may be called from any thread.

        Changes before the server runs are not sent, since no client has seen the earlier state.
        """
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._note, topic)

    def older(self, request: ServerRequestContext[Any]) -> Listener | None:
        """The listener for a client before 2026-07-28; None if the client cannot be notified."""
        return self._older.get(_connection(request))

    def close(self) -> None:
        """End every stream, present and future, after its pending notifications."""
        self._closed = True
        for listener in self._streams:
            listener.close()

    async def __call__(
        self, request: ServerRequestContext[Any], params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """Serve one stream until the client or the server ends it."""
        share = share_of(request)
        own = sum(share == other for other in self._streams.values()) if share else 0
        if len(self._streams) >= MOST_STREAMS or own * 2 >= MOST_STREAMS:
            whose = "of yours " if own * 2 >= MOST_STREAMS else ""
            raise MCPError(
                types.INTERNAL_ERROR, f"Too many clients {whose}listen already: try later"
            )
        agreed, listener = await self._agree(request, params.notifications)
        meta = {SUBSCRIPTION_ID_META_KEY: request.request_id}

        async def send(method: str, payload: Params) -> None:
            whole = {**payload, "_meta": meta}
            # The type that the SDK asks for leaves out the notifications of tasks.
            notification: Any = types.Notification[Params, str](method=method, params=whole)
            await request.session.send_notification(notification, request.request_id)

        self._streams[listener] = share
        if self._closed:
            listener.close()
        try:
            await send("notifications/subscriptions/acknowledged", {"notifications": agreed})
            while True:
                await self._send_owed(listener, send)
                if listener.closed:
                    break
                await listener.news.wait()
                listener.news = anyio.Event()
        finally:
            del self._streams[listener]
        return types.SubscriptionsListenResult(_meta=meta)

    async def _agree(
        self, request: ServerRequestContext[Any], subscription: types.SubscriptionFilter
    ) -> tuple[Params, Listener]:
        """The part of a client's filter that is served, and a listener for that part
        (`subscriptions/listen`).
        """
        wishes = subscription.model_dump(by_alias=True, exclude_none=True)
        agreed: Params = {}
        listener = Listener()
        for kind in self._kinds.values():
            wish = wishes.get(kind.member)
            subjects = [""] if wish is True else wish
            if not isinstance(subjects, list):
                continue
            heard = [s for s in subjects if isinstance(s, str) and await _is(kind, request, s)]
            topics = [Topic(kind.method, subject) for subject in heard[:MOST_SUBJECTS]]
            if topics:
                agreed[kind.member] = wish is True or [topic.subject for topic in topics]
            listener.topics |= {topic.plain: topic for topic in topics}
            for topic in topics if kind.has_state else ():
                listener.hear(topic)
        return agreed, listener

    @asynccontextmanager
    async def running(self) -> AsyncIterator[TaskGroup]:
        """A context that sends notifications while the server runs.

        A server in memory enters it once for each client.
        """
        self._loop = asyncio.get_running_loop()
        async with anyio.create_task_group() as tasks:
            try:
                yield tasks
            finally:
                for connection, listener in list(self._older.items()):
                    if listener.tasks is tasks:
                        del self._older[connection]
                tasks.cancel_scope.cancel()

    def _note(self, topic: Topic) -> None:
        for listener in self._streams:
            listener.hear(topic)
        for connection, listener in list(self._older.items()):
            listener.hear(topic)
            is_ready = connection.initialized.is_set() and not listener.busy
            if listener.owed and listener.tasks is not None and is_ready:
                listener.busy = True
                listener.tasks.start_soon(self._tell, connection, listener)

    async def _tell(self, connection: Connection, listener: Listener) -> None:
        # A client that does not read keeps only its own notifications waiting.
        try:
            await self._send_owed(
                listener, lambda method, params: connection.notify(method, params or None)
            )
        finally:
            listener.busy = False

    async def _send_owed(
        self, listener: Listener, send: Callable[[str, Params], Awaitable[None]]
    ) -> None:
        while listener.owed:
            topics, listener.owed = listener.owed, {}
            for topic in topics:
                params = self._kinds[topic.method].params(topic.subject)
                if params is not None:
                    await send(topic.method, params)
            await anyio.sleep(PAUSE)

    async def meet(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """A middleware that registers clients of older protocol versions when they connect.

        A kind of notification is only advertised if it can be sent to the client; the MCP SDK
        advertises all kinds as soon as there are streams.
        """
        result = await call_next(ctx)
        if not isinstance(result, Mapping) or ctx.method not in ("initialize", "server/discover"):
            return result
        heard = {kind.member for kind in self._kinds.values()}
        if ctx.method == "initialize":
            connection = _connection(ctx)
            if connection.has_standalone_channel:
                topics = [Topic(method) for method in self._kinds]
                tasks = ctx.lifespan_context.running["listening"]
                self._older[connection] = Listener(topics, tasks)
            else:
                heard = set()
        capabilities = dict(result.get("capabilities", {}))
        for name in _CAPABILITIES.keys() & capabilities:
            promises = {key: member in heard for key, member in _CAPABILITIES[name].items()}
            capabilities[name] = {**capabilities[name], **promises}
        return {**result, "capabilities": capabilities}


async def _is(kind: Kind, request: ServerRequestContext[Any], subject: str) -> bool:
    may = kind.may_hear(request, subject)
    return may if isinstance(may, bool) else await may


def _connection(request: ServerRequestContext[Any]) -> Connection:
    connection: Connection = request.session._connection  # no accessor leads to it
    return connection


def of(server: Server[Any]) -> Listening:
    """The listeners of a server that has this part."""
    entry = server.get_request_handler("subscriptions/listen")
    assert entry is not None, "the part `listening` is installed first"
    listening: Listening = entry.handler  # type: ignore[assignment]  # `install` put it there
    return listening


def part(owner: Context | Server[Any], name: str) -> Any:
    """The part `name` of a server; `owner` is the server, or the context of a handler."""
    request = getattr(owner, "request", None)
    if request is not None:
        return request.lifespan_context.parts[name]
    return of(owner).parts[name]  # type: ignore[arg-type]  # without a request it is a server


def install(parts: ServerParts) -> Listening:
    """Let clients listen to notifications."""
    listening = Listening()
    parts.server.add_request_handler(
        "subscriptions/listen", types.SubscriptionsListenRequestParams, listening
    )
    parts.server.middleware.append(listening.meet)
    return listening
