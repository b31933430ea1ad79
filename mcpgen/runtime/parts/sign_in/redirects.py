"""Redirect URIs: which ones a client may have, and when two are equal."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

_MAX_CHARACTERS = 300
LOOPBACK = ("127.0.0.1", "::1", "localhost")
_BROWSERS = (
    *("about", "android-app", "blob", "chrome", "content", "data", "feed", "file", "filesystem"),
    *("ftp", "intent", "jar", "javascript", "ldap", "mailto", "resource", "search", "search-ms"),
    *("shell", "smb", "sms", "ssh", "tel", "telnet", "vbscript", "view-source", "ws", "wss"),
)
"""Schemes that mean something to browsers and systems, and so to no program of the client's."""
_KINDS = "redirect URIs must be https, on this machine, or of the client's own scheme"
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*")


def is_same_program(registered: str, asked: str) -> bool:
    """Whether two URIs lead to this machine and differ only in the port (RFC 8252 7.3)."""
    one, other = urlsplit(registered), urlsplit(asked)
    if one.scheme != "http" or one.hostname not in LOOPBACK or "@" in other.netloc:
        return False
    return one._replace(netloc="") == other._replace(netloc="") and one.hostname == other.hostname


def problem_of(uri: str) -> str:
    """The problem of a redirect URI; empty if there is none."""
    parts = urlsplit(uri)
    if len(uri) > _MAX_CHARACTERS or parts.fragment or "#" in uri or "@" in parts.netloc:
        return (
            f"redirect URIs have at most {_MAX_CHARACTERS} characters, no user name and no fragment"
        )
    if parts.scheme == "https" and parts.hostname:
        return ""
    if parts.scheme == "http":
        if parts.hostname in LOOPBACK:
            return ""
        return _KINDS
    if (
        not _SCHEME.fullmatch(parts.scheme)
        or parts.scheme in _BROWSERS
        or parts.scheme.startswith("ms-")
    ):
        return _KINDS
    return ""
