"""The commands that make a server of a document or a tool file, and the schema of tool files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ..bundled.contents import tool_file_schema
from .flags import (
    AllowedHosts,
    HeaderEnv,
    Overlays,
    ReferenceRoot,
    RemoteRefs,
    RepeatedKeys,
    SourceBytes,
    SourceValues,
    several,
)
from .invocation import Invocation

Folder = Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="The server's folder.")]
Name = Annotated[str | None, typer.Option(metavar="NAME", help="The server's name.")]
Package = Annotated[str | None, typer.Option(metavar="NAME", help="The Python package.")]
Runtime = Annotated[
    str | None,
    typer.Option(metavar="WORD", help="The runtime: vendored, or package (mcpgen-runtime)."),
]
Prefix = Annotated[
    str | None, typer.Option(metavar="TEXT", help="Put this before each tool's name.")
]
Sources = Annotated[
    list[str] | None,
    typer.Option("--with", metavar="FILE", help="A further document or tool file; repeatable."),
]
Limit = Annotated[
    int | None, typer.Option(min=0, metavar="N", help="More than N are an error; 0: no limit.")
]
PageSize = Annotated[
    int | None, typer.Option(min=0, metavar="N", help="N tools on a page of tools/list; 0: all.")
]
ListChanged = Annotated[
    bool | None, typer.Option("--list-changed", help="Tools may change while the server runs.")
]
Surface = Annotated[
    str | None,
    typer.Option(metavar="WORD", help="How tools are shown: tools, search, or auto (by size)."),
]
Templates = Annotated[
    str | None, typer.Option(metavar="DIR", help="A folder with templates of your own.")
]
Strict = Annotated[bool | None, typer.Option("--strict", help="Treat warnings as errors.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")]
Force = Annotated[
    bool,
    typer.Option("--force", help="Write among other files, and over edits of generated files."),
]
_OF_THE_RUN = ("force", "as_json")
"""Flags that are no settings."""


def _words(text: str) -> list[str]:
    """The words between commas."""
    return [word.strip() for word in text.split(",") if word.strip()]


def _bytes(text: str) -> Any:
    return typer.Option(min=0, metavar="N", help=text)


def from_openapi(
    context: typer.Context,
    source: Annotated[str, typer.Argument(help="The document: a file, a URL, or - for stdin.")],
    folder: Folder,
    overlays: Overlays = None,
    with_: Sources = None,
    name: Name = None,
    package: Package = None,
    runtime: Runtime = None,
    prefix: Prefix = None,
    base_url: Annotated[str | None, typer.Option(metavar="URL", help="The API's address.")] = None,
    include_tags: Annotated[
        list[str] | None, several("--include-tag", "NAME", "Only operations with this tag")
    ] = None,
    exclude_tags: Annotated[
        list[str] | None, several("--exclude-tag", "NAME", "None with this tag")
    ] = None,
    include_paths: Annotated[
        list[str] | None, several("--include-path", "GLOB", "Only paths that match")
    ] = None,
    exclude_paths: Annotated[
        list[str] | None, several("--exclude-path", "GLOB", "No path that matches")
    ] = None,
    include_operations: Annotated[
        list[str] | None, several("--include-operation", "ID", "Only this operationId")
    ] = None,
    exclude_operations: Annotated[
        list[str] | None, several("--exclude-operation", "ID", "Not this operationId")
    ] = None,
    methods: Annotated[
        list[str] | None, several("--methods", "LIST", "Only these HTTP methods, as get,post")
    ] = None,
    read_only: Annotated[
        bool | None, typer.Option("--read-only", help="Only operations that read.")
    ] = None,
    input_schema_bytes: Annotated[
        int | None, _bytes("Cut each longer inputSchema; 0: only if all have over 48 MiB.")
    ] = None,
    output_schema: Annotated[
        str | None,
        typer.Option(metavar="WORD", help="What outputSchema promises: open, strict or none."),
    ] = None,
    output_schema_bytes: Annotated[
        int | None, _bytes("Shorten each longer outputSchema to an outline.")
    ] = None,
    closed_objects: Annotated[
        str | None,
        typer.Option(
            metavar="WORD", help="Closed parts of an allOf: as written, or closed as a whole."
        ),
    ] = None,
    description_limit: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="At most N characters of a tool's description."),
    ] = None,
    surface: Surface = None,
    page_size: PageSize = None,
    list_changed: ListChanged = None,
    max_tools: Limit = None,
    max_tokens: Limit = None,
    templates: Templates = None,
    reference_root: ReferenceRoot = None,
    allow_remote_refs: RemoteRefs = None,
    allowed_hosts: AllowedHosts = None,
    header_env: HeaderEnv = None,
    max_source_bytes: SourceBytes = None,
    max_source_values: SourceValues = None,
    repeated_keys: RepeatedKeys = None,
    strict: Strict = None,
    force: Force = False,
    as_json: AsJson = False,
) -> Invocation:
    """Generate a server from an OpenAPI document, or regenerate the one that is there."""
    return _invocation(context, "openapi")


def from_schema(
    context: typer.Context,
    source: Annotated[str, typer.Argument(help="The tool file: a file, a URL, or - for stdin.")],
    folder: Folder,
    overlays: Overlays = None,
    with_: Sources = None,
    name: Name = None,
    package: Package = None,
    runtime: Runtime = None,
    prefix: Prefix = None,
    surface: Surface = None,
    page_size: PageSize = None,
    list_changed: ListChanged = None,
    max_tools: Limit = None,
    max_tokens: Limit = None,
    templates: Templates = None,
    header_env: HeaderEnv = None,
    max_source_bytes: SourceBytes = None,
    max_source_values: SourceValues = None,
    repeated_keys: RepeatedKeys = None,
    strict: Strict = None,
    force: Force = False,
    as_json: AsJson = False,
) -> Invocation:
    """Generate a server from a tool file, or regenerate the one that is there.

    The answer of any MCP server's `tools/list` is a tool file too.
    """
    return _invocation(context, "tools")


def schema() -> None:
    """Print the JSON Schema of tool files, for editors."""
    print(tool_file_schema(), end="")


def _invocation(context: typer.Context, reader: str) -> Invocation:
    """What a command asks for; its parameters have the names of the keys of `mcpgen.toml`."""
    asked = {"reader": reader, **context.params}
    asked["methods"] = [word for each in asked.get("methods") or () for word in _words(each)]
    call = {"folder": Path(asked.pop("folder")), **{key: asked.pop(key) for key in _OF_THE_RUN}}
    flags = {key.rstrip("_"): v for key, v in asked.items() if v not in (None, (), [])}
    return Invocation("generate", {**call, "flags": flags})
