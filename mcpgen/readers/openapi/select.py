"""Filters: which operations become tools."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .options import ReadOptions
    from .parts import Operation

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "QUERY"})


def left_out(operation: Operation, name: str, options: ReadOptions) -> str:
    """Why the filters or the document leave an operation out; empty where they don't."""
    names = [n for n in (operation.operation_id, name, operation.key) if n]
    checks = (
        ("tag", operation.tags, options.include_tags, options.exclude_tags),
        ("path", (operation.path,), options.include_paths, options.exclude_paths),
        ("operation", names, options.include_operations, options.exclude_operations),
    )
    for what, values, include, exclude in checks:
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


def _only_reads(operation: Operation) -> bool:
    """Only the method counts: a document's own word is no guarantee that a POST changes nothing."""
    return (
        operation.method in SAFE_METHODS
        and operation.extension.hints.get("readOnlyHint") is not False
    )


def _matches(values: Iterable[str], globs: Iterable[str]) -> str:
    return next((g for g in globs for v in values if fnmatchcase(v, g)), "")
