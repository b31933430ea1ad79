"""Plain-text tables for a terminal."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from unicodedata import combining, east_asian_width

_MIN_COLUMN_WIDTH = 12
"""The least width of a flexible column; if there is less room, it is left out."""
_GAP_WIDTH = 2
_CUT = "..."


def aligned(
    rows: Sequence[Sequence[str]],
    *,
    numbers: Collection[int] = (),
    width: int = 0,
    flexible: Sequence[int] = (),
) -> Iterator[str]:
    """One line per row; the columns `numbers` are right-aligned.

    If the table is wider than `width`, the columns `flexible` are cut, one after the other, and
    then left out; at last the first column is cut. A `width` of 0 means that there is no limit.
    """
    widths = {at: max(map(cells, column)) for at, column in enumerate(zip(*rows, strict=True))}
    for at, narrow in [
        *((at, _MIN_COLUMN_WIDTH) for at in flexible),
        *((at, 0) for at in flexible),
        (0, 1),
    ]:
        excess = sum(widths.values()) + _GAP_WIDTH * (len(widths) - 1) - width
        if not width or excess <= 0:
            break
        if narrow or at == 0:
            widths[at] = max(widths[at] - excess, min(widths[at], narrow or _MIN_COLUMN_WIDTH))
        else:
            del widths[at]
    for row in rows:
        texts = (_cell(row[at], wide, at in numbers) for at, wide in widths.items())
        yield (" " * _GAP_WIDTH).join(texts).rstrip()


def _cell(text: str, width: int, is_number: bool) -> str:
    content = shortened(text, width)
    space = " " * (width - cells(content))
    return f"{space}{content}" if is_number else f"{content}{space}"


def shortened(text: str, width: int) -> str:
    """The text, cut to at most `width` cells of a terminal."""
    if cells(text) <= width:
        return text
    end = _CUT if width > 2 * len(_CUT) else ""
    while text and cells(text) > width - len(end):
        text = text[:-1]
    return f"{text.rstrip()}{end}"


def cells(text: str) -> int:
    """The width of a text in terminal cells (Unicode Standard Annex 11)."""
    if text.isascii():
        return len(text)
    return sum(
        2 if east_asian_width(character) in "WF" else not combining(character) for character in text
    )
