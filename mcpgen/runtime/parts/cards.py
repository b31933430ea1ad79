"""The server card and its catalogue, which clients can read before they connect.

Both are public, for any origin, and name no tool. They follow the draft of SEP-2127:
modelcontextprotocol/experimental-ext-server-card, `schema.json` and `docs/discovery.md`, commit
8924e08682a4b936e6464b57845ec2ff17dc8776; catalogues also follow Agent-Card/ai-catalog, commit
be6803f6fb60a57417364c05a452ab5ef53a1d8d.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from ..calls.catalogue import read_json

if TYPE_CHECKING:
    from starlette.middleware import Middleware
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route
    from starlette.types import ASGIApp, Receive, Scope, Send

    from ..app.builder import Builder
    from .http.settings import HttpSettings

NEEDS = ("http",)
FILE = "server_card.json"
SCHEMA = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"
CARD, CATALOGUE = "application/mcp-server-card+json", "application/ai-catalog+json"
CARD_PATH, CATALOGUE_PATH = "/server-card", "/.well-known/ai-catalog.json"
"""The place of the card below the endpoint, and that of the catalogue on the host."""
_VERSION = "1.0"
_HEADERS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET",
    "Access-Control-Allow-Headers": "Content-Type, If-None-Match",
    "Access-Control-Expose-Headers": "ETag",
    "Cache-Control": "public, max-age=3600",
}


def remarks(app: Builder, settings: HttpSettings) -> Sequence[str]:
    """The reason why the server has no card; empty if it has one."""
    if _read(app.package) is not None:
        return ()
    return (f"no server card: `[publish]` in mcpgen.toml needs `registry_name` ({CARD_PATH}: 404)",)


def middleware(app: Builder, settings: HttpSettings) -> list[Middleware]:
    """The middleware that answers requests for the card and the catalogue; empty without a card."""
    from starlette.middleware import Middleware
    from starlette.routing import Route

    card = _read(app.package)
    if card is None:
        return []
    if settings.http_resource and "remotes" not in card:
        card |= {"remotes": [{"type": "streamable-http", "url": settings.http_resource}]}
    documents = {
        f"{settings.http_path}{CARD_PATH}": (card, CARD),
        CATALOGUE_PATH: (catalogue(card), CATALOGUE),
    }
    routes = [
        Route(path, partial(_answer, *_encoded(document), kind), methods=["GET", "OPTIONS"])
        for path, (document, kind) in documents.items()
    ]
    return [Middleware(Public, routes)]


def catalogue(card: Mapping[str, Any]) -> dict[str, Any]:
    """The catalogue for a server's host; it has the URL of the card, or else the card itself."""
    domain, _, name = card["name"].partition("/")
    remotes = card.get("remotes")
    where = {"url": remotes[0]["url"].rstrip("/") + CARD_PATH} if remotes else {"data": card}
    publisher = ".".join(reversed(domain.lower().split(".")))
    entry = {"identifier": f"urn:air:{publisher}:mcp:{name}", "type": CARD, **where}
    return {"specVersion": _VERSION, "entries": [entry]}


class Public:
    """Middleware that answers requests to public routes before the other middleware sees them."""

    def __init__(self, app: ASGIApp, routes: Sequence[Route]) -> None:
        self._app = app
        self._routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request to one of the routes, or pass it on."""
        from starlette.routing import Match

        for route in self._routes:
            match, _ = route.matches(scope)
            if match is Match.FULL:
                return await route.handle(scope, receive, send)
        return await self._app(scope, receive, send)


def _read(package: str) -> dict[str, Any] | None:
    try:
        return read_json(package, FILE)
    except FileNotFoundError:
        return None


def _encoded(document: Mapping[str, Any]) -> tuple[bytes, str]:
    """The bytes of a document, and their entity tag."""
    content = json.dumps(document, ensure_ascii=False).encode()
    return content, f'"{sha256(content).hexdigest()[:32]}"'


async def _answer(content: bytes, tag: str, kind: str, request: Request) -> Response:
    from starlette.responses import Response

    headers = {**_HEADERS, "ETag": tag}
    if request.method == "OPTIONS":
        return Response(status_code=204, headers=_HEADERS)
    known = request.headers.get("if-none-match", "").split(",")
    if {"*", tag} & {each.strip().removeprefix("W/") for each in known}:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=kind, headers=headers)
