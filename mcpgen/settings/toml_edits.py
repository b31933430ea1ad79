"""Changes single settings in a `mcpgen.toml` and leaves the rest of the file as it is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from .. import settings
from ..diagnostics import GenerationError, Location
from ..text import literals
from .locations import SettingsText
from .settings import KEYS, TABLES, Settings, source_table

_VALUE = r"""[ \t]*(?:\[[^]]*\]|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s#"'[]*)"""
"""A value of one line, or a list, which may be of several."""
_COMMENT = r"(?P<comment>[ \t]*#[^\r\n]*|[ \t]*)"
_END = r"(?=\r?$)"


def changed(path: Path, new_settings: Settings) -> str:
    """The text of the file at `path` with the settings that differ in `new_settings`.

    Paths are those of its folder. Raises GenerationError if the text cannot be changed reliably.
    """
    there = _relocate(settings.load(path), path)
    text = path.read_bytes().decode("utf-8")
    end = _end(text)
    for key, spec in KEYS.items():
        value = getattr(new_settings, spec.name)
        if key not in TABLES and value != getattr(there, spec.name):
            text = _with(text, key, settings.literal(value), end)
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


def _with(text: str, key: str, literal: str, end: str) -> str:
    head, tables = _head(text)
    line = f"{key} = {literal}"
    default = rf"(?m)^#[ \t]*{key}[ \t]*=[^\r\n]*(?P<comment>){_END}"
    for pattern in (rf"(?m)^{key}[ \t]*={_VALUE}{_COMMENT}{_END}", default):
        match = re.search(pattern, head)
        if match:
            return head[: match.start()] + line + match["comment"] + head[match.end() :] + tables
    return f"{head.rstrip()}{end}{end}{line}{end}" + (f"{end}{tables}" if tables else "")


def _head(text: str) -> tuple[str, str]:
    """The text before the first table, and the rest."""
    table = re.search(r"(?m)^\[", text)
    return (text, "") if table is None else (text[: table.start()], text[table.start() :])


def with_tables(path: Path, edits: Mapping[str, Mapping[str, str | bool]]) -> str:
    """The text of the file at `path` with keys set in the tables of single tools.

    Raises GenerationError if the text cannot be changed reliably.
    """
    there = settings.load(path)
    text = path.read_bytes().decode("utf-8")
    end = _end(text)
    tables = {name: dict(table) for name, table in there.tools.items()}
    for tool, keys in edits.items():
        tables.setdefault(tool, {}).update(keys)
        for key, value in keys.items():
            text = _with_tool(text, tool, f"{key} = {settings.literal(value)}", end)
    new_settings = settings.parse(text, path)
    if new_settings != replace(there, tools=tables):
        raise GenerationError.of(
            "settings-change",
            f"{path} has its tables in a way that cannot be changed reliably",
            hint="Write each as `[tools.name]`, with a line for each key.",
            location=Location(str(path), 1, 1),
        )
    return text


def _with_tool(text: str, tool: str, line: str, end: str) -> str:
    """The text with a line in the table of a tool, in place of what that says of the key."""
    names = "|".join({re.escape(literals.toml(tool)), re.escape(f"'{tool}'"), re.escape(tool)})
    table = re.search(rf"(?m)^\[[ \t]*tools[ \t]*\.[ \t]*(?:{names})[ \t]*\][^\r\n]*", text)
    if table is None:
        return f"{text.rstrip()}{end}{end}[tools.{literals.toml(tool)}]{end}{line}{end}"
    after = re.search(r"(?m)^\[", text[table.end() :])
    stop = table.end() + after.start() if after is not None else len(text)
    body = text[table.end() : stop]
    key = line.partition(" ")[0]
    for mark in ("", "#[ \t]*"):
        was = re.search(rf"(?m)^{mark}{key}[ \t]*={_VALUE}{_COMMENT}{_END}", body)
        if was is not None:
            body = body[: was.start()] + line + was["comment"] + body[was.end() :]
            return text[: table.end()] + body + text[stop:]
    return text[: table.end()] + end + line + body + text[stop:]


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
