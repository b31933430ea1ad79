"""The hashes of editable modules in the lock, computed once for each version of a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..hashes import digest as hash_of
from ..lock import Lock
from ..merge.snapshot import snapshot
from .ownership import Owner, owner

Definitions = Mapping[str, Mapping[str, str]]


def described(
    files: Iterable[tuple[str, str]], old_lock: Lock | None
) -> tuple[dict[str, str], dict[str, Definitions]]:
    """The files as a dict, and the hashes of the definitions in each module that people may edit.

    A module that is the same as in the lock `old_lock` keeps its hashes.
    """
    texts: dict[str, str] = {}
    definitions: dict[str, Definitions] = {}
    for path, text in files:
        texts[path] = text
        if owner(path) is Owner.MODULE:
            definitions[path] = definitions_of(path, text, hash_of(text), old_lock)
    return texts, definitions


def definitions_of(path: str, text: str, digest: str, old_lock: Lock | None) -> Definitions:
    """The hashes of a module's definitions, from the lock if the module has not changed.

    `digest` is the hash of the module.
    """
    definitions = old_lock.definitions.get(path) if old_lock is not None else None
    if old_lock is None or definitions is None or old_lock.files.get(path) != digest:
        return snapshot(text)
    return definitions
