"""The connection pools to the API."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, Any

from ..credentials.schemes import show_certificate
from ..values.errors import ToolError
from ..values.settings import Settings

if TYPE_CHECKING:
    import ssl

    import httpx2

logger = logging.getLogger(__name__)

_MOST_IDLE = 20
"""Connections kept for later; the pool looks at each of them for every request."""
_KEEP_ALIVE = 4.0
"""Seconds of idleness: less than the 5 after which many servers close, just as a request comes."""


class Connections:
    """The transports of a server's life: one, and one more for each client certificate."""

    def __init__(
        self, settings: Settings, transport: httpx2.AsyncBaseTransport | None = None
    ) -> None:
        self._settings = settings
        self._given = transport
        self._opened: dict[tuple[str, str] | None, httpx2.AsyncBaseTransport] = {}
        self._certificates: dict[tuple[str, str], _Certificate] = {}

    def get(self, certificate: tuple[str, str] | None) -> httpx2.AsyncBaseTransport:
        """The transport that shows this client certificate, or none; it is made on first use.

        Connections that are opened after the certificate was renewed show the new one.

        Raises:
            ToolError: the certificate, or that of an authority, cannot be read.
        """
        if self._given is not None:
            return self._given
        if certificate not in self._opened:
            context = _tls(self._settings)
            if certificate is not None:
                self._certificates[certificate] = _Certificate(context, certificate)
            self._opened[certificate] = self._open(context)
        if certificate is not None:
            self._certificates[certificate].load()
        return self._opened[certificate]

    async def aclose(self) -> None:
        """Close every connection."""
        opened, self._opened = list(self._opened.values()), {}
        for transport in opened:
            await transport.aclose()

    def _open(self, context: ssl.SSLContext) -> httpx2.AsyncBaseTransport:
        import httpx2

        settings = self._settings
        limits = httpx2.Limits(
            max_connections=settings.max_connections,
            max_keepalive_connections=min(settings.max_connections, _MOST_IDLE),
            keepalive_expiry=_KEEP_ALIVE,
        )
        try:
            return httpx2.AsyncHTTPTransport(
                verify=context,
                trust_env=False,
                limits=limits,
                proxy=settings.proxy,
            )
        except ImportError:
            logger.exception("the proxy cannot be used")
            raise ToolError(
                "This server's proxy is a SOCKS proxy, and the package `socksio` is not installed. "
                "Nothing was sent."
            ) from None


class _Certificate:
    """A client certificate, whose files may change while the server runs."""

    def __init__(self, context: ssl.SSLContext, paths: tuple[str, str]) -> None:
        self._context = context
        self._paths = paths
        self._changed: list[int] = []

    def load(self) -> None:
        """Load the certificate if its files have changed.

        One whose key is not renewed yet cannot be loaded: until then the one before is shown.

        Raises:
            ToolError: it cannot be read, and none was before.
        """
        import ssl

        try:
            changed = [os.stat(path).st_mtime_ns for path in self._paths if path]
            if changed != self._changed:
                # Tried on another context first: one that it fails on shows no certificate.
                show_certificate(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), self._paths)
                show_certificate(self._context, self._paths)
        except OSError:
            logger.exception("the client certificate cannot be read")
            if self._changed:
                return
            raise ToolError(
                "The client certificate that this server's environment names cannot be read, or "
                "its key has a password. Nothing was sent."
            ) from None
        self._changed = changed


def _tls(settings: Settings) -> ssl.SSLContext:
    import httpx2

    try:
        context = httpx2.create_ssl_context()
        if settings.ca_bundle:
            context.load_verify_locations(cafile=settings.ca_bundle)
    except OSError:
        logger.exception("the CA bundle cannot be read")
        raise ToolError(
            "The CA bundle that this server's environment names cannot be read. Nothing was sent."
        ) from None
    return context


async def retire_if_unfit(response: httpx2.Response) -> None:
    """Close the connection of a fully read answer if the next request is not safe on it.

    Further bytes would be read as the answer to that. h11 keeps them; if they cannot be looked at,
    the connection is not used again either. After a 500 some servers close it without saying so
    (uvicorn, when a handler raises), and a request that is on its way then is lost.
    """
    stream = response.extensions.get("network_stream")
    if stream is None:
        return
    surplus = _leftover(response.stream) != b""
    if surplus:
        logger.warning("an answer went on after its end; its connection is closed")
    if surplus or response.status_code == 500:
        await stream.aclose()


def _leftover(stream: Any) -> bytes | None:
    try:
        connection = stream._httpcore_stream._stream._connection
        leftover, _ = connection._h11_state.trailing_data
    except AttributeError:
        return None
    return bytes(leftover)
