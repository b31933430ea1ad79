"""The files of a server's folder; each is read and hashed once per run."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain
from pathlib import Path

from ..hashes import digest
from ..lock import Lock

State = tuple[int, ...]
"""Facts about a file that change when the file changes."""


class Content:
    """The contents of a file."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    @cached_property
    def digest(self) -> str:
        """The file's SHA-256, in the format that locks use."""
        return digest(self.data)


class ServerFolder:
    """The files below a folder, cached; a file that has changed since it was read is read again.

    `lock` is the lock of the server in the folder.
    """

    def __init__(self, folder: Path, lock: Lock | None) -> None:
        self.folder = folder
        self.lock = lock
        self._contents: dict[str, tuple[State, Content]] = {}
        self._looked_at: dict[str, State | None] = {}

    def content(self, path: str) -> Content | None:
        """The content of the file at a path; None if there is no file."""
        state = self._looked_at[path] = self._now(path)
        if state is None:
            return None
        cached = self._contents.get(path)
        if cached is None or cached[0] != state:
            cached = self._contents[path] = (state, Content((self.folder / path).read_bytes()))
        return cached[1]

    def edited(self, paths: Iterable[str]) -> list[str]:
        """The paths whose files have changed since they were read."""
        looked_at = ((path, self._looked_at[path]) for path in paths if path in self._looked_at)
        return [path for path, state in looked_at if self._now(path) != state]

    def _now(self, path: str) -> State | None:
        try:
            status = os.stat(f"{self.folder}/{path}")  # pathlib takes thrice as long
        except (FileNotFoundError, NotADirectoryError):
            return None
        return _state(status) if stat.S_ISREG(status.st_mode) else None

    def modules(self, files: Iterable[str]) -> Iterator[str]:
        """The Python files in the folders of `files` and in their parent folders."""
        tops = {path.partition("/")[0] for path in files if "/" in path}
        inside = (place for top in tops for place in (self.folder / top).rglob("*.py"))
        for place in chain(self.folder.glob("*.py"), inside):
            yield place.relative_to(self.folder).as_posix()


def _state(status: os.stat_result) -> State:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
