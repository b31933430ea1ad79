"""Refuses texts that would change which resource a path names."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote

from .errors import ArgumentError

_CONTROL = re.compile(r"[\x00-\x1b\x7f]")
"""Control characters but for the four that separate data, as in the namespaces of catalogues."""
_SEPARATORS = re.compile(r"[/\\;]")
# Overlong UTF-8 and IIS spellings of `.` and `/` that some servers still decode.
_ODD_DOT = re.compile(r"%c0%ae|%e0%80%ae|%u002e|%uff0e", re.IGNORECASE)
_ODD_SLASH = re.compile(r"%c0%af|%e0%80%af|%c1%9c|%u002f|%u005c|%uff0f", re.IGNORECASE)
_LAYERS = 8


def check_segment(argument: str, text: str) -> None:
    """Refuse most control characters, and dot segments in any encoding between `/`, `\\` and `;`.

    HTTP clients and servers remove dot segments (RFC 3986 5.2.4), some only after decoding.

    Raises:
        ArgumentError: the text cannot be part of a path.
    """
    if _CONTROL.search(text):
        raise ArgumentError(argument, "holds a control character, which no URL's path has.")
    for piece in _SEPARATORS.split(_decoded(argument, text)):
        if piece.partition("\0")[0].strip() in (".", ".."):
            raise ArgumentError(
                argument,
                "holds `.` or `..` as a path segment (perhaps encoded), which would name "
                "another resource.",
            )


def _decoded(argument: str, text: str) -> str:
    """Undo every layer of encoding that a server on the way might undo."""
    for _ in range(_LAYERS):
        simpler = _ODD_SLASH.sub("/", _ODD_DOT.sub(".", text))
        simpler = unicodedata.normalize("NFKC", unquote(simpler))
        if simpler == text:
            return text
        text = simpler
    raise ArgumentError(argument, f"is percent-encoded more than {_LAYERS - 1} times over.")
