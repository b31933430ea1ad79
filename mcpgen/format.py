"""Formatting of generated Python: ruff over texts in memory."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from ruff import find_ruff_bin

from .diagnostics import Failure
from .installed import version
from .scratch import scratch_folder

LINE_LENGTH = 100
_BATCH = 500
"""Files of one process: it starts once for them, and they are not in memory twice for long."""


class FormatError(Failure):
    """A generated or template-overridden file is not Python."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


def format_files(files: Mapping[str, str], verbatim: str = "\0") -> dict[str, str]:
    """Format every `.py` file that is not below the folder `verbatim`, in the order given.

    Raises FormatError where a file does not parse.
    """
    paths = [p for p in files if p.endswith(".py") and not p.startswith(verbatim)]
    ruff = find_ruff_bin()  # in threads it would meet a half-filled sysconfig
    texts: dict[str, str] = {}
    for start in range(0, len(paths), _BATCH):
        batch = {path: files[path] for path in paths[start : start + _BATCH]}
        texts |= _formatted(ruff, batch)
    return {path: texts.get(path, text) for path, text in files.items()}


def versions() -> str:
    """What formatting depends on besides the text."""
    return f"ruff {version('ruff')} {LINE_LENGTH}"


def _formatted(ruff: str, files: Mapping[str, str]) -> dict[str, str]:
    together = _together(ruff, files) if len(files) > 1 else None
    return _one_by_one(ruff, files) if together is None else together


def _together(ruff: str, files: Mapping[str, str]) -> dict[str, str] | None:
    """The files formatted by one process; None where it cannot, or one of them does not parse."""
    try:
        with scratch_folder() as folder:
            places = {path: folder / f"{number}.py" for number, path in enumerate(files)}
            for path, place in places.items():
                place.write_bytes(files[path].encode())
            if _run(ruff, *(place.name for place in places.values()), folder=folder).returncode:
                return None
            return {path: place.read_bytes().decode() for path, place in places.items()}
    except OSError:  # no place for a folder, or no room in it
        return None


def _one_by_one(ruff: str, files: Mapping[str, str]) -> dict[str, str]:
    """The files formatted by a process each; raises FormatError for the first that is no Python."""

    def formatted(path: str) -> str:
        done = _run(ruff, "--stdin-filename", path, "-", given=files[path].encode())
        if done.returncode:
            raise FormatError(path, done.stderr.decode(errors="replace").strip())
        return done.stdout.decode()

    from concurrent.futures import ThreadPoolExecutor  # of no use where all files parse

    with ThreadPoolExecutor(max_workers=os.cpu_count() or 2) as pool:
        return dict(zip(files, pool.map(formatted, files), strict=True))


def _run(
    ruff: str, *arguments: str, given: bytes = b"", folder: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    command = [
        *(ruff, "format", "--isolated", "--no-cache"),
        *("--line-length", str(LINE_LENGTH), "--target-version", "py311"),
        *arguments,
    ]
    return subprocess.run(command, input=given, cwd=folder, capture_output=True, check=False)
