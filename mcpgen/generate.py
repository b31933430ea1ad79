"""The straight line from a document to a server: the only place that knows the order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from . import budget, cases, lock, models, naming, reading, settings
from .api import Api
from .background import Background
from .diagnostics import Diagnostics
from .format import format_files
from .literals import json_text
from .lock import Lock
from .memory import collector_at_rest
from .models import Models
from .naming import Names
from .plan import plan
from .regeneration import edits, fresh, snapshots
from .regeneration.earlier import Earlier, formatted
from .render import render
from .settings import Settings, access, answers, exposed

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
    afresh: bool = False,
    progress: Callable[[str], None] = lambda stage: None,
) -> Generated:
    """Generate a server from `asked.source`; nothing is written.

    `folder` is where the server will be: the paths in its settings and lock start there. `known` is
    the lock of the server that is there; what it names keeps its name, and of a large server what
    would be made again from the same is taken from the folder, unless `afresh`. Raises
    GenerationError.
    """
    with collector_at_rest():
        found = edits.scan(folder, known) if known is not None else edits.Edits()
        earlier = Earlier(folder, None if afresh else known)
        progress("reading the document")
        sources = reading.load(asked, diagnostics, progress)
        worker = None if earlier.keys else models.worker_for(sources.size)
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
        if asked.resources:
            api = exposed.apply(api, asked.resources, names.server, diagnostics)
            diagnostics.raise_if_errors(strict=asked.strict)
        templates = Path(asked.templates) if asked.templates else None
        kept = settings.relative_to(asked, folder)
        made = lock.make(kept.source, sources.documents[0].sha256, api, names)
        if known is not None:
            made = edits.noted(made, read, api, known, found)
        made = fresh.stamped(made, sources.hashes, kept, templates)
        progress("writing the models and the tests")
        large = len(api.tools) > MANY_TOOLS
        tests = Background(lambda: _tests(api, names, earlier), worth_it=large)
        types = models.generate(
            *(api, names, diagnostics),
            worker=worker,
            kept=lambda path, key: earlier.text(f"{names.package}/{path}", key),
        )
        progress("writing the server")
        package = plan(api, names, types, asked)
        files, keys = formatted(render(package, templates), f"{names.package}/_runtime/", earlier)
        made = replace(made, definitions=snapshots.definitions(files, known))
        files |= _models(names.package, types)
        keys |= {f"{names.package}/{path}": key for path, key in types.keys.items()}
        data = tests.result()
        files |= {
            f"{names.package}/mock.json": data.answers,
            "tests/cases.json": data.cases,
            settings.FILE_NAME: settings.to_toml(kept),
        }
        keys = dict(sorted({**keys, **data.keys}.items())) if large else {}
        return Generated(api, names, files, replace(made, keys=keys))


def _models(package: str, types: Models) -> dict[str, str]:
    """The modules of the models; waits for the processes that write them."""
    files = {**format_files(types.files), **types.kept}
    return {f"{package}/{path}": text for path, text in files.items()}


@dataclass(frozen=True)
class _Tests:
    answers: str
    """The text of `mock.json`."""
    cases: str
    """The text of the tests' cases."""
    keys: dict[str, str]


def _tests(api: Api, names: Names, earlier: Earlier) -> _Tests:
    keys = cases.keys(api, names) if len(api.tools) > MANY_TOOLS else {}
    kept = bool(keys and earlier.keys)
    mock = earlier.unchanged(f"{names.package}/mock.json") if kept else None
    known = cases.Earlier()
    if mock is not None and (there := earlier.unchanged("tests/cases.json")) is not None:
        known = cases.earlier(mock, there, earlier.keys, keys, api)
    made = cases.mock_answers(api, known.answers)
    return _Tests(json_text(made), cases.to_json(cases.build(api, names, made, known)), keys)
