"""The commands that make a server of a document or a tool file, and the schema of tool files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ..shipped import tool_file_schema
from .invocation import Invocation

Sources = Annotated[
    list[str] | None,
    typer.Option("--with", metavar="FILE", help="A further document or tool file; repeatable."),
]
Limit = Annotated[
    int | None, typer.Option(min=0, metavar="N", help="More are an error; 0: any number.")
]
PageSize = Annotated[int | None, typer.Option(min=0, metavar="N", help="Tools on a page.")]
Force = Annotated[
    bool,
    typer.Option(
        "--force", help="Write among other files, and over edits of what is not to be edited."
    ),
]
SourceBytes = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="Bytes of all the files of a document.")
]


def _several(metavar: str, text: str) -> Any:
    return typer.Option(metavar=metavar, help=f"{text}; repeatable.")


def _words(text: str) -> list[str]:
    """The words between commas."""
    return [word.strip() for word in text.split(",") if word.strip()]


def _bytes(text: str) -> Any:
    return typer.Option(min=0, metavar="N", help=text)


def from_openapi(
    source: Annotated[str, typer.Argument(help="The document: a file, a URL, or - for stdin.")],
    folder: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Where the server goes.")
    ],
    more: Sources = None,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="The server's name.")] = None,
    package: Annotated[str | None, typer.Option(metavar="NAME", help="The Python package.")] = None,
    prefix: Annotated[
        str | None, typer.Option(metavar="TEXT", help="What tools' names begin with.")
    ] = None,
    base_url: Annotated[str | None, typer.Option(metavar="URL", help="Where the API is.")] = None,
    include_tag: Annotated[
        list[str] | None, _several("NAME", "Only operations with this tag")
    ] = None,
    exclude_tag: Annotated[list[str] | None, _several("NAME", "None with this tag")] = None,
    include_path: Annotated[list[str] | None, _several("GLOB", "Only paths that match")] = None,
    exclude_path: Annotated[list[str] | None, _several("GLOB", "No path that matches")] = None,
    include_operation: Annotated[list[str] | None, _several("ID", "Only this operationId")] = None,
    exclude_operation: Annotated[list[str] | None, _several("ID", "Not this operationId")] = None,
    methods: Annotated[
        list[str] | None, _several("LIST", "Only these HTTP methods, as get,post")
    ] = None,
    read_only: Annotated[
        bool | None, typer.Option("--read-only", help="Only operations that read.")
    ] = None,
    input_schema_bytes: Annotated[
        int | None, _bytes("A longer inputSchema is cut from below; 0: where all need over 48 MiB.")
    ] = None,
    output_schema: Annotated[
        str | None,
        typer.Option(metavar="WORD", help="What outputSchema promises: open, strict or none."),
    ] = None,
    output_schema_bytes: Annotated[
        int | None, _bytes("A longer outputSchema becomes an outline.")
    ] = None,
    closed_objects: Annotated[
        str | None,
        typer.Option(metavar="WORD", help="Objects that forbid what they have: written or whole."),
    ] = None,
    description_limit: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Characters of a tool's description."),
    ] = None,
    page_size: PageSize = None,
    list_changed: Annotated[
        bool | None, typer.Option("--list-changed", help="Tools may change while it runs.")
    ] = None,
    max_tools: Limit = None,
    max_tokens: Limit = None,
    templates: Annotated[str | None, typer.Option(metavar="DIR", help="Own templates.")] = None,
    reference_root: Annotated[
        str | None, typer.Option(metavar="DIR", help="References may lead to files below it.")
    ] = None,
    allow_remote_refs: Annotated[
        bool | None,
        typer.Option("--allow-remote-refs", help="Follow references to other hosts."),
    ] = None,
    allow_host: Annotated[
        list[str] | None, _several("NAME", "A private host that references may name")
    ] = None,
    max_source_bytes: SourceBytes = None,
    strict: Annotated[bool | None, typer.Option("--strict", help="A warning is an error.")] = None,
    force: Force = False,
    as_json: Annotated[bool, typer.Option("--json", help="The summary as JSON.")] = False,
) -> Invocation:
    """Generate a server from an OpenAPI document, or regenerate the one that is there."""
    flags = {
        "source": source,
        "reader": "openapi",
        "with": more,
        "name": name,
        "package": package,
        "prefix": prefix,
        "base_url": base_url,
        "include_tags": include_tag,
        "exclude_tags": exclude_tag,
        "include_paths": include_path,
        "exclude_paths": exclude_path,
        "include_operations": include_operation,
        "exclude_operations": exclude_operation,
        "methods": [word for each in methods or () for word in _words(each)] or None,
        "read_only": read_only,
        "input_schema_bytes": input_schema_bytes,
        "output_schema": output_schema,
        "output_schema_bytes": output_schema_bytes,
        "closed_objects": closed_objects,
        "description_limit": description_limit,
        "page_size": page_size,
        "list_changed": list_changed,
        "max_tools": max_tools,
        "max_tokens": max_tokens,
        "templates": templates,
        "reference_root": reference_root,
        "allow_remote_refs": allow_remote_refs,
        "allowed_hosts": allow_host,
        "max_source_bytes": max_source_bytes,
        "strict": strict,
    }
    given = {key: value for key, value in flags.items() if value is not None}
    return _invocation(folder, given, force=force, as_json=as_json)


def from_schema(
    source: Annotated[str, typer.Argument(help="The tool file: a file, a URL, or - for stdin.")],
    folder: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Where the server goes.")
    ],
    more: Sources = None,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="The server's name.")] = None,
    package: Annotated[str | None, typer.Option(metavar="NAME", help="The Python package.")] = None,
    prefix: Annotated[
        str | None, typer.Option(metavar="TEXT", help="What tools' names begin with.")
    ] = None,
    page_size: PageSize = None,
    list_changed: Annotated[
        bool | None, typer.Option("--list-changed", help="Tools may change while it runs.")
    ] = None,
    max_tools: Limit = None,
    max_tokens: Limit = None,
    templates: Annotated[str | None, typer.Option(metavar="DIR", help="Own templates.")] = None,
    max_source_bytes: SourceBytes = None,
    strict: Annotated[bool | None, typer.Option("--strict", help="A warning is an error.")] = None,
    force: Force = False,
    as_json: Annotated[bool, typer.Option("--json", help="The summary as JSON.")] = False,
) -> Invocation:
    """Generate a server from a tool file, or regenerate the one that is there.

    The answer of any MCP server's `tools/list` is a tool file too.
    """
    flags = {
        "source": source,
        "reader": "tools",
        "with": more,
        "name": name,
        "package": package,
        "prefix": prefix,
        "page_size": page_size,
        "list_changed": list_changed,
        "max_tools": max_tools,
        "max_tokens": max_tokens,
        "templates": templates,
        "max_source_bytes": max_source_bytes,
        "strict": strict,
    }
    given = {key: value for key, value in flags.items() if value is not None}
    return _invocation(folder, given, force=force, as_json=as_json)


def schema() -> None:
    """Print the JSON Schema of tool files, for editors."""
    print(tool_file_schema(), end="")


def _invocation(folder: Path, given: dict[str, Any], *, force: bool, as_json: bool) -> Invocation:
    asked = {"folder": folder, "given": given, "force": force, "as_json": as_json}
    return Invocation("generate", asked)
