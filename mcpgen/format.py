"""Formatting generated Python with ruff, in batches that run in parallel to the caller."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Collection, Generator, Iterator, Mapping
from contextlib import ExitStack, closing, suppress
from functools import cache
from glob import glob

from ruff import find_ruff_bin

from .diagnostics import Failure
from .processes.temporary_files import scratch_folder

LINE_LENGTH = 100
_ALONE = ("--isolated", "--no-cache", "--target-version", "py311")
_BATCH, _BATCH_SIZE = 500, 200_000
"""Files of one process, and their characters: as it starts once for them, they are many; as the
caller can go on with those that are done while others are formatted, not all."""
_METADATA = ".dist-info"
"""How the folder of a distribution's metadata ends."""


class FormatError(Failure):
    """The error for a file, generated or from a user's template, that is not valid Python."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


def format_files(files: Mapping[str, str]) -> dict[str, str]:
    """Format every `.py` file and keep the order; raises FormatError if a file does not parse."""
    return dict(formatting(files))


def formatting(files: Mapping[str, str], verbatim: str = "\0") -> Iterator[tuple[str, str]]:
    """Yield each file formatted, except the files below the folder `verbatim`.

    Formatting starts at the call, not when the first file is requested, and is always one batch
    ahead of the caller. Raises FormatError for a file that does not parse.
    """
    python = {p: t for p, t in files.items() if p.endswith(".py") and not p.startswith(verbatim)}
    batches = _in_batches(python)
    next(batches)
    return _in_order(files, python, batches)


def _in_order(
    files: Mapping[str, str], python: Collection[str], batches: Generator[dict[str, str]]
) -> Iterator[tuple[str, str]]:
    texts: dict[str, str] = {}
    with closing(batches):
        for path, text in files.items():
            if path in python and path not in texts:
                texts = next(batches)
            yield path, texts.get(path, text)


def undefined_names(files: Mapping[str, str]) -> list[tuple[str, int, str]]:
    """Path, line and message of each undefined name in Python modules (ruff's F82)."""
    names = []
    for path, text in files.items():
        command = [find_ruff_bin(), "check", *_ALONE, "--select", "F821,F822,F823", "--quiet"]
        command += ["--output-format", "json", "-"]
        done = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
        for each in json.loads(done.stdout or b"[]"):
            if each["code"] in ("F821", "F822", "F823"):  # not where it does not parse
                names.append((path, each["location"]["row"], _in_small(each["message"])))
    return names


def _in_small(message: str) -> str:
    return f"{message[:1].lower()}{message[1:]}"


def versions() -> str:
    """The formatter's version and settings, on which the formatted text depends."""
    return f"ruff {version('ruff')} {LINE_LENGTH}"


def _in_batches(files: Mapping[str, str]) -> Generator[dict[str, str]]:
    """Yield an empty dict once the first process runs, then the formatted files of each batch, by
    path.

    The process for the next batch starts before a batch is yielded.
    """
    ruff = find_ruff_bin()  # in threads it would meet a half-filled sysconfig
    ahead: _Process | None = None
    try:
        for batch in [*_batches(files), {}]:
            done = ahead.texts() if ahead is not None else {}
            ahead = _Process(ruff, batch) if batch else None
            yield done
    finally:
        if ahead is not None:
            ahead.stop()


def _batches(files: Mapping[str, str]) -> Iterator[dict[str, str]]:
    batch: dict[str, str] = {}
    size = 0
    for path, text in files.items():
        batch[path] = text
        size += len(text)
        if len(batch) == _BATCH or size >= _BATCH_SIZE:
            yield batch
            batch, size = {}, 0
    if batch:
        yield batch


class _Process:
    """A ruff process for several files."""

    def __init__(self, ruff: str, files: Mapping[str, str]) -> None:
        self._ruff = ruff
        self._files = files
        self._ends = ExitStack()
        self._process: subprocess.Popen[bytes] | None = None
        with suppress(OSError):  # no place for a folder, or no room in it
            folder = self._ends.enter_context(scratch_folder())
            self._places = {path: folder / f"{number}.py" for number, path in enumerate(files)}
            for path, place in self._places.items():
                place.write_bytes(files[path].encode())
            names = (place.name for place in self._places.values())
            self._process = subprocess.Popen(
                _command(ruff, *names),
                cwd=folder,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )

    def texts(self) -> dict[str, str]:
        """The formatted files; raises FormatError for the first file that does not parse."""
        try:
            if self._process is not None and not self._process.wait():
                return {path: place.read_bytes().decode() for path, place in self._places.items()}
        finally:
            self.stop()
        return _one_by_one(self._ruff, self._files)

    def stop(self) -> None:
        """End the process and delete its files."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._ends.close()


def _one_by_one(ruff: str, files: Mapping[str, str]) -> dict[str, str]:
    """Format each file in a separate process; raises FormatError if a file does not parse."""

    def formatted(path: str) -> str:
        command = _command(ruff, "--stdin-filename", path, "-")
        code = files[path].encode()
        done = subprocess.run(command, input=code, capture_output=True, check=False)
        if done.returncode:
            raise FormatError(path, done.stderr.decode(errors="replace").strip())
        return done.stdout.decode()

    from concurrent.futures import ThreadPoolExecutor  # of no use where all files parse

    with ThreadPoolExecutor(max_workers=os.cpu_count() or 2) as pool:
        return dict(zip(files, pool.map(formatted, files), strict=True))


def _command(ruff: str, *arguments: str) -> list[str]:
    return [
        *(ruff, "format", *_ALONE),
        *("--line-length", str(LINE_LENGTH)),
        *arguments,
    ]


@cache
def version(distribution: str) -> str:
    """The version of an installed distribution, from the name of its metadata folder.

    The format is that of "Recording installed projects" (PyPA). importlib.metadata finds the same
    version, but takes ten times as long to load, so it is used only if there is no such folder.
    Raises importlib.metadata.PackageNotFoundError.
    """
    start = f"{distribution.replace('-', '_')}-"
    for folder in sys.path:
        for folder_name in glob(f"{start}[0-9]*{_METADATA}", root_dir=folder or "."):
            return folder_name.removeprefix(start).removesuffix(_METADATA)
    from importlib import metadata

    return metadata.version(distribution)
