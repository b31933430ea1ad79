"""Files that programs insist on, in memory where the system has that: nothing touches the disk."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory


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
