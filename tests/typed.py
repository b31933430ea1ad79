"""mypy on servers, which all need the same packages: these are read once for all tests."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import runtime_package

CACHE = Path(__file__).parents[1] / ".mypy_cache" / "servers"


def assert_typed(folder: Path, *arguments: str) -> None:
    """What is named is clean under mypy as it runs in the folder."""
    options = ["--strict", "--follow-imports", "silent", "--cache-dir", str(CACHE)]
    command = [sys.executable, "-m", "mypy", *options, *arguments]
    with _alone():
        env = {**os.environ, "MYPYPATH": runtime_package.folder()}
        done = subprocess.run(
            command, cwd=folder, env=env, capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


@contextmanager
def _alone() -> Iterator[None]:
    """No two at a time, so that the second has what the first one read."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
