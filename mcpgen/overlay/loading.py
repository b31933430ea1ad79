"""Loads a document with the overlays that the settings name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import urljoin

from ..diagnostics import Diagnostics, GenerationError
from ..source import Files, SourceOptions
from ..source.document import Document
from ..source.loading import checked
from ..source.sourcefile import SourceFile, measure
from . import applying, structure
from .jsonpath import Steps
from .overlaid import Origin, Overlaid
from .structure import Overlay

Progress = Callable[[str], None]


def load(
    location: str,
    overlays: Sequence[str] = (),
    *,
    options: SourceOptions,
    diagnostics: Diagnostics,
    progress: Progress = lambda stage: None,
    called: str = "",
) -> Document:
    """Read a document and apply overlays to it, in order.

    References in the result are resolved like the document's own. Raises GenerationError as
    `source.load` does, for overlays that break their specification, and for targets that cannot be
    changed.
    """
    files = Files(location, options, diagnostics, progress, called)
    _refuse_overlay(files.root, location)
    if not overlays:
        return checked(Document(files), diagnostics)
    read = _read(overlays, options, diagnostics, progress)
    first = _overlaid(files.root, read, options, diagnostics)
    return checked(Document(files, first, [each.file for each in read]), diagnostics)


def _read(
    overlays: Sequence[str], options: SourceOptions, diagnostics: Diagnostics, progress: Progress
) -> list[Overlay]:
    """The overlays; raises GenerationError with the errors of all overlays."""
    own_diagnostics = Diagnostics()
    read = []
    for each in overlays:
        try:
            file = Files(each, options, own_diagnostics, progress).root
        except GenerationError as error:
            own_diagnostics.extend(error.diagnostics)
        else:
            read.append(structure.read(file, own_diagnostics))
    diagnostics.extend(own_diagnostics.warnings + own_diagnostics.notes)
    own_diagnostics.raise_if_errors()
    return [each for each in read if each is not None]


def _overlaid(
    first: SourceFile, overlays: list[Overlay], options: SourceOptions, diagnostics: Diagnostics
) -> SourceFile:
    document, own_diagnostics = Overlaid(first), Diagnostics()
    steps = Steps(first.value)
    for each in overlays:
        _tell_other(each, first, own_diagnostics)
        applying.apply(each, document, steps, options.limits, own_diagnostics)
        document.text += f"\n{each.file.text}"
    diagnostics.extend(own_diagnostics.warnings + own_diagnostics.notes)
    own_diagnostics.raise_if_errors()
    _refuse_deep(document, overlays, options)
    return document


def _refuse_deep(document: Overlaid, overlays: list[Overlay], options: SourceOptions) -> None:
    if measure(document.value)[1] > options.limits.max_depth:
        message = f"the result is nested deeper than {options.limits.max_depth} levels"
        raise GenerationError.of("too-deep", message, Origin(overlays[-1].file, "/actions"))


def _refuse_overlay(first: SourceFile, location: str) -> None:
    """Raise GenerationError if an overlay is given in place of the document that it changes."""
    if not structure.is_overlay(first.value):
        return
    extends = first.value.get("extends")
    document = extends if isinstance(extends, str) and extends else "DOCUMENT"
    message = "this is an overlay (a list of changes to a document), not a document"
    hint = f"Name the document that it is for: `{document} --overlay {location}`."
    raise GenerationError.of("overlay", message, Origin(first, "/overlay"), hint)


def _tell_other(overlay: Overlay, first: SourceFile, diagnostics: Diagnostics) -> None:
    """Warn of an overlay that names another document."""
    if not overlay.extends:
        return
    base = urljoin(_uri(overlay.file), overlay.base)
    own = first.value.get("$self") if isinstance(first.value, dict) else None
    names = {_uri(first), urljoin(_uri(first), own) if isinstance(own, str) else ""}
    if urljoin(base, overlay.extends) not in names:
        message = f"the overlay is for {overlay.extends}, but is applied to {first.name}"
        hint = "Correct `extends`, or remove it where it is for any document."
        at = Origin(overlay.file, "/extends")
        diagnostics.warning("overlay-extends", message, at, hint)


def _uri(file: SourceFile) -> str:
    return file.home.as_uri() if isinstance(file.home, Path) else file.home or ""
