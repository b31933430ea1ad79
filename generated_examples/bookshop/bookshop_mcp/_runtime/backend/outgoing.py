"""An HTTP request before it becomes an object of the client library."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

import httpx2

from ..values.errors import ToolError
from ..values.urls import Origin, pairs

SAFE_METHODS = ("GET", "HEAD", "OPTIONS", "QUERY")
IDEMPOTENT = (*SAFE_METHODS, "PUT", "DELETE")
"""Methods that may be repeated without harm (RFC 9110 9.2.2, RFC 10008)."""
_SENDABLE = re.compile(r"[!-\x7f]+")


@dataclass(frozen=True)
class Outgoing:
    """A request; `target` (path and query) is sent byte for byte."""

    method: str
    root: str
    """Scheme and authority."""
    target: str
    headers: tuple[tuple[str, str], ...] = field(repr=False)
    content: bytes = field(default=b"", repr=False)
    certificate: Any = field(default=None, repr=False)
    credentials: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """Those in the query of `target`."""
    after: str = ""
    """The method of a request that must not be repeated, and that was answered with this URL."""
    tried: bool = False
    """It was sent before, which may have been carried out."""

    @property
    def origin(self) -> Origin:
        """The origin of the request's URL."""
        return Origin.of(self.root)

    def bearing(self, token: str) -> Outgoing:
        """A copy of the request with this access token in its `Authorization` header."""
        headers = tuple(h for h in self.headers if h[0].lower() != "authorization")
        return replace(self, headers=(*headers, ("Authorization", f"Bearer {token}")))

    def redirected(self, status: int, location: str) -> Outgoing | None:
        """The request that follows a redirect to the same origin or to its https variant; else
        None.

        307 and 308 keep the method and the body (RFC 9110 15.4.8, 15.4.9), and 303 turns every
        method but HEAD into GET (15.4.4). After 301 and 302 it is unclear whether a request that
        writes keeps its method, so it is not sent again.
        """
        try:
            url = urljoin(self.root + self.target, location)
            parts = urlsplit(url)
            origin = Origin.of(url)
            is_own = self.origin.leads_to(origin) and "@" not in parts.netloc
            httpx2.URL(url)
        except (ValueError, httpx2.InvalidURL):
            return None
        method = self.method
        if status == 303 and method != "HEAD":
            method = "GET"
        is_kept = method in SAFE_METHODS or status in (307, 308)
        if not (location and is_own and is_kept and _SENDABLE.fullmatch(url)):
            return None
        query = self._signed(parts.query)
        target = (parts.path or "/") + (f"?{query}" if query else "")
        root = self.root if origin == self.origin else f"{parts.scheme}://{parts.netloc}"
        if status != 303:
            return replace(self, root=root, target=target)
        # Of another resource: what was sent says nothing of it (RFC 9110 13.1, 15.4).
        rest = tuple(h for h in self.headers if not h[0].lower().startswith(("content-", "if-")))
        after = self.after if self.method in IDEMPOTENT else self.method
        whole = replace(self, method=method, root=root, target=target, headers=rest, after=after)
        return replace(whole, content=b"")

    def _signed(self, query: str) -> str:
        """A query with this request's credentials added, unless the query has them already."""
        names = {unquote(pair.partition("=")[0]) for pair in query.split("&")}
        missing = [pair for pair in self.credentials if pair[0] not in names]
        return "&".join(filter(None, (query, pairs(missing))))

    def build(self, tool: str, timeout: httpx2.Timeout | None = None) -> httpx2.Request:
        """The request as an object of the client library; `tool` is in its extensions, for
        `--mock`.

        Raises:
            ToolError: a URL that the library refuses.
        """
        try:
            request = httpx2.Request(
                self.method,
                self.root + self.target,
                headers=list(self.headers),
                content=self.content or None,
                extensions={
                    "timeout": timeout.as_dict() if timeout else {},
                    "target": self.target.encode("ascii"),
                    "mcp_tool": tool,
                },
            )
        except httpx2.InvalidURL:
            raise ToolError(
                "The URL is longer than 65,536 bytes, or its host cannot exist. Nothing was sent."
            ) from None
        # The library writes capitals, but methods are case-sensitive (RFC 9110 9.1).
        request.method = self.method
        return request
