"""The server as an ASGI application: Streamable HTTP at `/mcp`, and two health checks."""

from __future__ import annotations

import asyncio
import logging
import math
import re
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER
from mcp_types import HEADER_MISMATCH, PROTOCOL_VERSION_META_KEY
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic_core import from_json
from sse_starlette.sse import AppStatus
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...app.logs import log_of_package
from ...calls.caller import Caller
from ...values.settings import ConfigurationError, Settings
from .requests import peeked, refusal
from .settings import HttpSettings

if TYPE_CHECKING:
    from ...app.builder import Builder

logger = logging.getLogger(__name__)

PATH = "/mcp"
STARTUP_FAILURE = 3
"""The exit code by which a worker tells uvicorn, and gunicorn, that the next one would fail too."""

_OF_HOSTS = (b"host", b"origin")
"""Headers that are compared without regard to case (RFC 9110 4.2.3); the library does regard it."""
HOST = re.compile(r"(?:[a-z][a-z0-9+.-]*://)?([^\s/?#@:,\[\]]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?")
"""An Origin, or a Host, whose name is the group."""
_SIGNALS = (signal.SIGTERM, signal.SIGINT)
_MISMATCH = "The MCP-Protocol-Version header does not match the protocol version of the request"
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def application(app: Builder, given: Settings | None, transport: Any) -> Starlette:
    """The server as `App.create_app` says; `given` are settings in place of the environment's."""
    prefix = app.api.env_prefix
    try:
        settings = app.settings() if given is None else app.parts.settings_of(given, prefix)
        assert isinstance(settings, HttpSettings)
        if given is None:
            app.check_files(settings)
            log_of_package(app.package, settings.log_level, settings.log_format)
        elif settings.http_anonymous is None:
            default = getattr(app.defaults, "http_anonymous", None)
            settings = replace(settings, http_anonymous=default)
        server = app.create_server(settings, transport=transport)
        is_mock = getattr(transport, "is_mock", False)
        for line in app.remarks(settings, is_served=not is_mock):
            logger.warning("%s", line)
        return create_app(server, settings, prefix)
    except ConfigurationError as problem:
        if given is not None:
            raise
        print(f"{app.info.name}: {problem}", file=sys.stderr)
        raise SystemExit(STARTUP_FAILURE) from None


def create_app(
    server: Server[Any], settings: HttpSettings, prefix: str = "...", *, exits: bool = False
) -> Starlette:
    """Serve `server` over Streamable HTTP, to clients of every protocol version at once.

    The application starts by its lifespan. `prefix` is that of its variables. `exits`: the process
    exits by itself, and so exports the last spans; uvicorn's own is ended by a signal.

    Raises:
        ConfigurationError: the file of tokens, or the address for metrics, cannot be used.
    """
    endpoint = Endpoint(server, settings)

    async def healthz(_: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def readyz(_: Request) -> Response:
        ready = not endpoint.stopping.is_set()
        return PlainTextResponse("ready\n" if ready else "stopping\n", 200 if ready else 503)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        with metrics.served() if metrics else nullcontext():
            async with endpoint.running():
                yield
        if guard is not None and not exits:
            await guard.flush()

    middleware = []
    if settings.allow_origins:
        middleware.append(
            Middleware(
                CORSMiddleware,
                allow_origins=settings.allow_origins,
                allow_methods=["GET", "POST", "DELETE"],
                allow_headers=["*"],
                expose_headers=["Mcp-Session-Id", "WWW-Authenticate"],
            )
        )
    guard: Any = next((layer for layer in server.middleware if hasattr(layer, "gated")), None)
    metrics: Any = None
    if guard is not None and guard.counting is not None:
        metrics = guard.metrics = guard.counting()
    surfaces: Any = next((layer for layer in server.middleware if hasattr(layer, "surfaces")), None)
    endpoints = {"": endpoint} if surfaces is None else surfaces.surfaces(endpoint)
    gates, more = (endpoints, []) if guard is None else guard.gated(endpoints)
    checked = {path: HostCheck(gate, settings, prefix) for path, gate in gates.items()}
    # A redirect from one spelling to the other would lead from https to http behind a proxy.
    protocol = [
        Route(f"{PATH}{path}{end}", app) for path, app in checked.items() for end in ("", "/")
    ]
    routes = [*protocol, *more, Route("/healthz", healthz), Route("/readyz", readyz)]
    app = Starlette(routes=routes, middleware=middleware, lifespan=lifespan)
    app.state.guard = guard
    app.router.redirect_slashes = False  # it would repeat a Host that nobody has checked
    return app


def security(settings: HttpSettings) -> TransportSecuritySettings:
    """The Host and Origin headers that are accepted, in lower case.

    Loopback names always are: a page of a foreign site cannot make a browser send those.
    """
    names = (*_LOOPBACK, *settings.public_hosts)
    hosts = [form.lower() for name in names for form in _with_ports(name)]
    origins = [f"{scheme}://{host}" for host in hosts for scheme in ("http", "https")]
    origins += [origin.lower() for origin in settings.allow_origins]
    return TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=origins)


def _with_ports(name: str) -> tuple[str, ...]:
    """The Host headers of a name; clients leave out the default port of http or https."""
    if ":" not in name.rpartition("]")[2]:
        return (name, f"{name}:*")
    host, _, port = name.rpartition(":")
    return (name, host) if port in ("80", "443") else (name,)


def _whole(value: bytes) -> bytes:
    """A Host or Origin header, if it is one to its end; the library looks at how it begins."""
    return value if HOST.fullmatch(value.decode("latin-1")) else b"?"


class HostCheck:
    """Refuses foreign Host and Origin headers before anybody is asked who they are."""

    def __init__(self, app: ASGIApp, settings: HttpSettings, prefix: str) -> None:
        self._app = app
        self._variable = f"{prefix}_PUBLIC_HOSTS"
        self._security = TransportSecurityMiddleware(security(settings))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with 421 or 403."""
        lowered = [(n, _whole(v.lower()) if n in _OF_HOSTS else v) for n, v in scope["headers"]]
        scope = {**scope, "headers": lowered}
        refusal = await self._security.validate_request(Request(scope))
        if refusal is not None and refusal.status_code == 421:
            text = f"This server is not reached by that Host: {self._variable} names those it has"
            refusal = PlainTextResponse(f"{text}\n", 421)
        with suppress(ClientDisconnect):  # there is nobody to answer
            await (refusal or self._app)(scope, receive, send)


class Endpoint:
    """The route of the protocol itself."""

    def __init__(self, server: Server[Any], settings: HttpSettings) -> None:
        self.manager = StreamableHTTPSessionManager(
            server,
            stateless=settings.http_stateless,
            security_settings=security(settings),
            max_request_body_size=settings.max_request_bytes,
        )
        self._server = server
        self._largest = settings.max_request_bytes
        self.stopping = anyio.Event()
        """Set when the process is asked to stop."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request."""
        if scope["method"] == "GET":
            await self._stream(scope, receive, send)
            return
        if scope["method"] == "POST":
            version = Headers(scope=scope).get(MCP_PROTOCOL_VERSION_HEADER)
            is_older = version in (None, *HANDSHAKE_PROTOCOL_VERSIONS)
            if is_older and self._has_its_share(scope):
                text = "You have as many sessions as one caller may have: end one.\n"
                await PlainTextResponse(text, 503, {"Retry-After": "30"})(scope, receive, send)
                return
            receive, body = await peeked(scope, receive, self._largest)
            if is_older:
                self._admit(scope, version, body)
        await self.manager.asgi_app(scope, receive, send)

    async def _stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a GET; to its stream, stopping looks as if the client had hung up."""
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

        await self.manager.asgi_app(scope, receiving, sending)
        if open_ended and self.stopping.is_set():
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _admit(self, scope: Scope, header: str | None, body: bytes) -> None:
        """Refuse a current request that would pass as an older one, and a session over the limit.

        The library compares header and body where the header names a current revision. An
        `initialize` settles which revision it is to be, whatever its metadata say.
        """
        opens = "mcp-session-id" not in Headers(scope=scope)
        if not opens and b"protocolVersion" not in body:
            return
        try:
            request = from_json(body)
            request_id = request["id"] if type(request["id"]) in (str, int) else None
            if request["method"] == "initialize":
                if opens and (guard := scope["app"].state.guard):
                    scope["mcp_counted"] = True
                    guard.open("initialize", Caller.of(Request(scope)))
            elif request["params"]["_meta"][PROTOCOL_VERSION_META_KEY] != header:
                raise refusal(400, HEADER_MISMATCH, _MISMATCH, request_id)
        except (ValueError, KeyError, TypeError):
            return  # a notification, a message of an older client, or none at all
        except MCPError as limit:
            raise refusal(429, limit.code, limit.message, request_id) from None

    def _has_its_share(self, scope: Scope) -> bool:
        """Whether a request would open a session for a caller who has half of all there may be."""
        caller = Caller.of(Request(scope))
        if not caller.is_known or "mcp-session-id" in Headers(scope=scope):
            return False
        # No accessor leads to them; a library without them has them counted for nobody.
        owners = getattr(self.manager, "_session_owners", {}).values()
        each = (Caller(o["client_id"], o["subject"] or "", o["issuer"] or "") for o in owners)
        own = sum(owner.share == caller.share for owner in each)
        return own * 2 >= (self.manager.max_sessions or math.inf)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run the server until the process is asked to stop."""
        async with _caught_signals(self._stop), self.manager.run():
            yield

    def _stop(self) -> None:
        """End the streams that only wait for news, at once; calls in flight finish."""
        self.stopping.set()
        listening: Any = self._server.get_request_handler("subscriptions/listen")
        if listening is not None:  # its module is not in every server
            listening.handler.close()


@asynccontextmanager
async def _caught_signals(stop: Callable[[], None]) -> AsyncIterator[None]:
    """Call `stop` at the signals that stop the process; uvicorn still sees them.

    Older clients' calls are answered on streams, which `sse_starlette` would cut off at the signal,
    so its automatic end of streams is turned off meanwhile.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in _SIGNALS}

    def handle(number: int, frame: Any) -> None:
        loop.call_soon_threadsafe(stop)
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
