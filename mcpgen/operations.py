"""Matching the operations of two versions of a document by their paths."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable

_VERSION = re.compile(r"(?:api|rest|v\d+(?:[._-]?\w+)*|\d+(?:\.\d+)*)", re.I)
_TEMPLATE = re.compile(r"\{[^{}]*\}")


def same(before: Iterable[str], now: Iterable[str]) -> dict[str, str]:
    """Each operation of before that still exists, and what it is called now.

    Paths that differ only in the names of their template expressions are identical (OpenAPI 3.1.1,
    Paths Object). Of what is left then, those that differ only in a version are the same path too.
    Two such operations are the same if no others match either of them.
    """
    old, new = set(before), set(now)
    found = {operation: operation for operation in old & new}
    for alike in (shape, _without_version):
        came = _grouped(new.difference(found.values()), alike)
        for key, gone in _grouped(old.difference(found), alike).items():
            if key and len(gone) == len(came[key]) == 1:
                found[gone[0]] = came[key][0]
    return found


def shape(path: str) -> str:
    """The path without the names of its template expressions."""
    return _TEMPLATE.sub("{}", path)


def segments(path: str) -> list[str]:
    """The path's segments that say what it is about: no template, no version, not `api`."""
    path = re.split(r"[?#]", path, maxsplit=1)[0]
    return [w for w in path.split("/") if w and "{" not in w and not _VERSION.fullmatch(w)]


def _without_version(operation: str) -> str:
    """The operation without versions and `api` in its path; empty if nothing else is there."""
    start, slash, path = shape(operation).partition("/")
    kept = [segment for segment in path.split("/") if not _VERSION.fullmatch(segment)]
    return f"{start}{slash}{'/'.join(kept)}" if any(kept) else ""


def _grouped(operations: Iterable[str], alike: Callable[[str], str]) -> defaultdict[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for operation in operations:
        found[alike(operation)].append(operation)
    return found
