"""Answers one request (a POST) of a client before 2026-07-28 that has no session.

As in later versions, the answer is JSON, or a stream if messages come before it or if it takes
long. The MCP SDK would create a connection, with its tasks and streams, for each such request.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.connection import Connection
from mcp.server.runner import modern_error_data, serve_one
from mcp.shared.exceptions import NoBackChannelError
from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER
from mcp.shared.jsonrpc_dispatcher import progress_token_from_params
from mcp.shared.message import ServerMessageMetadata
from mcp.shared.transport_context import TransportContext
from mcp_types import (
    DEFAULT_NEGOTIATED_VERSION,
    INVALID_REQUEST,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_HANDSHAKE_VERSION
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response

from ...app.stdio import encode
from .negotiation import JSON, STREAM_HEADERS, event
from .requests import refusal

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.server.lowlevel import Server
    from mcp.shared.dispatcher import CallOptions
    from mcp_types import ProgressToken, RequestId
    from starlette.types import Receive, Scope, Send

SILENCE = 15.0
"""Seconds after which a stream begins, and goes on with a comment: proxies cut what is silent."""
_COMMENT = b": ping\r\n\r\n"
_START = {
    "type": "http.response.start",
    "status": 200,
    "headers": [(name.lower().encode(), text.encode()) for name, text in STREAM_HEADERS.items()],
}
_TRANSPORT = TransportContext(kind="streamable-http", can_send_request=False)


@dataclass
class Exchange:
    """A request in the form of the SDK, with a channel for its handler's notifications."""

    request_id: RequestId
    message_metadata: ServerMessageMetadata
    progress_token: ProgressToken | None
    told: MemoryObjectSendStream[bytes]
    transport: TransportContext = _TRANSPORT
    can_send_request: bool = False
    cancel_requested: anyio.Event = field(default_factory=anyio.Event)

    async def send_raw_request(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None
    ) -> dict[str, Any]:
        """Raise NoBackChannelError: there is no channel for a client's answer to such a request."""
        raise NoBackChannelError(method)

    async def notify(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None
    ) -> None:
        """Send a notification to the client."""
        own = None if params is None else dict(params)
        line = encode(JSONRPCNotification(jsonrpc="2.0", method=method, params=own))
        with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):  # it was answered
            await self.told.send(event(line.rstrip()))

    async def progress(
        self, progress: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Send progress to the client, if the request asked for it."""
        if self.progress_token is None:
            return
        own = {"progress": progress, "total": total, "message": message}
        params = {name: value for name, value in own.items() if value is not None}
        await self.notify("notifications/progress", {"progressToken": self.progress_token} | params)


async def answer(
    server: Server[Any], state: Any, value: Any, scope: Scope, receive: Receive, send: Send
) -> None:
    """Answer a request with the given JSON body; `state` is that of the server's lifespan.

    The handler is cancelled if the client hangs up.

    Raises:
        HTTPException: the body is not a message.
    """
    try:
        message = jsonrpc_message_adapter.validate_python(value, by_name=False)
    except ValidationError:
        text = "The body is not one JSON-RPC 2.0 message"
        raise refusal(400, INVALID_REQUEST, text) from None
    if not isinstance(message, JSONRPCRequest):
        await Response(status_code=202)(scope, receive, send)
        return
    sending, told = anyio.create_memory_object_stream[bytes](0)
    results: list[bytes] = []

    async def work() -> None:
        async with sending:
            results.append(await _served(server, state, message, Request(scope), sending))

    async def leave() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        tasks.cancel_scope.cancel()

    async with told, anyio.create_task_group() as tasks:
        tasks.start_soon(work)
        tasks.start_soon(leave)
        is_stream = False
        while (piece := await _next(told)) is not None:
            if not is_stream:
                is_stream = True
                await send(_START)
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        if is_stream:
            await send({"type": "http.response.body", "body": event(results[0])})
        else:
            await Response(results[0], media_type=JSON)(scope, receive, send)
        tasks.cancel_scope.cancel()


async def _served(
    server: Server[Any],
    state: Any,
    message: JSONRPCRequest,
    request: Request,
    told: MemoryObjectSendStream[bytes],
) -> bytes:
    """The JSON-RPC answer to a message, as bytes."""
    context = Exchange(
        request_id=message.id,
        message_metadata=ServerMessageMetadata(request_context=request),
        progress_token=progress_token_from_params(message.params),
        told=told,
    )
    connection = Connection.from_envelope(_revision(message, request), None, None)
    found: JSONRPCResponse | JSONRPCError
    try:
        result = await serve_one(
            server,
            context,
            message.method,
            message.params,
            connection=connection,
            lifespan_state=state,
        )
        found = JSONRPCResponse(jsonrpc="2.0", id=message.id, result=result)
    except Exception as problem:  # as the SDK's own entries do: nothing of it is told
        found = JSONRPCError(jsonrpc="2.0", id=message.id, error=modern_error_data(problem))
    return encode(found).rstrip()


def _revision(message: JSONRPCRequest, request: Request) -> str:
    """The protocol version of a request without a session, read from the request itself."""
    if message.method == "initialize":
        asked = str((message.params or {}).get("protocolVersion"))
        return asked if asked in HANDSHAKE_PROTOCOL_VERSIONS else LATEST_HANDSHAKE_VERSION
    return request.headers.get(MCP_PROTOCOL_VERSION_HEADER, DEFAULT_NEGOTIATED_VERSION)


async def _next(told: MemoryObjectReceiveStream[bytes]) -> bytes | None:
    """The next event of a stream, or a comment after a silence; None if the stream is over."""
    with anyio.move_on_after(SILENCE):
        try:
            return await told.receive()
        except anyio.EndOfStream:
            return None
    return _COMMENT
