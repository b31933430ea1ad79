"""The commands that compare tools and explain settings: diff, settings and schema."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..diagnostics import Diagnostic, Diagnostics, GenerationError, Severity
from ..diff.changes import Change, Risk
from ..processes.background import Background
from .flags import asked, given
from .output import complain, print_json, print_lines, print_markdown, tell, telling
from .paths import locate, servers_here
from .progress import Progress

if TYPE_CHECKING:
    from ..diff.tool_changes import Diff, ToolList

_FAIL_ON = {"breaking": Risk.BREAKING, "risky": Risk.RISKY, "any": Risk.HARMLESS}


def diff(
    old: Annotated[
        str | None,
        typer.Argument(help="The old version: a document, a server's folder, or REVISION:path."),
    ] = None,
    new: Annotated[
        str | None, typer.Argument(help="The new version, in one of those forms.")
    ] = None,
    fail_on: Annotated[
        str,
        typer.Option(
            metavar="WORD",
            help="Exit 3 on a change of this level or above: breaking, risky or any.",
        ),
    ] = "",
    form: Annotated[
        str, typer.Option("--format", metavar="WORD", help="text, markdown or json.")
    ] = "text",
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    **flags: Any,
) -> None:
    """Compare two versions of an API or server: what changes for agents, and how much it matters.

    Without OLD and NEW, show what `update` would change in the servers that `check` checks.
    """
    if fail_on and fail_on not in _FAIL_ON:
        raise typer.BadParameter("breaking, risky or any", param_hint="--fail-on")
    if form not in ("text", "markdown", "json"):
        raise typer.BadParameter("text, markdown or json", param_hint="--format")
    if old is None:
        changes = _of_servers(flags, "json" if as_json else form)
    elif new is None:
        raise typer.BadParameter("name what OLD is compared with", param_hint="NEW")
    else:
        changes = _of_two(flags, old, new, "json" if as_json else form)
    limit = _FAIL_ON.get(fail_on)
    if limit is not None and any(change.risk >= limit for change in changes):
        raise typer.Exit(3)


def _of_servers(flags: Mapping[str, Any], form: str) -> Iterable[Change]:
    """Print the changes that `update` would make to servers."""
    from .. import servers
    from ..diff import report
    from ..regeneration import new_operations
    from ..servers.reports import errors

    if given(flags):
        raise typer.BadParameter(
            "only with OLD and NEW: a server's mcpgen.toml says how its document is read"
        )
    folders = locate(servers_here)
    with Progress() as progress:
        work = partial(servers.check, stage=servers.silent)
        results = list(progress.each(servers.run_all(work, folders), folders))
    for each in results:
        if each.failed:
            tell([d for d in each.diagnostics if d.severity is Severity.ERROR])
            complain(errors(each))
        else:
            tell([d for d in each.diagnostics if d.code == new_operations.CODE])
    changes = {each.folder: each.changes for each in results if not each.failed}
    if form == "json":
        print_json(report.servers_as_json(changes))
    elif form == "markdown":
        print_markdown(report.servers_as_markdown(changes))
    else:
        print_lines(report.servers_as_text(changes))
    if len(changes) < len(results):
        raise typer.Exit(1)
    return [change for of_one in changes.values() for change in of_one]


def _of_two(flags: Mapping[str, Any], old: str, new: str, form: str) -> Iterable[Change]:
    """Print the changes from one list of tools to another, and return them."""
    from ..diff import answers
    from ..diff import inputs as diff_source
    from ..diff.tool_changes import compare

    def load(location: str, *, whole: bool) -> tuple[ToolList, Diagnostics]:
        diagnostics = Diagnostics()
        return diff_source.load(
            location, diagnostics, asked(flags, (old, new)), whole=whole
        ), diagnostics

    with telling():
        if diff_source.is_new(old, new):
            after, now = load(new, whole=False)
            message = f"{old} does not exist: every tool of the server is new"
            tell([Diagnostic("new-server", Severity.NOTE, message)])
            return _printed(compare(diff_source.before_first(old, after), after), form)
        both = [diff_source.is_server(each) for each in (old, new)]
        whole = not any(both)
        background = Background(partial(load, new, whole=whole))
        before, was = load(old, whole=whole)
        after, now = background.result()
        result = (answers.compare if all(both) else compare)(before, after)
    tell(_new(was, now))
    return _printed(result, form)


def _printed(result: Diff, form: str) -> Iterable[Change]:
    """Print the comparison in a format; returns its changes."""
    from ..diff import report

    if form == "json":
        print_json(report.as_json(result))
    elif form == "markdown":
        print_markdown(report.as_markdown(result))
    else:
        print_lines(report.as_text(result))
    return result.changes


def _new(was: Diagnostics, now: Diagnostics) -> list[Diagnostic]:
    """The diagnostics that only the new document has; these may explain a missing tool."""
    old_keys = {(each.code, each.pointer) for each in was.items}
    return [each for each in now.items if (each.code, each.pointer) not in old_keys]


def show_settings(
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="A server's folder, for --tool.")
    ] = None,
    tool: Annotated[
        str, typer.Option(metavar="NAME", help="Say where each setting of this tool comes from.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """List all settings of mcpgen.toml with their defaults, or those of one tool."""
    if tool:
        _show_of_tool(folder or Path(), tool, as_json=as_json)
        return
    if folder is not None or as_json:
        raise typer.BadParameter("name the tool whose settings to show", param_hint="--tool")
    from ..settings.reference import reference  # of no use for any other command

    print(reference(), end="")


def _show_of_tool(folder: Path, tool: str, *, as_json: bool) -> None:
    from ..inspection import tool_settings  # with the readers, of no use otherwise

    diagnostics = Diagnostics()
    try:
        origins = tool_settings.explain(folder, tool, diagnostics)
    except GenerationError as error:
        tell(error.diagnostics)
        raise typer.Exit(1) from None
    if as_json:
        print_json(tool_settings.as_json(tool, origins))
    else:
        print_lines(tool_settings.as_text(origins))


def schema(
    kind: Annotated[
        str, typer.Argument(metavar="KIND", help="tools (for tool files), settings or workspace.")
    ] = "tools",
    target: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="The file to write.")
    ] = None,
) -> None:
    """Print the JSON Schema of tool files, or of mcpgen.toml, for editors."""
    from ..bundled.contents import tool_file_schema
    from ..settings.schema import SCHEMAS  # of no use for any other command

    if kind not in ("tools", *SCHEMAS):
        raise typer.BadParameter("tools, settings or workspace", param_hint="KIND")
    text = tool_file_schema()
    if kind in SCHEMAS:
        text = json.dumps(SCHEMAS[kind](), indent=2, ensure_ascii=False) + "\n"
    if target is None:
        print(text, end="")
        return
    with telling(target):
        target.write_text(text, "utf-8")
