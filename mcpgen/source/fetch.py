"""Fetches documents over http(s), with limits; private addresses need permission."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import socket
import ssl
import zlib
from collections.abc import AsyncIterator, Iterator
from functools import cached_property
from urllib.parse import urljoin, urlsplit

import httpx

from .. import __version__
from ..runtime.backend.tls import UNKNOWN_ISSUER, tls_context
from ..runtime.values.errors import causes
from ..settings.headers import HeaderEnv
from .access import is_url, origin
from .limits import ReadProblem, too_large

_MAX_REDIRECTS = 5
_HEADERS = {
    "Accept": "application/json, application/yaml, text/yaml, */*;q=0.5",
    "Accept-Encoding": "gzip",
    "User-Agent": f"mcpgen/{__version__}",
}


class Fetcher:
    """Gets documents over http(s), within limits of time, size and redirects.

    Unless a host is trusted, its addresses are looked up first. Each must be public, or
    `allowed_hosts` must name the host. The connection goes to the address that was checked.
    """

    def __init__(
        self, timeout: float, allowed_hosts: tuple[str, ...], headers: tuple[HeaderEnv, ...] = ()
    ) -> None:
        self._timeout = timeout
        self._headers = headers
        self._allowed = frozenset(_plain(host.lower()) for host in allowed_hosts)

    def __call__(self, url: str, *, max_bytes: int, trusted: bool) -> tuple[str, bytes]:
        """The URL after all redirects, and the content there; raises ReadProblem."""
        return asyncio.run(self._within_time(url, max_bytes, trusted))

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        return tls_context()

    async def _within_time(self, url: str, max_bytes: int, trusted: bool) -> tuple[str, bytes]:
        try:
            async with asyncio.timeout(self._timeout):
                return await self._follow(url, max_bytes, trusted)
        except TimeoutError:
            raise ReadProblem(
                "fetch-timeout", f"no complete answer within {self._timeout:g} seconds"
            ) from None
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
            raise _unanswered(error) from None

    async def _follow(self, url: str, max_bytes: int, trusted: bool) -> tuple[str, bytes]:
        first = origin(url)
        for _ in range(_MAX_REDIRECTS + 1):
            answer = await self._get(url, max_bytes, trusted and origin(url)[1] == first[1])
            if isinstance(answer, bytes):
                return url, answer
            url = _redirected(url, answer)
        raise ReadProblem("fetch-redirects", f"more than {_MAX_REDIRECTS} redirects")

    async def _get(self, url: str, max_bytes: int, trusted: bool) -> bytes | str:
        """The body, or the URL that the server redirects to."""
        target = httpx.URL(url)
        headers = _HEADERS | dict(self._own_headers(url))
        extensions = {}
        if not trusted:
            headers["Host"] = target.netloc.decode("ascii").rpartition("@")[2]
            extensions["sni_hostname"] = target.raw_host.decode("ascii")
            target = target.copy_with(host=await self._checked_address(target), userinfo=b"")
        async with (
            httpx.AsyncClient(timeout=self._timeout, trust_env=trusted, verify=self._tls) as client,
            client.stream("GET", target, headers=headers, extensions=extensions) as response,
        ):
            if response.is_redirect:
                return response.headers["Location"]
            if response.status_code != httpx.codes.OK:
                raise ReadProblem(
                    "fetch-failed",
                    f"the server answered with status {response.status_code}",
                    "Check the URL: apps often have the document at /openapi.json. If it needs a "
                    "login: --header-env Authorization=VARIABLE, where VARIABLE holds the header's "
                    "value.",
                )
            return await _body(response, max_bytes)

    def _own_headers(self, url: str) -> Iterator[tuple[str, str]]:
        """The headers for a URL's origin; raises ReadProblem if a value cannot be sent."""
        for each in self._headers:
            if each.origin and origin(each.origin) == origin(url):
                value = os.environ.get(each.variable, "").strip()
                if not value or not value.isascii() or not value.isprintable():
                    why = "has characters that no header can have" if value else "is not set"
                    raise ReadProblem(
                        "header-env",
                        f"the environment variable {each.variable} {why}",
                        f"`header_env` sends it to {each.origin} as {each.name}.",
                    )
                yield each.name, value

    async def _checked_address(self, url: httpx.URL) -> str:
        host = url.raw_host.decode("ascii").lower()
        port = url.port or (443 if url.scheme == "https" else 80)
        address_infos = await asyncio.get_running_loop().getaddrinfo(
            host, port, type=socket.SOCK_STREAM
        )
        addresses = [str(item[4][0]) for item in address_infos]
        with_port = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        if not self._allowed & {host, with_port}:
            for address in addresses:
                _require_public(host, address)
        return addresses[0]


def _unanswered(error: Exception) -> ReadProblem:
    for cause in causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            way_out = "Download the document, and name the file."
            if cause.verify_code in UNKNOWN_ISSUER:
                way_out = f"Set SSL_CERT_FILE to a file of certificates to trust. Or: {way_out}"
            why = f"the host's certificate is refused: {cause.verify_message}"
            return ReadProblem("fetch-failed", why, way_out)
    reason = str(error) or type(error).__name__
    return ReadProblem("fetch-failed", reason, "Check the URL and the network.")


def _plain(host: str) -> str:
    """A host without the brackets of an IPv6 address, unless a port follows them."""
    return host[1:-1] if host.startswith("[") and host.endswith("]") else host


def _require_public(host: str, address: str) -> None:
    ip: ipaddress.IPv4Address | ipaddress.IPv6Address = ipaddress.ip_address(address.split("%")[0])
    for inner in (ip, *_embedded(ip)):
        if not inner.is_global or inner.is_multicast:
            raise ReadProblem(
                "private-address",
                f"the host {host!r} has the address {address}, which is not public",
                f"If you trust it: --allow-host {host}.",
            )


_NAT64 = ipaddress.ip_network("64:ff9b::/96")


def _embedded(ip: ipaddress.IPv4Address | ipaddress.IPv6Address) -> list[ipaddress.IPv4Address]:
    """The IPv4 addresses inside an IPv6 address: mapped, 6to4, Teredo and NAT64."""
    if isinstance(ip, ipaddress.IPv4Address):
        return []
    addresses = [ip.ipv4_mapped, ip.sixtofour, *(ip.teredo or ())]
    if ip in _NAT64:
        addresses.append(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF))
    return [address for address in addresses if address is not None]


def _redirected(url: str, location: str) -> str:
    target = urljoin(url, location)
    parts = urlsplit(target)
    if not is_url(target) or not parts.hostname:
        raise ReadProblem(
            "fetch-redirects", "the server redirects to something that is not an http(s) URL"
        )
    if origin(url)[0] == "https" and origin(target)[0] != "https":
        raise ReadProblem("fetch-redirects", "the server redirects from https to http")
    return target


async def _body(response: httpx.Response, max_bytes: int) -> bytes:
    chunks = []
    size = 0
    async for chunk in _decoded(response, max_bytes):
        size += len(chunk)
        if size > max_bytes:
            raise too_large(max_bytes)
        chunks.append(chunk)
    return b"".join(chunks)


async def _decoded(response: httpx.Response, max_bytes: int) -> AsyncIterator[bytes]:
    """The decompressed body, in steps, since a small chunk can expand to gigabytes."""
    encoding = response.headers.get("Content-Encoding", "identity").lower()
    if encoding not in ("identity", "gzip", "x-gzip", ""):
        raise ReadProblem(
            "fetch-failed", f"the answer has the encoding {encoding!r}, which was not requested"
        )
    unzip = zlib.decompressobj(wbits=31) if "gzip" in encoding else None
    async for chunk in response.aiter_raw():
        if unzip is None:
            yield chunk
            continue
        try:
            yield unzip.decompress(chunk, max_bytes + 1)
        except zlib.error:
            raise ReadProblem("fetch-failed", "the answer is not valid gzip") from None
    if unzip is not None and not unzip.eof:
        raise ReadProblem("fetch-failed", "the answer is not valid gzip, or was cut off")
