"""Which group of handlers an operation belongs to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .parts import Operation

_VERSION = re.compile(r"(?:api|rest|v\d+(?:[._-]?\w+)*|\d+(?:\.\d+)*)", re.I)
DEFAULT = "default"


def tag_of(operation: Operation, *, tagged: bool) -> str:
    """The first tag; where the whole document has none, the path's first word."""
    if operation.tags and operation.tags[0].strip():
        return operation.tags[0]
    if tagged:
        return DEFAULT
    path = re.split(r"[?#]", operation.path, maxsplit=1)[0]
    words = [w for w in path.split("/") if w and "{" not in w and not _VERSION.fullmatch(w)]
    return words[0] if words else DEFAULT
