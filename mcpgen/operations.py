"""Which operations of two versions of a document are one, and what their paths say."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

_VERSION = re.compile(r"(?:api|rest|v\d+(?:[._-]?\w+)*|\d+(?:\.\d+)*)", re.I)
_TEMPLATE = re.compile(r"\{[^{}]*\}")


def same(before: Iterable[str], now: Iterable[str]) -> dict[str, str]:
    """Operations of before by what they are now; those that are gone are left out.

    Paths that differ in the names of their templates alone are identical (OpenAPI 3.1.1, Paths
    Object): such an operation is the same where it is the only one on both sides.
    """
    old, new = set(before), set(now)
    found = {operation: operation for operation in old & new}
    came = _by_shape(new - old)
    for shape, gone in _by_shape(old - new).items():
        if len(gone) == len(came[shape]) == 1:
            found[gone[0]] = came[shape][0]
    return found


def shape(path: str) -> str:
    """A path without the names of its templates, by which alone paths do not differ."""
    return _TEMPLATE.sub("{}", path)


def segments(path: str) -> list[str]:
    """The segments of a path that say what it is about: no variable, no version, not `api`."""
    path = re.split(r"[?#]", path, maxsplit=1)[0]
    return [w for w in path.split("/") if w and "{" not in w and not _VERSION.fullmatch(w)]


def _by_shape(operations: Iterable[str]) -> defaultdict[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for operation in operations:
        found[shape(operation)].append(operation)
    return found
