"""The hashes that locks and names use."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

FINGERPRINT_LENGTH = 6
NAME_LENGTH = 64
"""Characters of a tool's or an argument's name that every client and model takes."""
_HASH_LENGTH = 8
_MAX_FIRST_WORDS = 16
"""The most that stays of a long name's first words, as `create_orders_`."""
_NEXT_WORD = re.compile(r"(?<=[_.-])(?=[^_.-])|(?<=[a-z0-9])(?=[A-Z])")
_SEPARATORS = re.compile("[-.]")
_CHUNK_BYTES = 1 << 16
"""Bytes of a file that are read at once."""


def digest(content: str | bytes) -> str:
    """The SHA-256 of a file; LF and CRLF line ends give the same hash."""
    data = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    return hashlib.sha256(data).hexdigest()


def file_digest(path: Path) -> str:
    """The digest of a file, read in pieces; a file that contains CRs is read whole."""
    sha = hashlib.sha256()
    with path.open("rb", buffering=0) as file:
        while piece := file.read(_CHUNK_BYTES):
            if b"\r" in piece:
                return digest(path.read_bytes())
            sha.update(piece)
    return sha.hexdigest()


def fingerprint(text: str, length: int = FINGERPRINT_LENGTH) -> str:
    """The first hexadecimal digits of the SHA-256 of a string."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:length]


def cut(name: str, key: str) -> str:
    """A shortened name with a hash of `key`; words in the middle are dropped.

    The last words stay, since they distinguish the name from others. The first two words stay too
    if they are short enough, or else the first alone.
    """
    room = NAME_LENGTH - _HASH_LENGTH - 1
    if len(name) > room:
        starts = [match.start() for match in _NEXT_WORD.finditer(name)]
        first = next((name[:at] for at in starts[1::-1] if at <= _MAX_FIRST_WORDS), "")
        rest = next((name[at:] for at in starts if len(name) - at + len(first) <= room), None)
        name = name[:room] if rest is None else first + rest
    return with_hash(name, key)


def with_hash(name: str, key: str) -> str:
    """A name with a hash of `key`, cut to the allowed length of names."""
    return f"{name[: NAME_LENGTH - _HASH_LENGTH - 1]}_{fingerprint(key, _HASH_LENGTH)}"


def folded(name: str) -> str:
    """The name in lower case without separators, as clients compare names."""
    return _SEPARATORS.sub("_", name).lower()
