"""Matching the operations of two versions of a document by their paths."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

_VERSION = re.compile(r"(?:api|rest|v\d+(?:[._-]?\w+)*|\d+(?:\.\d+)*)", re.I)
_TEMPLATE = re.compile(r"\{[^{}]*\}")


def same(before: Iterable[str], now: Iterable[str]) -> dict[str, str]:
    """Each operation of before that still exists, and what it is called now.

    Paths that differ only in the names of their template expressions are identical (OpenAPI 3.1.1,
    Paths Object). Two such operations are the same if no others match either of them.
    """
    old, new = set(before), set(now)
    found = {operation: operation for operation in old & new}
    came = _by_shape(new - old)
    for shape, gone in _by_shape(old - new).items():
        if len(gone) == len(came[shape]) == 1:
            found[gone[0]] = came[shape][0]
    return found


def shape(path: str) -> str:
    """The path without the names of its template expressions."""
    return _TEMPLATE.sub("{}", path)


def segments(path: str) -> list[str]:
    """The path's segments that say what it is about: no template, no version, not `api`."""
    path = re.split(r"[?#]", path, maxsplit=1)[0]
    return [w for w in path.split("/") if w and "{" not in w and not _VERSION.fullmatch(w)]


def _by_shape(operations: Iterable[str]) -> defaultdict[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for operation in operations:
        found[shape(operation)].append(operation)
    return found
