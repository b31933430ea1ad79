"""Client id metadata documents (draft-ietf-oauth-client-id-metadata-document): URLs as client ids.

Anybody who asks for a sign-in can name a URL, so the URL must not lead into a private network: its
host is looked up once, all of its addresses must be public, and the connection goes to one of them.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import logging
import re
import socket
import ssl
import time
from collections.abc import AsyncIterable, Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import anyio
import httpx2

from ...backend.tls import tls_context
from ...values.urls import parsed

if TYPE_CHECKING:
    from .settings import SignInSettings

logger = logging.getLogger(__name__)

_TIMEOUT_SECONDS = 5.0
_MAX_BYTES = 10_000
_MAX_FETCHES = 8
_MAX_DOCUMENTS = 1000
"""Documents, and failures, that are kept."""
_USUAL, _LEAST, _MOST = 300.0, 60.0, 86400.0
"""Seconds to keep a document: without a header that says it, at least, and at most."""
_PATH = re.compile(r"/(?!\.{1,2}(?:/|$))[!-~]*")
_MAX_AGE = re.compile(r"(?:^|[,\s])max-age\s*=\s*\"?(\d{1,9})", re.IGNORECASE)
_GLOBAL = ipaddress.ip_network("2000::/3")
_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")
"""IPv6 addresses that stand for an IPv4 one (RFC 6052)."""
_INSIDE = tuple(map(ipaddress.ip_network, ("168.63.129.16/32", "192.0.0.0/24", "192.88.99.0/24")))
"""Addresses that look public and are not: hosts inside Azure and Oracle's cloud, IPv6 relays."""
_PLAIN = re.compile(r"[!-~]{1,500}")

Resolve = Callable[[str, int], Awaitable[list[str]]]


@dataclass
class Documents:
    """Metadata documents by URL, cached as their headers allow."""

    settings: SignInSettings
    transport: httpx2.AsyncBaseTransport | None = None
    """In place of connections; it is asked with the address in place of the host."""
    resolve: Resolve | None = None
    clock: Callable[[], float] = time.monotonic
    seconds: float = _TIMEOUT_SECONDS
    """In which a document must be read."""

    def __post_init__(self) -> None:
        self._known: dict[str, tuple[Mapping[str, Any] | None, float, float]] = {}
        """What was read, until when it is kept, and when it was read."""
        self._limit = anyio.Semaphore(_MAX_FETCHES)

    @cached_property
    def _threads(self) -> ThreadPoolExecutor:
        """Threads for DNS look-ups, so that slow look-ups do not delay those of API calls."""
        return ThreadPoolExecutor(_MAX_FETCHES, "metadata-documents")

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        return tls_context(self.settings.ca_bundle)

    async def get(self, url: str) -> Mapping[str, Any] | None:
        """The document at a URL; None if it is not a client's document, or cannot be fetched."""
        if not is_client_id(url):
            return None
        known, until, read = self._known.get(url, (None, 0.0, 0.0))
        now = self.clock()
        if until > now:
            return known
        found, life, has_turn = None, _LEAST, False
        try:
            with anyio.fail_after(self.seconds):
                async with self._limit:
                    has_turn = True
                    found, life = await self._fetched(url)
            read = now
        except (httpx2.HTTPError, OSError):  # it cannot be reached now, and may be later
            found = known if now < read + _MOST else None
        except (ValueError, RecursionError):
            pass
        if found is None:
            logger.info("there is no metadata document of a client at %.200r", url)
        if not has_turn:  # nothing is known of it: others took too long
            return found
        self._known.pop(url, None)
        if len(self._known) >= _MAX_DOCUMENTS:
            self._known.pop(next(iter(self._known)))
        self._known[url] = (found, now + life, read)
        return found

    async def _fetched(self, url: str) -> tuple[Mapping[str, Any] | None, float]:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or 443
        addresses = await (self.resolve or self._resolved)(host, port)
        if not addresses or not all(map(is_public, addresses)):
            raise ValueError
        request = httpx2.Request(
            "GET",
            httpx2.URL(url).copy_with(host=addresses[0]),
            headers={"Host": parts.netloc, "Accept": "application/json", "User-Agent": "mcp"},
            extensions={
                "sni_hostname": host,
                "timeout": httpx2.Timeout(_TIMEOUT_SECONDS).as_dict(),
            },
        )
        transport = self.transport or httpx2.AsyncHTTPTransport(
            verify=self._tls, trust_env=False, proxy=self.settings.proxy
        )
        try:
            answer = await transport.handle_async_request(request)
            content = b""
            assert isinstance(answer.stream, AsyncIterable)
            if answer.status_code == 200 and "content-encoding" not in answer.headers:
                async for chunk in answer.stream:
                    content += chunk
                    if len(content) > _MAX_BYTES:
                        raise ValueError
            await answer.aclose()
        finally:
            if self.transport is None:
                await transport.aclose()
        return _read(url, json.loads(content)), _life(answer.headers.get("cache-control", ""))

    async def _resolved(self, host: str, port: int) -> list[str]:
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(self._threads, socket.getaddrinfo, host, port)
        return [str(each[4][0]) for each in found]


def is_client_id(url: str) -> bool:
    """Whether a URL can be a client's id: an https URL with a path and without misleading parts."""
    parts = parsed(url) if _PLAIN.fullmatch(url) else None
    if parts is None or parts.scheme != "https" or "@" in parts.netloc:
        return False
    segments = parts.path.split("/")
    is_plain = "#" not in url and _PATH.fullmatch(parts.path) and parts.path != "/"
    return bool(is_plain and not {".", ".."} & {*segments} and "%2e" not in parts.path.lower())


def _read(url: str, document: Any) -> Mapping[str, Any] | None:
    """The document, if it belongs to this client and the client is a public one."""
    if not isinstance(document, dict) or document.get("client_id") != url:
        return None
    uris = document.get("redirect_uris")
    if not isinstance(uris, list) or not uris or not all(isinstance(uri, str) for uri in uris):
        return None
    if "client_secret" in document:
        return None
    name = document.get("client_name")
    if document.get("token_endpoint_auth_method", "none") != "none":
        return None
    return {"client_name": name if isinstance(name, str) else None, "redirect_uris": uris}


def _life(cache_control: str) -> float:
    if re.search(r"no-(store|cache)", cache_control, re.IGNORECASE):
        return _LEAST
    told = _MAX_AGE.search(cache_control)
    return min(max(float(told[1]), _LEAST), _MOST) if told else _USUAL


def is_public(address: str) -> bool:
    """Whether an IP address, and any address embedded in it, is on the public Internet."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo and ip.teredo[1])
        if ip in _TRANSLATED:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner:
            return is_public(str(inner))
        if ip not in _GLOBAL:
            return False
    return ip.is_global and not ip.is_multicast and not any(ip in net for net in _INSIDE)
