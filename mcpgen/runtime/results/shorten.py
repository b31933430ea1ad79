"""Making an answer smaller without making it false: whole array items, whole characters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from json import JSONEncoder
from typing import Any

from ..values.display import visible
from ..values.jsontext import dump

_SHOWN = 10
_encode = JSONEncoder(ensure_ascii=False).encode


@dataclass(frozen=True)
class Shortened:
    """A smaller value and what was left out, as sentences."""

    value: Any
    note: str


def shorten_json(value: Any, limit: int) -> Shortened | None:
    """Keep the first items of every long array so that the JSON text has at most `limit` bytes.

    One number of items holds for all arrays, the largest that fits. None where even empty arrays
    are too large. What is left out takes no time, however much it is.
    """
    keep = _most_items(value, limit)
    if keep < 0:
        return None
    cuts = _cuts(value, keep, "")
    named = [
        f"{pointer or '(the answer itself)'}: {keep} of {length} items"
        for pointer, length in islice(cuts, _SHOWN)
    ]
    further = sum(1 for _ in cuts)
    more = f", and {further} more arrays" if further else ""
    return Shortened(_cut(value, keep), f"Left out of long arrays: {'; '.join(named)}{more}.")


def shorten_text(text: str, limit: int) -> Shortened:
    """Keep the beginning of a text, `limit` bytes of UTF-8 at most, cut between characters."""
    kept = text[:limit].encode("utf-8", "replace")[:limit].decode("utf-8", "ignore")
    return Shortened(kept, f"The text is cut: {len(kept)} of {len(text)} characters.")


def _most_items(value: Any, limit: int) -> int:
    """The largest number of items that fits, or -1: all arrays grow by an item at a time."""
    growing: list[Sequence[Any]] = []
    size = _size(value, 0, growing, limit)
    keep = -1
    while size <= limit:
        keep += 1
        grown, growing = growing, []
        for array in grown:
            if len(array) > keep and size <= limit:
                growing.append(array)
                comma = 1 if keep else 0
                size += comma + _size(array[keep], keep + 1, growing, limit - size)
        if not growing:
            return keep
    return keep


def _size(value: Any, keep: int, arrays: list[Sequence[Any]], limit: int) -> int:
    """The bytes of a value with so many items of each array, or more than `limit`.

    The arrays that are in it are added to `arrays`.
    """
    size = 0
    waiting = [value]
    while waiting and size <= limit:
        value = waiting.pop()
        if isinstance(value, dict):
            size += 1 + max(1, len(value)) + sum(_spelled(key, limit) + 1 for key in value)
            waiting += value.values()
        elif isinstance(value, list | tuple):
            kept = value[:keep]
            size += 1 + max(1, len(kept))
            waiting += kept
            arrays.append(value)
        else:
            size += _spelled(value, limit)
    return size


def _spelled(value: Any, limit: int) -> int:
    """The bytes of a scalar, as an agent gets it, or more than `limit`."""
    if isinstance(value, str):
        if len(value) > limit or (value.isascii() and value.isprintable()):
            return len(_encode(value))
        return len(visible(dump(value)).encode())
    if value is None or value is True or value is False:
        return 5 if value is False else 4
    return len(repr(value))


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
