"""Reads the sources that the settings name into one Api."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterator, Mapping, Set
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from .. import overlay, python_names, settings
from ..adjusting import overrides, patterned, polled_answers, refusals, renamed_tools
from ..api import Api, Icon
from ..diagnostics import INTO_SETTINGS, Diagnostic, Diagnostics, GenerationError
from ..lock import Lock
from ..operations import shared_security
from ..paths import seen_from
from ..settings import Settings, headers, ineffective
from ..source import SourceOptions
from ..source.document import Document
from ..source.limits import Limits
from ..source.sourcefile import SourceFile
from ..text.words import numbered
from . import combine, is_tool_file, openapi
from .combine import Part

Progress = Callable[[str], None]
_WITH = "into the table `[[with]]` of this source in mcpgen.toml"
_OVERLAY = "An overlay of this source can declare how one signs in: `overlays` of its `[[with]]`."
"""A further source has no `security_schemes` in `mcpgen.toml`."""


def source_options(settings: Settings) -> SourceOptions:
    """The options for reading sources; raises GenerationError for a missing local folder."""
    root = Path(settings.reference_root) if settings.reference_root else None
    if root is not None and not root.is_dir():
        message = f"{root}: this folder for references does not exist"
        raise GenerationError.of("settings-value", message, setting=("reference_root",))
    bases = {}
    for at, each in enumerate(settings.reference_bases):
        url, _, folder = each.partition("=")
        bases[url] = Path(folder)
        if not bases[url].is_dir():
            message = f"{folder}: this folder for references does not exist"
            setting = ("reference_bases", str(at))
            raise GenerationError.of("settings-value", message, setting=setting)
    return SourceOptions(
        bases=bases,
        allow_remote_refs=settings.allow_remote_refs,
        allowed_hosts=settings.allowed_hosts,
        headers=tuple(map(headers.read, settings.header_env)),
        max_bytes=min(settings.max_source_bytes, sys.maxsize - 1),
        limits=Limits(
            max_values=min(settings.max_source_values, sys.maxsize - 1),
            repeated_keys=settings.repeated_keys,
        ),
        root=root,
    )


class Read(Struct, frozen=True):
    """The API read from a server's sources, and the settings with its current tool names."""

    api: Api
    settings: Settings
    """The settings, with the tables of single tools keyed by the document's present names."""
    tables: Mapping[str, str]
    """The operations of these tables, keyed by the names in `mcpgen.toml`."""
    chosen: Mapping[str, str]
    """The names that the settings give, keyed by API."""
    places: Mapping[str, refusals.Find]
    """Functions that find a place in the document, keyed by API."""
    origins: Mapping[str, Mapping[patterned.Key, str]]
    """The table that each setting of a tool comes from, keyed by the document's names."""


class Sources(Struct, frozen=True):
    """The documents of a server, in the order of the settings."""

    documents: tuple[Document, ...]
    settings: tuple[Settings, ...]
    """The settings for reading each document."""

    @property
    def size(self) -> int:
        """The number of characters in all files."""
        return sum(document.size for document in self.documents)

    @property
    def hashes(self) -> dict[str, str]:
        """The hash of each file that was read, by its path relative to the first local source."""
        sources = [each.source for each in self.settings]
        base = next((each for each in sources if each != "-" and "://" not in each), "")
        hashes: dict[str, str] = {}
        for document, each in zip(self.documents, sources, strict=True):
            for name, digest in document.hashes.items():
                hashes[_beside(base, each, name)] = digest
            for file in document.overlays:
                hashes[_overlay_name(base, file)] = file.sha256
        return hashes


def _overlay_name(base: str, file: SourceFile) -> str:
    """An overlay's path relative to the first local source; without one, its file name."""
    if not isinstance(file.home, Path):
        return file.name
    return seen_from(Path(base).parent, file.home) if base else file.home.name


def load(server_settings: Settings, diagnostics: Diagnostics, progress: Progress) -> Sources:
    """Load every source; raises GenerationError with the errors of all sources."""
    all_settings = (
        server_settings,
        *(settings.of_source(server_settings, each) for each in server_settings.with_),
    )
    documents = []
    for each in all_settings:
        try:
            document = overlay.load(
                each.source,
                each.overlays,
                options=source_options(each),
                diagnostics=diagnostics,
                progress=progress,
            )
        except GenerationError as error:
            diagnostics.extend(error.diagnostics)
        else:
            documents.append(document)
    diagnostics.raise_if_errors()
    return Sources(tuple(documents), all_settings)


def read(sources: Sources, old_lock: Lock | None, diagnostics: Diagnostics) -> Read:
    """Read every source and combine them; raises GenerationError with the errors of all sources."""
    server_settings = sources.settings[0]
    names = (
        overrides.document_names(old_lock.tools, server_settings.tools)
        if old_lock is not None
        else {}
    )
    parts: list[Part] = []
    source_names = _names(sources, old_lock)
    for document, each, name in zip(sources.documents, sources.settings, source_names, strict=True):
        key = name if parts else ""
        if key and each.name and name != _name(document, each):
            message = f"mcpgen.toml: the name `{each.name}` is taken; it is now `{name}`"
            place = ("with", f'"{each.name}"')
            diagnostics.warning("settings-source-name", message, setting=place)
        of_it = old_lock and combine.lock_part(old_lock, names, key, each.prefix)
        own_diagnostics = Diagnostics()
        try:
            api = _read(document, each, of_it, own_diagnostics)
        except GenerationError as error:
            own_diagnostics.extend(error.diagnostics)
            api = Api("", "")
        if parts:
            source = server_settings.with_[len(parts) - 1]
            given = {"scopes": source.scopes, "replaces_scopes": source.replace_scopes}
            tools = tuple(replace(tool, **given) for tool in api.tools)
            api = replace(api, callers=each.auth, tools=tools)
        is_one = len(sources.documents) == 1
        placed = _placed(own_diagnostics, document, is_further=bool(parts))
        diagnostics.extend(own_diagnostics if is_one else placed)
        parts.append(Part(name, api, each.prefix, is_first=not parts))
    diagnostics.raise_if_errors()
    combined = combine.combine(parts, names, diagnostics)
    if not combined.tools:
        hint = "Describe one, or name a further source that has some: `[[with]]` in mcpgen.toml."
        diagnostics.error("no-tools", "there is no tool", sources.documents[0].root, hint)
        diagnostics.raise_if_errors()
    combined = _identified(combined, server_settings)
    tables = {name: key for key, name in names.items()} | (
        dict(old_lock.tables) if old_lock else {}
    )
    several = patterned.of_several(server_settings.tools)
    single = {name: table for name, table in server_settings.tools.items() if name not in several}
    followed = renamed_tools.follow(combined, single, tables, diagnostics)
    kept_slugs = old_lock.groups if old_lock is not None else {}
    expanded = patterned.expand(
        *(combined, followed.tables, several, server_settings.groups, kept_slugs, diagnostics)
    )
    followed = replace(followed, tables=expanded.tables)
    described = polled_answers.apply(combined, followed.tables, diagnostics)
    api = overrides.apply(described, followed.tables, diagnostics, tables)
    finds = (document.find for document in sources.documents)
    places = dict(zip((part.key for part in parts), finds, strict=True))
    api = refusals.without_clashes(api, places, diagnostics)
    server_settings = dataclasses.replace(server_settings, tools=followed.tables)
    package_names = (each.package or each.name for each in sources.settings)
    chosen = {part.key: name for part, name in zip(parts, package_names, strict=True) if name}
    return Read(api, server_settings, followed.operations, chosen, places, expanded.origins)


def _placed(
    diagnostics: Diagnostics, document: Document, *, is_further: bool
) -> Iterator[Diagnostic]:
    """The diagnostics of one of several documents; each gets a location in that document."""
    for item in diagnostics.items:
        location = item.location or (None if item.setting else document.root.location)
        hint = item.hint
        if is_further:
            has_schemes = "security_schemes" in hint
            hint = _OVERLAY if has_schemes else hint.replace(INTO_SETTINGS, _WITH)
        yield replace(item, location=location, hint=hint)


def _identified(api: Api, settings: Settings) -> Api:
    """The API, with the title, version, description and icons that the settings give."""
    return replace(
        api,
        title=settings.title or api.title,
        version=settings.version or api.version,
        description=settings.description or api.description,
        instructions=settings.instructions or api.instructions,
        website_url=settings.website or api.website_url,
        icons=tuple(map(Icon, settings.icons)) or api.icons,
    )


def _names(sources: Sources, old_lock: Lock | None) -> list[str]:
    """The names of the sources: from the settings, else from the lock, else made from titles."""
    pairs = [*zip(sources.documents, sources.settings, strict=True)]
    own_names = {
        _name(document, source_settings)
        for document, source_settings in pairs[1:]
        if source_settings.name
    }
    titles: list[str] = []
    paths: dict[int, Set[str]] = {}
    for at, (document, source_settings) in enumerate(pairs):
        is_from_title = at and not source_settings.name
        titles.append(
            numbered(
                _name(document, source_settings), {*titles, *(own_names if is_from_title else ())}
            )
        )
        if is_from_title:
            paths[at] = _paths(document)
    claims = set(titles) - {titles[at] for at in paths} | set(old_lock.chosen if old_lock else ())
    lasting = {} if old_lock is None else combine.lasting_keys(titles, paths, claims, old_lock)
    names: list[str] = []
    for at, name in enumerate(titles):
        others = {*names, *lasting.values()}
        names.append(lasting[at] if at in lasting else numbered(name, others))
    return names


def _paths(document: Document) -> Set[str]:
    paths = document.root.below("paths")
    return paths.value.keys() if paths is not None and isinstance(paths.value, Mapping) else set()


def _name(document: Document, settings: Settings) -> str:
    title = _title(document) or Path(settings.source).stem
    return python_names.server_name(title, settings.name).replace("-", "_")


def _title(document: Document) -> str:
    for place in (("info", "title"), ("server", "name"), ("server", "title")):
        node = document.root.below(*place)
        if node is not None and isinstance(node.value, str) and node.value.strip():
            return node.value
    return ""


def _beside(base: str, other: str, name: str) -> str:
    """The path of a source's file relative to the first local source; a URL stays as it is.

    A source from standard input has no path: its files keep their names, with `- ` before them.
    """
    if other == base or "://" in name:
        return name
    if other == "-":
        return name if not base or name == "-" else f"- {name}"
    return seen_from(Path(base).parent, Path(other).parent / name)


def _read(
    document: Document, settings: Settings, old_lock: Lock | None, diagnostics: Diagnostics
) -> Api:
    if settings.reader == "tools" or (not settings.reader and is_tool_file(document)):
        from . import tool_file  # of no use for OpenAPI documents

        ineffective.report(settings, diagnostics)
        api, home = tool_file.read(document, diagnostics), document.root.optional("server")
    else:
        api, home = openapi.read(document, settings, diagnostics, old_lock), document.root
    return api if api.security or "security" in home else shared_security.lifted(api)
