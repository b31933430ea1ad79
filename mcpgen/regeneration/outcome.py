"""The changes to a folder, and the rules where a person and the generator disagree."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct, field

from ..diagnostics import visible
from ..lock import Lock
from .notes import Note
from .server_folder import Content

Read = Callable[[str], Content | None]
"""What the file at a path in the folder holds; None where there is none."""
KEPT = "is not generated any more; it was edited and stays"


class Conflict(Struct, frozen=True):
    """A part that both a person and the generator changed."""

    path: str
    line: int
    what: str
    diff: str
    """From what is there to what would be written now."""

    def __str__(self) -> str:
        return f"{visible(self.path)}:{self.line}: {self.what}"


class Outcome(Struct):
    """The changes to a folder."""

    lock: Lock
    write: dict[str, bytes] = field(default_factory=dict)
    remove: list[str] = field(default_factory=list)
    kept: list[Note] = field(default_factory=list)
    """What stays although the generator does not write it any more."""
    notes: list[Note] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    refused: list[Note] = field(default_factory=list)
    """Why nothing may be written: an edit of a file of ours, or a file that cannot be merged."""
    was: dict[str, str] = field(default_factory=dict)
    """The SHA-256 of files that are there, of those to be written where it is known."""
    moved: dict[str, str] = field(default_factory=dict)
    """Where files of a package that is renamed were, by where they will be."""
    lock_changed: bool = False


class Policy(Struct, frozen=True):
    """How to decide where both the person and the generator changed the same thing."""

    force: bool = False
    """Write over edits of files of ours."""
    conflicts: str = "keep"
    asked: Mapping[str, str] = field(default_factory=dict)
    """New texts of files that belong to the user, who asked for them."""
