"""The straight line from a document to a server: the only place that knows the order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
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
from .render import own_templates
from .render.files import render, tell_unused
from .settings import Settings, answers, budget, callers, resources

MANY_TOOLS = 100
"""With more tools than this, separate processes and caching for the next run pay off."""


MOST_BYTES = 100 << 20
"""Of a file, for the hosts of git repositories."""


class Generated(Struct, frozen=True):
    """A generated server that has not been written to disk."""

    api: Api
    names: Names
    files: dict[str, str | bytes]
    lock: Lock
    seen: Seen
    """The files already in the server's folder."""
    saved: Background[None] | None = None
    """Saves what the next run can reuse; wait for it before the process ends."""
    differing: Differing | None = None
    """The tools that changed since the previous run, where that is known."""
    first_call: tuple[str, dict[str, Any]] | None = None
    """The tool that a newcomer should try first, and arguments for it."""

    @property
    def tools_json(self) -> bytes:
        """The bytes of `tools.json`."""
        found = self.files[f"{self.names.package}/tools.json"]
        assert isinstance(found, bytes)
        return found


@collector_at_rest()
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
    """Generate a server from `asked.source`, without writing anything to its folder.

    `folder` is where the server will be written; paths in its settings and its lock are relative to
    it. `known` is the lock of the server already there: the names in it stay, and output of a large
    server whose inputs have not changed is reused, unless `afresh`. `keep` caches what was read of
    a large document for the next run. Raises GenerationError.
    """
    old_lock = known if known is not None else lock.NOTHING
    _tell_versions(old_lock, asked, diagnostics)
    seen = Seen(folder, known)
    edited = edits.scan(seen, old_lock)
    before = earlier(seen, None if afresh else known)
    progress("reading the document")
    sources = _load(asked, before, diagnostics, progress)
    worker = None if before.keys else models.worker_for(sources.size)
    progress("reading the tools")
    read = _read(sources, known, before, diagnostics)
    decided = keeping.decide(read.api, old_lock, edited)
    progress("naming")
    api, names = _named(decided, asked, diagnostics)
    tests = Background(partial(_tests, api, names, before), worth_it=_is_large(api))
    names = before.named(naming.with_classes(names, decided.api, decided.names, before.lifted))
    new_lock = decided.noted(_lock(asked, folder, sources, read, api, names, before))
    progress("writing the models and the tests")
    types = _types(api, names, diagnostics, worker, before)
    progress("writing the server")
    package = plan(api, names, types, read.asked, before.planned)
    planned = Planned(api, names, package)
    saved = _saved(new_lock, read.again, planned, asked, before) if keep else None
    pages, page_keys = _pages(package, new_lock, asked, before, diagnostics)
    tools_json, differing = _tools_json(api, before)
    seen.hash_beside(f"{names.package}/tools.json", tools_json)
    texts, definitions = snapshots.described(pages, known, before.unchanged)
    data = tests.result()
    files: dict[str, str | bytes] = {
        **texts,
        **_models(names.package, types),
        f"{names.package}/tools.json": tools_json,
        **data.files(names.package),
        settings.FILE_NAME: settings.to_toml(settings.relative_to(asked, folder)),
    }
    _tell_large(files, diagnostics)
    keys = {**page_keys, **_model_keys(names.package, types), **data.keys} if _is_large(api) else {}
    new_lock = replace(new_lock, definitions=definitions, keys=dict(sorted(keys.items())))
    return Generated(api, names, files, new_lock, seen, saved, differing, data.first_call)


def _tell_versions(old_lock: Lock, asked: Settings, diagnostics: Diagnostics) -> None:
    """Tell of a lock that a newer mcpgen wrote, and of templates made for an older one."""
    lock.tell_if_newer(old_lock, diagnostics)
    if asked.templates:
        own_templates.tell_if_outdated(Path(asked.templates), diagnostics)


def _load(
    asked: Settings, before: Earlier, diagnostics: Diagnostics, progress: Callable[[str], None]
) -> Sources:
    """Load the sources, and wait for what is read ahead of the server: processes fork from now on.

    Raises GenerationError.
    """
    try:
        return reading.load(asked, diagnostics, progress, before.recalled.read)
    finally:
        before.seen.arrive()


def _read(sources: Sources, known: Lock | None, before: Earlier, diagnostics: Diagnostics) -> Read:
    """Read the sources and apply the settings to them. Raises GenerationError."""
    read = reading.read(sources, known, diagnostics, before.recalled.read)
    asked = read.asked
    api = answers.apply(read.api, asked, diagnostics)
    callers.verify(api, asked.auth, diagnostics)
    budget.check(api, sources.documents[0], asked, diagnostics)
    diagnostics.raise_if_errors(strict=asked.strict)
    return replace(read, api=api)


def _named(
    decided: keeping.Decided, asked: Settings, diagnostics: Diagnostics
) -> tuple[Api, Names]:
    """Name everything but the classes; the API gains the resources that the settings expose."""
    api = decided.api
    package = asked.package or None
    names = naming.decide(api, name=asked.name, package=package, known=decided.names)
    if asked.resources:
        api = resources.apply(api, asked.resources, names.server, diagnostics)
        diagnostics.raise_if_errors(strict=asked.strict)
    return api, names


def _tell_large(files: Mapping[str, str | bytes], diagnostics: Diagnostics) -> None:
    """Warn of a file that git hosts refuse."""
    for path, content in files.items():
        if len(content) > MOST_BYTES:
            size = f"{len(content) >> 20} MiB"
            message = f"{path} has {size}, and git hosts refuse files of more than 100"
            hint = "Leave operations out, as with --include-path, or set --input-schema-bytes."
            diagnostics.warning("large-file", message, hint=hint)


def _is_large(api: Api) -> bool:
    """Whether what this run made is worth keeping for the next one."""
    return len(api.tools) > MANY_TOOLS


def _lock(
    asked: Settings,
    folder: Path,
    sources: Sources,
    read: Read,
    api: Api,
    names: Names,
    before: Earlier,
) -> Lock:
    """The lock with the hashes of everything this run depends on, not yet of what it writes."""
    written = settings.relative_to(asked, folder)
    found = lock.make(written.source, sources.documents[0].sha256, api, names)
    found = replace(found, tables=read.tables, chosen=read.chosen)
    own = fresh.own_templates(asked)
    return fresh.stamped(found, sources.hashes, written, own, before.recalled.shipped)


def _saved(
    new_lock: Lock, again: tuple[Later, ...], planned: Planned, asked: Settings, before: Earlier
) -> Background[None] | None:
    """Cache a large server for the next run: beside the rest where much is new, else at the end."""
    if not _is_large(planned.api):
        return None
    work = partial(_keep, new_lock, again, planned, asked, before.known)
    return Background(work, worth_it=before.new_tools(planned.api) > MANY_TOOLS)


def _keep(
    new_lock: Lock, again: tuple[Later, ...], planned: Planned, asked: Settings, known: Known
) -> None:
    """Cache what was read and planned, for the next run."""
    shipped = "" if asked.templates else new_lock.templates_sha256
    found = Recalled(tuple(later() for later in again), planned, versions(), shipped)
    recall.save(new_lock, found, known)


def _pages(
    package: Package, new_lock: Lock, asked: Settings, before: Earlier, diagnostics: Diagnostics
) -> tuple[Iterable[tuple[str, str]], dict[str, str]]:
    """The formatted text of every templated file, and the keys by which the next run reuses them.

    Files that would be rendered as they were are taken from the server's folder.
    """
    own = fresh.own_templates(asked)
    reused = {} if own else before.pages(package, new_lock.templates_sha256)
    rendered = render(package, own, reused)
    if own:
        tell_unused(own, diagnostics)
    files, keys = formatted(rendered, f"{package.name}/_runtime/", before)
    old = {path: before.keys[path] for path in reused if path in before.keys}
    return chain(files, reused.items()), keys | old


def _tools_json(api: Api, before: Earlier) -> tuple[bytes, Differing | None]:
    """The text of `tools.json`, and which tools changed, if the earlier list is known."""
    listed = before.listed
    differing = contract.changed(listed[0], api) if listed is not None else None
    return contract.tools_json(api, listed), differing


def _types(
    api: Api, names: Names, diagnostics: Diagnostics, worker: Worker | None, before: Earlier
) -> Models:
    """Start generating the types, or reuse those of the earlier run if none has changed."""
    unchanged = before.types(names)
    if unchanged is not None:
        return models.unchanged(api, names, *unchanged)
    return models.generate(
        *(api, names, diagnostics),
        worker=worker,
        kept=lambda path, key: before.text(f"{names.package}/{path}", key),
    )


def _models(package: str, types: Models) -> dict[str, str]:
    """The modules of the types, by path; waits for the worker process."""
    files = {**format_files(types.files), **types.kept}
    return {f"{package}/{path}": text for path, text in files.items()}


def _model_keys(package: str, types: Models) -> dict[str, str]:
    return {f"{package}/{path}": key for path, key in types.keys.items()}


class _Tests(Struct, frozen=True):
    """The data of the generated tests."""

    answers: bytes
    """The bytes of `mock.json`."""
    cases: bytes
    """The bytes of `cases.json`."""
    keys: dict[str, str]
    """The hash of what each group of cases was made from."""
    first_call: tuple[str, dict[str, Any]] | None

    def files(self, package: str) -> dict[str, bytes]:
        """Both files, by path."""
        return {f"{package}/mock.json": self.answers, "tests/cases.json": self.cases}


def _tests(api: Api, names: Names, before: Earlier) -> _Tests:
    """Make the data of the generated tests, reusing the cases of tools that have not changed."""
    from . import cases  # slow to import, and not needed in the main process of a large run

    old = before.planned
    basis = cases.Basis(old.api, old.names, before.keys) if old is not None else None
    same = basis.same(api, names) if basis is not None else set()
    keys = cases.keys(api, names, basis, same) if _is_large(api) else {}
    old_answers = before.data(f"{names.package}/mock.json") if keys and before.keys else None
    old_cases = before.data("tests/cases.json") if old_answers is not None else None
    known = cases.Earlier()
    if old_answers is not None and old_cases is not None:
        known = cases.earlier((old_answers, old_cases), before.keys, keys, api, same)
    made = cases.mock_answers(api, known.answers)
    answers = cases.answers_json(api, made, known.answers)
    built = cases.build(api, names, made, known)
    return _Tests(answers, cases.to_json(built), keys, cases.first_call(api))
