"""Names in HTTP: the keys of parameters, and the headers that no argument may set."""

from __future__ import annotations

TRANSPORT_HEADERS = frozenset(
    {"accept", "connection", "content-length", "content-type", "host", "transfer-encoding"}
)
"""Headers, in lower case, that no document may set."""
RESERVED_HEADERS = TRANSPORT_HEADERS | {"authorization", "cookie"}
"""The headers of the transport, of credentials and of cookies; no argument may set them."""


def place_key(location: str, name: str) -> tuple[str, str]:
    """A key that identifies a parameter; the case of header names is ignored (RFC 9110 5.1)."""
    return location, name.lower() if location == "header" else name
