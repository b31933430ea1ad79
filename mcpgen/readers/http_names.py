"""Names in HTTP: what is a valid one, and the headers that no argument may set."""

from __future__ import annotations

import re

from ..runtime.wire.media import TOKEN

TRANSPORT_HEADERS = frozenset(
    {"accept", "connection", "content-length", "content-type", "host", "transfer-encoding"}
)
"""In lower case; no document sets them."""
RESERVED_HEADERS = TRANSPORT_HEADERS | {"authorization", "cookie"}
"""Those and what credentials and cookies go out in: no argument is one of them."""

_TOKEN = re.compile(TOKEN)


def is_token(text: str) -> bool:
    """Whether a text is a token, as the name of a header or method must be (RFC 9110 5.6.2)."""
    return _TOKEN.fullmatch(text) is not None
