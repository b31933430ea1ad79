"""Checks of URLs: base URLs of calls, and URLs that may receive secrets."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit

_NAMED = re.compile(r"(?![0-9]+(\.[0-9]+){3}$)[^:]*")
"""What no HTTP client takes for an IP address."""


def check_base_url(text: str) -> str:
    """Return the URL without a trailing slash; raises ValueError saying what it must be."""
    try:
        parts = urlsplit(text)
        port_is_good = parts.port is None or 0 < parts.port < 65536
    except ValueError:
        raise ValueError("must be a URL such as https://api.example.com/v1") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or not port_is_good:
        raise ValueError("must be an absolute http or https URL such as https://api.example.com/v1")
    if not is_host(parts.hostname):
        raise ValueError("must not name an IP address that there cannot be")
    if "@" in parts.netloc:
        raise ValueError("must not hold a user name or password")
    if parts.query or parts.fragment or "?" in text or "#" in text:
        raise ValueError("must not hold a query or fragment")
    if not text.isprintable() or " " in text:
        raise ValueError("must not hold blanks or control characters")
    return text.rstrip("/")


def is_host(text: str) -> bool:
    """Whether a URL's host, without brackets, is a name or an IP address that there can be."""
    try:
        return bool(text and (_NAMED.fullmatch(text) or ipaddress.ip_address(text)))
    except ValueError:
        return False


def is_secure(url: str) -> bool:
    """Whether a URL may receive secrets: it is https, or this machine, and not a template."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return False
    if not is_host(host) or port == 0 or "@" in parts.netloc or re.search(r"[^!-z|~]", url):
        return False
    is_local = host in ("localhost", "::1") or re.fullmatch(r"127(\.\d{1,3}){3}", host)
    return parts.scheme == "https" or (parts.scheme == "http" and bool(is_local))
