"""The commands over servers that are there: update and check."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from ..regeneration import servers
from ..regeneration.reconcile import Policy
from .output import show_checks, show_updates
from .places import expanded, is_server
from .progress import Progress

Folders = Annotated[
    list[str] | None, typer.Argument(metavar="[DIR...]", help="Folders of servers, or globs.")
]
AsJson = Annotated[bool, typer.Option("--json", help="The result as JSON.")]


def update(
    folders: Folders = None,
    conflicts: Annotated[
        str, typer.Option(help="What both sides changed: keep (yours), theirs, or markers.")
    ] = "keep",
    force: Annotated[bool, typer.Option(help="Write over edits of files that are ours.")] = False,
    as_json: AsJson = False,
) -> None:
    """Regenerate servers from their own settings, keeping what people edited."""
    if conflicts not in ("keep", "theirs", "markers"):
        raise typer.BadParameter("keep, theirs or markers", param_hint="--conflicts")
    policy = Policy(force=force, conflicts=conflicts)
    found = _folders(folders)
    with Progress() as progress:
        stage = progress if len(found) == 1 else servers.silent
        work = partial(servers.update, policy=policy, stage=stage)
        results = list(progress.each(servers.run_all(work, found), found))
    raise typer.Exit(show_updates(results, as_json=as_json))


def check(
    folders: Folders = None,
    as_json: AsJson = False,
    form: Annotated[
        str, typer.Option("--format", help="text, json, or github for annotations.")
    ] = "text",
    full: Annotated[
        bool, typer.Option("--full", help="Generate even where no hash has changed.")
    ] = False,
) -> None:
    """Say whether servers are what a fresh generation gives: 0 yes, 3 no. Writes nothing."""
    if form not in ("text", "json", "github"):
        raise typer.BadParameter("text, json or github", param_hint="--format")
    found = _folders(folders)
    with Progress() as progress:
        stage = progress if len(found) == 1 else servers.silent
        work = partial(servers.check, stage=stage, whole=full)
        results = list(progress.each(servers.run_all(work, found), found))
    raise typer.Exit(show_checks(results, form="json" if as_json else form))


def _folders(given: list[str] | None) -> list[Path]:
    """The folders that were named; of a glob those that hold a server."""
    return [Path(text) for text in expanded(given or ["."], is_server)]
