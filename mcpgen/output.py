"""Writing a server's folder: all of it or nothing, and never over what a person wrote.

A folder that is not there yet is built beside its place and renamed. One that is, which may be a
mount or the working directory, is changed in two steps: the new files and a plan are staged inside
it, then moved into place. A run that finds a staged plan finishes it first.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct

from . import lock as locks
from .diagnostics import Failure
from .lock import Lock
from .places import is_inside
from .regeneration import moving
from .regeneration.reconcile import Conflict, Note, Outcome, Policy, reconcile
from .regeneration.seen import Seen
from .settings import FILE_NAME

STAGE = ".mcpgen-update"
_PLAN = "plan.json"


class OutputError(Failure):
    """A folder that cannot be written to; the message says why and what to do."""


class _Plan(Struct, frozen=True):
    """What a run is about to do, with the SHA-256 of each file as it was; empty for a new file."""

    write: dict[str, str]
    remove: dict[str, str]


class Report(Struct, frozen=True):
    """What a run did to a folder, or would do; paths are relative to the folder."""

    written: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    kept: tuple[Note, ...] = ()
    """Edited, and not generated any more."""
    notes: tuple[Note, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    lock_changed: bool = False

    @property
    def clean(self) -> bool:
        """Whether the folder is already up to date."""
        return not (self.written or self.removed or self.conflicts or self.lock_changed)


def check_target(folder: Path, *, force: bool = False) -> Lock | None:
    """The lock of the server in `folder`, or None where a new one can be written: beside its
    settings at most.

    Raises OutputError for a folder that holds something else, unless `force`.
    """
    if folder.is_symlink():
        raise OutputError(f"{folder} is a symbolic link; name the folder that it leads to")
    for place in (folder, *folder.parents):
        if place.exists() and not place.is_dir():
            raise OutputError(f"{place} is a file, and no folder")
    try:
        found = locks.read(folder)
    except locks.LockError as error:
        if not force:
            raise OutputError(str(error)) from None
        found = None
    holds = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    if found is None and holds == {FILE_NAME}:
        return None
    if found is None and not force and FILE_NAME in holds:
        raise OutputError(
            f"{folder} has no {locks.FILE_NAME}; restore it from version control, or go without: "
            "`mcpgen update --force` keeps edited handlers and tells where they differ"
        )
    if found is None and not force and holds:
        raise OutputError(
            f"{folder} holds files that mcpgen did not write; choose an empty folder with -o, "
            "or write into this one with --force"
        )
    return found


def write(
    folder: Path,
    files: Mapping[str, str | bytes],
    lock: Lock,
    policy: Policy | None = None,
    seen: Seen | None = None,
) -> Report:
    """Make `folder` hold `files` and their lock, merged with people's edits.

    `seen` is what has been read of the folder. Raises OutputError, without changing anything, if
    the folder cannot be written or another run has written there since.
    """
    _check_paths(files)
    try:
        with _alone(folder):
            _finish(folder)
            is_new = not folder.is_dir()  # what comes to be there from now on is another's
            outcome, changes = _changes(folder, files, lock, policy or Policy(), seen)
            if is_new:
                _create(folder, changes)
            elif changes or outcome.remove:
                _stage(folder, changes, outcome.remove, outcome.was)
                _apply(folder, list(changes), outcome.remove)
            return _report(outcome)
    except OSError as error:
        raise _undone(folder, error) from None


def finish(folder: Path) -> None:
    """Finish what an interrupted run staged, if anything.

    Raises OutputError if a file was edited since: the edit would be lost.
    """
    if not (folder / STAGE).exists():
        return
    try:
        with _alone(folder):
            _finish(folder)
    except OSError as error:
        raise _undone(folder, error) from None


def refuse_unfinished(folder: Path) -> None:
    """Raise OutputError if a run was interrupted in this folder."""
    if (folder / STAGE / _PLAN).exists():
        raise OutputError(f"{folder}: an update was interrupted; run `mcpgen update` to finish it")


def _undone(folder: Path, error: OSError) -> OutputError:
    reason = f"{folder}: {error.strerror or error}"
    if (folder / STAGE / _PLAN).exists():
        return OutputError(f"{reason}; the update goes on with the next `mcpgen update`")
    if folder.is_dir():
        shutil.rmtree(folder / STAGE, ignore_errors=True)
    return OutputError(f"{reason}; nothing was changed")


def compare(
    folder: Path,
    files: Mapping[str, str | bytes],
    lock: Lock,
    policy: Policy | None = None,
    seen: Seen | None = None,
) -> Report:
    """What `write` would do, without writing anything. Raises OutputError."""
    _check_paths(files)
    refuse_unfinished(folder)
    outcome, _ = _changes(folder, files, lock, policy or Policy(), seen)
    return _report(outcome)


def _changes(
    folder: Path,
    files: Mapping[str, str | bytes],
    lock: Lock,
    policy: Policy,
    seen: Seen | None,
) -> tuple[Outcome, dict[str, bytes]]:
    old = check_target(folder, force=policy.force)
    seen = seen or Seen(folder, old)
    if old != seen.lock:
        raise OutputError(
            f"{folder} has another lock than when this run began; nothing was changed, run again"
        )
    move = moving.move(folder, old, files)
    known = move.lock(old) if move and old else old
    place = move.place if move else str
    own = map(move.path if move else str, seen.modules({*files, *(old.files if old else ())}))
    outcome = reconcile(lambda path: seen.content(place(path)), files, lock, known, policy, [*own])
    if outcome.refused:
        reasons = "".join(f"\n  {note}" for note in outcome.refused)
        raise OutputError(f"{folder}: nothing was changed{reasons}")
    assert outcome.lock is not None
    if move and old:
        move.apply(outcome, old.server, lock.server)
    outcome.remove = _gone(folder, outcome.remove, files)
    changes = dict(outcome.write)
    outcome.lock_changed = old is None or not _same_facts(outcome.lock, old)
    text = locks.to_text(outcome.lock).encode()
    if _read(folder / locks.FILE_NAME) != text:
        changes[locks.FILE_NAME] = text
    return outcome, changes


def _gone(folder: Path, removed: list[str], files: Iterable[str]) -> list[str]:
    """The removed files that are none of `files` to a system that does not tell case apart."""
    named = {path.lower(): folder / path for path in files} if removed else {}
    twins = ((path, named.get(path.lower())) for path in removed)
    return [
        path
        for path, twin in twins
        if twin is None or not twin.exists() or not twin.samefile(folder / path)
    ]


def _same_facts(one: Lock, other: Lock) -> bool:
    """Whether two locks say the same about what mcpgen generated.

    Hashes of people's edits and keys do not count: a new release of the formatter changes keys, and
    seldom any file.
    """
    facts = (each for each in locks.FACTS if each not in ("merged", "keys"))
    return all(
        (mine := getattr(one, name)) == (theirs := getattr(other, name))
        and list(mine) == list(theirs)
        for name in facts
    )


def _report(outcome: Outcome) -> Report:
    return Report(
        written=tuple(sorted(outcome.write)),
        unchanged=tuple(outcome.unchanged),
        removed=tuple(outcome.remove),
        kept=tuple(outcome.kept),
        notes=tuple(outcome.notes),
        conflicts=tuple(outcome.conflicts),
        lock_changed=outcome.lock_changed,
    )


def _check_paths(files: Iterable[str]) -> None:
    seen: dict[str, str] = {}
    for path in files:
        if not is_inside(path):
            raise OutputError(f"a file may not be written to {path!r}")
        if seen.setdefault(path.lower(), path) != path:
            raise OutputError(f"{path} and {seen[path.lower()]} are one file on some systems")


def _create(folder: Path, files: Mapping[str, bytes]) -> None:
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


def _stage(
    folder: Path, changes: Mapping[str, bytes], removed: list[str], was: Mapping[str, str]
) -> None:
    stage = folder / STAGE
    for path in (*changes, *removed):
        _refuse_place(folder, path)
        _refuse_read_only(folder / path)
    for path, data in changes.items():
        _write_bytes(stage / "files" / path, data)
        if (folder / path).is_file():
            shutil.copymode(folder / path, stage / "files" / path)
    plan = _Plan(
        write={path: was.get(path) or _digest(folder / path) for path in changes},
        remove={path: _digest(folder / path) for path in removed},
    )
    _write_bytes(stage / f"{_PLAN}.new", json.dumps(msgspec.to_builtins(plan)).encode())
    os.replace(stage / f"{_PLAN}.new", stage / _PLAN)


def _refuse_read_only(path: Path) -> None:
    if path.exists() and not path.stat().st_mode & 0o222:
        raise OutputError(f"{path} is read-only; nothing was changed")


def _finish(folder: Path) -> None:
    """Apply a staged plan, or delete one that was never completed.

    A file that the plan has not reached yet must still be as it was when the plan was made.
    """
    stage = folder / STAGE
    if stage.is_symlink():
        raise OutputError(f"{stage} is a symbolic link; nothing was changed")
    data = _read(stage / _PLAN)
    if data is not None:
        plan = _plan(folder, data)
        _check_paths([*plan.write, *plan.remove])
        for path in plan.write:
            _refuse_place(stage, f"files/{path}")
        waiting = [path for path in plan.write if (stage / "files" / path).exists()]
        for path in [*waiting, *plan.remove]:
            _refuse_place(folder, path)
            _refuse_edited(folder, path, {**plan.remove, **plan.write}[path])
        _apply(folder, waiting, plan.remove)
    shutil.rmtree(stage, ignore_errors=True)


def _plan(folder: Path, data: bytes) -> _Plan:
    """The staged plan; raises OutputError for one that no run of mcpgen could have left."""
    try:
        return msgspec.convert(json.loads(data), _Plan)
    except (ValueError, msgspec.ValidationError, RecursionError):
        raise OutputError(
            f"{folder}: {STAGE} holds no update of mcpgen; delete it to stay with the files as "
            "they are"
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
            f"was, or delete {STAGE} to stay with the files as they are"
        )


def _digest(path: Path) -> str:
    """The hash of a file; empty if it does not exist."""
    data = _read(path)
    return "" if data is None else hashlib.sha256(data).hexdigest()


def _prune(folder: Path, directory: Path) -> None:
    while directory != folder and directory.is_dir() and not any(directory.iterdir()):
        directory.rmdir()
        directory = directory.parent


def _refuse_place(folder: Path, path: str) -> None:
    """Refuse to write through or over a symbolic link, or where a folder is or is needed."""
    place = folder / path
    for each in (place, *(folder / p for p in Path(path).parents if p != Path("."))):
        if each.is_symlink():
            raise OutputError(f"{each} is a symbolic link; nothing was changed")
        if each.exists() and each.is_dir() is (each == place):
            kind = "a folder, and no file" if each == place else "a file, and no folder"
            raise OutputError(f"{each} is {kind}; nothing was changed")


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _write_bytes(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
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
