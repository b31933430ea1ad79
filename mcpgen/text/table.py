"""Plain-text tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def aligned(rows: Sequence[Sequence[str]], *, numbers: int = 0) -> Iterator[str]:
    """One line per row; the last `numbers` columns are right-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    words = len(widths) - numbers
    for row in rows:
        left = [cell.ljust(width) for cell, width in zip(row[:words], widths, strict=False)]
        right = [cell.rjust(width) for cell, width in zip(row[words:], widths[words:], strict=True)]
        yield "  ".join([*left, *right]).rstrip()
