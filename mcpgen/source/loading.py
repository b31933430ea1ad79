"""Loads a document from a path, a URL or `-`, with every file it refers to."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from ..diagnostics import Diagnostics, GenerationError
from ..settings import Settings
from .document import Document
from .files import Files, SourceOptions
from .limits import Limits
from .parsed import Remembered
from .refcheck import check_references


def options(asked: Settings) -> SourceOptions:
    """The options that the settings ask for; raises GenerationError for a folder that is none."""
    root = Path(asked.reference_root) if asked.reference_root else None
    if root is not None and not root.is_dir():
        message = f"{root}: there is no such folder for references"
        raise GenerationError.of("settings-value", message, setting=("reference_root",))
    return SourceOptions(
        allow_remote_refs=asked.allow_remote_refs,
        allowed_hosts=asked.allowed_hosts,
        max_bytes=min(asked.max_source_bytes, sys.maxsize - 1),
        root=root,
        limits=Limits(
            max_values=min(asked.max_source_values, sys.maxsize - 1),
            repeated_keys=asked.repeated_keys,
        ),
    )


def load(
    source: str,
    *,
    options: SourceOptions | None = None,
    diagnostics: Diagnostics,
    progress: Callable[[str], None] = lambda stage: None,
    before: Remembered | None = None,
    changed: Callable[[Document], Iterable[str] | None] = lambda document: None,
    called: str = "",
) -> Document:
    """Read a document: a path, an http(s) URL, or `-` for standard input.

    In messages its first file is called `called`, or else by its path. `before` is what an earlier
    text of that file was parsed to. `changed` gives the only path items whose references must be
    checked, or None for all.
    Raises GenerationError for what cannot be read, and for references that are refused or loop.
    """
    chosen = options or SourceOptions()

    def fetch(url: str, *, max_bytes: int, trusted: bool) -> tuple[str, bytes]:
        from .fetch import Fetcher  # httpx, of no use for files

        fetcher = Fetcher(chosen.timeout, chosen.allowed_hosts)
        return fetcher(url, max_bytes=max_bytes, trusted=trusted)

    files = Files(source, chosen, fetch, diagnostics, progress, called, before)
    document = Document(files)
    found = Diagnostics()
    check_references(document, found, changed(document))
    document.is_sound = not found.items and not chosen.allow_remote_refs
    diagnostics.extend(found.warnings + found.notes)
    found.raise_if_errors()
    return document
