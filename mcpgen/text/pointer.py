"""JSON Pointers (RFC 6901) as text and in URI fragments."""

from __future__ import annotations

import re
from urllib.parse import unquote

_BAD_ESCAPE = re.compile(r"~(?![01])")


def escape(token: str) -> str:
    """A reference token, escaped for a pointer."""
    return token.replace("~", "~0").replace("/", "~1")


def unescape(token: str) -> str:
    """The token without its escapes; raises ValueError for an invalid `~`."""
    if "~" not in token:
        return token
    if _BAD_ESCAPE.search(token):
        raise ValueError(f"`~` must be followed by 0 or 1 in the pointer token {token!r}")
    return token.replace("~1", "/").replace("~0", "~")


def join(pointer: str, *tokens: str | int) -> str:
    """The pointer with `tokens` added at its end, each escaped."""
    return pointer + "".join(f"/{escape(str(token))}" for token in tokens)


def split(pointer: str) -> tuple[str, ...]:
    """The unescaped tokens of a pointer; raises ValueError if it is not a pointer."""
    if not pointer:
        return ()
    if not pointer.startswith("/"):
        raise ValueError(f"a JSON pointer is empty or starts with '/', not {pointer!r}")
    return tuple(unescape(token) for token in pointer[1:].split("/"))


def parent(pointer: str) -> str:
    """The pointer of the value that contains the value at `pointer`; the root is its own parent."""
    return pointer.rpartition("/")[0]


def from_fragment(fragment: str) -> str:
    """The pointer in a URI fragment (RFC 6901 section 6), with percent-encoding decoded."""
    return unquote(fragment) if "%" in fragment else fragment
