"""Changes single settings in a `mcpgen.toml` and leaves the rest of the file as it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from .. import settings
from ..diagnostics import GenerationError, Location
from ..text import literals
from .locations import SettingsText
from .settings import KEYS, Settings
from .values import source_table


def changed(path: Path, new_settings: Settings) -> str:
    """The text of the settings file at `path`, with the changed settings of `new_settings` written.

    Paths are relative to the file's folder. Raises GenerationError if the text cannot be changed
    reliably.
    """
    there = _relocate(settings.load(path), path)
    edits: dict[tuple[str, ...], Any] = {
        (key,): getattr(new_settings, each.field)
        for key, each in KEYS.items()
        if each.row.table is None
        and getattr(new_settings, each.field) != getattr(there, each.field)
    }
    tables = (source_table(each) for each in new_settings.with_ if each not in there.with_)
    return _edited(path, edits, "".join(tables), new_settings)


def with_tables(path: Path, edits: Mapping[str, Mapping[str, str | bool]]) -> str:
    """The text of the file at `path`, with keys set in the tables of single tools.

    Raises GenerationError if the text cannot be changed reliably.
    """
    there = settings.load(path)
    tables = {name: {**there.tools.get(name, {}), **keys} for name, keys in edits.items()}
    places: dict[tuple[str, ...], Any] = {}
    more = ""
    for tool, keys in edits.items():
        if tool in there.tools:
            places |= {("tools", tool, key): value for key, value in keys.items()}
        else:
            lines = (f"{key} = {settings.literal(value)}\n" for key, value in keys.items())
            more += f"\n[tools.{literals.toml(tool)}]\n{''.join(lines)}"
    new_settings = replace(there, tools={**there.tools, **tables})
    return _edited(path, places, more, _relocate(new_settings, path))


def _edited(
    path: Path, edits: Mapping[tuple[str, ...], Any], more: str, new_settings: Settings
) -> str:
    """The text of the file with new values for the keys in `edits`, and the tables `more` at its
    end.

    Raises GenerationError unless the new text has the meaning of `new_settings`.
    """
    import tomlkit  # of no use where nothing changes
    from tomlkit.exceptions import TOMLKitError

    text = path.read_bytes().decode("utf-8")
    mark, end = text[: text.startswith("\ufeff")], _end(text)
    try:
        holder: Any = tomlkit.parse(text.removeprefix(mark))
        for (key, *below), value in edits.items():
            if not below and key not in holder:
                text = _with_default(text, key, settings.literal(value))
        document = tomlkit.parse(text.removeprefix(mark))
        for (*around, key), value in edits.items():
            holder = document
            for each in around:
                holder = holder[each]
            item = tomlkit.item(list(value) if isinstance(value, tuple) else value)
            item.trivia.trail = end
            if key not in holder or holder[key] != item:
                holder[key] = item
        text = mark + document.as_string()
        if more:
            text = text.rstrip() + end + more.replace("\n", end)
        if _relocate(settings.parse(text, path), path) == new_settings:
            return text
    except (TOMLKitError, GenerationError):
        pass
    raise GenerationError.of(
        "settings-change",
        f"{path} is written in a way that cannot be changed reliably",
        hint=f"Change the settings in {path.name} by hand, and run `mcpgen update`.",
        location=Location(str(path), 1, 1),
    )


def _relocate(server_settings: Settings, path: Path) -> Settings:
    """A copy of the settings with every path spelled as mcpgen would write it."""
    return settings.relative_to(settings.seen_from_here(server_settings, path.parent), path.parent)


def _end(text: str) -> str:
    """The line end that the text uses."""
    return "\r\n" if "\r\n" in text else "\n"


def _with_default(text: str, key: str, literal: str) -> str:
    """The text with a value in place of its commented-out default."""
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines):
        if line.startswith("["):
            break
        name, equals, _ = line.lstrip("#").partition("=")
        if line.startswith("#") and equals and name.strip() == key:
            lines[number] = f"{key} = {literal}{line[len(line.rstrip()) :]}"
            break
    return "".join(lines)


def append_tables(path: Path, source: str, reader: str, tables: str) -> None:
    """Append the tables of tools to a settings file, which is created if it does not exist.

    Raises GenerationError if the file already has tables for tools, or if it does not exist and
    `reader` is empty.
    """
    new_settings = settings.relative_to(Settings(source=source, reader=reader), path.parent)
    if path.exists():
        own = SettingsText.read(path)
    elif reader:
        own = SettingsText(path, settings.to_toml(new_settings))
    else:
        raise GenerationError.of(
            "settings-source",
            f"{path.name} does not exist, and {source} is not a document to make a server from",
            hint="Name a document, or the settings of an existing server.",
        )
    if own.values().get("tools"):
        raise GenerationError.of(
            "settings-tables",
            f"{path} has tables of tools already; it was left as it is",
            hint="Write the new tables to another file, then copy them from there.",
            location=Location(str(path), 1, 1),
        )
    text = own.text + tables.replace("\n", _end(own.text))
    settings.parse(text, path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8"))
