"""The marks that git leaves in a file whose merge is not finished."""

from __future__ import annotations

import re

HINT = "Choose between the two sides and take out the marks, or restore it from version control."
_MARKS = re.compile(r"^<{7} .*?^>{7} ", re.DOTALL | re.MULTILINE)


def place(text: str) -> int | None:
    """Where the first of them is; None where there are none."""
    found = _MARKS.search(text)
    return found.start() if found else None
