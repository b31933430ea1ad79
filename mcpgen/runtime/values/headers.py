"""What HTTP lets the name and the value of a header be (RFC 9110 5)."""

from __future__ import annotations

import re

TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
"""A method, a header's name, an authentication scheme (RFC 9110 5.6.2)."""
_TOKEN = re.compile(TOKEN)
_VALUE = re.compile(r"[ -~\t]*")


def is_token(text: str) -> bool:
    """Whether a text is a token, as a header's name must be."""
    return _TOKEN.fullmatch(text) is not None


def is_value(text: str) -> bool:
    """Whether a header can carry that text: ASCII without control characters."""
    return _VALUE.fullmatch(text) is not None
