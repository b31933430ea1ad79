"""The files of a server in a bundle, and the files that a bundle leaves out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..runtime.parts.skills.files import FOLDER, files_below

WHEELS = "wheels"
_OTHERS = ("pyproject.toml", "README.md", "LICENSE")


def candidates(folder: Path, package: str) -> Iterator[tuple[Path, bool]]:
    """The files that a server in `folder` needs to run, and whether a bundle includes each."""
    for name in _OTHERS:
        if (folder / name).is_file():
            yield folder / name, not (folder / name).is_symlink()
    yield from files_below(folder / package)


def left_out(folder: Path, package: str) -> Iterator[tuple[str, str]]:
    """The paths that a bundle would lack, with reasons; empty for a server without a package."""
    if not package:
        return
    wheels = folder / WHEELS
    roots = ((each, False) for each in (folder / package, wheels) if each.is_symlink())
    for path, is_taken in (*roots, *candidates(folder, package), *files_below(wheels)):
        if not is_taken:
            why = "is a link" if path.is_symlink() else "is hidden, or not a regular file"
            is_skill = path.is_relative_to(folder / package / FOLDER)
            whom = "a bundle and the skills leave" if is_skill else "a bundle leaves"
            yield path.relative_to(folder).as_posix(), f"{why}: {whom} it out"
