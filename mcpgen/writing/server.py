"""Writes a server's folder completely or not at all, and never over what a person wrote."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from .. import lock as locks
from ..lock import Lock
from ..regeneration import package_rename
from ..regeneration.notes import Note
from ..regeneration.outcome import Conflict, Outcome, Policy
from ..regeneration.reconcile import reconcile
from ..regeneration.server_folder import Content, ServerFolder
from ..regeneration.textfile import encoded
from ..settings import FILE_NAME
from . import all_or_nothing
from .all_or_nothing import STAGE, OutputError


class Report(Struct, frozen=True):
    """The changes that a run made to a folder, or that it proposes.

    All paths are relative to the folder.
    """

    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    kept: tuple[Note, ...] = ()
    """Parts that were edited and are no longer generated."""
    notes: tuple[Note, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    lock_changed: bool = False

    @property
    def clean(self) -> bool:
        """Whether the folder is already up to date."""
        return not (self.written or self.removed or self.conflicts or self.lock_changed)

    @property
    def broken(self) -> bool:
        """Whether people's code fails until a person fixes it; no update can do so."""
        return any(note.breaks for note in self.notes)


def check_target(folder: Path, *, force: bool = False) -> Lock | None:
    """The lock of the server in `folder`; None if there is no lock and a new server can be written.

    A server can be written if the folder does not exist, if it contains only settings, or with
    `force`. Otherwise OutputError is raised; also if a newer mcpgen wrote the lock.
    """
    if folder.is_symlink():
        raise OutputError(f"{folder} is a symbolic link; name its target")
    for place in (folder, *folder.parents):
        if place.exists() and not place.is_dir():
            raise OutputError(f"{place} is a file, not a folder")
    try:
        lock = locks.read(folder)
    except locks.LockError as error:
        if not force or isinstance(error, locks.NewerLockError):
            raise OutputError(str(error)) from None
        lock = None
    holds = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    if lock is not None or force or not holds - {FILE_NAME}:
        return lock
    if FILE_NAME in holds:
        raise OutputError(
            f"{folder} has no {locks.FILE_NAME}; restore it from version control. Without it, "
            "`mcpgen update --force` keeps edited handlers and reports where new ones would differ"
        )
    raise OutputError(
        f"{folder} holds files that mcpgen did not write; choose an empty folder with -o, "
        "or write into this one with --force"
    )


def write(
    folder: Path,
    files: Mapping[str, str | bytes],
    lock: Lock,
    policy: Policy | None = None,
    server_folder: ServerFolder | None = None,
) -> Report:
    """Make `folder` contain `files` and their lock, merged with people's edits.

    `server_folder` is what was read from the folder. Raises OutputError, without changing anything,
    if the folder cannot be written, or if a file in it has changed since then.
    """
    all_or_nothing.check_paths(files)
    policy = policy or Policy()
    try:
        with all_or_nothing.alone(folder):
            all_or_nothing.finish(folder)
            is_new = not folder.is_dir()  # what comes to be there from now on is another's
            server_folder = server_folder or ServerFolder(
                folder, check_target(folder, force=policy.force)
            )
            outcome = outcome_of(folder, files, lock, policy, server_folder)
            contents = {**outcome.write, **_lock_file(folder, outcome)}
            if is_new:
                all_or_nothing.create(folder, contents)
            else:
                all_or_nothing.change(
                    *(folder, contents, outcome.remove, outcome.was, outcome.moved),
                    lambda: _refuse_edited(
                        folder, server_folder.edited((*outcome.write, *outcome.remove))
                    ),
                )
            return _report(outcome)
    except OSError as error:
        raise _undone(folder, error) from None


def overwrite(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write files into a folder that nobody edits; the lock is not written."""
    all_or_nothing.check_paths(files)
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(encoded(content))


def finish(folder: Path) -> None:
    """Finish the changes that an interrupted run staged, if there are any.

    Raises OutputError if a file was edited since: the edit would be lost.
    """
    if not (folder / STAGE).exists():
        return
    try:
        with all_or_nothing.alone(folder):
            all_or_nothing.finish(folder)
    except OSError as error:
        raise _undone(folder, error) from None


def refuse_unfinished(folder: Path) -> None:
    """Raise OutputError if a run was interrupted in this folder."""
    if all_or_nothing.is_unfinished(folder):
        raise OutputError(f"{folder}: an update was interrupted; run `mcpgen update` to finish it")


def _undone(folder: Path, error: OSError) -> OutputError:
    reason = f"{folder}: {error.strerror or error}"
    if all_or_nothing.is_unfinished(folder):
        return OutputError(f"{reason}; run `mcpgen update` again to finish the update")
    if folder.is_dir():
        shutil.rmtree(folder / STAGE, ignore_errors=True)
    return OutputError(f"{reason}; nothing was changed")


def compare(
    folder: Path,
    files: Mapping[str, str | bytes],
    lock: Lock,
    policy: Policy | None = None,
    server_folder: ServerFolder | None = None,
) -> Report:
    """The report that `write` would return, without writing anything. Raises OutputError."""
    all_or_nothing.check_paths(files)
    refuse_unfinished(folder)
    policy = policy or Policy()
    server_folder = server_folder or ServerFolder(folder, check_target(folder, force=policy.force))
    return _report(outcome_of(folder, files, lock, policy, server_folder))


def outcome_of(
    folder: Path,
    files: Mapping[str, str | bytes],
    lock: Lock,
    policy: Policy,
    server_folder: ServerFolder,
) -> Outcome:
    """The files to write, with their bytes, and the files to remove. Raises OutputError."""
    old = check_target(folder, force=policy.force)
    if old != server_folder.lock:
        raise OutputError(
            f"the lock of {folder} changed since this run began; nothing was changed, run again"
        )
    move = package_rename.move(folder, old, files)
    moved_lock = move.lock(old) if old else None
    own = map(move.path, server_folder.modules({*files, *(old.files if old else ())}))

    def read(path: str) -> Content | None:
        return server_folder.content(move.place(path))

    outcome = reconcile(read, files, lock, moved_lock, policy, [*own])
    if outcome.refused:
        reasons = "".join(f"\n  {note}" for note in outcome.refused)
        raise OutputError(f"{folder}: nothing was changed{reasons}")
    if move.old and old:
        move.apply(outcome, old.server, lock.server)
    outcome.remove = _gone(folder, outcome.remove, files)
    outcome.lock_changed = old is None or not _same_facts(outcome.lock, old)
    return outcome


def _lock_file(folder: Path, outcome: Outcome) -> dict[str, bytes]:
    """The lock file, unless it already exists with this text."""
    text = locks.to_text(outcome.lock).encode()
    return {} if all_or_nothing.read(folder / locks.FILE_NAME) == text else {locks.FILE_NAME: text}


def _refuse_edited(folder: Path, edited: Iterable[str]) -> None:
    """Raise OutputError if files have changed since they were read."""
    for path in edited:
        raise OutputError(
            f"{folder}: {path} has changed since this run looked at it; nothing was written, run "
            "again"
        )


def _gone(folder: Path, removed: list[str], files: Iterable[str]) -> list[str]:
    """The removed files, without those whose names only change case."""
    places = {path.lower(): folder / path for path in files} if removed else {}
    twins = ((path, places.get(path.lower())) for path in removed)
    return [
        path
        for path, twin in twins
        if twin is None or not twin.exists() or not twin.samefile(folder / path)
    ]


def _same_facts(one: Lock, other: Lock) -> bool:
    """Whether two locks agree on everything that mcpgen generated.

    Contents count, not the programs that made them: if a new release of mcpgen, its templates or
    the formatter leaves a server's files equal, the server is not stale.
    """
    for name in set(locks.FACTS) - {"mcpgen", "templates_sha256", "merged", "keys", "taken"}:
        mine, theirs = getattr(one, name), getattr(other, name)
        if mine != theirs or list(mine) != list(theirs):  # their order counts too
            return False
    return True


def _report(outcome: Outcome) -> Report:
    return Report(
        written=tuple(sorted(outcome.write)),
        removed=tuple(outcome.remove),
        kept=tuple(outcome.kept),
        notes=tuple(outcome.notes),
        conflicts=tuple(outcome.conflicts),
        lock_changed=outcome.lock_changed,
    )
