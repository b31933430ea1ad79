"""The reports of update and check: text for people, JSON, and annotations for GitHub."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from .. import __version__
from .. import lock as locks
from ..diagnostics import Severity
from ..text.table import aligned

if TYPE_CHECKING:
    from .updating import Result

COLUMNS = ("server", "mcpgen", "state", "change")
"""The columns of a table of servers; `change` is the worst change for the tools."""
_MAX_PATHS = 20
_ESCAPES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_OF_PROPERTIES = str.maketrans({":": "%3A", ",": "%2C"})


class ServerReport(Struct, frozen=True):
    """The report on a server, as lines for people and as data for programs."""

    lines: tuple[str, ...]
    data: dict[str, Any]


def updated(result: Result) -> ServerReport:
    """The report of an update."""
    report = result.report
    done = "only the lock changed" if report.lock_changed else "nothing changed"
    if report.written or report.removed:
        removed = f", {len(report.removed)} removed" if report.removed else ""
        count = len(report.written)
        files = "1 file" if count == 1 else f"{count} files"
        done = f"{files} written{removed}"
    lines = [f"{result.folder}: {done}"]
    lines += _tools(result)
    lines += conflicts(result)
    lines += remarks(result)
    lines += _totals(result)
    return ServerReport(tuple(lines), _data(result, updated=True))


def checked(result: Result) -> ServerReport:
    """The report of a check."""
    report = result.report
    if report.clean:
        summary = f"{result.folder}: up to date{', but broken: mend it' * report.broken}"
        return ServerReport((summary, *remarks(result)), _data(result, updated=False))
    lines = [f"{result.folder}: out of date; run `mcpgen update`"]
    for what, paths in (
        ("changed", _changed(result)),
        ("missing", result.missing),
        ("left over", report.removed),
    ):
        lines += [f"  {what}: {path}" for path in paths[:_MAX_PATHS]]
        if len(paths) > _MAX_PATHS:
            lines.append(f"  {what}: {len(paths) - _MAX_PATHS} more")
    lines += _tools(result) + conflicts(result) + remarks(result)
    return ServerReport(tuple(lines), _data(result, updated=False))


def _changed(result: Result) -> list[str]:
    """The files that an update would change; lists the lock only if nothing else changes."""
    report = result.report
    alone = report.lock_changed and not (report.written or report.removed)
    return [locks.FILE_NAME] * alone + [p for p in report.written if p not in result.missing]


def conflicts(result: Result) -> list[str]:
    """Each conflict with its place and the difference between the two versions."""
    lines: list[str] = []
    for conflict in result.report.conflicts:
        lines.append(f"  conflict: {result.folder}/{conflict}")
        lines += [f"    {line}" for line in conflict.diff.splitlines()]
    return lines


def remarks(result: Result) -> list[str]:
    """The report's lines about edits that were kept, and about its notes."""
    texts = [
        *(f"  kept: {note}" for note in result.report.kept),
        *(f"  {'broken' if note.breaks else 'note'}: {note}" for note in result.report.notes),
    ]
    return [line for text in texts for line in text.split("\n")]


def errors(result: Result) -> list[str]:
    """Messages for the errors that have no place in a file, each with the server's folder.

    If other errors have a place, one more message names the server, since that place is often in a
    document that many servers share.
    """
    messages = [e if result.folder in e else f"{result.folder}: {e}" for e in result.errors]
    placed = [each.code for each in result.diagnostics if each.severity is Severity.ERROR]
    if placed:
        messages.append(f"{result.folder} cannot be generated: {', '.join(dict.fromkeys(placed))}")
    return messages


def github(results: Sequence[Result]) -> Iterator[str]:
    """Annotations of a workflow run (GitHub Actions, "Workflow commands")."""
    for result in results:
        yield from (_annotation("error", error) for error in errors(result))
        for diagnostic in result.diagnostics:
            kind = {"error": "error", "warning": "warning"}.get(diagnostic.severity, "notice")
            text = "\n".join(filter(None, (diagnostic.message, diagnostic.hint)))
            place = diagnostic.location
            where = (place.file, place.line, place.column) if place else ()
            yield _annotation(kind, text, *where)
        for paths, what in (
            (_changed(result), "is not what mcpgen generates today"),
            (result.missing, "is missing"),
        ):
            for path in paths:
                yield _annotation("error", f"{path} {what}", f"{result.folder}/{path}")
        yield from _breaking(result)
        for path in result.report.removed:
            yield _annotation("error", f"{path} is left over", f"{result.folder}/{path}")
        for conflict in result.report.conflicts:
            path = f"{result.folder}/{conflict.path}"
            yield _annotation("error", f"{conflict.what}\n{conflict.diff}", path, conflict.line)
        for note in (*result.report.kept, *result.report.notes):
            if note.line:
                path = f"{result.folder}/{note.path}"
                kind = "error" if note.breaks else "warning"
                yield _annotation(kind, note.text, path, note.line)
            else:
                yield _annotation("notice", f"{result.folder}: {note}")
        if not result.report.clean:
            yield _annotation("notice", f"run: mcpgen update {result.folder}")


def _breaking(result: Result) -> Iterator[str]:
    """The changes that break clients which call the tools."""
    broken = [each for each in result.changes if each.risk.name == "BREAKING"]
    listed = (path for path in result.report.written if path.endswith("/tools.json"))
    path = f"{result.folder}/{next(listed, locks.FILE_NAME)}"
    for each in broken:
        yield _annotation("error", f"breaking: {each.tool or 'all'}: {each}", path)


def _annotation(kind: str, message: str, file: str = "", line: int = 1, column: int = 1) -> str:
    name = file.translate(_ESCAPES | _OF_PROPERTIES)
    place = f" file={name},line={line},col={column}" if file else ""
    return f"::{kind}{place}::{message.translate(_ESCAPES)}"


def table(results: Sequence[Result], *, updated: bool, width: int = 0) -> Iterator[str]:
    """One row for each server; `updated`: these are results of an update, not of a check."""
    rows = [(r.folder, r.mcpgen or "-", state(r, updated=updated), change(r)) for r in results]
    return aligned([COLUMNS, *rows], width=width, flexible=(1,))


def state(result: Result, *, updated: bool = False) -> str:
    """The state of a server compared with a fresh generation, in a word or two."""
    if result.failed:
        return "failed"
    if result.report.conflicts:
        return f"{len(result.report.conflicts)} in conflict"
    if result.report.broken:
        return "broken"
    if result.report.clean:
        return "up to date"
    return "updated" if updated else "stale"


def change(result: Result) -> str:
    """The greatest risk of an update for callers of the tools, as one word; `-` if it failed."""
    if result.failed:
        return "-"
    return result.risk.name.lower() if result.risk is not None else "same"


def _totals(result: Result) -> list[str]:
    """The numbers of a server's tools and of their tokens; empty if they are unknown."""
    if result.totals is None:
        return []
    tools, _, tokens = result.totals
    cost = f"about {tokens:,} tokens of tools/list"
    if result.surface == "search":
        cost = "which agents find by search"
    return [f"  now {tools} tool{'s' * (tools != 1)}, {cost}"]


def _tools(result: Result) -> list[str]:
    if not result.changes:
        return []
    from ..diff.report import line, rows

    kinds = list(rows(sorted(result.changes, key=lambda each: -each.risk)))
    lines = [f"  {row[-1].risk.name.lower()}: {line(*row)}" for row in kinds[:_MAX_PATHS]]
    if len(kinds) > _MAX_PATHS:
        lines.append(
            f"  {len(kinds) - _MAX_PATHS} more kinds of changes of tools; see `mcpgen diff`"
        )
    return lines


def _data(result: Result, *, updated: bool) -> dict[str, Any]:
    report = result.report
    return {
        "server": result.folder,
        "mcpgen": result.mcpgen,
        "mcpgen_now": __version__,
        "failed": result.failed,
        "clean": report.clean and not (report.broken or result.failed),
        "state": state(result, updated=updated),
        "change": change(result),
        "changed": _changed(result),
        "missing": list(result.missing),
        "left_over": list(report.removed),
        "tools": [each.to_json() for each in result.changes],
        "conflicts": [
            {"file": c.path, "line": c.line, "what": c.what, "diff": c.diff}
            for c in report.conflicts
        ],
        "kept": [str(note) for note in report.kept],
        "notes": [str(note) for note in report.notes],
        "errors": list(result.errors),
        "diagnostics": [d.to_json() for d in result.diagnostics],
    }
