"""The flags of commands that read documents, and the settings that they stand for."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from .. import settings
from ..diagnostics import GenerationError
from ..settings import Settings, headers
from ..settings.tool_tables import SettingProblem


def several(flag: str, metavar: str, text: str) -> Any:
    """A flag that may be given more than once."""
    return typer.Option(flag, metavar=metavar, help=f"{text}; repeatable.")


Overlays = Annotated[
    list[str] | None, several("--overlay", "FILE", "An OpenAPI Overlay for the document")
]
ReferenceRoot = Annotated[
    str | None, typer.Option(metavar="DIR", help="References may lead to files below this folder.")
]
RemoteRefs = Annotated[
    bool | None, typer.Option("--allow-remote-refs", help="Follow references to other hosts.")
]
AllowedHosts = Annotated[
    list[str] | None, several("--allow-host", "NAME", "A private host that references may name")
]
HeaderEnv = Annotated[
    list[str] | None,
    several("--header-env", "NAME=VARIABLE", "A header for the document's host, from a variable"),
]
SourceBytes = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="At most N bytes in all files of a document.")
]
SourceValues = Annotated[
    int | None,
    typer.Option(min=1, metavar="N", help="At most N values in all files of a document."),
]
RepeatedKeys = Annotated[
    str | None,
    typer.Option(metavar="WORD", help="A key twice in an object: refuse it, or last counts."),
]
SHARED = (
    "overlays",
    "reference_root",
    "allow_remote_refs",
    "allowed_hosts",
    "header_env",
    "max_source_bytes",
    "max_source_values",
    "repeated_keys",
)
_SOURCES = ("old", "new", "source", "sources")
"""Parameters of such commands that name documents."""


def flags_given(context: typer.Context) -> dict[str, Any]:
    """The flags that say how documents are read, by their keys in `mcpgen.toml`."""
    return {name: context.params[name] for name in SHARED if context.params[name]}


def asked(context: typer.Context) -> Settings:
    """The settings that the flags of a command that reads documents stand for.

    Raises GenerationError for values that are none.
    """
    flags = flags_given(context)
    values = (context.params.get(name) or () for name in _SOURCES)
    sources = [each for value in values for each in ([value] if isinstance(value, str) else value)]
    try:
        flags |= {"header_env": headers.bound(flags.get("header_env", ()), sources)}
    except SettingProblem as problem:
        raise GenerationError.of(problem.code, problem.message, hint=problem.hint) from None
    return settings.override(Settings(), flags)
