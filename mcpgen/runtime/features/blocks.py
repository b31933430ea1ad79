"""What the protocol wants of URIs, and of the members of content blocks (MCP, server/prompts)."""

from __future__ import annotations

import re
from base64 import b64decode

_CHARACTER = "(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})"
_URI = re.compile(
    rf"[A-Za-z][A-Za-z0-9+.-]*:(?://(?:{_CHARACTER}|[\[\]])*(?=[/?#]|\Z))?"
    rf"(?:{_CHARACTER}|/)*(?:\?(?:{_CHARACTER}|[/?])*)?(?:#(?:{_CHARACTER}|[/?])*)?"
)


def is_uri(text: str) -> bool:
    """Whether a text is a URI (RFC 3986): it has a scheme, and characters of URIs alone."""
    return _URI.fullmatch(text) is not None


def is_base64(text: str) -> bool:
    """Whether a text is base64 and nothing else."""
    try:
        b64decode(text, validate=True)
    except ValueError:
        return False
    return True


def problem_of(member: str, value: str) -> str:
    """What is wrong with a member of a content block or its resource; empty where nothing is."""
    if member == "uri" and not is_uri(value):
        return "is no URI (RFC 3986)"
    if member in ("data", "blob") and not is_base64(value):
        return "is not base64"
    return ""
