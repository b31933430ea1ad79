"""The commands for existing servers: update and check."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ..paths import is_server
from ..settings import KEYS
from .flags import given
from .invocation import Invocation
from .paths import expanded

Folders = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="DIR",
        help="Server folders, or globs; default: those of the workspace, or the current folder.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


def update(
    folders: Folders = None,
    conflicts: Annotated[
        str,
        typer.Option(
            metavar="WORD",
            help="If your edit and the new version clash: keep (yours), theirs, or markers (both).",
        ),
    ] = "keep",
    force: Annotated[
        bool, typer.Option("--force", help="Write over edits of generated files.")
    ] = False,
    as_json: AsJson = False,
    **flags: Any,
) -> Invocation:
    """Regenerate servers from their own settings, keeping what people edited.

    Without a folder it updates the server in the current folder, or the servers of the workspace.
    """
    if conflicts not in ("keep", "theirs", "markers"):
        raise typer.BadParameter("keep, theirs or markers", param_hint="--conflicts")
    runtimes = KEYS["runtime"].row.choices
    if flags["runtime"] not in (None, *runtimes):
        raise typer.BadParameter(" or ".join(runtimes), param_hint="--runtime")
    asked = {
        "conflicts": conflicts,
        "flags": given(flags) or None,
        "force": force,
        "as_json": as_json,
    }
    return Invocation("update", {"folders": _folders(folders), **asked})


def check(
    folders: Folders = None,
    as_json: AsJson = False,
    form: Annotated[
        str, typer.Option("--format", metavar="WORD", help="text, json, or github for annotations.")
    ] = "text",
    full: Annotated[
        bool, typer.Option("--full", help="Generate and compare even if no hash changed.")
    ] = False,
) -> Invocation:
    """Check whether servers are up to date: exit code 0 if so, 3 if not. Writes nothing.

    Without a folder it checks the server in the current folder, or the servers of the workspace, or
    those in folders below.
    """
    if form not in ("text", "json", "github"):
        raise typer.BadParameter("text, json or github", param_hint="--format")
    form = "json" if as_json else form
    return Invocation("check", {"folders": _folders(folders), "form": form, "full": full})


def _folders(patterns: list[str] | None) -> list[Path]:
    """The named folders without duplicates; a glob gives the folders that contain a server."""
    return list(dict.fromkeys(map(Path, expanded(patterns, is_server)))) if patterns else []
