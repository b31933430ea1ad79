"""The work and the output of the commands that generate, update and check servers.

The functions return exit codes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from .. import servers
from ..regeneration.outcome import Policy
from ..servers import Result
from . import paths
from .output import show_checks, show_generated, show_updates
from .process_exit import held
from .progress import Progress


def generate(
    folder: Path, flags: Mapping[str, Any], *, force: bool = False, as_json: bool = False
) -> int:
    """Generate a server with the settings in `flags`, or update the server in the folder."""
    with Progress() as progress:
        result = held(servers.generate_into(folder, flags, Policy(force=force), progress))
    return show_generated(result, as_json=as_json)


def serve(flags: Mapping[str, Any], *, http: str, stdio: bool, mock: bool, reload: bool) -> int:
    """Serve a document from a temporary folder until the user stops it."""
    from . import serving  # of no use to other commands

    return serving.serve(flags, http=http, stdio=stdio, mock=mock, reload=reload)


def update(
    folders: list[Path],
    *,
    conflicts: str = "keep",
    flags: Mapping[str, Any] | None = None,
    force: bool = False,
    as_json: bool = False,
) -> int:
    """Update servers by their own settings; `flags` override some settings.

    Without folders it updates the servers of the workspace, or the server in the current folder.
    """
    policy = Policy(force=force, conflicts=conflicts)
    work = partial(servers.update, policy=policy, flags=flags or {})
    return show_updates(_results(work, folders or paths.servers_of_workspace), as_json=as_json)


def check(folders: list[Path], *, form: str = "text", full: bool = False) -> int:
    """Check whether servers are the same as those that their sources would generate now.

    Without `folders` it checks the servers of the workspace; without a workspace, the server in the
    current folder, or else the servers in folders below it.
    """
    work = partial(servers.check, whole=full)
    return show_checks(_results(work, folders or paths.servers_here), form=form)


def _results(
    work: Callable[..., Result], places: list[Path] | Callable[[], list[Path]]
) -> list[Result]:
    """Run `work` on all folders and return the results.

    Meanwhile the terminal shows the stages if there is one folder, or else how many folders are
    done.
    """
    folders = places if isinstance(places, list) else paths.locate(places)
    with Progress() as progress:
        stage = progress if len(folders) == 1 else servers.silent
        results = servers.run_all(partial(work, stage=stage), folders)
        return held(list(progress.each(results, folders)))
