"""The endpoint of the protocol, and which code answers each kind of request.

| request | with sessions | without |
|---|---|---|
| POST of 2026-07-28 and later | the MCP SDK | the MCP SDK |
| POST of older clients | the MCP SDK, in their session | `exchange`, each by itself |
| GET and DELETE of older clients | the MCP SDK, in their session | 405 |
| all others | 405 | 405 |
"""

from __future__ import annotations

import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER
from mcp_types import HEADER_MISMATCH, INVALID_REQUEST, PARSE_ERROR, PROTOCOL_VERSION_META_KEY
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic_core import from_json
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from ...backend.response import ONE_ANSWER
from ...backend.threads import aside
from ...calls.caller import Caller
from ...values.media import MediaType
from . import exchange
from .negotiation import JSON, STREAM, AsJson, AsStream, Taken, with_headers
from .requests import peeked, refusal
from .settings import HttpSettings

SESSION = "mcp-session-id"
_MISMATCH = "The MCP-Protocol-Version header does not match the protocol version of the request"
_AS_ASKED = {"accept": f"{JSON}, {STREAM}", "content-type": JSON}
"""What MCP asks clients to send, as most of them write it."""


class Endpoint:
    """The route of the protocol's endpoint."""

    def __init__(self, server: Server[Any], settings: HttpSettings, *, has_sessions: bool) -> None:
        """`has_sessions`: whether clients of protocol versions before 2026-07-28 have sessions."""
        self.manager = StreamableHTTPSessionManager(
            server,
            stateless=not has_sessions,
            session_idle_timeout=settings.http_session_timeout or None,
            max_sessions=settings.http_max_sessions,
            max_request_body_size=settings.max_request_bytes,
        )
        self._has_sessions = has_sessions
        self._server = server
        self._settings = settings
        self.stopping = anyio.Event()
        """Set when the process is asked to stop."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request."""
        version = Headers(scope=scope).get(MCP_PROTOCOL_VERSION_HEADER)
        is_older = version in (None, *HANDSHAKE_PROTOCOL_VERSIONS)
        match scope["method"]:
            case "POST" if is_older:
                await self._older(version, scope, receive, send)
            case "POST":
                await self._current(scope, receive, send)
            case "GET" if is_older and self._has_sessions:
                await self._stream(scope, receive, send)
            case "DELETE" if is_older and self._has_sessions:
                await self.manager.asgi_app(scope, receive, send)
            case _:
                allowed = "GET, POST, DELETE" if is_older and self._has_sessions else "POST"
                refused = PlainTextResponse("Method Not Allowed\n", 405, {"Allow": allowed})
                await refused(scope, receive, send)

    async def _current(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a POST of version 2026-07-28 or later."""
        receive, _ = await peeked(scope, receive, self._settings.max_request_bytes)
        scope, send = self._negotiated(scope, send)
        await self.manager.asgi_app(scope, receive, send)

    async def _older(self, version: str | None, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a POST of a version before 2026-07-28."""
        if self._has_sessions and self._has_its_share(scope):
            text = "You have as many sessions as one caller may have: end one.\n"
            await PlainTextResponse(text, 503, {"Retry-After": "30"})(scope, receive, send)
            return
        receive, body = await peeked(scope, receive, self._settings.max_request_bytes)
        scope, send = self._negotiated(scope, send, as_json=self._settings.http_json)
        if self._has_sessions:
            if self._opens(scope) or b"protocolVersion" in body:
                with suppress(ValueError):
                    await self._admit(scope, version, from_json(body))
            await self.manager.asgi_app(scope, receive, send)
            return
        value = await self._read(body)
        await self._admit(scope, version, value)
        await exchange.answer(self._server, self.session, value, scope, receive, send)

    @property
    def session(self) -> Any:
        """The state that all calls of the running server share."""
        return self.manager._lifespan_state  # no accessor leads to it

    async def _read(self, body: bytes) -> Any:
        """The JSON value of a body; raises HTTPException."""
        if len(body) > self._settings.max_request_bytes:
            raise refusal(413, INVALID_REQUEST, "The request is too large")
        try:
            return await aside(len(body), partial(from_json, body))
        except ValueError:
            raise refusal(400, PARSE_ERROR, "The body is not JSON") from None

    def _negotiated(self, scope: Scope, send: Send, *, as_json: bool = False) -> tuple[Scope, Send]:
        """A request changed to accept both JSON and streams, and a `send` for its answer.

        The `send` converts the answer to a type that the client accepts.

        `as_json`: prefer JSON if the client accepts both. Raises HTTPException if it accepts
        neither, or does not send JSON.
        """
        headers = Headers(scope=scope)
        if not as_json and all(headers.get(name) == text for name, text in _AS_ASKED.items()):
            return scope, send
        taken = Taken.of(headers.get("accept", ""))
        if not any(taken):
            raise refusal(406, INVALID_REQUEST, f"The answer is {JSON} or {STREAM}")
        if MediaType.read(headers.get("content-type")).name != JSON:
            raise refusal(415, INVALID_REQUEST, f"The Content-Type must be {JSON}")
        if not taken.stream and headers.get("mcp-method") == "subscriptions/listen":
            return scope, send  # which is a stream or nothing: the MCP SDK refuses it
        if taken.json and (as_json or not taken.stream):
            scope, send = {**scope, ONE_ANSWER: True}, AsJson(send)
        elif not taken.json:
            send = AsStream(send)
        return with_headers(scope, _AS_ASKED), send

    async def _stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a GET; when the server stops, its stream ends as if the client had hung up."""
        open_ended = False

        async def sending(message: Message) -> None:
            nonlocal open_ended
            open_ended = message["type"] == "http.response.start" or message.get("more_body", False)
            await send(message)

        async def receiving() -> Message:
            message: Message = {"type": "http.disconnect"}
            async with anyio.create_task_group() as tasks:

                async def stop() -> None:
                    await self.stopping.wait()
                    tasks.cancel_scope.cancel()

                tasks.start_soon(stop)
                message = await receive()
                tasks.cancel_scope.cancel()
            return message

        if Taken.of(Headers(scope=scope).get("accept", "")).stream:
            scope = with_headers(scope, {"accept": STREAM})
        await self.manager.asgi_app(scope, receiving, sending)
        if open_ended and self.stopping.is_set():
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _admit(self, scope: Scope, header: str | None, request: Any) -> None:
        """Refuse a request whose header and body differ, and a new session beyond the limit.

        The MCP SDK itself compares header and body only if the header names a current version. An
        `initialize` request is not compared, since it negotiates the version.
        """
        try:
            request_id = request["id"] if type(request["id"]) in (str, int) else None
            if request["method"] == "initialize":
                if self._opens(scope) and (guard := scope["app"].state.guard):
                    scope["mcp_counted"] = True
                    await guard.open("initialize", Caller.of(Request(scope)))
            elif request["params"]["_meta"][PROTOCOL_VERSION_META_KEY] != header:
                raise refusal(400, HEADER_MISMATCH, _MISMATCH, request_id)
        except (KeyError, TypeError):
            return  # a notification, a message of an older client, or none at all
        except MCPError as limit:
            raise refusal(429, limit.code, limit.message, request_id) from None

    def _opens(self, scope: Scope) -> bool:
        """Whether `initialize` opens a session: the request has no session id, or ids are
        not used.
        """
        return not self._has_sessions or SESSION not in Headers(scope=scope)

    def _has_its_share(self, scope: Scope) -> bool:
        """Whether the request would give its caller more than half of all sessions."""
        caller = Caller.of(Request(scope))
        if not caller.is_known or not self._opens(scope):
            return False
        # No accessor leads to them; a library without them has them counted for nobody.
        owners = getattr(self.manager, "_session_owners", {}).values()
        each = (Caller(o["client_id"], o["subject"] or "", o["issuer"] or "") for o in owners)
        own = sum(owner.share == caller.share for owner in each)
        return own * 2 >= (self.manager.max_sessions or math.inf)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run the server until the process is asked to stop."""
        async with self.manager.run():
            yield

    def stop(self) -> None:
        """End the streams that only wait for notifications, at once; calls in flight finish."""
        self.stopping.set()
        listening: Any = self._server.get_request_handler("subscriptions/listen")
        if listening is not None:  # its module is not in every server
            listening.handler.close()
