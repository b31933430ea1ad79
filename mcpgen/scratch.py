"""Temporary files for programs that insist on files; in memory where the system can do that."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

_MEMORY = "/dev/shm"


@contextmanager
def scratch_file() -> Iterator[Path]:
    """The path of an empty file that can be written and read, and is gone afterwards."""
    if sys.platform == "linux":
        handle = os.memfd_create("mcpgen")
        try:
            yield Path(f"/dev/fd/{handle}")
        finally:
            os.close(handle)
        return
    with TemporaryDirectory(prefix="mcpgen-") as folder:
        path = Path(folder) / "scratch"
        path.touch()
        yield path


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """An empty folder that is gone afterwards; raises OSError where there is no place for one."""
    memory = _MEMORY if os.access(_MEMORY, os.W_OK | os.X_OK) else None
    with TemporaryDirectory(prefix="mcpgen-", dir=memory) as folder:
        yield Path(folder)
