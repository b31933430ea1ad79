"""The commands that generate a server from a document or a tool file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from .flags import given
from .invocation import Invocation

Folder = Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="The server's folder.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")]
Force = Annotated[
    bool,
    typer.Option(
        "--force", help="Write into a folder with other files, and over edits of generated files."
    ),
]


def _words(text: str) -> list[str]:
    """The items of a comma-separated list."""
    return [word.strip() for word in text.split(",") if word.strip()]


def from_openapi(
    source: Annotated[str, typer.Argument(help="The document: a file, a URL, or - for stdin.")],
    folder: Folder,
    force: Force = False,
    as_json: AsJson = False,
    **flags: Any,
) -> Invocation:
    """Generate a server from an OpenAPI document, or regenerate the one in the folder."""
    return _invocation("openapi", source, folder, flags, force=force, as_json=as_json)


def from_schema(
    source: Annotated[str, typer.Argument(help="The tool file: a file, a URL, or - for stdin.")],
    folder: Folder,
    force: Force = False,
    as_json: AsJson = False,
    **flags: Any,
) -> Invocation:
    """Generate a server from a tool file, or regenerate the one in the folder.

    The answer of any MCP server's `tools/list` is a tool file too.
    """
    return _invocation("tools", source, folder, flags, force=force, as_json=as_json)


def _invocation(
    reader: str, source: str, folder: Path, flags: Mapping[str, Any], **run: bool
) -> Invocation:
    """The `generate` invocation that reads a source with a reader."""
    asked = {"source": source, "reader": reader, **chosen(flags)}
    return Invocation("generate", {"folder": folder, "flags": asked, **run})


def chosen(flags: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that the flags give, by key; comma-separated `methods` become a list."""
    values = given(flags)
    if "methods" in values:
        values["methods"] = [word for each in values["methods"] for word in _words(each)]
    return values
