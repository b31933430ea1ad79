"""Parsers for the values of settings about HTTP and callers; see also `environment`."""

from __future__ import annotations

import re

from ...values.environment import FRAMING, SCOPE, Pairs, headers, list_of, seconds, whole
from ...values.media import is_token
from ...values.urls import DEFAULT_PORTS, is_secure, parsed

_CALLERS = "must name a header for each scheme, such as `oauth: X-Api-Token`"
ANY_ORIGIN = ("*", "null")
"""Every origin, and what browsers send for pages that have none, which is whoever likes."""
_APPS = ("app", "chrome-extension", "tauri", "vscode-webview")
"""Schemes of pages that programs bring along."""
_ENDPOINT = re.compile(r"(?:/(?!\.{1,2}(?:/|$))[A-Za-z0-9._~!$&'()*+,;=:@-]+)+")
_TAKEN = ("/healthz", "/readyz", "/.well-known")
_BEARER = re.compile(r"[A-Za-z0-9._~+/-]+=*")  # RFC 6750 2.1


def caller_headers(text: str) -> Pairs:
    """One scheme per line with the header of its credential; `none` stands for no scheme."""
    schemes = () if text.lower() == "none" else headers(text, _CALLERS)
    if not all(is_token(header) and header.lower() not in FRAMING for _, header in schemes):
        raise ValueError(_CALLERS)
    return schemes


def seconds_or_never(text: str) -> float:
    """A number of seconds; 0 means no limit."""
    return 0.0 if text == "0" else seconds(text)


secrets = list_of(
    re.compile(".{32,}", re.DOTALL), "must be texts of at least 32 characters, separated by commas"
)
"""Keys that seal: the first one, and older ones that still open."""
scopes = list_of(
    SCOPE, 'must be scopes: ASCII without `"` and `\\`, separated by blanks', separator=None
)


def origins(text: str) -> tuple[str, ...]:
    """Origins in the form that browsers send."""
    return tuple(map(_origin, filter(None, map(str.strip, text.lower().split(",")))))


def _origin(text: str) -> str:
    """An origin without its scheme's default port."""
    if text in ANY_ORIGIN:
        return text
    text = text.rstrip("/")
    parts = parsed(text)
    origin = f"{parts.scheme}://{parts.netloc}" if parts else ""
    schemes = (*DEFAULT_PORTS, *_APPS)
    if parts is None or parts.scheme not in schemes or text != origin or set("*@") & {*text}:
        raise ValueError(
            "must be origins separated by commas, such as https://app.example.com or "
            "tauri://localhost, each whole: a `*` within one matches nothing"
        )
    return text.removesuffix(f":{DEFAULT_PORTS.get(parts.scheme)}")


def secure_url(text: str) -> str:
    """A URL that may receive secrets."""
    if not is_secure(text):
        raise ValueError("must be an https URL such as https://login.example.com/token")
    return text


def implied(text: str) -> Pairs:
    """Pairs of a scope and the scope that it implies."""
    lines = [line.partition(": ") for line in text.splitlines() if line.strip()]
    if not all(broad.strip() and narrow.strip() for broad, _, narrow in lines):
        raise ValueError("must be lines such as `pets:admin: pets:read pets:write`")
    return tuple((broad.strip(), scope) for broad, _, narrow in lines for scope in narrow.split())


def rates(text: str) -> tuple[tuple[str, int], ...]:
    """Tools and their allowed calls per minute."""
    lines = [part.rpartition(":") for part in text.split(",")]
    try:
        pairs = tuple((name.strip(), whole(count.strip())) for name, _, count in lines)
    except ValueError:
        pairs = (("", 0),)
    if not all(name for name, _ in pairs):
        raise ValueError("must be tools and whole numbers above 0, such as `search: 30, *: 60`")
    return pairs


def endpoint(text: str) -> str:
    """Read the path of an endpoint; `/`, the server's root, becomes the empty string."""
    path = text.rstrip("/")
    if text.startswith("/") and not path:
        return ""
    if not _ENDPOINT.fullmatch(path) or path in _TAKEN or path.startswith("/.well-known/"):
        raise ValueError(
            "must be a path such as /mcp or /shop/mcp, but not /healthz, /readyz or /.well-known"
        )
    return path


def token(text: str) -> str:
    """The text, if it is a bearer token that is long enough not to be guessed.

    Raises ValueError for any other text.
    """
    if len(text) < 16 or not _BEARER.fullmatch(text):
        raise ValueError("must be at least 16 letters, digits and `-._~+/`, `=` only at its end")
    return text
