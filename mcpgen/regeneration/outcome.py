"""The changes that a run makes to a folder, and the policy for conflicts with people's edits."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct, field

from ..diagnostics import visible
from ..lock import Lock
from .notes import Note
from .server_folder import Content

Read = Callable[[str], Content | None]
"""The content of the file at a path in the folder; None if there is none."""
KEPT = "is not generated any more; it was edited and stays"


class Conflict(Struct, frozen=True):
    """A part of a file that both a person and the generator changed."""

    path: str
    line: int
    what: str
    diff: str
    """The difference between the existing text and the text to be written."""

    def __str__(self) -> str:
        return f"{visible(self.path)}:{self.line}: {self.what}"


class Outcome(Struct):
    """The changes that a run makes to a server's folder."""

    lock: Lock
    write: dict[str, bytes] = field(default_factory=dict)
    remove: list[str] = field(default_factory=list)
    kept: list[Note] = field(default_factory=list)
    """Parts that stay although the generator no longer writes them."""
    notes: list[Note] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    refused: list[Note] = field(default_factory=list)
    """Why nothing may be written: an edit of mcpgen's own file, or a file that cannot be merged."""
    was: dict[str, str] = field(default_factory=dict)
    """The SHA-256 of existing files that are to be written, where it is known."""
    moved: dict[str, str] = field(default_factory=dict)
    """The old places of files of a renamed package, keyed by their new places."""
    lock_changed: bool = False


class Policy(Struct, frozen=True):
    """How to decide where a person and the generator changed the same thing."""

    force: bool = False
    """Overwrite edits of mcpgen's own files."""
    conflicts: str = "keep"
    asked: Mapping[str, str] = field(default_factory=dict)
    """New texts for files of the user, who asked for the change."""
