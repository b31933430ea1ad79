"""The output of commands, and their exit codes."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from msgspec.structs import replace

from ..diagnostics import (
    Diagnostic,
    Diagnostics,
    Failure,
    GenerationError,
    Severity,
    printable,
    render,
    visible,
)
from ..servers import Result
from ..servers import reports as server_reports
from ..text.table import shortened
from . import colours

_INSIDE = r"##\w*\["
_COMMAND = re.compile(rf"{_INSIDE}|\A\s*::")
"""What begins a command for those who read the log of a CI job: GitHub Actions (`::name::`,
`##[name]`), Azure Pipelines (`##vso[name]`) and TeamCity (`##teamcity[name]`)."""
_MAX_EQUAL = 3
_MAX_WHOLE = 3
_MAX_OF_A_KIND = 25
"""Warnings, or notes, of one kind that differ; errors are all shown: each has to be mended."""


def show_generated(result: Result, *, as_json: bool) -> int:
    """Print the result of a generation; returns the exit code."""
    tell(result.diagnostics)
    if result.generated is None:
        if as_json:
            items = [d.to_json() for d in result.diagnostics]
            print_json({"diagnostics": items, "errors": list(result.errors)}, indent=None)
        complain(result.errors)
        return 1
    from . import summary  # of no use to other commands

    if as_json:
        print_json(summary.as_json(result, result.generated), indent=None)
    else:
        print_lines(summary.as_text(result, result.generated))
    return 1 if result.report.conflicts else 0


def show_updates(results: Sequence[Result], *, as_json: bool) -> int:
    """Print the results of updates; returns 1 if one of them failed or left a conflict."""
    reports = [server_reports.updated(r) for r in results]
    _show(results, reports, as_json=as_json, updated=True)
    return 1 if any(r.failed or r.report.conflicts for r in results) else 0


def show_checks(results: Sequence[Result], *, form: str) -> int:
    """Print the results of checks as `text`, `json` or `github`; returns 3 if any failed."""
    if form == "github":
        for line in server_reports.github(results):
            print(re.sub(_INSIDE, _escaped, visible(line)))
    else:
        reports = [server_reports.checked(r) for r in results]
        _show(results, reports, as_json=form == "json", updated=False)
    if any(r.failed for r in results):
        return 1
    return 0 if all(r.report.clean and not r.report.broken for r in results) else 3


def _show(
    results: Sequence[Result],
    reports: Sequence[server_reports.ServerReport],
    *,
    as_json: bool,
    updated: bool,
) -> None:
    if as_json:
        print_json({"servers": [report.data for report in reports]})
    many = len(results) > 1
    for result, report in zip(results, reports, strict=True):
        tell(_of_server(result) if many else result.diagnostics)
        complain(server_reports.errors(result) if many else result.errors)
        if not as_json and not result.failed and (report.lines[1:] or not many):
            print_lines([*report.lines, *[""] * many])
    if not as_json and many:
        print_lines(server_reports.table(results, updated=updated, width=width()))


def _of_server(result: Result) -> list[Diagnostic]:
    """A server's diagnostics; diagnostics without a place get the server's name."""
    return [
        each
        if each.location is not None or result.folder in each.message
        else replace(each, message=f"{result.folder}: {each.message}")
        for each in result.diagnostics
    ]


def tell(diagnostics: Sequence[Diagnostic], *, whole: str = "") -> None:
    """Print diagnostics on stderr, with equal ones grouped and errors last.

    For each kind, it prints the first few and the number of the rest. `whole` is the command that
    shows all diagnostics. If there are many, each kind except errors gets a single line.
    """
    errors = [each for each in diagnostics if each.severity is Severity.ERROR]
    others = [each for each in diagnostics if each.severity is not Severity.ERROR]
    if whole and len(others) > _MAX_WHOLE:
        print_lines([*_kinds(others), f"  = help: {whole} shows each, with its place."], sys.stderr)
    else:
        _tell_each(others)
    _tell_each(errors)


def _kinds(diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    """A line for each kind of diagnostic, with its first message."""
    kinds: dict[tuple[str, str], list[Diagnostic]] = {}
    for each in diagnostics:
        kinds.setdefault((each.severity.value, each.code), []).append(each)
    for (severity, code), alike in kinds.items():
        head = f"{severity}[{code}] x {len(alike):,}: "
        message = printable(alike[0].message)
        room = width(sys.stderr)
        yield head + (shortened(message, max(room - len(head), 20)) if room else message)


def _tell_each(diagnostics: Sequence[Diagnostic]) -> None:
    groups: dict[str, list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        groups.setdefault(_render_alone(diagnostic), []).append(diagnostic)
    texts: list[str] = []
    counts: Counter[str] = Counter()
    hidden: Counter[str] = Counter()
    for message, group in groups.items():
        kind = f"{group[0].severity.value}[{group[0].code}]"
        if counts[kind] == _MAX_OF_A_KIND and group[0].severity is not Severity.ERROR:
            hidden[kind] += len(group)
            continue
        counts[kind] += 1
        texts += [render(each) for each in group[:_MAX_EQUAL]]
        if more := len(group[_MAX_EQUAL:]):
            texts.append(f"{message} ({more} more {'place' if more == 1 else 'places'})")
    texts += [f"{kind}: {count} more, which --json lists" for kind, count in hidden.items()]
    for text in texts:
        print_lines(text.split("\n"), sys.stderr)


def _render_alone(diagnostic: Diagnostic) -> str:
    return render(Diagnostic(diagnostic.code, diagnostic.severity, diagnostic.message))


def complain(messages: Iterable[object]) -> None:
    """Print messages on stderr, as errors."""
    for message in messages:
        print_lines(f"error: {message}".split("\n"), sys.stderr)


@contextmanager
def telling(place: Path | None = None, before: Diagnostics | None = None) -> Iterator[None]:
    """On an error in the `with` block, print the error and exit with 1.

    If it is a GenerationError, the diagnostics in `before` are printed first. `place` is the file
    that could not be read or written, if the system's error does not name it.
    """
    try:
        yield
    except GenerationError as error:
        tell([*(before.items if before is not None else ()), *error.diagnostics])
    except Failure as error:
        complain([error])
    except OSError as error:
        complain([f"{error.filename or place}: {error.strerror or error}"])
    else:
        return
    sys.exit(1)


def width(file: TextIO | None = None) -> int:
    """The width of the terminal behind `file` (by default stdout); 0 if there is no terminal."""
    stream = sys.stdout if file is None else file
    return shutil.get_terminal_size().columns if stream.isatty() else 0


def print_lines(lines: Iterable[str], file: TextIO | None = None) -> None:
    """Print lines with text from documents or file names; escapes log commands of CI services.

    On a terminal, the lines are in colour.
    """
    stream = sys.stdout if file is None else file
    in_colour = stream.isatty()
    for line in lines:
        text = _COMMAND.sub(_escaped, visible(line.replace("\t", "    ")))
        if in_colour and colours.is_coloured(text):
            colours.show(text, stream)
        else:
            print(text, file=stream)


def _escaped(command: re.Match[str]) -> str:
    """The start of a CI service's log command, with the last character escaped."""
    return f"{command[0][:-1]}\\x{ord(command[0][-1]):02x}"


def print_json(value: Any, *, indent: int | None = 2) -> None:
    """Print JSON for a machine; escapes log commands of CI services."""
    text = json.dumps(value, indent=indent)
    print(re.sub(_INSIDE, lambda command: f"{command[0][:-1]}\\u005b", text))


def print_markdown(text: str) -> None:
    """Print Markdown with text from documents; escapes log commands of CI services."""
    print(re.sub(_INSIDE, _escaped, text), end="")
