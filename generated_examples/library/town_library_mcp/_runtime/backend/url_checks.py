"""Checks of URLs: base URLs of calls, and URLs that may receive secrets."""

from __future__ import annotations

import re
from urllib.parse import urlsplit


def check_base_url(text: str) -> str:
    """Return the URL without a trailing slash; raises ValueError saying what it must be."""
    try:
        parts = urlsplit(text)
        port_is_good = parts.port is None or 0 < parts.port < 65536
    except ValueError:
        raise ValueError("must be a URL such as https://api.example.com/v1") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or not port_is_good:
        raise ValueError("must be an absolute http or https URL such as https://api.example.com/v1")
    if "@" in parts.netloc:
        raise ValueError("must not hold a user name or password")
    if parts.query or parts.fragment or "?" in text or "#" in text:
        raise ValueError("must not hold a query or fragment")
    if any(ord(char) <= 0x20 or ord(char) == 0x7F for char in text):
        raise ValueError("must not hold blanks or control characters")
    return text.rstrip("/")


def is_secure(url: str) -> bool:
    """Whether a URL may receive secrets: it is https, or this machine, and not a template."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return False
    odd = re.search(r"[^!-z|~]", url) is not None or "@" in parts.netloc or port == 0
    local = host == "localhost" or host == "::1" or re.fullmatch(r"127(\.\d{1,3}){3}", host)
    return (
        bool(host)
        and not odd
        and (parts.scheme == "https" or bool(parts.scheme == "http" and local))
    )
