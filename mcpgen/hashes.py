"""The hashes that locks, names and caches are made with."""

from __future__ import annotations

import hashlib

FINGERPRINT_LENGTH = 6


def digest(content: str | bytes) -> str:
    """The SHA-256 of a file; LF and CRLF line ends give the same hash."""
    data = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    return hashlib.sha256(data).hexdigest()


def fingerprint(text: str, length: int = FINGERPRINT_LENGTH) -> str:
    """The first hexadecimal digits of a text's SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:length]
