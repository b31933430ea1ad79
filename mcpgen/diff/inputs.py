"""The inputs of `mcpgen diff` and `inspect`: a document, a server's folder, or either in git."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import structs

from .. import lock as locks
from .. import overlay, source
from ..adjusting import groups
from ..api import Api, Offer, SecurityScheme, Tool
from ..catalogue.search_index import shown
from ..catalogue.tools_json import wire_tool
from ..diagnostics import Diagnostics, GenerationError
from ..hashes import file_digest
from ..operations import paging
from ..python_names import server_name
from ..readers import is_tool_file, openapi, tool_file
from ..readers.all_sources import source_options
from ..runtime.values.settings import GROUPS
from ..schemas import output_schema
from ..settings import Settings
from ..source.document import Document
from . import access, git, offers, reach
from .security import Security
from .tool_changes import ToolList

_REVISION = re.compile(r"(?P<revision>[^:\s-][^:\s]*):(?P<path>[^:]+)\Z")
_TOKENS = ("bearer", "oauth2", "openIdConnect")
"""Schemes that take the same credential, however that is come by."""
_HANDLER = re.compile(r'^@tool\(\s*"([^"\\]+)"', re.MULTILINE)
_MAX_SCHEMA_BYTES = 65_536
"""Bytes to which output schemas are cut where two documents, and no server, are compared."""


def load(
    location: str, diagnostics: Diagnostics, reading: Settings, *, whole: bool = False
) -> ToolList:
    """The tools of a document, a server, or `REVISION:path` of either in a git repository.

    `reading` says which files a document may consist of. With `whole`, answers are described in
    more detail than a server advertises. Raises GenerationError for any other location.
    """
    asked = replace(reading, output_schema_bytes=_MAX_SCHEMA_BYTES) if whole else reading
    revision = revision_of(location)
    if revision is not None:
        return _from_git(location, *revision, asked, diagnostics)
    return _from_disk(location, Path(location), asked, diagnostics)


def is_server(location: str) -> bool:
    """Whether a path, on disk or in git, is a folder rather than a document.

    Raises GenerationError.
    """
    revision = revision_of(location)
    if revision is None:
        return Path(location).is_dir()
    return git.is_folder(location, revision[0], git.whole_path(location, revision[1]))


def is_new(old: str, new: str) -> bool:
    """Whether `new` is a server's folder that does not exist at the revision that `old` names.

    Raises GenerationError if there is no such revision.
    """
    at = revision_of(old)
    if at is None or not Path(new).is_dir():
        return False
    path = git.tidy(git.whole_path(old, at[1]))
    return path == git.tidy(git.whole_path(old, new)) and not git.exists(old, at[0], Path(path))


def before_first(old: str, first: ToolList) -> ToolList:
    """The tools of a server before its first version: none."""
    return ToolList(name=old, tools=[], server=first.server, surface=first.surface)


def revision_of(location: str) -> tuple[str, str] | None:
    """The revision and the path of a location in git; None for a location on disk."""
    match = _REVISION.match(location)
    if match and not Path(location).exists() and "://" not in location:
        return match["revision"], match["path"]
    return None


def _read_api(document: Document, settings: Settings, diagnostics: Diagnostics) -> Api:
    """The API of an OpenAPI document or a tool file."""
    if is_tool_file(document):
        return tool_file.read(document, diagnostics)
    return openapi.read(document, settings, diagnostics)


def _from_disk(label: str, path: Path, settings: Settings, diagnostics: Diagnostics) -> ToolList:
    if path.is_dir():
        return _server(label, path)
    name = str(path) if "://" not in label and label != "-" else label
    settings = replace(settings, source=name)
    document = _document(label, settings, diagnostics)
    return _tool_list(label, _read_api(document, settings, diagnostics), document)


def _document(label: str, settings: Settings, diagnostics: Diagnostics) -> Document:
    options = source_options(settings)
    return overlay.load(
        settings.source, settings.overlays, options=options, diagnostics=diagnostics, called=label
    )


def _tool_list(label: str, api: Api, document: Document) -> ToolList:
    # The prompts and resources beside an OpenAPI document's tools are in a server's settings.
    is_by_hand = is_tool_file(document)
    grouped = groups.apply(api, {}, {}, Diagnostics())
    return ToolList(
        name=label,
        server=server_name(api.title, api.name, api.servers),
        tools=json.loads(json.dumps([wire_tool(tool) for tool in api.tools])),
        advertised=[wire_tool(_outlined(tool, api)) for tool in api.tools],
        operations={tool.name: locks.operation(tool) for tool in api.tools if tool.http},
        requests={tool.name: _request(tool) for tool in api.tools if tool.http and tool.written},
        security={tool.name: _security(tool, api) for tool in api.tools},
        schemes={scheme.key: _credential(scheme) for scheme in api.security_schemes},
        places={tool.name: _place(tool, document) for tool in api.tools},
        areas={t.name: t.group.slug or t.tag for t in grouped.tools if t.group is not None},
        reader="tools" if is_by_hand else "openapi",
        instructions=api.instructions,
        prompts=_offered(api.prompts) if is_by_hand else None,
        resources=_offered(api.resources) if is_by_hand else None,
        pages=_ways(paging.pages_json(api)),
        reach=reach.of_api(api),
    )


def _ways(rules: Mapping[str, paging.Rule]) -> dict[str, str]:
    return {name: paging.way(rule) for name, rule in rules.items()}


def _offered(offers: Iterable[Offer]) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = json.loads(json.dumps([offer.written for offer in offers]))
    return entries


def _outlined(tool: Tool, api: Api) -> Tool:
    """The tool with its answer described in as much detail as a server advertises."""
    if tool.written is not None:
        return tool
    settings = Settings()
    limit = settings.output_schema_bytes
    outline = output_schema(tool.result, api.schemas, settings.output_schema, limit)
    return structs.replace(tool, output_schema=outline)


def _request(tool: Tool) -> str:
    return f"{tool.call.method} {tool.call.path}"


def _place(tool: Tool, document: Document) -> str:
    """File, line and column of a tool; empty if it is not in the document's first file."""
    node = document.find(tool.pointer)
    return "" if node is None else str(node.location)


def _security(tool: Tool, api: Api) -> Security:
    if tool.http is None:
        return ()
    ways = api.security_of(tool.http)
    return tuple({scheme: tuple(scopes) for scheme, scopes in way.items()} for way in ways)


def _credential(scheme: SecurityScheme) -> str:
    """The kind of credential that a scheme needs (`token`, `basic`), wherever requests send it."""
    kind = scheme.scheme.lower() if scheme.type == "http" else scheme.type
    return "token" if kind in _TOKENS else kind


def _server(label: str, folder: Path) -> ToolList:
    try:
        lock = locks.read(folder)
        names = [path for path in lock.files if path.endswith("/tools.json")] if lock else []
        if lock is None or not names:
            raise GenerationError.of(
                "not-a-server",
                f"{label} is a folder without a server made by mcpgen",
                hint="Name a document, or a folder with an mcpgen.lock.",
            )
        place = folder / names[0]
        for name in ("tools", "prompts", "resources", "pages", "search", "access"):
            _refuse_link(folder, place.with_name(f"{name}.json"))
        if not place.is_file():
            raise ValueError(f"{names[0]} does not exist, or is not a file")
        if file_digest(place) != lock.files[names[0]]:
            _refuse_broken(place, f"{label}/{names[0]}")
        wire = json.loads(place.read_bytes())["tools"]
        prompts = _listed_in(place.with_name("prompts.json"))
        resources = _listed_in(place.with_name("resources.json"))
        pages = place.with_name("pages.json")
        rules = json.loads(pages.read_bytes()) if pages.is_file() else {}
        scopes = place.with_name(access.FILE_NAME)
        needed = access.scopes(scopes.read_bytes() if scopes.is_file() else b"")
    except (OSError, ValueError, KeyError, TypeError, RecursionError, locks.LockError) as error:
        raise GenerationError.of("not-a-server", f"{label} cannot be read: {error}") from None
    operations = {name: operation for operation, name in lock.tools.items()}
    handlers = dict(_handlers(label, folder, place.parent))
    return ToolList(
        name=label,
        tools=wire,
        places={name: where for name, (where, _) in handlers.items()},
        areas={tool["name"]: _group(tool, handlers) for tool in wire},
        operations=operations,
        server=lock.server,
        surface=lock.surface or "tools",
        mcpgen=lock.mcpgen,
        advertised=_shown(place, wire, lock) if lock.surface == "search" else None,
        prompts=prompts,
        resources=resources,
        pages=_ways(rules),
        reach=_reach(place.parent),
        answers=lock.answers,
        scopes=needed,
    )


def _group(tool: Mapping[str, Any], handlers: Mapping[str, tuple[str, str]]) -> str:
    """The group of a server's tool; for a server of an older mcpgen, its handler's module."""
    _, module = handlers.get(tool["name"], ("", ""))
    return str(next(iter(tool.get("_meta", {}).get(GROUPS, ())), module))


def _shown(place: Path, tools: Sequence[Any], lock: locks.Lock) -> Sequence[Any] | None:
    """The tools that the search surface lists for clients; None if its index cannot be read."""
    try:
        data = place.with_name("search.json").read_bytes()
        pages = place.with_name("pages.json").is_file()
        return shown(tools, data, lock.server, pages=pages)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _refuse_link(folder: Path, place: Path) -> None:
    """Raise ValueError for a file behind a symbolic link, since it may be a private file."""
    path = place.relative_to(folder)
    if os.path.realpath(place) != os.path.join(os.path.realpath(folder), path):
        raise ValueError(f"{path.as_posix()} is reached through a symbolic link")


def _handlers(label: str, folder: Path, package: Path) -> Iterator[tuple[str, tuple[str, str]]]:
    """For each tool of a server: its name, and its handler's location and module name."""
    for path in sorted(package.glob("handlers/*.py")):
        text = path.read_text("utf-8", errors="replace")
        for match in _HANDLER.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            where = f"{label.rstrip('/')}/{path.relative_to(folder).as_posix()}:{line}:1"
            yield match[1], (where, path.stem)


def _reach(package: Path) -> reach.Reach | None:
    """The hosts that a server's calls reach; None if its `api.py` cannot be read."""
    try:
        handlers = [path.read_text("utf-8") for path in sorted(package.glob("handlers/*.py"))]
        return reach.of_texts((package / "api.py").read_text("utf-8"), handlers)
    except (*reach.UNREADABLE, OSError):
        return None


def _refuse_broken(place: Path, label: str) -> None:
    """Raise GenerationError for an edited list of tools that breaks MCP's schema."""
    unsaid, options = Diagnostics(), source_options(Settings())
    tool_file.read(
        source.load(str(place), options=options, diagnostics=unsaid, called=label), unsaid
    )


def _listed_in(file: Path) -> list[dict[str, Any]]:
    """The entries of a server's JSON file; empty if there is no such file."""
    return offers.entries(file.name, file.read_bytes() if file.is_file() else b"")


def _from_git(
    label: str, revision: str, path: str, settings: Settings, diagnostics: Diagnostics
) -> ToolList:
    """The tools of a document or server at a git revision, read from a temporary checkout."""
    whole = Path(git.tidy(git.whole_path(label, path)))
    is_folder = git.is_folder(label, revision, whole)
    with tempfile.TemporaryDirectory(prefix="mcpgen-") as scratch:
        place = Path(scratch, "files")
        check_out = partial(git.check_out, label, revision, place, git.tidy(whole))
        folder, root = (whole, "") if is_folder else _folder_and_root(label, whole, settings)
        check_out(folder)
        if is_folder:
            return structs.replace(_server(label, place / whole), reader="")
        root = str(place / root) if root else ""
        settings = replace(settings, source=str(place / whole), reference_root=root)
        document = _document_beside(label, whole, settings, diagnostics, check_out)
        listing = _tool_list(label, _read_api(document, settings, diagnostics), document)
        return structs.replace(listing, reader="")


def _folder_and_root(label: str, whole: Path, settings: Settings) -> tuple[Path, str]:
    """The folder to check out for a document, and the folder that limits its references."""
    if settings.reference_root:
        root = git.tidy(git.whole_path(label, os.path.relpath(settings.reference_root)))
        if whole.is_relative_to(root):
            return Path(root), root or "."
    return whole.parent, ""


def _document_beside(
    label: str,
    whole: Path,
    settings: Settings,
    diagnostics: Diagnostics,
    check_out: Callable[[Path], None],
) -> Document:
    """The document, read after checking out the neighbouring folders that it refers to."""
    siblings: set[str] = set()
    while True:
        own_diagnostics = Diagnostics()
        document = _document(label, settings, own_diagnostics)
        missing = [path.split("/") for path, digest in document.hashes.items() if not digest]
        beside = {parts[1] for parts in missing if len(parts) > 2 and parts[0] == ".."} - siblings
        if not beside:
            diagnostics.extend(own_diagnostics.items)
            return document
        for name in sorted(beside):
            with suppress(GenerationError):  # it is not there; the reference is told
                check_out(whole.parent.parent / name)
        siblings |= beside
