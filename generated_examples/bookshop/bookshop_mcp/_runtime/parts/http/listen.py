"""`--http`: serving over Streamable HTTP on an address of this machine."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import math
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import uvicorn
from mcp.server.lowlevel import Server
from uvicorn.protocols.http.h11_impl import H11Protocol

from ...app.logs import JsonFormatter
from ...values.settings import ConfigurationError
from . import sessions
from .asgi import create_app, outermost
from .settings import HttpSettings

if TYPE_CHECKING:
    from ...app.builder import Builder

DEFAULT = "127.0.0.1:8000"
_BACKLOG = 128
"""As many attempts to accept a connection, and lines in the log, where none is left to open."""


class Address(NamedTuple):
    """An address to listen on; port 0 picks a free one."""

    host: str
    port: int

    @classmethod
    def read(cls, text: str, name: str = "--http", default: str = DEFAULT) -> Address:
        """Read `HOST:PORT`, `HOST` or `PORT`; an IPv6 address with a port is in brackets.

        `name` is the setting's name, for messages; `default` gives a missing host or port.

        Raises:
            ConfigurationError: the text has none of these forms.
        """
        default_host, _, default_port = default.partition(":")
        host, colon, port = text.rpartition(":")
        if text.isdigit():
            host, port = default_host, text
        elif not colon or text.endswith("]") or (text.count(":") > 1 and "]" not in text):
            host, port = text, default_port
        host = host.removeprefix("[").removesuffix("]")
        if not (host and port.isascii() and port.isdigit() and int(port) < 65536):
            raise ConfigurationError(f"{name} must be HOST:PORT, such as {default}")
        return cls(host, int(port))

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach the address."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


def check(address: Address, settings: HttpSettings, prefix: str) -> None:
    """Refuse an address that other machines can reach, unless public host names are configured.

    Raises:
        ConfigurationError: the message names the variable to set.
    """
    if not address.is_loopback and not settings.public_hosts:
        remedy = f"set {prefix}_PUBLIC_HOSTS to the host names by which clients may reach it"
        if not settings.callers_sign_in:
            remedy = (
                f"callers need no sign-in: set {prefix}_HTTP_TOKEN (see DEPLOY.md), and {remedy}"
            )
        raise ConfigurationError(
            f"other machines can reach {address.host}; {remedy}; or listen on "
            f"127.0.0.1:{address.port}"
        )


def serve(
    app: Builder, server: Server[Any], address: Address, settings: HttpSettings, command: str
) -> int:
    """Serve until SIGTERM or SIGINT, then finish the calls in flight.

    Returns the exit code: 1 if the address cannot be used, 2 if a setting cannot be used, else 128
    plus the signal's number.
    """
    try:
        has_sessions = sessions.are_kept(app, settings)
        prefix = app.api.env_prefix
        around = outermost(app, settings)
        served = create_app(
            server, settings, prefix, has_sessions=has_sessions, exits=True, around=around
        )
    except ConfigurationError as problem:
        print(f"{command}: {problem}", file=sys.stderr)
        return 2
    try:
        listening = bind(address)
    except OSError as problem:
        print(
            f"{command}: cannot listen on {address.host}:{address.port}: "
            f"{problem.strerror or problem}. Name another address with --http HOST:PORT; port 0 is "
            "any free one.",
            file=sys.stderr,
        )
        return 1
    config = uvicorn.Config(
        served,
        http=type("TimeLimited", (TimeLimited,), {"seconds": settings.request_timeout}),
        log_config=None,
        backlog=_BACKLOG,
        access_log=logging.getLogger().isEnabledFor(logging.INFO),
        server_header=False,
        timeout_graceful_shutdown=math.ceil(settings.shutdown_timeout),
        lifespan="on",
    )
    logging.getLogger("uvicorn.access").addFilter(without_query)
    logging.getLogger("uvicorn.error").addFilter(without_cancellation)
    logging.getLogger("asyncio").addFilter(without_traceback)
    host = f"[{address.host}]" if ":" in address.host else address.host
    port = listening.getsockname()[1]
    notice = f"MCP over Streamable HTTP at http://{host}:{port}{settings.http_path or '/'}"
    if settings.log_format == "json":
        event = {"msg": notice, "levelname": "INFO", "name": __name__}
        notice = JsonFormatter().format(logging.makeLogRecord(event))
    print(notice, file=sys.stderr, flush=True)
    running = Graceful(config)
    with listening, _caught_signals(running) as caught:
        running.run(sockets=[listening])
    return 128 + caught[-1] if caught else 0


_Http: Any = H11Protocol


class TimeLimited(_Http):  # type: ignore[misc]  # its types are not those of asyncio
    """uvicorn's protocol with a time limit for incoming requests, which uvicorn itself lacks.

    It extends the h11 protocol even if httptools is installed: the httptools one does not limit
    headers, and queues any number of requests.
    """

    seconds: float
    """From the start of a connection, or the first byte after an answer, to a whole request."""
    _closing: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Start the time limit for the first request."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Restart or stop the timer, depending on the data."""
        super().data_received(data)
        self._watch()

    def handle_events(self) -> None:
        """Read requests; one whose length is given twice is the connection's last (RFC 9112
        6.1).
        """
        super().handle_events()
        if {b"content-length", b"transfer-encoding"} <= dict(self.headers or ()).keys():
            self.headers.append((b"connection", b"close"))

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._stop()
        super().connection_lost(exc)

    def _watch(self) -> None:
        if self.cycle is not None and not self.cycle.more_body and not self.cycle.response_complete:
            self._stop()
        elif self._closing is None:
            self._closing = self.loop.call_later(self.seconds, self.transport.abort)

    def _stop(self) -> None:
        if self._closing is not None:
            self._closing.cancel()
            self._closing = None


class Graceful(uvicorn.Server):
    """Keeps listening while calls in flight finish, so that `/readyz` can report the shutdown.

    A load balancer that has not noticed yet still sends calls, and they are answered too.
    """

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Wait for the calls in flight within the time limit, then stop as uvicorn does."""
        ends = time.monotonic() + (self.config.timeout_graceful_shutdown or 0)
        in_flight = set(self.server_state.tasks)
        while in_flight and not self.force_exit and (seconds := ends - time.monotonic()) > 0:
            # In short waits: nothing wakes this task when a second signal asks to leave at once.
            _, in_flight = await asyncio.wait(in_flight, timeout=min(seconds, 0.1))
        # Asked to leave at once, uvicorn would still wait for connections to close (Python 3.12).
        seconds = 0 if self.force_exit else max(ends - time.monotonic(), 0)
        self.config.timeout_graceful_shutdown = math.ceil(seconds)
        await super().shutdown(sockets)


def without_traceback(record: logging.LogRecord) -> bool:
    """A log filter that reports a lack of file descriptors in one line, without a traceback."""
    if record.getMessage().startswith("socket.accept() out of system resource"):
        record.msg, record.args, record.exc_info = "too many open connections", (), None
    return True


def without_query(record: logging.LogRecord) -> bool:
    """A log filter that removes the query, which may contain a token, from uvicorn's access log."""
    if isinstance(record.args, tuple) and len(record.args) == 5:
        client, method, target, version, status = record.args
        record.args = (client, method, str(target).partition("?")[0], version, status)
    return True


def without_cancellation(record: logging.LogRecord) -> bool:
    """A log filter that hides uvicorn's lines about connections that were closed on purpose."""
    if record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError):
        return False
    return "CancelledError" not in record.getMessage()  # a lifespan's failure comes as text


def bind(address: Address) -> socket.socket:
    """A socket that listens on the address; raises OSError."""
    try:
        addresses = socket.getaddrinfo(*address, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    except UnicodeError:  # an empty part of a name, or a long one
        raise OSError("no host has this name") from None
    # asyncio turns Nagle's algorithm off for sockets that say their protocol, and an answer in two
    # pieces would wait 40 ms otherwise; so not socket.create_server, which leaves it out.
    family, kind, protocol, _, where = addresses[0]
    listening = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(where)
        listening.listen(_BACKLOG)
    except OSError:
        listening.close()
        raise
    return listening


@contextmanager
def _caught_signals(running: uvicorn.Server) -> Iterator[list[int]]:
    """Catch the signals that uvicorn does not handle itself, or raises again as it exits."""
    caught: list[int] = []

    def catch(number: int, frame: Any) -> None:
        caught.append(number)
        running.should_exit = True

    before = {number: signal.signal(number, catch) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield caught
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)
