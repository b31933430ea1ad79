"""Filters: which operations become tools."""

from __future__ import annotations

from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ...diagnostics import Diagnostics
    from .options import ReadOptions
    from .parts import Operation

_METHODS = ("GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE", "QUERY")
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "QUERY"})


def left_out(operation: Operation, name: str, options: ReadOptions) -> str:
    """Why the filters or the document leave an operation out; empty where they don't."""
    for (what, values), (include, exclude) in zip(
        _values(operation, name), _globs(options), strict=True
    ):
        if include and not _matches(values, include):
            return f"not chosen by --include-{what}"
        if exclude and (glob := _matches(values, exclude)):
            return f"left out by --exclude-{what} {glob}"
    if options.methods and operation.method.upper() not in {m.upper() for m in options.methods}:
        return "not chosen by --methods"
    if options.read_only and not _only_reads(operation):
        return "left out by --read-only"
    if operation.extension.enabled is False:
        return "left out by the document itself: x-mcp says that it is not enabled"
    return ""


def report_unused(
    operations: Iterable[Operation],
    named: Mapping[str, str],
    options: ReadOptions,
    diagnostics: Diagnostics,
) -> None:
    """Warn of filters that no operation of the document is for."""
    there: dict[str, set[str]] = {"tag": set(), "path": set(), "operation": set()}
    methods = set(_METHODS)
    for operation in operations:
        methods.add(operation.method.upper())
        for what, values in _values(operation, named[operation.key]):
            there[what].update(values)
    given = [
        (f"--{kind}-{what} {glob}", glob, values)
        for (what, values), globs in zip(there.items(), _globs(options), strict=True)
        for kind, chosen in zip(("include", "exclude"), globs, strict=True)
        for glob in chosen
        if not _matches(values, [glob])
    ]
    asked = [method.upper() for method in options.methods]
    given += [(f"--methods {each}", each, methods) for each in asked if each not in methods]
    for flag, glob, values in given:
        near = get_close_matches(glob, sorted(values), n=1)
        hint = f"Did you mean `{near[0]}`?" if near else "`mcpgen inspect` lists what there is."
        diagnostics.warning("filter-unused", f"no operation is meant by {flag}", hint=hint)


def _values(operation: Operation, name: str) -> Iterator[tuple[str, Iterable[str]]]:
    """What the filters look at, by their words."""
    yield "tag", operation.tags
    yield "path", (operation.path,)
    yield "operation", [n for n in (operation.operation_id, name, operation.key) if n]


def _globs(options: ReadOptions) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """What the filters include and exclude, in the same order."""
    yield options.include_tags, options.exclude_tags
    yield options.include_paths, options.exclude_paths
    yield options.include_operations, options.exclude_operations


def _only_reads(operation: Operation) -> bool:
    """Only the method counts: a document's own word is no guarantee that a POST changes nothing."""
    return (
        operation.method in SAFE_METHODS
        and operation.extension.hints.get("readOnlyHint") is not False
    )


def _matches(values: Iterable[str], globs: Iterable[str]) -> str:
    return next((g for g in globs for v in values if fnmatchcase(v, g)), "")
