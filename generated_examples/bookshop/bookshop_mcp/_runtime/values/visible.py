"""Text that shows all it holds: what a terminal obeys or nobody sees is escaped."""

from __future__ import annotations

import re
from functools import cache


def visible(text: str) -> str:
    """Escape hidden characters as JSON does, so that JSON text stays the same JSON."""
    return text if text.isascii() and text.isprintable() else _hidden().sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code > 0xFFFF:
        high, low = divmod(code - 0x10000, 0x400)
        return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
    return found[0] if _seen().match(found.string, found.start()) else f"\\u{code:04x}"


@cache  # not for a server that starts: to compile these takes long, and most text needs neither
def _hidden() -> re.Pattern[str]:
    return re.compile(
        # Controls but for tab and line ends: they move the cursor, recolour, retitle.
        "[\x00-\x08\x0b-\x1f\x7f-\x9f"
        # Bidirectional marks, embeddings, overrides and isolates.
        "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
        # Soft hyphen, fillers, zero width, line separators, invisible operators, annotations, tags.
        "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2028\u2029\u2060-\u2065"
        "\u206a-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a"
        "\U000e0000-\U000e0fff"
        # Halves of surrogate pairs, which are no characters and which UTF-8 cannot carry.
        "\ud800-\udfff"
        # Joiners and variation selectors.
        "\u200c\u200d\ufe00-\ufe0f]"
    )


@cache
def _seen() -> re.Pattern[str]:
    """Hidden characters whose effect a reader sees where they stand."""
    return re.compile(
        "\r(?=\n)"
        # A joiner or a variation selector that is the only one after a character that takes it.
        "|(?<=[\u0300-\u1fff\u2190-\ufdff\ufe0f\U00010000-\U0001ffff])[\u200c\u200d]"
        "|(?<=[0-9#*\u00a9\u00ae\u1000-\u200a\u2010-\ufdff\U00010000-\U0001ffff])[\ufe00-\ufe0f]"
    )
