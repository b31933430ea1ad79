"""Making an answer smaller without making it false: whole array items, whole characters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .jsontext import dump

_SHOWN = 10


@dataclass(frozen=True)
class Shortened:
    """A smaller value and what was left out, as sentences."""

    value: Any
    note: str


def shorten_json(value: Any, limit: int) -> Shortened | None:
    """Keep the first items of every long array so that the JSON text has at most `limit` bytes.

    One number of items holds for all arrays, the largest that fits. None where even empty arrays
    are too large.
    """
    longest = max((len(array) for _, array in _arrays(value, "")), default=0)
    low = _most_items(value, limit, longest)
    if low < 0:
        return None
    cuts = [
        f"{pointer or '(the answer itself)'}: {low} of {len(array)} items"
        for pointer, array in _arrays(_outline(value, low), "")
        if len(array) > low
    ]
    more = f", and {len(cuts) - _SHOWN} more arrays" if len(cuts) > _SHOWN else ""
    note = f"Left out of long arrays: {'; '.join(cuts[:_SHOWN])}{more}."
    return Shortened(_cut(value, low), note)


def shorten_text(text: str, limit: int) -> Shortened:
    """Keep the beginning of a text, `limit` bytes of UTF-8 at most, cut between characters."""
    kept = text.encode("utf-8", "replace")[:limit].decode("utf-8", "ignore")
    return Shortened(kept, f"The text is cut: {len(kept)} of {len(text)} characters.")


def _most_items(value: Any, limit: int, longest: int) -> int:
    """The largest number of items that fits, or -1; large attempts are avoided, they are slow."""
    low, high = -1, 0
    while high < longest and _fits(value, high, limit):
        low, high = high, 2 * high + 1
    high = min(high, longest)
    while high - low > 1:
        middle = (low + high) // 2
        if _fits(value, middle, limit):
            low = middle
        else:
            high = middle
    return low


def _fits(value: Any, keep: int, limit: int) -> bool:
    return len(dump(_cut(value, keep)).encode()) <= limit


def _cut(value: Any, keep: int) -> Any:
    if isinstance(value, dict):
        return {key: _cut(child, keep) for key, child in value.items()}
    if isinstance(value, list | tuple):
        return [_cut(child, keep) for child in value[:keep]]
    return value


def _outline(value: Any, keep: int) -> Any:
    """The value as `_cut` leaves it, but with every array that remains at its old length."""
    if isinstance(value, dict):
        return {key: _outline(child, keep) for key, child in value.items()}
    if isinstance(value, list | tuple):
        kept = [_outline(child, keep) for child in value[:keep]]
        return kept + [None] * (len(value) - len(kept))
    return value


def _arrays(value: Any, pointer: str) -> Iterator[tuple[str, list[Any]]]:
    if isinstance(value, dict):
        for key, child in value.items():
            yield from _arrays(child, f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}")
    elif isinstance(value, list | tuple):
        yield pointer, list(value)
        for index, child in enumerate(value):
            yield from _arrays(child, f"{pointer}/{index}")
