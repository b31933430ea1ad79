"""Making an answer smaller without making it false: whole array items, whole characters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ..values.display import visible
from ..values.jsontext import dump

_SHOWN = 10


@dataclass(frozen=True)
class Shortened:
    """A smaller value and what was left out, as sentences."""

    value: Any
    note: str


def shorten_json(value: Any, limit: int) -> Shortened | None:
    """Keep the first items of every long array so that the JSON text has at most `limit` bytes.

    One number of items holds for all arrays, the largest that fits. None where even empty arrays
    are too large. The text of the whole value must be larger than `limit`.
    """
    keep, too_many = -1, 0
    while _fits(_cut(value, too_many), limit):
        keep, too_many = too_many, 2 * too_many + 1
    while too_many - keep > 1:
        middle = (keep + too_many) // 2
        if _fits(_cut(value, middle), limit):
            keep = middle
        else:
            too_many = middle
    if keep < 0:
        return None
    cuts = _cuts(value, keep, "")
    arrays = [
        f"{pointer or '(the answer itself)'}: {keep} of {length} items"
        for pointer, length in islice(cuts, _SHOWN)
    ]
    further = sum(1 for _ in cuts)
    more = f", and {further} more arrays" if further else ""
    return Shortened(_cut(value, keep), f"Left out of long arrays: {'; '.join(arrays)}{more}.")


def shorten_text(text: str, limit: int) -> Shortened:
    """Keep the beginning of a text, `limit` bytes of UTF-8 at most, cut between characters."""
    kept = text[:limit].encode("utf-8", "replace")[:limit].decode("utf-8", "ignore")
    return Shortened(kept, f"The text is cut: {len(kept)} of {len(text)} characters.")


def exceeds(text: str, limit: int) -> bool:
    """Whether a text has more than `limit` bytes of UTF-8."""
    return len(text) > limit or len(text.encode("utf-8", "replace")) > limit


def _fits(value: Any, limit: int) -> bool:
    text = dump(value)
    return len(text) <= limit and not exceeds(visible(text), limit)


def _cut(value: Any, keep: int) -> Any:
    if isinstance(value, dict):
        return {key: _cut(child, keep) for key, child in value.items()}
    if isinstance(value, list | tuple):
        return [_cut(child, keep) for child in value[:keep]]
    return value


def _cuts(value: Any, keep: int, pointer: str) -> Iterator[tuple[str, int]]:
    """The arrays that are cut, with their length."""
    if isinstance(value, dict):
        for key, child in value.items():
            if isinstance(child, dict | list | tuple):
                name = str(key).replace("~", "~0").replace("/", "~1")
                yield from _cuts(child, keep, f"{pointer}/{name}")
    elif isinstance(value, list | tuple):
        if len(value) > keep:
            yield pointer, len(value)
        for index, child in enumerate(value[:keep]):
            if isinstance(child, dict | list | tuple):
                yield from _cuts(child, keep, f"{pointer}/{index}")
