"""A web page at the server's address, on which people see its tools and try them."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from pkgutil import get_data
from typing import TYPE_CHECKING, Any

from starlette.datastructures import Headers
from starlette.responses import Response

from ..http.negotiation import JSON, STREAM, quality

if TYPE_CHECKING:
    from mcp.server.context import CallNext, ServerRequestContext
    from starlette.types import ASGIApp, Receive, Scope, Send

    from ...calls.server import ServerParts

NEEDS = ("http",)
_HTML = "text/html"
_INLINE = re.compile(rb"<(script|style)>(.*?)</\1>", re.DOTALL)


class Page:
    """Answers browsers with one static file, which is the same for every server and names no tool.

    The page is itself a client of the endpoint, so it shows callers only what they may use.
    """

    def __init__(self, document: bytes) -> None:
        self._document = document
        self._headers = {
            "Content-Security-Policy": "; ".join(_policy(document)),
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cache-Control": "no-cache",
            "Referrer-Policy": "no-referrer",
            "Vary": "Accept",
            "X-Content-Type-Options": "nosniff",
        }

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> Any:
        """A middleware that passes messages on unchanged."""
        return await call_next(ctx)

    def before(self, endpoint: ASGIApp) -> ASGIApp:
        """An endpoint that gives browsers the page, signed in or not, and passes on other
        requests.
        """

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            is_asked = scope["method"] in ("GET", "HEAD") and wants_page(Headers(scope=scope))
            page = Response(self._document, 200, self._headers, _HTML)
            await (page if is_asked else endpoint)(scope, receive, send)

        return answer


def wants_page(headers: Headers) -> bool:
    """Whether the sender of a request prefers HTML to the protocol's content types."""
    accept = headers.get("accept", "")
    return quality(accept, _HTML) > max(quality(accept, JSON), quality(accept, STREAM))


def _policy(document: bytes) -> list[str]:
    """The policy directives that allow only the document's own scripts and styles."""
    hashes = {
        kind.decode(): f"'sha256-{b64encode(sha256(text).digest()).decode()}'"
        for kind, text in _INLINE.findall(document)
    }
    return [
        "default-src 'none'",
        *(f"{kind}-src {value}" for kind, value in hashes.items()),
        "connect-src 'self'",
        "img-src data:",
        "media-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ]


def install(server: ServerParts) -> None:
    """Show the page to browsers that open an address of the endpoint."""
    server.server.middleware.append(Page(get_data(__package__, "page.html") or b""))
