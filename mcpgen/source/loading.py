"""Loads a document from a path, a URL or `-`, with every file that it refers to."""

from __future__ import annotations

from collections.abc import Callable

from ..diagnostics import Diagnostics
from .document import Document
from .files import Files, SourceOptions
from .refcheck import check_references


def load(
    source: str,
    *,
    options: SourceOptions | None = None,
    diagnostics: Diagnostics,
    progress: Callable[[str], None] = lambda stage: None,
    called: str = "",
) -> Document:
    """Read a document: a path, an http(s) URL, or `-` for standard input.

    In messages its first file is called `called`, or else by its path. Raises GenerationError for
    files that cannot be read, and for references that are refused or form a loop.
    """
    files = Files(source, options or SourceOptions(), diagnostics, progress, called)
    return checked(Document(files), diagnostics)


def checked(document: Document, diagnostics: Diagnostics) -> Document:
    """Check all references of a document and return it; raises GenerationError as `load` does."""
    own_diagnostics = Diagnostics()
    check_references(document, own_diagnostics)
    diagnostics.extend(own_diagnostics.warnings + own_diagnostics.notes)
    own_diagnostics.raise_if_errors()
    return document
