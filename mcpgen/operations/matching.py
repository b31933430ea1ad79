"""Matches the operations of two document versions by path, and other definitions by content."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping

_VERSION = re.compile(r"(?:api|rest|v\d+(?:[._-]?\w+)*|\d+(?:\.\d+)*)", re.I)
_TEMPLATE = re.compile(r"\{[^{}]*\}")


def same(before: Iterable[str], now: Iterable[str]) -> dict[str, str]:
    """The present name of each earlier operation that still exists.

    Two paths that differ only in the names of their template expressions count as the same (OpenAPI
    3.1.1, Paths Object). So do two of the remaining paths that differ only in a version, unless a
    further path matches one of them. The operations of a renamed further source are compared under
    the source's new name.
    """
    old_operations, new = list(before), set(now)
    names = _renamed_sources(old_operations, new)
    old = {_called(operation, names): operation for operation in old_operations}
    matches = {operation: operation for operation in old.keys() & new}
    for alike in (shape, _without_version):
        came = _grouped(new.difference(matches.values()), alike)
        for key, gone in _grouped(old.keys() - matches, alike).items():
            if key and len(gone) == len(came[key]) == 1:
                matches[gone[0]] = came[key][0]
    return {old[operation]: match for operation, match in matches.items()}


def _renamed_sources(before: Iterable[str], now: Iterable[str]) -> dict[str, str]:
    """The new name of each further source that was renamed, by its old name.

    It is the name of the most similar new source, which must have more than half of the old
    source's operations. Nothing is returned for a source if two new ones are equally similar, or if
    another old source has the same match.
    """
    old, new = _by_source(before), _by_source(now)
    names: dict[str, str] = {}
    for source in old.keys() - new:
        gone = old[source]
        alike = {
            each: len(gone & new[each]) / len(gone | new[each])
            for each in new.keys() - old
            if 2 * len(gone & new[each]) > len(gone)
        }
        nearest = [each for each, share in alike.items() if share == max(alike.values())]
        if len(nearest) == 1:
            names[source] = nearest[0]
    times = Counter(names.values())
    return {source: name for source, name in names.items() if times[name] == 1}


def _by_source(operations: Iterable[str]) -> dict[str, set[str]]:
    """The operations of each further source as `METHOD path`, by the source's name."""
    sources: defaultdict[str, set[str]] = defaultdict(set)
    for operation in operations:
        name, _, own = operation.partition(" ")
        if not name.isupper() and own.partition(" ")[0].isupper():
            sources[name].add(own)
    return sources


def _called(operation: str, names: Mapping[str, str]) -> str:
    name, space, own = operation.partition(" ")
    return f"{names.get(name, name)}{space}{own}"


def shape(path: str) -> str:
    """The path without the names of its template expressions."""
    return _TEMPLATE.sub("{}", path)


def segments(path: str) -> list[str]:
    """The segments of a path without template expressions, versions and `api`."""
    path = re.split(r"[?#]", path, maxsplit=1)[0]
    return [w for w in path.split("/") if w and "{" not in w and not _VERSION.fullmatch(w)]


def _without_version(operation: str) -> str:
    """The operation without versions and `api` in its path; empty if nothing else remains."""
    start, slash, path = shape(operation).partition("/")
    segments = [segment for segment in path.split("/") if not _VERSION.fullmatch(segment)]
    return f"{start}{slash}{'/'.join(segments)}" if any(segments) else ""


def _grouped(operations: Iterable[str], alike: Callable[[str], str]) -> defaultdict[str, list[str]]:
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for operation in operations:
        groups[alike(operation)].append(operation)
    return groups


def renamed(before: Mapping[str, str], now: Mapping[str, str]) -> dict[str, str]:
    """The new names of renamed definitions; `before` and `now` have the contents by name.

    A removed and a new name belong together if both have the same content, and no other removed or
    new name has it. Empty contents are not compared.
    """
    gone = {name: content for name, content in before.items() if name not in now}
    came = {name: content for name, content in now.items() if name not in before}
    times_gone, times_come = Counter(gone.values()), Counter(came.values())
    names = {content: name for name, content in came.items()}
    return {
        name: names[content]
        for name, content in gone.items()
        if content and times_gone[content] == times_come[content] == 1
    }
