"""Changes single settings in a `mcpgen.toml` and leaves the rest of the file as it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import settings
from ..diagnostics import GenerationError, Location
from ..text import literals
from .locations import SettingsText
from .settings import KEYS, Settings
from .values import source_table

if TYPE_CHECKING:
    from tomlkit.container import Container
    from tomlkit.items import Item, Table


def changed(path: Path, new_settings: Settings) -> str:
    """The text of the file at `path` with the settings that differ in `new_settings`.

    Paths are those of its folder. Raises GenerationError if the text cannot be changed reliably.
    """
    import tomlkit  # of no use where nothing changes

    there = _relocate(settings.load(path), path)
    text = path.read_bytes().decode("utf-8")
    end = _end(text)
    values = {
        key: getattr(new_settings, each.field)
        for key, each in KEYS.items()
        if each.row.table is None
        and getattr(new_settings, each.field) != getattr(there, each.field)
    }
    for key in values.keys() - tomlkit.parse(text).keys():
        text = _with_default(text, key, settings.literal(values[key]))
    document = tomlkit.parse(text)
    for key, value in values.items():
        _set(document, key, value, end)
    text = document.as_string()
    for each in new_settings.with_:
        if each not in there.with_:
            table = source_table(each).replace("\n", end)
            text = f"{text.rstrip()}{end}{table}"
    if not _says(text, new_settings, path):
        raise GenerationError.of(
            "settings-change",
            f"{path} says something else than the flags of this run",
            hint=f"Change the settings in {path.name} by hand, and run `mcpgen update`.",
            location=Location(str(path), 1, 1),
        )
    return text


def _says(text: str, new_settings: Settings, path: Path) -> bool:
    try:
        return _relocate(settings.parse(text, path), path) == new_settings
    except GenerationError:
        return False


def _relocate(server_settings: Settings, path: Path) -> Settings:
    """The settings with their paths as mcpgen writes them: a person may write them otherwise."""
    return settings.relative_to(settings.seen_from_here(server_settings, path.parent), path.parent)


def _end(text: str) -> str:
    """The end of its lines."""
    return "\r\n" if "\r\n" in text else "\n"


def _with_default(text: str, key: str, literal: str) -> str:
    """The text with a value in place of the default that stands for it as a comment."""
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines):
        if line.startswith("["):
            break
        name, equals, _ = line.lstrip("#").partition("=")
        if line.startswith("#") and equals and name.strip() == key:
            lines[number] = f"{key} = {literal}{line[len(line.rstrip()) :]}"
            break
    return "".join(lines)


def _set(holder: Container | Table, key: str, value: Any, end: str) -> None:
    """Set a key, unless it has the value; what stands around it stays."""
    import tomlkit

    if key not in holder or holder[key] != value:
        item: Item = tomlkit.item(list(value) if isinstance(value, tuple) else value)
        item.trivia.trail = end
        holder[key] = item


def with_tables(path: Path, edits: Mapping[str, Mapping[str, str | bool]]) -> str:
    """The text of the file at `path` with keys set in the tables of single tools.

    Raises GenerationError if the text cannot be changed reliably.
    """
    import tomlkit

    there = settings.load(path)
    text = path.read_bytes().decode("utf-8")
    end = _end(text)
    document = tomlkit.parse(text)
    written: Any = document.get("tools", {})
    tables = {name: dict(table) for name, table in there.tools.items()}
    more = ""
    for tool, keys in edits.items():
        tables.setdefault(tool, {}).update(keys)
        if tool not in written:
            lines = (f"{key} = {settings.literal(value)}{end}" for key, value in keys.items())
            more += f"{end}[tools.{literals.toml(tool)}]{end}{''.join(lines)}"
        for key, value in keys.items() if tool in written else ():
            _set(written[tool], key, value, end)
    text = document.as_string()
    text = f"{text.rstrip()}{end}{more}" if more else text
    new_settings = settings.parse(text, path)
    if new_settings != replace(there, tools=tables):
        raise GenerationError.of(
            "settings-change",
            f"{path} has its tables in a way that cannot be changed reliably",
            hint="Write each as `[tools.name]`, with a line for each key.",
            location=Location(str(path), 1, 1),
        )
    return text


def append_tables(path: Path, source: str, reader: str, tables: str) -> None:
    """Add tables for single tools to a settings file, creating it if needed.

    Raises GenerationError if the file has such tables already, or if there is none and no `reader`
    for its future server.
    """
    if not path.exists():
        if not reader:
            raise GenerationError.of(
                "settings-source",
                f"no server can be made from {source}, which a new {path.name} would name",
                hint="Name a document, or the settings of a server that is there.",
            )
        new_settings = settings.relative_to(Settings(source=source, reader=reader), path.parent)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(settings.to_toml(new_settings) + tables, "utf-8")
        return
    if SettingsText.read(path).values().get("tools"):
        raise GenerationError.of(
            "settings-tables",
            f"{path} has tables of tools already; it was left as it is",
            hint="Have the tables of its document written to a new file, and copy from that.",
            location=Location(str(path), 1, 1),
        )
    text = path.read_bytes().decode("utf-8")
    text += tables.replace("\n", _end(text))
    settings.parse(text, path)
    path.write_bytes(text.encode("utf-8"))
