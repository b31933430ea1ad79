"""Formatting of generated Python: ruff over texts in memory."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version

from ruff import find_ruff_bin

from .diagnostics import Failure

LINE_LENGTH = 100


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
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 2) as pool:
        texts = dict(zip(paths, pool.map(lambda p: _format(ruff, p, files[p]), paths), strict=True))
    return {path: texts.get(path, text) for path, text in files.items()}


def versions() -> str:
    """What formatting depends on besides the text."""
    return f"ruff {version('ruff')} {LINE_LENGTH}"


def _format(ruff: str, path: str, text: str) -> str:
    command = [
        *(ruff, "format", "--isolated", "--no-cache"),
        *("--line-length", str(LINE_LENGTH), "--target-version", "py311"),
        *("--stdin-filename", path, "-"),
    ]
    done = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
    if done.returncode:
        raise FormatError(path, done.stderr.decode(errors="replace").strip())
    return done.stdout.decode()
