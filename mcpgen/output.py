"""Writing a server's folder: all of it or nothing, and never over what a person wrote.

A new folder is built beside its place and renamed into it. An existing one is changed in two steps:
the changes are staged inside it with a plan, then applied; a run that finds a staged plan finishes
it first.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from . import lock as locks
from .lock import Lock

SEEDED = ("hooks.py", "mcpgen.toml")
"""Names of files that are written once and then belong to the user."""
STAGE = ".mcpgen-update"
_PLAN = "plan.json"


class OutputError(Exception):
    """A folder that cannot be written to; the message says why and what to do."""


@dataclass(frozen=True)
class Report:
    """What a run did to a folder; paths are relative to it."""

    written: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    """Edited since they were written, and so left as they are."""


def check_target(folder: Path, *, force: bool = False) -> Lock | None:
    """The lock of the server in `folder`, or None where a new one can be written.

    Raises OutputError for a folder that holds something else, unless `force`.
    """
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise OutputError(f"{folder} is not a folder; choose another output with -o")
    try:
        found = locks.read(folder)
    except locks.LockError as error:
        if not force:
            raise OutputError(str(error)) from None
        found = None
    if found is None and not force and folder.is_dir() and any(folder.iterdir()):
        raise OutputError(
            f"{folder} holds files that mcpgen did not write; choose an empty folder with -o, "
            "or write into this one with --force"
        )
    return found


def write(folder: Path, files: Mapping[str, str], lock: Lock, *, force: bool = False) -> Report:
    """Make `folder` hold `files` and their lock.

    A file that was edited since the last lock is left as it is, unless `force`. Raises OutputError.
    """
    _check_paths(files)
    try:
        if not folder.exists() or not any(folder.iterdir()):
            return _create(folder, files, replace(lock, files=_hashes(files)))
        with _alone(folder):
            _finish(folder)
            return _update(folder, files, lock, check_target(folder, force=force), force)
    except OSError as error:
        raise OutputError(f"{folder}: {error.strerror or error}; nothing was changed") from None


def _hashes(files: Mapping[str, str]) -> dict[str, str]:
    return {path: locks.digest(files[path]) for path in sorted(files) if not _is_seeded(path)}


def _is_seeded(path: str) -> bool:
    return path.rsplit("/", 1)[-1] in SEEDED


def _check_paths(files: Iterable[str]) -> None:
    seen: dict[str, str] = {}
    for path in files:
        parts = path.split("/")
        if path.startswith("/") or "\\" in path or any(p in ("", ".", "..") for p in parts):
            raise OutputError(f"a file may not be written to {path!r}")
        if seen.setdefault(path.lower(), path) != path:
            raise OutputError(f"{path} and {seen[path.lower()]} are one file on some systems")


def _create(folder: Path, files: Mapping[str, str], lock: Lock) -> Report:
    parent = folder.absolute().parent
    parent.mkdir(parents=True, exist_ok=True)
    stage = Path(tempfile.mkdtemp(prefix=f"{folder.name}.mcpgen-", dir=parent))
    try:
        for path, text in {**files, locks.FILE_NAME: locks.to_text(lock)}.items():
            _write_text(stage / path, text)
        stage.chmod(0o755)
        os.rename(stage, folder)
    except BaseException:
        shutil.rmtree(stage, ignore_errors=True)
        raise
    return Report(written=tuple(sorted(files)))


def _update(
    folder: Path, files: Mapping[str, str], lock: Lock, old: Lock | None, force: bool
) -> Report:
    before = old.files if old else {}
    written, unchanged, kept, hashes = [], [], [], dict[str, str]()
    for path in sorted(files):
        text, target = files[path], folder / path
        there = _read(target)
        if _is_seeded(path):
            if there is None:
                written.append(path)
            continue
        hashes[path] = locks.digest(text)
        if there == text:
            unchanged.append(path)
        elif there is None or force or locks.digest(there) == before.get(path):
            written.append(path)
        else:
            kept.append(path)
            hashes[path] = before.get(path, "")
    gone = [p for p in before if p not in files]
    removed = [p for p in gone if (t := _read(folder / p)) and locks.digest(t) == before[p]]
    kept += [p for p in gone if p not in removed and (folder / p).exists()]
    text = locks.to_text(replace(lock, files=hashes))
    changes = {path: files[path] for path in written}
    if _read(folder / locks.FILE_NAME) != text:
        changes[locks.FILE_NAME] = text
    if changes or removed:
        _stage(folder, changes, removed)
        _finish(folder)
    return Report(tuple(written), tuple(unchanged), tuple(removed), tuple(sorted(kept)))


def _stage(folder: Path, changes: Mapping[str, str], removed: list[str]) -> None:
    stage = folder / STAGE
    for path, text in changes.items():
        _refuse_links(folder, path)
        _write_text(stage / "files" / path, text)
    plan = json.dumps({"write": list(changes), "remove": removed})
    _write_text(stage / f"{_PLAN}.new", plan)
    os.replace(stage / f"{_PLAN}.new", stage / _PLAN)


def _finish(folder: Path) -> None:
    """Apply a staged plan; one that was never completed is dropped."""
    stage = folder / STAGE
    plan = _read(stage / _PLAN)
    if plan is not None:
        steps = json.loads(plan)
        _check_paths([*steps["write"], *steps["remove"]])
        for path in steps["write"]:
            _refuse_links(folder, path)
            if (stage / "files" / path).exists():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                os.replace(stage / "files" / path, folder / path)
        for path in steps["remove"]:
            (folder / path).unlink(missing_ok=True)
            _prune(folder, (folder / path).parent)
        (stage / _PLAN).unlink()
    shutil.rmtree(stage, ignore_errors=True)


def _prune(folder: Path, directory: Path) -> None:
    while directory != folder and directory.is_dir() and not any(directory.iterdir()):
        directory.rmdir()
        directory = directory.parent


def _refuse_links(folder: Path, path: str) -> None:
    """No file is written through a symbolic link that somebody put into the folder."""
    for parent in (folder / path).relative_to(folder).parents:
        if (folder / parent).is_symlink() and parent != Path("."):
            raise OutputError(f"{folder / parent} is a symbolic link; nothing was changed")


def _read(path: Path) -> str | None:
    if not path.is_file():
        return None
    return path.read_bytes().decode("utf-8", "surrogateescape")


def _write_text(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8"))


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Hold the folder for one run; the system lets go of it when the process ends."""
    try:
        import fcntl
    except ImportError:  # Windows: no lock on folders, the staged plan still keeps updates whole
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OutputError(f"another mcpgen is writing to {folder}; try again later") from None
        yield
    finally:
        os.close(handle)
