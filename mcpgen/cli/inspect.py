"""The command that shows the tools of documents and servers: inspect."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..diagnostics import GenerationError, did_you_mean
from ..inspection.clients import CLIENTS
from ..paths import is_server
from ..processes import parallel
from ..settings import toml_edits as settings_text
from ..text.table import aligned
from .flags import asked, several
from .output import complain, print_json, print_lines, tell, telling, width
from .paths import expanded, locate, servers_here
from .progress import Progress

if TYPE_CHECKING:
    from ..inspection.report import View
    from ..inspection.run import Inspected


def inspect(
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SOURCE",
            help="Documents, server folders, globs, or REVISION:path; default: as for `check`.",
        ),
    ] = None,
    client: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help=f"Also report what this client refuses: {', '.join(CLIENTS)}."
        ),
    ] = None,
    server: Annotated[
        str,
        typer.Option(metavar="NAME", help="The name that clients give the server, if not its own."),
    ] = "",
    max_tools: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Exit 3 if there are more tools.")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Exit 3 if there are more tokens.")
    ] = None,
    write_settings: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Add a commented-out table for each tool to an mcpgen.toml."
        ),
    ] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a page to browse the tools.")
    ] = None,
    questions: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A file of questions; exit 3 if the search misses the tool for one of them.",
        ),
    ] = None,
    only: Annotated[
        list[str] | None,
        several("--only", "CODE", "Show only problems of this kind, one by one, and their tools"),
    ] = None,
    top: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Show the N largest tools and areas; default: 10."),
    ] = None,
    whole: Annotated[bool, typer.Option("--all", help="Show all tools and each problem.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    **flags: Any,
) -> None:
    """Show the tools, their cost in tokens, and the problems that agents will have with them."""
    from ..inspection.run import Limits, inspected  # the readers, of no use for other commands

    clients = tuple(client or ())
    if set(clients) - set(CLIENTS):
        raise typer.BadParameter(", ".join(CLIENTS), param_hint="--client")
    view = _view(only or (), top, whole=whole)
    patterns = sources or list(map(str, locate(servers_here)))
    locations = expanded(patterns, lambda path: path.is_file() or is_server(path))
    if len(locations) > 1 and (write_settings or html):
        raise typer.BadParameter("--write-settings and --html take one source")
    with telling():
        reading = asked(flags, sources or ())
    work = partial(
        inspected,
        reading=reading,
        server=server,
        clients=clients,
        limits=Limits(max_tools, max_tokens),
        checked=len(locations) > 1,
    )
    each = map if "-" in locations else parallel.each  # no other process has this one's input
    with Progress() as progress:
        results = list(progress.each(each(work, locations), locations))
    failed = any(result.inspection is None for result in results)
    written = _written(results, write_settings, html)  # also where nobody reads what is shown
    _show(results, view, as_json=as_json)
    missed = _missed(questions, locations)
    if failed or not written or missed is None:
        raise typer.Exit(1)
    if missed or any(result.over for result in results):
        raise typer.Exit(3)


def _view(only: Sequence[str], top: int | None, *, whole: bool) -> View:
    from ..inspection.kinds import KINDS
    from ..inspection.report import TOP, View

    for code in only:
        if code not in KINDS:
            hint = did_you_mean(code, list(KINDS), f"One of {', '.join(KINDS)}.")
            raise typer.BadParameter(
                f"{code} is not a kind of problem. {hint}", param_hint="--only"
            )
    return View(only, top or TOP, whole=whole, width=width())


def _missed(questions: Path | None, sources: Sequence[str]) -> list[str] | None:
    """Print and return the questions whose search does not find the expected tool; None if the
    search could not be run.
    """
    if questions is None:
        return []
    from ..catalogue import retrieval

    try:
        asked_about = retrieval.questions(questions)
        lines = [
            f"{source}: {line}"
            for source in sources
            for line in retrieval.misses(Path(source), asked_about)
        ]
    except GenerationError as error:
        tell(error.diagnostics)
        return None
    complain(lines)
    return lines


def _show(results: Sequence[Inspected], view: View, *, as_json: bool) -> None:
    from ..inspection import report
    from ..inspection.run import COLUMNS, FLEXIBLE, NUMBERS

    for result in results:
        tell(result.diagnostics, whole="" if view.whole or as_json else "--all")
        if result.inspection is not None and not as_json:
            print_lines([f"{result.source}:"] if len(results) > 1 else [])
            print_lines(report.as_text(result.inspection, view))
            if len(results) > 1:
                print()
        complain(f"{result.source}: {passed}" for passed in result.over)
    if as_json:
        listed: list[dict[str, Any]] = [result.to_json() for result in results]
        print_json({"sources": listed} if len(results) > 1 else listed[0])
    elif len(results) > 1:
        rows = [COLUMNS, *(result.row for result in results)]
        print_lines(aligned(rows, numbers=NUMBERS, width=width(), flexible=FLEXIBLE))


def _written(results: Sequence[Inspected], settings: Path | None, html: Path | None) -> bool:
    """Write the requested files; if that fails, print the reason and return False."""
    from ..inspection import catalogue

    for result in results:
        if result.inspection is None:
            continue
        try:
            if settings is not None:
                tables = catalogue.settings_tables(result.inspection.tools)
                reader = result.inspection.tools.reader
                settings_text.append_tables(settings, result.source, reader, tables)
            if html is not None:
                from ..inspection import page  # jinja2, of no use for anything else here

                html.write_text(page.html(result.inspection), "utf-8")
        except GenerationError as error:
            tell(error.diagnostics)
            return False
        except OSError as error:
            complain([f"{error.filename or html}: {error.strerror}"])
            return False
    return True
