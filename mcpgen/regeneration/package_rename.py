"""Renaming a server's package: the contents of the old folder move to the new one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from ..lock import Lock
from ..paths import in_order
from .notes import Note
from .outcome import Outcome

Fact = TypeVar("Fact")

_STAYS = "stays here and was not read: the server already has"


class Move(Struct, frozen=True):
    """A move of a package's folder to a new name; both names are empty if nothing moves."""

    folder: Path
    old: str
    new: str

    def lock(self, lock: Lock) -> Lock:
        """The old lock, as if the package had always had its new name."""
        if not self.old:
            return lock
        return replace(
            lock,
            files=self._renamed(lock.files),
            merged=self._renamed(lock.merged),
            lines=self._renamed(lock.lines),
            definitions=self._renamed(lock.definitions),
        )

    def place(self, path: str) -> str:
        """The path at which a file still is, given the `path` that it will have.

        A person may have renamed the folder already: then it is `path` itself.
        """
        inside = path.startswith(f"{self.new}/") and not (self.folder / path).is_file()
        return self.old + path.removeprefix(self.new) if inside else path

    def path(self, place: str) -> str:
        """The path that a file at `place` will have after the move."""
        inside = place.startswith(f"{self.old}/")
        return self.new + place.removeprefix(self.old) if inside else place

    def apply(self, outcome: Outcome, was: str, now: str) -> None:
        """Note in `outcome` that every file moves from the old folder to the new one.

        `was` and `now` are the old and the new name of the server.
        """
        gone = set(outcome.remove)
        for place in self._there():
            path = self.path(place)
            cached = "/__pycache__/" in path
            if not cached and self._is_in_both(place):
                outcome.notes.append(Note(place, f"{_STAYS} {path}"))
                continue
            if not (cached or path in gone or path in outcome.write):
                outcome.write[path] = (self.folder / place).read_bytes()
            outcome.moved[path] = place
            outcome.remove.append(place)
        outcome.remove = [path for path in outcome.remove if (self.folder / path).is_file()]
        text = f"is now {self.new}, and its files moved there"
        if was != now:
            text += "; environment variables have new names too: README.md and DEPLOY.md list them"
        outcome.notes.append(Note(self.old, text))

    def _is_in_both(self, place: str) -> bool:
        """Whether the new folder already has a file of that name with different contents."""
        other = self.folder / self.path(place)
        return other.is_file() and other.read_bytes() != (self.folder / place).read_bytes()

    def _renamed(self, facts: Mapping[str, Fact]) -> dict[str, Fact]:
        return {self.path(path): fact for path, fact in facts.items()}

    def _there(self) -> Iterator[str]:
        for path in in_order((self.folder / self.old).rglob("*")):
            if path.is_file():
                yield path.relative_to(self.folder).as_posix()


def move(folder: Path, lock: Lock | None, files: Iterable[str]) -> Move:
    """The move of the package from its name in the lock to its name in `files`.

    Nothing moves if the names are equal, or if one of them is missing.
    """
    old, new = package_of(lock.files if lock is not None else ()), package_of(files)
    is_renamed = old and new and old != new
    return Move(folder, old, new) if is_renamed else Move(folder, "", "")


def package_of(files: Iterable[str]) -> str:
    """The folder of a server's package; empty if there is none."""
    return next((path.split("/")[0] for path in files if path.endswith("/tools.json")), "")
