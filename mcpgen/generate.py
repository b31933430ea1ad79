"""The straight line from a document to a server: the only place that knows the order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from . import budget, cases, lock, models, naming, reading, settings
from .api import Api
from .background import Background, collector_at_rest
from .cases.mock_answers import mock_answers
from .diagnostics import Diagnostics
from .format import format_files
from .literals import json_text
from .lock import Lock
from .models import Models
from .naming import Names
from .package import Package
from .plan import plan
from .regeneration import edits, fresh, snapshots
from .render import render
from .settings import Settings, access, answers

MANY_TOOLS = 100
"""From here on a process of its own is worth it."""


@dataclass(frozen=True)
class Generated:
    """A server that is not on disk yet."""

    api: Api
    names: Names
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

    `folder` is where the server will be: the paths in its settings and lock start there. `known` is
    the lock of the server that is there; what it names keeps its name. Raises GenerationError.
    """
    with collector_at_rest():
        found = edits.scan(folder, known) if known is not None else edits.Edits()
        progress("reading the document")
        sources = reading.load(asked, diagnostics, progress)
        worker = models.worker_for(sources.size)
        progress("reading the tools")
        read = reading.read(sources, known, diagnostics)
        read = answers.apply(read, asked, diagnostics)
        access.verify(read, asked.auth, diagnostics)
        budget.check(read, sources.documents[0], asked, diagnostics)
        diagnostics.raise_if_errors(strict=asked.strict)
        api = read if known is None else edits.settled(read, known, found)
        progress("naming")
        names = naming.decide(
            api,
            name=asked.name,
            package=asked.package or None,
            known=edits.known_names(api, known, found) if known is not None else None,
        )
        templates = Path(asked.templates) if asked.templates else None
        kept = settings.relative_to(asked, folder)
        made = lock.make(kept.source, sources.documents[0].sha256, api, names)
        if known is not None:
            made = edits.noted(made, read, api, known, found)
        made = fresh.stamped(made, sources.hashes, kept, templates)
        progress("writing the models and the tests")
        tests = Background(lambda: _tests(api, names), worth_it=len(api.tools) > MANY_TOOLS)
        types = models.generate(api, names, diagnostics, worker=worker)
        progress("writing the server")
        files = _server(plan(api, names, types, asked), templates)
        made = replace(made, definitions=snapshots.definitions(files, known))
        files |= _models(names.package, types)
        mock, test_cases = tests.result()
        files |= {
            f"{names.package}/mock.json": mock,
            "tests/cases.json": test_cases,
            settings.FILE_NAME: settings.to_toml(kept),
        }
        return Generated(api, names, files, made)


def _server(package: Package, templates: Path | None) -> dict[str, str]:
    """The files of a server but its models and its tests' data."""
    return format_files(render(package, templates), verbatim=f"{package.name}/_runtime/")


def _models(package: str, types: Models) -> dict[str, str]:
    """The modules of the models; waits for the processes that write them."""
    return format_files({f"{package}/{path}": text for path, text in types.files.items()})


def _tests(api: Api, names: Names) -> tuple[str, str]:
    """The texts of `mock.json` and of the tests' cases."""
    mock = mock_answers(api)
    return json_text(mock), cases.to_json(cases.build(api, names, mock))
