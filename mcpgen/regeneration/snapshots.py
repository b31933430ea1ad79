"""What a lock keeps of the files that people edit, made once for each version of a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .. import lock as locks
from ..lock import Lock
from ..merge.snapshot import snapshot
from .ownership import Owner, owner

Definitions = Mapping[str, Mapping[str, str]]


def definitions(
    files: Mapping[str, str], known: Lock | None, before: Callable[[str], str | None]
) -> dict[str, Definitions]:
    """The hashes of the definitions in each module that people may edit.

    What is as `known` says has the hashes that are there; `before` gives the text of a file as it
    was written then, if it is still there.
    """
    return {
        path: definitions_of(path, text, locks.digest(text), known, before)
        for path, text in files.items()
        if owner(path) is Owner.MODULE
    }


def definitions_of(
    path: str,
    text: str,
    digest: str,
    known: Lock | None,
    before: Callable[[str], str | None] = lambda path: None,
) -> Definitions:
    """The hashes of the definitions in one module, whose own hash is `digest`."""
    found = known.definitions.get(path) if known is not None else None
    if known is None or found is None:
        return snapshot(text)
    if known.files.get(path) == digest:
        return found
    was = before(path)
    return snapshot(text, (was, found) if was is not None else None)
