"""Folders and files that a command line names, also with globs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from glob import glob, has_magic
from os import walk
from pathlib import Path

from ..paths import is_server, workspace_file

_OTHERS = ("node_modules", "site-packages")
"""Folders below which no server of one's own is."""


def expanded(patterns: Sequence[str], is_match: Callable[[Path], bool]) -> list[str]:
    """The named paths without duplicates; a glob gives the paths for which `is_match` is true.

    Raises typer.BadParameter if no path is found.
    """
    places: list[str] = []
    for text in patterns:
        if has_magic(text) and not Path(text).exists():
            places += sorted(p for p in glob(text, recursive=True) if is_match(Path(p)))
        else:
            places.append(text)
    if not places:
        import typer  # of no use where all is well

        raise typer.BadParameter(f"nothing matches {', '.join(patterns)}")
    return list(dict.fromkeys(places))


def locate(servers: Callable[[], list[Path]]) -> list[Path]:
    """The folders that `servers` finds; a broken workspace file ends the command with an error."""
    from .output import telling  # with what makes servers

    with telling():
        return servers()


def servers_of_workspace() -> list[Path]:
    """The servers of the workspace around the current folder.

    Returns the current folder if there is no workspace, or if it is itself a server's folder.
    Raises GenerationError if the workspace file is wrong.
    """
    file = workspace_file(Path())
    if file is None or (is_server(Path()) and file.parent != Path()):
        return [Path()]
    from ..settings import workspace  # of no use where there is none

    return workspace.load(file).servers()


def servers_here() -> list[Path]:
    """The servers of the workspace; else the server in the current folder, or those below it.

    Returns the current folder if there is no server. Hidden folders, folders inside servers and
    installed packages are not searched. Raises GenerationError if the workspace file is wrong.
    """
    here = Path()
    if (of_workspace := servers_of_workspace()) != [here]:
        return of_workspace
    below: list[Path] = []
    if not is_server(here):
        for place, folders, _ in walk(here):
            inside = is_server(Path(place))
            below += [Path(place)] if inside else []
            own = [name for name in folders if not name.startswith(".") and name not in _OTHERS]
            folders[:] = [] if inside else sorted(own)
    return below or [here]
