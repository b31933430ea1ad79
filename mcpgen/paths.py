"""The paths that a server's files may have, and how locks write them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

_FORBIDDEN = "\\\0:" if os.name == "nt" else "\\\0"
"""What has a meaning of its own in paths of some systems; a colon on Windows alone."""


WORKSPACE = "mcpgen.workspace.toml"


def workspace_file(folder: Path) -> Path | None:
    """The nearest workspace file in `folder` or above it, as a path from the working directory."""
    whole = Path(os.path.abspath(folder))
    for each in (whole, *whole.parents):
        if (each / WORKSPACE).is_file():
            return Path(seen_from(os.curdir, each)) / WORKSPACE
    return None


def is_server(path: Path) -> bool:
    """Whether a folder contains a server of mcpgen, or the remains of one."""
    return any((path / name).is_file() for name in ("mcpgen.lock", "mcpgen.toml"))


def is_inside(path: str) -> bool:
    """Whether a path names a file below a server's folder that is not one of git's own files.

    git's own files decide which programs git runs, and no commit can contain them.
    """
    if any(character in path for character in _FORBIDDEN):
        return False
    return not any(part in ("", ".", "..") or _is_of_git(part) for part in path.split("/"))


def _is_of_git(part: str) -> bool:
    """Whether some file system treats the name as `.git`.

    One file system ignores invisible characters. Another ignores blanks and dots at the end, and
    has the short name `git~1` (see `core.protectHFS` and `core.protectNTFS` of git).
    """
    name = "".join(filter(str.isprintable, part))
    return name.rstrip(". ").lower() in (".git", "git~1")


def seen_from(folder: str | Path, path: str | Path) -> str:
    """A path relative to a folder, with `/`; on another Windows drive, the absolute path."""
    try:
        place = os.path.relpath(path, folder)
    except ValueError:
        place = os.path.abspath(path)
    return Path(place).as_posix()


def in_order(paths: Iterable[Path]) -> list[Path]:
    """The paths in an order that is the same on every system; Windows' own order ignores case."""
    return sorted(paths, key=lambda path: path.parts)
