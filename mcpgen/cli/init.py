"""The command that makes a workspace, with a server for each document: init."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..diagnostics import Severity
from ..paths import WORKSPACE
from ..processes import parallel
from ..text.table import aligned
from .output import complain, print_lines, tell, telling, width
from .paths import expanded
from .progress import Progress

if TYPE_CHECKING:
    from ..servers import Result

COLUMNS = ("server", "document", "state", "tools", "tokens", "warnings")


def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder for the servers.")],
    documents: Annotated[
        list[str],
        typer.Argument(metavar="DOCUMENT", help="OpenAPI documents and tool files, or globs."),
    ],
) -> None:
    """Make a workspace here, and a server of each document in a folder of its name.

    Servers that are there already stay as they are, and a document that fails stops no other.
    """
    from ..servers import reports, starting  # the generator

    if "-" in documents:
        raise typer.BadParameter("name files or URLs", param_hint="DOCUMENT")
    with telling():
        new = starting.new_workspace(folder)
    places = starting.folders(folder, expanded(documents, Path.is_file))
    sources = list(places)
    with Progress() as progress:
        work = partial(starting.start, places=places)
        results = list(progress.each(parallel.each(work, sources), sources))
    failed = [result for result in results if result is not None and result.failed]
    if new and len(failed) < len(results):
        Path(WORKSPACE).write_text(new, "utf-8")
    for each in failed:
        tell([d for d in each.diagnostics if d.severity is Severity.ERROR])
        complain(reports.errors(each))
    rows = [COLUMNS, *map(_row, results, sources, places.values())]
    print_lines(aligned(rows, numbers=(3, 4, 5), width=width(), flexible=(1,)))
    if any(row[-1] not in ("-", "0") for row in rows[1:]):
        print_lines(["", "`mcpgen check --full` shows the warnings."])
    if failed:
        raise typer.Exit(1)


def _row(result: Result | None, document: str, folder: Path) -> tuple[str, ...]:
    """The row of a document; without a result its server was there."""
    if result is None or result.totals is None:
        state = "there already" if result is None else "failed"
        return (str(folder), document, state, "-", "-", "-")
    warnings = sum(d.severity is Severity.WARNING for d in result.diagnostics)
    counts = (f"{count:,}" for count in (*result.totals, warnings))
    return (str(folder), document, "generated", *counts)
