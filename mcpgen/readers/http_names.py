"""Names in HTTP: the keys of parameters, and the headers that no argument may set."""

from __future__ import annotations

TRANSPORT_HEADERS = frozenset(
    {"accept", "connection", "content-length", "content-type", "host", "transfer-encoding"}
)
"""In lower case; no document sets them."""
RESERVED_HEADERS = TRANSPORT_HEADERS | {"authorization", "cookie"}
"""Those and what credentials and cookies go out in: no argument is one of them."""


def place_key(location: str, name: str) -> tuple[str, str]:
    """A key that identifies a parameter; headers ignore case (RFC 9110 5.1)."""
    return location, name.lower() if location == "header" else name
