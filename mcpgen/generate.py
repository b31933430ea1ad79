"""Generates a server from a document; only this module knows the order of the stages."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from . import lock, models, python_names, settings
from .adjusting import answers, budget, callers, groups, resources, surface
from .api import Api, Tool
from .bundled.closure import runtime_of
from .catalogue import retrieval, search_index, tools_json, wide_schemas
from .diagnostics import Diagnostics, Located
from .format import format_files
from .lock import Lock
from .models import Models
from .package import Package
from .plan.planning import plan
from .processes.background import Background
from .processes.garbage import collector_at_rest
from .publish import registry_entry
from .python_names import Names
from .readers import all_sources
from .readers.all_sources import Read, Sources
from .regeneration import (
    edits,
    further_requests,
    kept_names,
    new_behaviour,
    new_operations,
    snapshots,
    up_to_date,
)
from .regeneration.reuse import Reuse
from .regeneration.server_folder import ServerFolder
from .render import own_templates
from .render.files import render, tell_unused
from .runtime.parts import cards
from .settings import Settings
from .source.document import Document
from .text import literals

MANY_TOOLS = 100
"""With more tools than this, separate processes and keys for the next run pay off."""


MOST_BYTES = 100 << 20
"""Of a file, for the hosts of git repositories."""


class Generated(Struct, frozen=True):
    """A generated server that has not been written to disk."""

    api: Api
    names: Names
    files: dict[str, str | bytes]
    lock: Lock
    server_folder: ServerFolder
    """The files already in the server's folder."""
    package: Package
    first_call: tuple[str, dict[str, Any]] | None = None
    """The tool that a newcomer should try first, and arguments for it."""

    @property
    def tools_json(self) -> bytes:
        """The bytes of `tools.json`."""
        content = self.files[f"{self.names.package}/tools.json"]
        assert isinstance(content, bytes)
        return content


@collector_at_rest()
def generate(
    server_settings: Settings,
    folder: Path,
    diagnostics: Diagnostics,
    *,
    old_lock: Lock | None = None,
    afresh: bool = False,
    lasting: bool = True,
    progress: Callable[[str], None] = lambda stage: None,
) -> Generated:
    """Generate a server from the sources that its settings name, without writing anything.

    `folder` is where the server will be written; paths in its settings and its lock are relative to
    it. `old_lock` is the lock of the existing server: the names in it stay, and files of a large
    server whose input is unchanged are reused, unless `afresh`. A server that is not `lasting` only
    runs: it lacks the files that people, their tests and the next run would read. Raises
    GenerationError.
    """
    lock_or_nothing = old_lock if old_lock is not None else lock.NOTHING
    diagnostics.ignore(server_settings.ignore)
    _tell_versions(lock_or_nothing, server_settings, diagnostics)
    server_folder = ServerFolder(folder, old_lock)
    reuse = Reuse(server_folder, None if afresh else old_lock)
    edited = edits.scan(server_folder, lock_or_nothing)
    progress("reading the document")
    sources = all_sources.load(server_settings, diagnostics, progress)
    worker = models.Worker.start() if lasting else None
    progress("reading the tools")
    read = _read(sources, old_lock, diagnostics)
    new_operations.tell(read.api.skipped, lock_or_nothing, diagnostics)
    decided = kept_names.decide(read.api, lock_or_nothing, edited)
    progress("naming")
    api, unlifted = _name(decided, server_settings, diagnostics)
    listing = tools_json.encoded(api)
    shown, own_tools = _surface(api, listing, read, old_lock, diagnostics)
    is_large = len(api.tools) > MANY_TOOLS
    tests = Background(partial(_tests, api, unlifted, lasting), worth_it=is_large)
    names = python_names.with_classes(unlifted, decided.api, decided.names)
    progress("writing the models and the tests")
    types = models.generate(
        *(api, names, diagnostics),
        worker=worker,
        written=lasting,
        earlier_text=lambda path, key: reuse.text(f"{names.package}/{path}", key),
    )
    progress("writing the server")
    chosen = dataclasses.replace(read.settings, surface=shown)
    package = plan(api, names, types, chosen)
    again = new_behaviour.Server(package, chosen, lock_or_nothing, server_folder)
    new_behaviour.tell(again, diagnostics)
    pages, page_keys = _pages(package, server_settings, reuse, diagnostics, lasting)
    texts, definitions = snapshots.described(pages, old_lock) if lasting else (dict(pages), {})
    data = tests.result()
    _tell_untested(data.untested, api, sources, diagnostics)
    diagnostics.raise_if_errors(strict=server_settings.strict)
    files: dict[str, str | bytes] = {
        **_first_skill(package, api),
        **texts,
        **_models(names.package, types),
        f"{names.package}/tools.json": listing,
        **_index(shown, api, names, listing, read.settings, diagnostics),
        **data.files(names.package),
        **_published(package, api, server_settings, diagnostics),
        settings.FILE_NAME: settings.to_toml(
            settings.relative_to(server_settings, folder), settings.of_workspace(folder)
        ),
    }
    if not package.runtime:
        files |= runtime_of(files, package.name)
    budget.check_size(files, sources.size)
    _tell_large(files, diagnostics)
    keys = {**page_keys, **_model_keys(names.package, types)} if is_large else {}
    new_lock = replace(
        decided.noted(_lock(server_settings, folder, sources, read, api, names)),
        surface=shown,
        own_tools=own_tools,
        definitions=definitions,
        keys=dict(sorted(keys.items())),
    )
    return Generated(api, names, files, new_lock, server_folder, package, data.first_call)


def _tell_versions(old_lock: Lock, settings: Settings, diagnostics: Diagnostics) -> None:
    """Report a lock written by a newer mcpgen, and templates made for an older one."""
    lock.tell_if_newer(old_lock, diagnostics)
    if settings.templates:
        own_templates.tell_if_outdated(Path(settings.templates), diagnostics)


def _read(sources: Sources, old_lock: Lock | None, diagnostics: Diagnostics) -> Read:
    """Read the sources and apply the settings to them. Raises GenerationError."""
    read = all_sources.read(sources, old_lock, diagnostics)
    server_settings = read.settings
    kept_groups = old_lock.groups if old_lock is not None else {}
    api = groups.apply(read.api, server_settings.groups, kept_groups, diagnostics)
    api = answers.apply(api, server_settings, diagnostics)
    api, server_settings = callers.apply(api, server_settings, diagnostics)
    budget.check(api, partial(_place, sources.documents[0]), server_settings, diagnostics)
    diagnostics.raise_if_errors(strict=server_settings.strict)
    return replace(read, api=api, settings=server_settings)


def _place(document: Document, tool: Tool) -> Located:
    """The place of a tool in `document`, or the root node if the tool is from another document."""
    place = None if tool.api else document.find(tool.pointer)
    return place or document.root


def _name(
    decided: kept_names.Decided, settings: Settings, diagnostics: Diagnostics
) -> tuple[Api, Names]:
    """Decide all names but those of classes, and add the resources that the settings define."""
    api = decided.api
    package = settings.package or None
    names = python_names.decide(api, name=settings.name, package=package, kept_names=decided.names)
    if settings.resources:
        api = resources.apply(api, settings.resources, names.server, diagnostics)
        diagnostics.raise_if_errors(strict=settings.strict)
    return api, names


def _tell_large(files: Mapping[str, str | bytes], diagnostics: Diagnostics) -> None:
    """Warn of a file that is too large for git hosts."""
    for path, content in files.items():
        if len(content) > MOST_BYTES:
            size = f"{len(content) >> 20} MiB"
            message = f"{path} has {size}, and git hosts refuse files of more than 100"
            hint = "Leave operations out, as with --include-path, or set --input-schema-bytes."
            diagnostics.warning("large-file", message, hint=hint)


def _surface(
    api: Api, listing: bytes, read: Read, old_lock: Lock | None, diagnostics: Diagnostics
) -> tuple[str, tuple[str, ...]]:
    """The name of the surface (`tools` or `search`), and the names of the tools that the surface
    adds.
    """
    decided = surface.decide(read.settings, old_lock, lambda: literals.parsed(listing)["tools"])
    own_tools = surface.tell(decided, api, read.settings, old_lock, diagnostics)
    if decided.name == "search":
        wide_schemas.tell(api, listing, read.places, diagnostics)
    diagnostics.raise_if_errors(strict=read.settings.strict)
    return decided.name, own_tools


def _index(
    shown: str,
    api: Api,
    names: Names,
    listing: bytes,
    settings: Settings,
    diagnostics: Diagnostics,
) -> dict[str, bytes]:
    """The search index and the test cases for it, by path; empty without the search surface."""
    if shown != "search":
        return {}
    index = search_index.search_json(api, listing, settings.search.get("prefix", ""))
    cases = literals.json_data(retrieval.summaries(api, index, diagnostics))
    return {f"{names.package}/search.json": index, "tests/search_cases.json": cases}


def _published(
    package: Package, api: Api, asked: Settings, diagnostics: Diagnostics
) -> dict[str, str]:
    """The files for the MCP registry and for clients, if the server will be published."""
    if not package.registry_name:
        return {}
    text = registry_entry.server_json(package, api, asked.publish, diagnostics)
    files = {registry_entry.FILE_NAME: text}
    if "cards" in package.parts:
        card = registry_entry.card_json(package, api, asked.publish)
        files[f"{package.name}/{cards.FILE}"] = card
    return files


def _first_skill(package: Package, api: Api) -> dict[str, str]:
    """The skill that shows agents how to use the server, by path; empty without skills."""
    if "skills" not in package.parts:
        return {}
    from .skills import first_skill  # as slow to import as the cases are

    return first_skill.files(package, api)


def _lock(
    server_settings: Settings, folder: Path, sources: Sources, read: Read, api: Api, names: Names
) -> Lock:
    """The lock with the hashes of everything this run depends on, but not yet of its output."""
    written = settings.relative_to(server_settings, folder)
    new_lock = lock.make(written.source, sources.documents[0].sha256, api, names)
    left_out = new_operations.left_out(read.api.skipped)
    taken = further_requests.taken_by(api)
    new_lock = replace(
        new_lock, tables=read.tables, chosen=read.chosen, left_out=left_out, taken=taken
    )
    return up_to_date.stamped(
        new_lock, sources.hashes, written, up_to_date.own_templates(server_settings)
    )


def _pages(
    package: Package, settings: Settings, reuse: Reuse, diagnostics: Diagnostics, lasting: bool
) -> tuple[Iterable[tuple[str, str]], dict[str, str]]:
    """The text of each file made from a template, and the keys that let the next run reuse it.

    The text is formatted only if the server is `lasting`.
    """
    own = up_to_date.own_templates(settings)
    rendered = render(package, own)
    if own:
        tell_unused(own, diagnostics)
    if not lasting:
        return rendered.items(), {}
    return reuse.formatted(rendered, f"{package.name}/_runtime/")


def _models(package: str, types: Models) -> dict[str, str]:
    """The modules of the types, by path; waits for the worker process."""
    files = {**format_files(types.files), **types.earlier_modules}
    return {f"{package}/{path}": text for path, text in files.items()}


def _model_keys(package: str, types: Models) -> dict[str, str]:
    return {f"{package}/{path}": key for path, key in types.keys.items()}


class _Tests(Struct, frozen=True):
    """The data of the generated tests."""

    answers: bytes
    """The bytes of `mock.json`."""
    cases: bytes = b""
    """The bytes of `cases.json`."""
    untested: dict[str, str] = {}
    """Why there is no call of a tool."""
    first_call: tuple[str, dict[str, Any]] | None = None

    def files(self, package: str) -> dict[str, bytes]:
        """The data files of the generated tests, by path."""
        cases = {"tests/cases.json": self.cases} if self.cases else {}
        return {f"{package}/mock.json": self.answers, **cases}


def _tests(api: Api, names: Names, lasting: bool) -> _Tests:
    """Make the data of the generated tests; if not `lasting`, only the example answers."""
    from . import cases  # slow to import, and not needed in the main process of a large run

    answers = cases.mock_answers(api)
    if not lasting:
        return _Tests(literals.json_data(answers))
    built = cases.build(api, names, answers)
    data = literals.json_data(answers), cases.to_json(built)
    return _Tests(*data, built["untested"], cases.first_call(api))


def _tell_untested(
    untested: dict[str, str], api: Api, sources: Sources, diagnostics: Diagnostics
) -> None:
    """Report the tools that no generated test calls."""
    for tool in api.tools:
        if tool.name in untested:
            at = None if tool.api else sources.documents[0].find(tool.pointer)
            message = f"no generated test calls `{tool.name}`: {untested[tool.name]}"
            hint = "Check which arguments it needs together, and test it by hand."
            diagnostics.warning("untested", message, at, hint)
