"""The straight line from a document to the files of a server: the only place that knows the order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from . import __version__, cases, lock, models, naming, output, settings, source
from .api import Api
from .diagnostics import Diagnostics
from .format import format_files
from .literals import json_text
from .lock import Lock
from .mock_answers import mock_answers
from .plan import plan
from .readers import openapi
from .render import render
from .settings import Settings


@dataclass(frozen=True)
class Generated:
    """A server that is not on disk yet."""

    api: Api
    package: str
    files: dict[str, str]
    lock: Lock


def generate(
    asked: Settings,
    folder: Path,
    diagnostics: Diagnostics,
    *,
    known: Lock | None = None,
    progress: Callable[[str], None] = lambda stage: None,
) -> Generated:
    """Generate a server from `asked.source`; nothing is written.

    `folder` is where the server will be: relative paths in its settings and lock start there. `known`
    is the lock of the server that is there; what it names keeps its name. Raises GenerationError.
    """
    progress("reading the document")
    options = source.options(asked)
    document = source.load(asked.source, options=options, diagnostics=diagnostics)
    progress("reading the operations")
    api = openapi.read(document, openapi.options(asked, known), diagnostics)
    diagnostics.raise_if_errors(strict=asked.strict)
    progress("naming")
    names = naming.decide(api, asked, known)
    progress("writing the models")
    types = models.generate(api, names, diagnostics)
    progress("writing the tests")
    mock = json_text(mock_answers(api))
    tests = json_text(cases.build(api, names), indent=1)
    progress("writing the server")
    package = plan(api, names, types, asked, {"mock.json": mock}, tests)
    files = render(package, Path(asked.templates) if asked.templates else None)
    files["mcpgen.toml"] = settings.to_toml(output.relative(asked, folder))
    progress("formatting")
    files = format_files(files, verbatim=output.verbatim(files))
    return Generated(api, names.package, files, lock.make(asked, document, api, names))
