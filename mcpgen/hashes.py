"""The hashes of files and texts that locks, names and caches keep."""

from __future__ import annotations

import hashlib

FINGERPRINT_LENGTH = 6


def digest(content: str | bytes) -> str:
    """The SHA-256 of a file; it is the same for both kinds of line ends."""
    data = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    return hashlib.sha256(data).hexdigest()


def fingerprint(text: str, length: int = FINGERPRINT_LENGTH) -> str:
    """The first hexadecimal digits of a text's SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:length]
