"""What a lock keeps of the files that people edit, made once for each version of a file."""

from __future__ import annotations

from collections.abc import Mapping

from .. import lock as locks
from ..lock import Lock
from ..merge.snapshot import snapshot
from .ownership import Owner, owner

Definitions = Mapping[str, Mapping[str, str]]


def definitions(files: Mapping[str, str], known: Lock | None) -> dict[str, Definitions]:
    """The hashes of the definitions in each module that people may edit.

    A module that is as `known` says has the hashes that are there.
    """
    return {
        path: definitions_of(path, text, locks.digest(text), known)
        for path, text in files.items()
        if owner(path) is Owner.MODULE
    }


def definitions_of(path: str, text: str, digest: str, known: Lock | None) -> Definitions:
    """The hashes of the definitions in one module, whose own hash is `digest`."""
    if known is not None and known.files.get(path) == digest:
        return known.definitions.get(path) or snapshot(text)
    return snapshot(text)
