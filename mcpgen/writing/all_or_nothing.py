"""Changes a folder completely or not at all.

A folder that does not exist yet is built beside its final place, then renamed. An existing folder,
which may be a mount or the working directory, is changed in two steps: the new files and a plan are
staged inside it, then moved into place. A run that finds a staged plan finishes it first.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct

from ..diagnostics import Failure
from ..paths import is_inside

STAGE = ".mcpgen-update"
_PLAN = "plan.json"


class OutputError(Failure):
    """The error for a folder that cannot be written to; the message has the reason and remedy."""


class _Plan(Struct, frozen=True):
    """The files to write and remove, each with its SHA-256 before the run (new: empty)."""

    write: dict[str, str]
    remove: dict[str, str]


def check_paths(files: Iterable[str]) -> None:
    """Raise OutputError for a path outside of the folder, and for two paths to one file."""
    spellings: dict[str, str] = {}
    for path in files:
        if not is_inside(path):
            raise OutputError(f"a file may not be written to {path!r}")
        if spellings.setdefault(path.lower(), path) != path:
            raise OutputError(
                f"{path} and {spellings[path.lower()]} are the same file on some systems"
            )


def create(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write a new folder."""
    parent = folder.absolute().parent
    parent.mkdir(parents=True, exist_ok=True)
    # Not tempfile.mkdtemp: nobody else may read its folders, and on Windows that stays so.
    stage = parent / f"{folder.name}.mcpgen-{secrets.token_hex(4)}"
    stage.mkdir()
    try:
        for path, data in files.items():
            _write_bytes(stage / path, data)
        os.rename(stage, folder)
    except BaseException:
        shutil.rmtree(stage, ignore_errors=True)
        raise


def change(
    folder: Path,
    files: Mapping[str, bytes],
    removed: list[str],
    was: Mapping[str, str],
    moved: Mapping[str, str],
    verify: Callable[[], None],
) -> None:
    """Write files into an existing folder, and remove others.

    `was` has the SHA-256 of existing files, where it is known. `moved` has the old places of moved
    files, whose permissions are kept. `verify` is called once everything is staged. Raises
    OutputError if a file cannot be written, and any error of `verify`; then nothing has changed.
    """
    stage = folder / STAGE
    _refuse_places(folder, (*files, *removed))
    if not (files or removed):
        return
    try:
        for path, data in files.items():
            _write_bytes(stage / "files" / path, data)
        verify()
    except OutputError:
        shutil.rmtree(stage, ignore_errors=True)
        raise
    for path in files:
        place = folder / moved.get(path, path)
        if place.is_file():
            shutil.copymode(place, stage / "files" / path)
    plan = _Plan(
        write={path: was.get(path) or _digest(folder / path) for path in files},
        remove={path: _digest(folder / path) for path in removed},
    )
    _write_bytes(stage / f"{_PLAN}.new", json.dumps(msgspec.to_builtins(plan)).encode())
    os.replace(stage / f"{_PLAN}.new", stage / _PLAN)
    _apply(folder, [*files], removed)


def finish(folder: Path) -> None:
    """Apply a staged plan, or delete an incomplete plan.

    The files that the plan has not reached yet must be unchanged.
    """
    stage = folder / STAGE
    if stage.is_symlink():
        raise OutputError(f"{stage} is a symbolic link; nothing was changed")
    data = read(stage / _PLAN)
    if data is not None:
        plan = _plan(folder, data)
        check_paths([*plan.write, *plan.remove])
        for path in plan.write:
            _refuse_place(stage, f"files/{path}")
        waiting = [path for path in plan.write if (stage / "files" / path).exists()]
        for path in [*waiting, *plan.remove]:
            _refuse_place(folder, path)
            _refuse_edited(folder, path, {**plan.remove, **plan.write}[path])
        _apply(folder, waiting, plan.remove)
    shutil.rmtree(stage, ignore_errors=True)


def is_unfinished(folder: Path) -> bool:
    """Whether a run was interrupted after it had written its plan."""
    return (folder / STAGE / _PLAN).exists()


def _plan(folder: Path, data: bytes) -> _Plan:
    """Parse the plan of a staged update; raises OutputError if mcpgen cannot have written it."""
    try:
        return msgspec.convert(json.loads(data), _Plan)
    except (ValueError, RecursionError):
        raise OutputError(
            f"{folder}: {STAGE} is not an update that mcpgen prepared; delete it to keep the "
            "files as they are"
        ) from None


def _apply(folder: Path, staged: Iterable[str], removed: Iterable[str]) -> None:
    """Move the staged files into place, then delete the plan."""
    stage = folder / STAGE
    for path in staged:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        os.replace(stage / "files" / path, folder / path)
    for path in removed:
        (folder / path).unlink(missing_ok=True)
        _prune(folder, (folder / path).parent)
    (stage / _PLAN).unlink()
    shutil.rmtree(stage, ignore_errors=True)


def _refuse_edited(folder: Path, path: str, digest: str) -> None:
    if _digest(folder / path) not in (digest, ""):
        raise OutputError(
            f"{folder}: an update was interrupted, and {path} was edited since; put it back as it "
            f"was, or delete {STAGE} to keep the files as they are"
        )


def _digest(path: Path) -> str:
    """The hash of a file; empty if it does not exist."""
    data = read(path)
    return "" if data is None else hashlib.sha256(data).hexdigest()


def _prune(folder: Path, directory: Path) -> None:
    while directory != folder and directory.is_dir() and not any(directory.iterdir()):
        directory.rmdir()
        directory = directory.parent


def _refuse_places(folder: Path, paths: Iterable[str]) -> None:
    for path in paths:
        _refuse_place(folder, path)
        _refuse_read_only(folder / path)


def _refuse_place(folder: Path, path: str) -> None:
    """Refuse a path that has a symbolic link, or has a folder in place of a file or vice versa."""
    place = folder / path
    for each in (place, *(folder / p for p in Path(path).parents)):
        if each.is_symlink():
            raise OutputError(f"{each} is a symbolic link; nothing was changed")
        if each.exists() and each.is_dir() is (each == place):
            kind = "a folder, not a file" if each == place else "a file, not a folder"
            raise OutputError(f"{each} is {kind}; nothing was changed")


def _refuse_read_only(path: Path) -> None:
    if path.exists() and not path.stat().st_mode & 0o222:
        raise OutputError(f"{path} is read-only; nothing was changed")


def read(path: Path) -> bytes | None:
    """The bytes of a file; None if there is none."""
    return path.read_bytes() if path.is_file() else None


def _write_bytes(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold an exclusive lock on the folder; the system releases it if the process dies."""
    try:
        import fcntl
    except ImportError:  # Windows: no lock on folders, the staged plan still keeps updates whole
        yield
        return
    if not folder.is_dir():
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OutputError(f"another mcpgen is writing to {folder}; try again later") from None
        except OSError:  # a file system without locks: as on Windows
            pass
        yield
    finally:
        os.close(handle)
