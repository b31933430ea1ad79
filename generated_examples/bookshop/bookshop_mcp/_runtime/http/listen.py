"""`--http`: serving over Streamable HTTP on an address of this machine."""

from __future__ import annotations

import ipaddress
import logging
import math
import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from ..values.settings import ConfigurationError, Settings

if TYPE_CHECKING:
    import uvicorn
    from mcp.server.lowlevel import Server

DEFAULT = "127.0.0.1:8000"
_BACKLOG = 2048


class Address(NamedTuple):
    """Where to listen; port 0 is one that is free."""

    host: str
    port: int

    @classmethod
    def read(cls, text: str) -> Address:
        """Read `HOST:PORT`, `HOST` or `PORT`; IPv6 addresses with a port are in brackets.

        Raises:
            ConfigurationError: it is none of these.
        """
        default_host, _, default_port = DEFAULT.partition(":")
        host, colon, port = text.rpartition(":")
        if text.isdigit():
            host, port = default_host, text
        elif not colon or text.endswith("]") or (text.count(":") > 1 and "]" not in text):
            host, port = text, default_port
        host = host.removeprefix("[").removesuffix("]")
        if not (host and port.isascii() and port.isdigit() and int(port) < 65536):
            raise ConfigurationError("--http must be HOST:PORT, such as 127.0.0.1:8000")
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


def check(address: Address, settings: Settings, prefix: str) -> None:
    """Refuse to be reachable from other machines under names that nobody configured.

    Raises:
        ConfigurationError: naming the variable to set.
    """
    if not address.is_loopback and not settings.public_hosts:
        open_to_all = "" if settings.callers_sign_in else ", and this server asks nobody to sign in"
        raise ConfigurationError(
            f"other machines can reach {address.host}{open_to_all}: set {prefix}_PUBLIC_HOSTS to "
            f"the host names by which clients may reach it, or listen on {DEFAULT}"
        )


def serve(
    server: Server[Any], address: Address, settings: Settings, command: str, prefix: str
) -> int:
    """Serve until SIGTERM or SIGINT, and then finish the calls in flight.

    `prefix` is that of its variables. Returns the exit code: 1 where the address cannot be used,
    else 128 and the signal's number.
    """
    import uvicorn

    from .asgi import PATH, create_app
    from .web_server import AcceptErrors, Graceful, within, without_cancellation

    try:
        listening = _bind(address)
    except OSError as problem:
        print(
            f"{command}: cannot listen on {address.host}:{address.port}: "
            f"{problem.strerror or problem}. Name another place with --http HOST:PORT; port 0 is "
            "one that is free.",
            file=sys.stderr,
        )
        return 1
    config = uvicorn.Config(
        create_app(server, settings, prefix, exits=True),
        http=within(settings.request_timeout),
        log_config=None,
        access_log=logging.getLogger().isEnabledFor(logging.INFO),
        server_header=False,
        timeout_graceful_shutdown=math.ceil(settings.shutdown_timeout),
        lifespan="on",
    )
    logging.getLogger("uvicorn.access").addFilter(without_query)
    logging.getLogger("uvicorn.error").addFilter(without_cancellation)
    logging.getLogger("asyncio").addFilter(AcceptErrors())
    host = f"[{address.host}]" if ":" in address.host else address.host
    port = listening.getsockname()[1]
    print(f"MCP over Streamable HTTP at http://{host}:{port}{PATH}", file=sys.stderr, flush=True)
    running = Graceful(config)
    with listening, _caught_signals(running) as caught:
        running.run(sockets=[listening])
    return 128 + caught[-1] if caught else 0


def without_query(record: logging.LogRecord) -> bool:
    """Remove the query from a line of uvicorn's access log: it may hold a token."""
    if isinstance(record.args, tuple) and len(record.args) == 5:
        client, method, target, version, status = record.args
        record.args = (client, method, str(target).partition("?")[0], version, status)
    return True


def _bind(address: Address) -> socket.socket:
    try:
        found = socket.getaddrinfo(*address, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    except UnicodeError:  # an empty part of a name, or a long one
        raise OSError("there is no host of such a name") from None
    # asyncio turns Nagle's algorithm off for sockets that say their protocol, and an answer in two
    # pieces would wait 40 ms otherwise; so not socket.create_server, which leaves it out.
    family, kind, protocol, _, where = found[0]
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
    """Catch the signals that uvicorn raises again after it has stopped, or has not handled yet."""
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
