"""The server as an ASGI application: Streamable HTTP, and two health checks."""

from __future__ import annotations

import asyncio
import logging
import re
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mcp.server.lowlevel import Server
from sse_starlette.sse import AppStatus
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from ...app.logs import log_of_package
from ...values.settings import ConfigurationError, Settings
from . import sessions
from .endpoint import Endpoint
from .narrowing import Narrowed, Narrowing, addresses
from .settings import HttpSettings

if TYPE_CHECKING:
    from ...app.builder import Builder

logger = logging.getLogger(__name__)

STARTUP_FAILURE = 3
"""The exit code by which a worker tells uvicorn, and gunicorn, that the next one would fail too."""

HOST = re.compile(r"([^\s/?#@:,\[\]]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?")
"""A Host header in lower case, whose name is the group."""
_SIGNALS = (signal.SIGTERM, signal.SIGINT)
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def application(app: Builder, given: Settings | None, transport: Any) -> Starlette:
    """The application for `App.create_app`.

    The settings `given` are used in place of those from the environment.
    """
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
        is_mock = getattr(transport, "is_mock", False)
        for line in app.remarks(settings, is_served=not is_mock):
            logger.warning("%s", line)
        server = app.create_server(settings, transport=transport)
        has_sessions = sessions.are_kept(app, settings)
        around = outermost(app, settings)
        return create_app(server, settings, prefix, has_sessions=has_sessions, around=around)
    except ConfigurationError as problem:
        if given is not None:
            raise
        print(f"{app.info.name}: {problem}", file=sys.stderr)
        raise SystemExit(STARTUP_FAILURE) from None


def outermost(app: Builder, settings: Settings) -> list[Middleware]:
    """The middleware of the server's parts, which is called first for every request."""
    return [each for _, make in app.parts.having("middleware") for each in make(app, settings)]


def create_app(
    server: Server[Any],
    settings: HttpSettings,
    prefix: str = "...",
    *,
    has_sessions: bool = True,
    exits: bool = False,
    around: Sequence[Middleware] = (),
) -> Starlette:
    """Serve `server` over Streamable HTTP, to clients of every protocol version.

    The server runs during the application's lifespan; the names of its variables start with
    `prefix`. With `has_sessions`, older clients have sessions. With `exits`, the process exits
    normally, which exports the last spans; otherwise a signal ends it, so they are exported when
    the lifespan ends. `around` is the middleware of the server's parts.

    Raises:
        ConfigurationError: the file of tokens, or the address for metrics, cannot be used.
    """
    endpoint = Endpoint(server, settings, has_sessions=has_sessions)

    async def healthz(_: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def readyz(_: Request) -> Response:
        if endpoint.stopping.is_set():
            return PlainTextResponse("stopping\n", 503)
        # What a part lacks ends no call that does without it: the process still takes calls.
        parts = getattr(endpoint.session, "parts", {}).values()
        lacks = [text for part in parts if (text := getattr(part, "lacks", ""))]
        return PlainTextResponse("\n".join(["ready", *lacks, ""]))

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        with metrics.served() if metrics else nullcontext():
            async with _caught_signals(endpoint.stop), endpoint.running():
                yield
        if guard is not None and not exits:
            await guard.flush()

    middleware = [*around]
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
    page: Any = next((layer for layer in server.middleware if hasattr(layer, "before")), None)
    own = Narrowed(endpoint)
    shown = {"": own} if surfaces is None else surfaces.surfaces(own)
    endpoints = addresses(shown)
    gates, more = (endpoints, []) if guard is None else guard.gated(endpoints)
    narrowing = {path: Narrowing(gate, path) for path, gate in gates.items()}
    checked = {
        path: HostCheck(page.before(app) if page else app, settings, prefix)
        for path, app in narrowing.items()
    }
    # A redirect from one spelling to the other would lead from https to http behind a proxy.
    protocol = [
        Route(f"{settings.http_path}{path}{end}", app)
        for path, app in checked.items()
        for end in ("", "/")
        if settings.http_path or path or end
    ]
    routes = [*protocol, *more, Route("/healthz", healthz), Route("/readyz", readyz)]
    app = Starlette(routes=routes, middleware=middleware, lifespan=lifespan)
    app.state.guard = guard
    app.router.redirect_slashes = False  # it would repeat a Host that nobody has checked
    return app


def is_own(host: str, settings: HttpSettings) -> bool:
    """Whether a Host header in lower case names this server; the default port may be missing.

    Loopback names are always accepted: a page of another site cannot make a browser send them.
    """
    whole = HOST.fullmatch(host)
    names = {*_LOOPBACK, *map(str.lower, settings.public_hosts)}
    return bool(whole and names & {host, whole[1], f"{host}:80", f"{host}:443"})


class HostCheck:
    """Refuses foreign Host and Origin headers before any sign-in."""

    def __init__(self, app: ASGIApp, settings: HttpSettings, prefix: str) -> None:
        self._app = app
        self._settings = settings
        self._variable = f"{prefix}_PUBLIC_HOSTS"
        self._origins = {origin.lower() for origin in settings.allow_origins}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with 421 or 403."""
        headers = Headers(scope=scope)
        answer = self._app
        if not is_own(headers.get("host", "").lower(), self._settings):
            text = f"This server does not accept that Host header: {self._variable} lists its hosts"
            answer = PlainTextResponse(f"{text}\n", 421)
        elif not all(map(self._may_ask, headers.getlist("origin"))):
            answer = PlainTextResponse("Invalid Origin header", 403)
        with suppress(ClientDisconnect):  # there is nobody to answer
            await answer(scope, receive, send)

    def _may_ask(self, origin: str) -> bool:
        """Whether pages of an origin may send requests; case does not matter (RFC 9110 4.2.3)."""
        scheme, _, host = origin.lower().partition("://")
        is_web = scheme in ("http", "https")
        if "*" in self._origins:
            return True
        return origin.lower() in self._origins or (is_web and is_own(host, self._settings))


@asynccontextmanager
async def _caught_signals(stop: Callable[[], None]) -> AsyncIterator[None]:
    """Call `stop` on signals that stop the process; uvicorn still handles them.

    Calls of older clients are answered on streams, which `sse_starlette` would cut off at the
    signal. So its automatic end of streams is switched off while this context is open.
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
