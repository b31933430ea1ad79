"""Folders and files that a command line names, also by globs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from glob import glob, has_magic
from pathlib import Path

import typer


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
        raise typer.BadParameter(f"nothing matches {', '.join(patterns)}")
    return list(dict.fromkeys(found))


def is_server(path: Path) -> bool:
    """Whether a folder holds a server of mcpgen, or what is left of one."""
    return any((path / name).is_file() for name in ("mcpgen.lock", "mcpgen.toml"))
