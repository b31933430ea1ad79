"""The command line: typer commands and exit codes, nothing else.

Exit codes: 0 done, 1 nothing was written or something was left as it is, 2 usage.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from . import __version__, output, settings, summary
from .diagnostics import Diagnostics, GenerationError, render
from .format import FormatError
from .generate import Generated, generate
from .output import OutputError
from .progress import Progress
from .readers.tools import schema_text
from .reconcile import Policy
from .render import TemplateError
from .settings import Settings

app = typer.Typer(
    name="mcpgen",
    help="Generate MCP servers from OpenAPI documents and tool files.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Names = Annotated[list[str] | None, typer.Option(metavar="NAME")]
Globs = Annotated[list[str] | None, typer.Option(metavar="GLOB")]


@app.callback(invoke_without_command=True)
def _root(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        print(__version__)
        raise typer.Exit


@app.command("from-openapi")
def from_openapi(
    source: Annotated[str, typer.Argument(help="The document: a file, a URL, or - for stdin.")],
    folder: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Where the server goes.")
    ],
    name: Annotated[str | None, typer.Option(help="The server's name.")] = None,
    package: Annotated[str | None, typer.Option(help="The Python package.")] = None,
    include_tag: Names = None,
    exclude_tag: Names = None,
    include_path: Globs = None,
    exclude_path: Globs = None,
    include_operation: Names = None,
    exclude_operation: Names = None,
    methods: Annotated[str | None, typer.Option(help="HTTP methods, by commas.")] = None,
    read_only: Annotated[
        bool | None, typer.Option("--read-only", help="Only operations that read.")
    ] = None,
    output_schema: Annotated[str | None, typer.Option(help="open, strict or none.")] = None,
    output_schema_bytes: Annotated[int | None, typer.Option(min=0)] = None,
    description_limit: Annotated[int | None, typer.Option(min=1)] = None,
    page_size: Annotated[int | None, typer.Option(min=0, help="Tools on a page.")] = None,
    templates: Annotated[str | None, typer.Option(metavar="DIR", help="Own templates.")] = None,
    allow_remote_refs: Annotated[bool | None, typer.Option("--allow-remote-refs")] = None,
    allow_host: Names = None,
    max_source_bytes: Annotated[int | None, typer.Option(min=1)] = None,
    strict: Annotated[bool | None, typer.Option("--strict", help="A warning is an error.")] = None,
    force: Annotated[bool, typer.Option(help="Write over edits and other files.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The summary as JSON.")] = False,
) -> None:
    """Generate a server from an OpenAPI document, or regenerate the one that is there."""
    flags = {
        "source": source,
        "reader": "openapi",
        "name": name,
        "package": package,
        "include_tags": include_tag,
        "exclude_tags": exclude_tag,
        "include_paths": include_path,
        "exclude_paths": exclude_path,
        "include_operations": include_operation,
        "exclude_operations": exclude_operation,
        "methods": [m.strip() for m in methods.split(",")] if methods else None,
        "read_only": read_only,
        "output_schema": output_schema,
        "output_schema_bytes": output_schema_bytes,
        "description_limit": description_limit,
        "page_size": page_size,
        "templates": templates,
        "allow_remote_refs": allow_remote_refs,
        "allowed_hosts": allow_host,
        "max_source_bytes": max_source_bytes,
        "strict": strict,
    }
    given = {key: value for key, value in flags.items() if value is not None}
    raise typer.Exit(_run(folder, given, force=force, as_json=as_json))


@app.command("from-schema")
def from_schema(
    source: Annotated[str, typer.Argument(help="The tool file: a file, a URL, or - for stdin.")],
    folder: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Where the server goes.")
    ],
    name: Annotated[str | None, typer.Option(help="The server's name.")] = None,
    package: Annotated[str | None, typer.Option(help="The Python package.")] = None,
    page_size: Annotated[int | None, typer.Option(min=0, help="Tools on a page.")] = None,
    templates: Annotated[str | None, typer.Option(metavar="DIR", help="Own templates.")] = None,
    max_source_bytes: Annotated[int | None, typer.Option(min=1)] = None,
    strict: Annotated[
        bool | None, typer.Option("--strict", help="A warning is an error.")
    ] = None,
    force: Annotated[bool, typer.Option(help="Write over edits and other files.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The summary as JSON.")] = False,
) -> None:
    """Generate a server from a tool file, or regenerate the one that is there.

    The answer of any MCP server's `tools/list` is a tool file too.
    """
    flags = {
        "source": source,
        "reader": "tools",
        "name": name,
        "package": package,
        "page_size": page_size,
        "templates": templates,
        "max_source_bytes": max_source_bytes,
        "strict": strict,
    }
    given = {key: value for key, value in flags.items() if value is not None}
    raise typer.Exit(_run(folder, given, force=force, as_json=as_json))


@app.command("schema")
def schema() -> None:
    """Print the JSON Schema of tool files, for editors."""
    print(schema_text(), end="")


def _run(folder: Path, given: dict[str, Any], *, force: bool, as_json: bool) -> int:
    diagnostics = Diagnostics()
    try:
        with Progress() as progress:
            known = output.check_target(folder, force=force)
            asked = _asked(folder, given)
            made = generate(asked, folder, diagnostics, known=known, progress=progress)
            report = output.write(folder, made.files, made.lock, Policy(force=force))
    except GenerationError as error:
        diagnostics.extend(error.diagnostics)
        return _refuse(diagnostics, [], as_json=as_json)
    except (OutputError, TemplateError, FormatError) as error:
        return _refuse(diagnostics, [str(error)], as_json=as_json)
    except KeyboardInterrupt:
        return _refuse(diagnostics, ["interrupted; nothing was written"], as_json=as_json)
    _tell(made, report, diagnostics, folder, as_json=as_json)
    return 1 if report.kept else 0


def _asked(folder: Path, given: dict[str, Any]) -> Settings:
    there = folder / settings.FILE_NAME
    base = settings.load(there) if there.is_file() else Settings()
    return settings.override(base, given)


def _refuse(diagnostics: Diagnostics, messages: list[str], *, as_json: bool) -> int:
    if as_json:
        items = [d.to_json() for d in diagnostics.items]
        print(json.dumps({"diagnostics": items, "errors": messages}))
    for diagnostic in diagnostics.items:
        print(render(diagnostic), file=sys.stderr)
    for message in messages:
        print(f"error: {message}", file=sys.stderr)
    return 1


def _tell(
    made: Generated,
    report: output.Report,
    diagnostics: Diagnostics,
    folder: Path,
    *,
    as_json: bool,
) -> None:
    for diagnostic in diagnostics.items:
        print(render(diagnostic), file=sys.stderr)
    if as_json:
        print(json.dumps(summary.as_json(made, report, diagnostics, folder)))
        return
    print("\n".join(summary.as_text(made, report, diagnostics, folder)))


def main() -> None:
    """The console script."""
    app()
