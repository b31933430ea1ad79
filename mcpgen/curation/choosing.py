"""Loads the list of a server's tools, and turns a user's choices into settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from msgspec import Struct, structs

from .. import lock as locks
from .. import settings
from ..adjusting import answers, groups, patterned
from ..api import Api, Tool
from ..catalogue import tools_json
from ..diagnostics import Diagnostics, GenerationError, Location
from ..readers import all_sources
from ..servers import silent
from ..settings import Settings, toml_edits
from ..text import literals
from .checklist import Choice, Item


class Server(Struct, frozen=True):
    """A server whose tools a user will choose."""

    folder: Path
    items: tuple[Item, ...]
    tables: dict[str, str]
    """The name of each tool's table in `mcpgen.toml`, by the tool's name."""

    @property
    def file(self) -> Path:
        """The path of this server's settings file."""
        return self.folder / settings.FILE_NAME


def load(folder: Path, diagnostics: Diagnostics) -> Server:
    """Every tool that a server could have, including those that its settings leave out.

    Raises GenerationError if there is no server, or its document cannot be read again.
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
    everything = replace(
        server_settings, tools={name: _without(t) for name, t in server_settings.tools.items()}
    )
    old_lock = locks.read(folder) or locks.NOTHING
    sources = all_sources.load(everything, diagnostics, silent)
    read = all_sources.read(sources, old_lock, diagnostics)
    diagnostics.raise_if_errors()
    api = groups.apply(read.api, server_settings.groups, old_lock.groups, diagnostics)
    api = answers.apply(api, read.settings, diagnostics)
    of = {key: name for name, key in read.tables.items()}
    originals = {
        table["name"]: name for name, table in server_settings.tools.items() if table.get("name")
    }
    tables = {t.name: _table(t, of, originals) for t in api.tools}
    off = _off(api, tables, server_settings, old_lock.groups)
    items = tuple(_item(tool, tables[tool.name] not in off) for tool in api.tools)
    return Server(folder, items, tables)


def _off(api: Api, names: dict[str, str], own: Settings, kept_slugs: Mapping[str, str]) -> set[str]:
    """The tools that a table disables (`enabled = false`), by their names in `mcpgen.toml`."""
    several = patterned.of_several(own.tools)
    single = {name: table for name, table in own.tools.items() if name not in several}
    tools = tuple(structs.replace(tool, name=names[tool.name]) for tool in api.tools)
    found = patterned.expand(
        *(structs.replace(api, tools=tools), single, several, own.groups, kept_slugs),
        Diagnostics(),
    )
    return {name for name, table in found.tables.items() if table.get("enabled") is False}


def _without(table: object) -> dict[str, object]:
    assert isinstance(table, dict)
    return {key: value for key, value in table.items() if key != "enabled"}


def _table(tool: Tool, of: dict[str, str], originals: dict[str, str]) -> str:
    return of.get(locks.operation(tool)) or originals.get(tool.name, tool.name)


def _item(tool: Tool, enabled: bool) -> Item:
    hints = tool.annotations
    effect = "reads" if hints.read_only else ("destroys" if hints.destructive else "writes")
    summary = literals.sentence(tool.summary or tool.title or tool.description, 80)
    tokens = tools_json.tokens([tools_json.wire_tool(tool)])
    texts = literals.one_line(summary), tool.title, tool.description
    return Item(tool.name, enabled, _area(tool), effect, tokens, *texts)


def _area(tool: Tool) -> str:
    """The slug of a tool's group, with its title if the two differ."""
    group = tool.group
    if group is None or not group.slug:
        return literals.one_line(tool.tag if group is None else group.title)
    title = literals.one_line(group.title)
    return group.slug if title.lower() == group.slug else f"{group.slug} ({title})"


def changed(server: Server, choices: Iterable[Choice]) -> str:
    """The text of the settings after the choices; raises GenerationError if no tool is left."""
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
        own = {"title": choice.item.title, "description": choice.item.description}
        edit |= {key: text for key, text in choice.texts.items() if text != own[key]}
        if edit:
            edits[server.tables[choice.item.name]] = edit
    return toml_edits.with_tables(server.file, edits)
