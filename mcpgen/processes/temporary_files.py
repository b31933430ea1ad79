"""Temporary files for programs that need files; in memory if the system allows it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO

_MEMORY = "/dev/shm"


def nameless_file() -> IO[bytes]:
    """An empty file for writing and reading; raises OSError if none can be created."""
    # Pythons that are built for many systems may lack it (uv's, conda's), and sandboxes forbid it.
    if sys.platform == "linux" and hasattr(os, "memfd_create"):
        with suppress(OSError):
            return open(os.memfd_create("mcpgen"), "w+b")
    return TemporaryFile(dir=_memory())


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """An empty folder that is removed afterwards; raises OSError if none can be created."""
    with TemporaryDirectory(prefix="mcpgen-", dir=_memory()) as folder:
        yield Path(folder)


def _memory() -> str | None:
    """A folder in memory; None if there is none."""
    return _MEMORY if os.access(_MEMORY, os.W_OK | os.X_OK) else None
