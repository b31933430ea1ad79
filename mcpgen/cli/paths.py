"""Folders and files that a command line names, also by globs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from glob import glob, has_magic
from os import walk
from pathlib import Path

_OTHERS = ("node_modules", "site-packages")
"""Folders below which no server of one's own is."""


def expanded(patterns: Sequence[str], wanted: Callable[[Path], bool]) -> list[str]:
    """What was named, each text once; of a glob the places that are `wanted`.

    Raises typer.BadParameter where nothing is left.
    """
    found: list[str] = []
    for text in patterns:
        if has_magic(text) and not Path(text).exists():
            found += sorted(p for p in glob(text, recursive=True) if wanted(Path(p)))
        else:
            found.append(text)
    if not found:
        import typer  # of no use where all is well

        raise typer.BadParameter(f"nothing matches {', '.join(patterns)}")
    return list(dict.fromkeys(found))


def is_server(path: Path) -> bool:
    """Whether a folder holds a server of mcpgen, or what is left of one."""
    return any((path / name).is_file() for name in ("mcpgen.lock", "mcpgen.toml"))


def servers_here() -> list[Path]:
    """The current folder if it holds a server, else the servers below it; itself if there is none.

    Nothing is looked for in hidden folders, in a server, or in what others have installed.
    """
    here = Path()
    found: list[Path] = []
    if not is_server(here):
        for place, folders, _ in walk(here):
            inside = is_server(Path(place))
            found += [Path(place)] if inside else []
            own = [name for name in folders if not name.startswith(".") and name not in _OTHERS]
            folders[:] = [] if inside else sorted(own)
    return found or [here]
