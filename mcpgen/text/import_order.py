"""The order of names in an import, as in ruff's isort rules."""

from __future__ import annotations

import re
from typing import Any


def import_order(name: str) -> tuple[Any, ...]:
    """A sort key for names: constants, classes, then others; numbers in names by value."""
    rank = 0 if len(name) > 1 and name.isupper() else 1 if name[0].isupper() else 2
    pieces = re.split(r"([0-9]+)", name.lower())
    return rank, [_piece(piece) for piece in pieces if piece], name


def _piece(piece: str) -> tuple[Any, ...]:
    if not piece.isdigit():
        return 1, piece
    return (0, 0, piece) if piece.startswith("0") else (0, 1, len(piece), piece)
