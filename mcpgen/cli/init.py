"""The command `init`: makes a workspace with a server for each document, and CI workflows."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..diagnostics import GenerationError, Severity
from ..paths import WORKSPACE, is_server
from ..processes import parallel
from ..text.table import aligned
from .output import complain, print_lines, tell, telling, width
from .paths import expanded, servers_here
from .progress import Progress

if TYPE_CHECKING:
    from ..servers import Result

_MAKE = "Make one: `mcpgen from-openapi DOCUMENT -o server`."
COLUMNS = ("server", "document", "state", "tools", "listed", "tokens", "warnings")


def init(
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="The folder for the servers.")
    ] = None,
    documents: Annotated[
        list[str] | None,
        typer.Argument(metavar="DOCUMENT", help="OpenAPI documents and tool files, or globs."),
    ] = None,
    service: Annotated[
        str | None,
        typer.Option(
            "--ci", metavar="WORD", help="Write CI workflows for the servers: github or gitlab."
        ),
    ] = None,
) -> None:
    """Make a workspace: each document gets a server, in a folder named after the document.

    Existing servers are not changed; if one document fails, the others are still generated. `--ci`
    alone writes workflows for the servers of the workspace, or else for those in the current folder
    and below.
    """
    from ..servers import workflows

    if service not in (None, *workflows.WHERE):
        raise typer.BadParameter(" or ".join(workflows.WHERE), param_hint="--ci")
    if folder is not None and documents:
        _start(folder, documents)
    elif folder is not None or service is None:
        name = "DOCUMENT" if folder is not None else "DIR"
        raise typer.BadParameter("name a folder and its documents", param_hint=name)
    if service is not None:
        with telling():
            places = [each for each in servers_here() if is_server(each)]
            if not places:
                raise GenerationError.of("no-server", "there is no server here", hint=_MAKE)
            print_lines(workflows.write(service, places))


def _start(folder: Path, documents: list[str]) -> None:
    """Create the workspace and the servers that do not exist yet."""
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
    print_lines(aligned(rows, numbers=(3, 4, 5, 6), width=width(), flexible=(1,)))
    if any(row[-1] not in ("-", "0") for row in rows[1:]):
        print_lines(["", "`mcpgen check --full` shows the warnings."])
    if failed:
        raise typer.Exit(1)


def _row(result: Result | None, document: str, folder: Path) -> tuple[str, ...]:
    """The row of a document; `result` is None if the document already had a server."""
    if result is None or result.totals is None:
        state = "there already" if result is None else "failed"
        return (str(folder), document, state, *["-"] * (len(COLUMNS) - 3))
    warnings = sum(d.severity is Severity.WARNING for d in result.diagnostics)
    counts = (f"{count:,}" for count in (*result.totals, warnings))
    return (str(folder), document, "generated", *counts)
