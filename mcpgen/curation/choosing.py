"""Makes the list of a server's tools, and the settings that an edited one asks for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from msgspec import Struct

from .. import lock as locks
from .. import settings
from ..adjusting import answers
from ..api import Tool
from ..catalogue import tools_json
from ..diagnostics import Diagnostics, GenerationError, Location
from ..readers import all_sources
from ..servers import silent
from ..settings import toml_edits
from ..text import literals
from .checklist import Choice, Item


class Server(Struct, frozen=True):
    """A server whose tools are to be chosen."""

    folder: Path
    items: tuple[Item, ...]
    tables: dict[str, str]
    """The name of each tool's table in `mcpgen.toml`, by the tool's name."""

    @property
    def file(self) -> Path:
        """Its settings."""
        return self.folder / settings.FILE_NAME


def load(folder: Path, diagnostics: Diagnostics) -> Server:
    """Every tool that a server could have, those that its settings leave out among them.

    Raises GenerationError for what is no server, or has no document that can be read again.
    """
    file = folder / settings.FILE_NAME
    if not file.is_file():
        raise GenerationError.of(
            "not-a-server",
            f"{folder} holds no server of mcpgen: it has no {settings.FILE_NAME}",
            hint="Generate it first: `mcpgen from-openapi api.yaml -o DIR`.",
        )
    server_settings = settings.seen_from_here(settings.load(file), folder)
    if server_settings.source == "-":
        raise GenerationError.of(
            "settings-source",
            "the document came from standard input, and cannot be read again",
            hint="Name a file or a URL as `source`.",
            location=Location(str(file), 1, 1),
        )
    off = {name for name, table in server_settings.tools.items() if table.get("enabled") is False}
    everything = replace(
        server_settings, tools={name: _without(t) for name, t in server_settings.tools.items()}
    )
    sources = all_sources.load(everything, diagnostics, silent)
    read = all_sources.read(sources, locks.read(folder), diagnostics)
    diagnostics.raise_if_errors()
    api = answers.apply(read.api, read.settings, diagnostics)
    of = {key: name for name, key in read.tables.items()}
    originals = {
        table["name"]: name for name, table in server_settings.tools.items() if table.get("name")
    }
    tables = {t.name: _table(t, of, originals) for t in api.tools}
    items = tuple(_item(tool, tables[tool.name] not in off) for tool in api.tools)
    return Server(folder, items, tables)


def _without(table: object) -> dict[str, object]:
    assert isinstance(table, dict)
    return {key: value for key, value in table.items() if key != "enabled"}


def _table(tool: Tool, of: dict[str, str], originals: dict[str, str]) -> str:
    return of.get(locks.operation(tool)) or originals.get(tool.name, tool.name)


def _item(tool: Tool, enabled: bool) -> Item:
    hints = tool.annotations
    effect = "reads" if hints.read_only else ("destroys" if hints.destructive else "writes")
    summary = literals.sentence(tool.summary or tool.title or tool.description, 80)
    area = literals.one_line(tool.tag)
    tokens = tools_json.tokens([tools_json.wire_tool(tool)])
    return Item(tool.name, enabled, area, effect, tokens, literals.one_line(summary))


def changed(server: Server, choices: Iterable[Choice]) -> str:
    """The text of the settings as the choices have it; raises GenerationError."""
    asked = list(choices)
    there = {choice.item.name for choice in asked}
    states = [choice.enabled for choice in asked]
    states += [item.enabled for item in server.items if item.name not in there]
    if not any(states):
        raise GenerationError.of(
            "checklist", "no tool is left", hint="Keep one: a server without any is of no use."
        )
    edits: dict[str, dict[str, str | bool]] = {}
    for choice in asked:
        edit: dict[str, str | bool] = {}
        if choice.enabled != choice.item.enabled:
            edit["enabled"] = choice.enabled
        if choice.name != choice.item.name:
            edit["name"] = choice.name
        if edit:
            edits[server.tables[choice.item.name]] = edit
    return toml_edits.with_tables(server.file, edits)
