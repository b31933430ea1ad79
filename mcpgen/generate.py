"""The straight line from a document to a server: the only place that knows the order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from . import contract, lock, models, naming, reading, recall, settings
from .api import Api
from .background import Background
from .contract import Differing
from .diagnostics import Diagnostics
from .format import format_files, versions
from .literals import json_data
from .lock import Lock
from .memory import collector_at_rest
from .models import Models, Worker
from .naming import Names
from .package import Package
from .plan.planning import Planned, plan
from .readers.openapi import Later
from .reading import Read, Sources
from .recall import Known, Recalled
from .regeneration import edits, fresh, keeping, snapshots
from .regeneration.earlier import Earlier, earlier, formatted
from .regeneration.seen import Seen
from .render.files import render
from .settings import Settings, answers, budget, callers, resources

MANY_TOOLS = 100
"""From here on a process of its own is worth it."""


class Generated(Struct, frozen=True):
    """A server that is not on disk yet."""

    api: Api
    names: Names
    files: dict[str, str | bytes]
    lock: Lock
    seen: Seen
    """The files that are there."""
    kept: Background[None] | None = None
    """What the next run may take over, being saved."""
    differing: Differing | None = None
    """The tools that are not, or no longer, as the run before made them, where that is known."""
    first_call: tuple[str, dict[str, Any]] | None = None
    """The tool that is best tried first, and arguments for it."""

    @property
    def tools_json(self) -> bytes:
        """The list of tools, as it is written."""
        found = self.files[f"{self.names.package}/tools.json"]
        assert isinstance(found, bytes)
        return found


def generate(
    asked: Settings,
    folder: Path,
    diagnostics: Diagnostics,
    *,
    known: Lock | None = None,
    afresh: bool = False,
    keep: bool = False,
    progress: Callable[[str], None] = lambda stage: None,
) -> Generated:
    """Generate a server from `asked.source`; nothing is written.

    `folder` is where the server will be: the paths in its settings and lock start there. `known` is
    the lock of the server that is there; what it names keeps its name, and of a large server what
    would be made again from the same is taken from the folder, unless `afresh`. `keep`: what is
    read of a large document is kept for the next run. Raises GenerationError.
    """
    with collector_at_rest():
        there = known if known is not None else lock.NOTHING
        seen = Seen(folder, known)
        found = edits.scan(seen, there)
        before = earlier(seen, None if afresh else known)
        progress("reading the document")
        sources = reading.load(asked, diagnostics, progress, before.knew.read)
        worker = None if before.keys else models.worker_for(sources.size)
        progress("reading the tools")
        read = _read(sources, known, before, diagnostics)
        decided = keeping.decide(read.api, there, found)
        progress("naming")
        api, names = _named(decided, asked, diagnostics)
        large = len(api.tools) > MANY_TOOLS
        much = before.new_tools(api) > MANY_TOOLS
        tests = Background(partial(_tests, api, names, before), worth_it=much)
        names = naming.with_classes(names, decided.api, decided.names, before.lifted)
        written = settings.relative_to(asked, folder)
        templates = Path(asked.templates) if asked.templates else None
        made = decided.noted(lock.make(written.source, sources.documents[0].sha256, api, names))
        made = replace(made, tables=read.tables)
        made = fresh.stamped(made, sources.hashes, written, templates, before.knew.shipped)
        progress("writing the models and the tests")
        types = _types(api, names, diagnostics, worker, before)
        progress("writing the server")
        package = plan(api, names, types, read.asked, before.knew.planned)
        planned = Planned(api, names, package.modules, package.tools)
        saving = partial(_keep, made, read.again, planned, templates, before.known)
        kept = Background(saving, worth_it=much) if large and keep else None
        pages, keys = _pages(package, made, templates, before)
        listed = before.listed
        tools_json = contract.tools_json(api, listed)
        differing = contract.changed(listed[0], api) if listed is not None else None
        texts, definitions = snapshots.taken(pages, known, before.unchanged)
        data = tests.result()
        files: dict[str, str | bytes] = {**texts, **_models(names.package, types)}
        files[f"{names.package}/tools.json"] = tools_json
        files |= data.files(names.package)
        files[settings.FILE_NAME] = settings.to_toml(written)
        keys |= {f"{names.package}/{path}": key for path, key in types.keys.items()}
        keys = dict(sorted({**keys, **data.keys}.items())) if large else {}
        made = replace(made, definitions=definitions, keys=keys)
        return Generated(api, names, files, made, seen, kept, differing, data.first_call)


def _read(sources: Sources, known: Lock | None, before: Earlier, diagnostics: Diagnostics) -> Read:
    """What the sources describe, as the settings want it, which is what can be generated."""
    read = reading.read(sources, known, diagnostics, before.knew.read)
    asked = read.asked
    api = answers.apply(read.api, asked, diagnostics)
    callers.verify(api, asked.auth, diagnostics)
    budget.check(api, sources.documents[0], asked, diagnostics)
    diagnostics.raise_if_errors(strict=asked.strict)
    return replace(read, api=api)


def _named(
    decided: keeping.Decided, asked: Settings, diagnostics: Diagnostics
) -> tuple[Api, Names]:
    """The names of everything but the classes, and the API with what is exposed under them."""
    api = decided.api
    package = asked.package or None
    names = naming.decide(api, name=asked.name, package=package, known=decided.names)
    if asked.resources:
        api = resources.apply(api, asked.resources, names.server, diagnostics)
        diagnostics.raise_if_errors(strict=asked.strict)
    return api, names


def _keep(
    made: Lock, again: tuple[Later, ...], planned: Planned, templates: Path | None, known: Known
) -> None:
    """Keep what was read and planned for the next run."""
    shipped = made.templates_sha256 if templates is None else ""
    found = Recalled(tuple(later() for later in again), planned, versions(), shipped)
    recall.save(made, found, known)


def _pages(
    package: Package, made: Lock, templates: Path | None, before: Earlier
) -> tuple[Iterable[tuple[str, str]], dict[str, str]]:
    """What templates make, as it is formatted, and its keys; what is as it was is neither."""
    left = before.handlers(package, made.templates_sha256) if templates is None else {}
    rendered = render(package, templates, left)
    files, keys = formatted(rendered, f"{package.name}/_runtime/", before)
    return chain(files, left.items()), keys | {path: before.keys[path] for path in left}


def _types(
    api: Api, names: Names, diagnostics: Diagnostics, worker: Worker | None, before: Earlier
) -> Models:
    """Start writing the types; they are those of the earlier run where none has changed."""
    there = before.types(names)
    if there is not None:
        return models.unchanged(api, names, *there)
    return models.generate(
        *(api, names, diagnostics),
        worker=worker,
        kept=lambda path, key: before.text(f"{names.package}/{path}", key),
    )


def _models(package: str, types: Models) -> dict[str, str]:
    """The modules of the models; waits for the process that writes them."""
    files = {**format_files(types.files), **types.kept}
    return {f"{package}/{path}": text for path, text in files.items()}


class _Tests(Struct, frozen=True):
    answers: bytes
    """The bytes of `mock.json`."""
    cases: bytes
    """Those of the tests' cases."""
    keys: dict[str, str]
    first_call: tuple[str, dict[str, Any]] | None

    def files(self, package: str) -> dict[str, bytes]:
        """Both by their places."""
        return {f"{package}/mock.json": self.answers, "tests/cases.json": self.cases}


def _tests(api: Api, names: Names, before: Earlier) -> _Tests:
    from . import cases  # paid for beside the main line

    old = before.knew.planned
    basis = cases.Basis(old.api, old.names, before.keys) if old is not None else None
    same = basis.same(api, names) if basis is not None else set()
    keys = cases.keys(api, names, basis, same) if len(api.tools) > MANY_TOOLS else {}
    kept = bool(keys and before.keys)
    mock = before.data(f"{names.package}/mock.json") if kept else None
    known = cases.Earlier()
    if mock is not None and (there := before.data("tests/cases.json")) is not None:
        known = cases.earlier((mock, there), before.keys, keys, api, same)
    answers = cases.mock_answers(api, known.answers)
    data = (json_data(answers), cases.to_json(cases.build(api, names, answers, known)))
    return _Tests(*data, keys, cases.first_call(api))
