"""The page on which a person allows a client to act for them, and the state of that sign-in.

The page is shown at each sign-in, so that a permission for one client or redirect is never used for
another. The state is in an encrypted cookie of the browser. So another browser cannot continue the
sign-in, and the server stores nothing before the person has signed in.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from html import escape
from secrets import token_hex
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from starlette.responses import HTMLResponse, RedirectResponse, Response

from .people import Errand, Wanted
from .redirects import LOOPBACK

if TYPE_CHECKING:
    from starlette.requests import Request

    from .seals import Seals

LIFE = 600.0
"""Seconds from the client's request to the return from the provider."""
_MAX_COOKIES = 4
"""Sign-ins that a browser may have under way here: their cookies must not fill a request."""
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:10vh auto;padding:0 1rem;"
    "color:#222;background:#fff}h1{font-size:1.4rem}dt{color:#555}dd{margin:0 0 .8rem;"
    "overflow-wrap:anywhere}button{font:inherit;padding:.5rem 1.2rem;margin-right:.6rem;"
    "border:1px solid #444;border-radius:.4rem;background:#fff}button.go{background:#14532d;"
    "color:#fff}"
)
_POLICY = (
    "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; style-src 'sha256-"
    f"{b64encode(sha256(_STYLE.encode()).digest()).decode()}'"
)
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": _POLICY,
    "Referrer-Policy": "same-origin",  # without any, browsers send no Origin with the form
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


@dataclass(frozen=True)
class Underway:
    """A sign-in that a browser has begun and not finished."""

    id: str
    """Known to that browser: what its next step must bring."""
    client: str
    redirect_uri: str
    explicit: bool
    state: str | None
    """The client's own, which it gets back."""
    asked: list[str] | None
    resource: str
    challenge: str
    allowed: bool = False
    """Whether the person has allowed it, and is at the provider."""
    nonce: str = ""
    verifier: str = ""
    more: Mapping[str, Any] | None = None
    """Where it is no new one: the `grant` that is to be allowed more, `scopes` and `parameters`."""

    @property
    def errand(self) -> Errand:
        """The authorization request to the provider."""
        more = self.more or {}
        wanted = Wanted(tuple(more.get("scopes", ())), more.get("parameters", {}))
        return Errand(self.id, self.nonce, self.verifier, wanted)

    def allow(self) -> Underway:
        """A copy of this sign-in, marked as allowed; its new id makes the page work only once."""
        return replace(
            self,
            id=f"{self.id[0]}{token_hex(16)}",
            allowed=True,
            nonce=token_hex(16),
            verifier=token_hex(32),
        )


def new_id() -> str:
    """A new id for a sign-in; its first character selects the cookie that holds the sign-in."""
    return f"{int(token_hex(1), 16) % _MAX_COOKIES}{token_hex(16)}"


class Cookies:
    """The cookies for sign-ins at a server."""

    def __init__(self, seals: Seals, resource: str) -> None:
        self._seals = seals
        self._is_secure = resource.startswith("https:")
        host = "__Host-" if self._is_secure else ""
        self._name = f"{host}mcp-sign-in-{sha256(resource.encode()).hexdigest()[:8]}-"

    def keep(self, response: Response, underway: Underway) -> None:
        """Keep a sign-in in a cookie of the browser."""
        value = self._seals.seal("underway", asdict(underway), LIFE)
        self._set(response, underway.id, value, int(LIFE))

    def drop(self, response: Response, underway: Underway) -> None:
        """Remove a sign-in's cookie from the browser."""
        self._set(response, underway.id, "", 0)

    def of(self, request: Request, own_id: str, *, allowed: bool) -> Underway | None:
        """The browser's sign-in with that id; None if it is absent or if `allowed` differs."""
        value = self._seals.open("underway", request.cookies.get(self._name + own_id[:1], ""))
        if value is None:
            return None
        underway = Underway(**value)
        return underway if (underway.id, underway.allowed) == (own_id, allowed) else None

    def _set(self, response: Response, own_id: str, value: str, seconds: int) -> None:
        response.set_cookie(
            self._name + own_id[0],
            value,
            max_age=seconds,
            path="/",
            secure=self._is_secure,
            httponly=True,
            samesite="lax",
        )


def page(title: str, body: str, status: int = 200) -> HTMLResponse:
    """A page; `body` is HTML."""
    html = (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style>'
        f"<h1>{escape(title)}</h1>{body}</html>"
    )
    return HTMLResponse(html, status, HEADERS)


def problem(text: str, status: int = 400) -> HTMLResponse:
    """The page for a sign-in that cannot continue."""
    way_out = "<p>Go back to your client and sign in again from there.</p>"
    return page("This sign-in cannot go on", f"<p>{escape(text)}</p>{way_out}", status)


def error(location: str) -> Response:
    """The response to a wrong request: a redirect if the client is on this computer, else a link.

    Anybody can be a client, and the person has not yet been told where the redirect leads (RFC 9700
    4.11.2).
    """
    to = urlsplit(location)
    if to.hostname in LOOPBACK:
        return RedirectResponse(location, 302, HEADERS)
    link = f'<a rel="noreferrer" href="{escape(location)}">{escape(_place(location))}</a>'
    text = "<p>The client asked for something that this server cannot do.</p>"
    return page("This sign-in cannot go on", f"{text}<p>To tell the client, go to {link}.</p>", 400)


def _place(uri: str) -> str:
    """The start of a URI that identifies its owner: `https://example.org`, or only the scheme."""
    parts = urlsplit(uri)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else f"{parts.scheme}:"


def question(
    underway: Underway, *, action: str, name: str, server: str, provider: str, scopes: Iterable[str]
) -> HTMLResponse:
    """The page that asks the person to allow a client; `name` is the client's name for itself."""
    is_here = urlsplit(underway.redirect_uri).hostname in LOOPBACK
    if underway.client.startswith("https://"):
        known = f"by {escape(underway.client)}"
    else:
        known = "by its own word; nobody has verified that"
    rows: Mapping[str, str] = {
        "The client": f"<strong>{escape(name or 'without a name')}</strong>, {known}",
        "You are sent back to": escape(_place(underway.redirect_uri))
        + (", a program on this computer" * is_here),
        "It may": escape(", ".join(scopes)) or "call all tools that you may call",
    }
    listed = "".join(f"<dt>{term}</dt><dd>{text}</dd>" for term, text in rows.items())
    form = (
        f'<form method="post" action="{escape(action)}"><input type="hidden" name="id" '
        f'value="{escape(underway.id)}"><button class="go" name="answer" value="allow">Allow, and '
        f'sign in at {escape(provider)}</button><button name="answer" value="deny">Cancel</button>'
        "</form>"
    )
    warning = "<p>If you did not just start this in that client, cancel.</p>"
    return page(f"May this client use {server} as you?", f"<dl>{listed}</dl>{warning}{form}")
