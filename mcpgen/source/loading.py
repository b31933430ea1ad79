"""Loads a document from a path, a URL or `-`, with every file it refers to."""

from __future__ import annotations

from collections.abc import Callable

from ..diagnostics import Diagnostics
from .document import Document
from .files import Files, SourceOptions
from .refcheck import check_references
from .sourcefile import SourceFile

Revised = Callable[[SourceFile], tuple[SourceFile, tuple[SourceFile, ...]]]
"""The first file as it is to be read, and the files that say so."""


def load(
    source: str,
    *,
    options: SourceOptions | None = None,
    diagnostics: Diagnostics,
    progress: Callable[[str], None] = lambda stage: None,
    called: str = "",
    revised: Revised = lambda first: (first, ()),
) -> Document:
    """Read a document: a path, an http(s) URL, or `-` for standard input.

    In messages its first file is called `called`, or else by its path. `revised` may put another
    value in the first file's place. Raises GenerationError for what cannot be read, and for
    references that are refused or loop.
    """
    files = _files(source, options or SourceOptions(), diagnostics, progress, called)
    document = Document(files, *revised(files.root))
    own_diagnostics = Diagnostics()
    check_references(document, own_diagnostics)
    diagnostics.extend(own_diagnostics.warnings + own_diagnostics.notes)
    own_diagnostics.raise_if_errors()
    return document


def first_file(
    source: str,
    options: SourceOptions,
    diagnostics: Diagnostics,
    progress: Callable[[str], None] = lambda stage: None,
) -> SourceFile:
    """Read one file, whose references are not followed; raises GenerationError."""
    return _files(source, options, diagnostics, progress, "").root


def _files(
    source: str,
    options: SourceOptions,
    diagnostics: Diagnostics,
    progress: Callable[[str], None],
    called: str,
) -> Files:

    def fetch(url: str, *, max_bytes: int, trusted: bool) -> tuple[str, bytes]:
        from .fetch import Fetcher  # httpx, of no use for files

        fetcher = Fetcher(options.timeout, options.allowed_hosts, options.headers)
        return fetcher(url, max_bytes=max_bytes, trusted=trusted)

    return Files(source, options, fetch, diagnostics, progress, called)
