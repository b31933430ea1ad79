"""The first generation of many servers, each from its own document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from .. import settings, source
from ..diagnostics import Diagnostics, GenerationError
from ..paths import WORKSPACE, is_server, seen_from
from ..python_names.server_name import server_name
from ..readers import are_of_tool_file
from ..readers.all_sources import source_options
from ..regeneration.outcome import Policy
from ..settings import workspace
from .updating import Result, generate_into, silent

_NEW = """# The servers of this repository: without a folder, mcpgen's commands do all of them.
members = [{member}]

# What all of them share may follow, such as `runtime = "package"` or a table [auth]. The keys are
# those of mcpgen.toml, and what a server's own mcpgen.toml says wins.
"""
_COMMON = frozenset({"openapi", "swagger", "api"})
"""File names that many documents have; the server is named after the folder instead."""
_FOLDERS = _COMMON | {"", "apis", "doc", "docs", "schema", "schemas", "spec", "specs", "src"}
"""Folder names that are common too; the server is named after the title instead."""
_TAKEN = "another document's server is there; rename one of the documents"


def new_workspace(folder: Path) -> str:
    """The text of a new workspace file for servers in a folder; empty if there already is one.

    Raises GenerationError if the file would not include these servers.
    """
    there = workspace.around(Path())
    inside = seen_from("", folder)
    if there is None and not inside.startswith("../"):
        return _NEW.format(member=settings.literal("*" if inside == "." else f"{inside}/*"))
    if there is not None and there.holds(folder / "server"):
        return ""
    where = (
        f"{there.folder / WORKSPACE} does not name them"
        if there
        else "that folder is not below this one"
    )
    hint = "Go to the folder above both, or add their folder to `members`."
    message = f"servers in {folder} would not belong to a workspace: {where}"
    raise GenerationError.of("workspace-member", message, hint=hint)


def folders(folder: Path, documents: Iterable[str]) -> dict[str, Path]:
    """The folder of each document's server."""
    return {document: folder / _name(document, folder) for document in documents}


def _name(document: str, folder: Path) -> str:
    path = Path(document)
    name = path.stem
    if name in _COMMON:
        name = _title(document, folder) if path.parent.name in _FOLDERS else path.parent.name
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.") or "server"


def _title(document: str, folder: Path) -> str:
    """The server's name from the document's title; for an unreadable document, the file's name."""
    try:
        value = _value(document, folder / "server")
    except GenerationError:
        return Path(document).stem
    info = value.get("info") if isinstance(value, dict) else None
    title = info.get("title") if isinstance(info, dict) else None
    return server_name(title if isinstance(title, str) else "", "")


def start(document: str, places: Mapping[str, Path]) -> Result | None:
    """Generate the server of a document; None if the server already exists."""
    folder = places[document]
    if next(other for other in places if places[other] == folder) != document:
        return Result(str(folder), errors=(f"{folder}: {_TAKEN}",))
    if is_server(folder):
        return None
    try:
        reader = _reader(document, folder)
    except GenerationError as error:
        return Result(str(folder), diagnostics=error.diagnostics)
    asked = {"source": document, "reader": reader}
    return replace(generate_into(folder, asked, Policy(), silent), generated=None)


def _reader(document: str, folder: Path) -> str:
    """The kind of a document; raises GenerationError if it cannot be loaded."""
    value = _value(document, folder)
    return "tools" if isinstance(value, dict) and are_of_tool_file(value) else "openapi"


def _value(document: str, folder: Path) -> Any:
    shared = settings.seen_from_here(settings.of_workspace(folder), folder)
    return source.Files(document, source_options(shared), Diagnostics()).root.value
