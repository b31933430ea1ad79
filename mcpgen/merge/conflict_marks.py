"""The conflict marks of an unfinished merge in git."""

from __future__ import annotations

import re

HINT = "Choose between the two sides and remove the marks, or restore it from version control."
_FIRST = re.compile(r"^<{7} ", re.MULTILINE)
_LAST = re.compile(r"^>{7} ", re.MULTILINE)


def place(text: str) -> int | None:
    """The offset of the first conflict mark; None if there is none."""
    match = _FIRST.search(text)
    return match.start() if match and _LAST.search(text, match.end()) else None
