"""What a document needs of whoever reads its files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from .document import Node
    from .sourcefile import SourceFile


class FileOpener(Protocol):
    """Finds and reads the files of one document."""

    @property
    def missing(self) -> Iterable[str]:
        """The files that references name and that do not exist, relative to the first file."""
        ...

    def check(self, base: SourceFile, reference: str) -> None:
        """Raise `access.Refused` for a reference that is not followed; nothing is opened."""
        ...

    def open(self, base: SourceFile, reference: str, at: Node) -> SourceFile:
        """The file that a reference names, its fragment aside.

        Raises GenerationError where it must not be read or is unreadable, ReferenceProblem where it
        is missing.
        """
        ...
