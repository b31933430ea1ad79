"""Where each setting of a tool comes from, for `mcpgen settings DIR --tool NAME`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from .. import lock as locks
from .. import settings
from ..adjusting.patterned import Key
from ..api import HINTS, Api, Tool
from ..diagnostics import Diagnostics, GenerationError, Location, did_you_mean
from ..plan.tool_scopes import scopes_file
from ..readers import all_sources
from ..readers.all_sources import Read
from ..runtime.values.settings import Settings as ServerSettings
from ..servers import silent
from ..settings.locations import SettingsText
from ..settings.settings import EVERY
from ..text.table import aligned

_DOCUMENT = "the document"
_OF_SERVER = ("timeout", "retries", "result_tokens")
"""What the running server has a setting for that counts where no table says anything."""


class Origin(Struct, frozen=True):
    """The value of one setting of a tool, and the source of that value."""

    key: str
    value: Any
    source: str
    line: int | None = None
    """The line of it in mcpgen.toml, if it is from there."""


def explain(folder: Path, name: str, diagnostics: Diagnostics) -> list[Origin]:
    """The settings of a tool; `name` is its name for agents or in the document.

    Raises GenerationError for a folder that is not a server of mcpgen, and for an unknown tool.
    """
    file = folder / settings.FILE_NAME
    if not file.is_file():
        message = f"{folder} holds no server of mcpgen: it has no {settings.FILE_NAME}"
        raise GenerationError.of("not-a-server", message, hint="Name the folder of a server.")
    own = settings.seen_from_here(settings.load(file), folder)
    sources = all_sources.load(own, diagnostics, silent)
    read = all_sources.read(sources, locks.read(folder), diagnostics)
    names = {read.settings.tools.get(each, {}).get("name", each): each for each in read.origins}
    known = names.get(name, name)
    if known not in read.origins:
        hint = did_you_mean(name, sorted({*names, *read.origins}), "`mcpgen inspect` lists them.")
        place = Location(str(file), 1, 1)
        raise GenerationError.of("no-tool", f"there is no tool `{name}`", hint=hint, location=place)
    return list(_origins(read, known, SettingsText.read(file)))


def _origins(read: Read, name: str, text: SettingsText) -> Iterator[Origin]:
    own = read.settings.tools.get(name, {})
    origins = read.origins[name]

    def of_table(key: Key, value: Any, source: str) -> Origin:
        place = text.of_words(("tools", source, *key))
        line = place.line if place is not None else None
        return Origin(".".join(key), value, f'[tools."{source}"]', line)

    for key, source in origins.items():
        value = own[key[0]] if len(key) == 1 else own[key[0]][key[1]]
        yield of_table(key, value, source)
    if ("enabled",) not in origins:
        yield Origin("enabled", True, "default")
    tool = next((t for t in read.api.tools if t.name == own.get("name", name)), None)
    if tool is None:
        return
    common = read.settings.tools.get(EVERY, {})
    for hint, attribute in HINTS.items():
        key = ("annotations", hint)
        if key not in origins:
            value = getattr(tool.annotations, attribute)
            is_common = hint in _common_hints(tool, common.get("annotations", {}))
            yield (
                of_table(key, value, EVERY)
                if is_common
                else Origin(".".join(key), value, _DOCUMENT)
            )
    if ("scopes",) not in origins:
        yield _scopes(read.api, tool, read.settings.tools, of_table)
    for each in _OF_SERVER:
        if (each,) not in origins:
            yield Origin(each, getattr(ServerSettings, each), f"default of {each.upper()}")


def _common_hints(tool: Tool, common: Mapping[str, Any]) -> Mapping[str, Any]:
    """The hints from the settings for all tools, with those for this tool's HTTP method."""
    method = tool.http.method.lower() if tool.http is not None else ""
    return {**common, **common.get(method, {})}


def _scopes(api: Api, tool: Tool, tables: Mapping[str, Any], of_table: Any) -> Origin:
    """The scopes that callers need for a tool whose own table sets none, and where they come
    from.
    """
    bare = {name: each for name, each in tables.items() if name != EVERY}

    def found(given: Mapping[str, Any]) -> Any:
        text = scopes_file(api, given).get("access.json", "{}")
        return json.loads(text).get(tool.name, [])

    value = found(tables)
    if value and value != found(bare):
        return of_table(("scopes",), value, EVERY)  # type: ignore[no-any-return]  # of the rows
    is_further = bool(tool.scopes) and value == [list(tool.scopes)]
    return Origin("scopes", value, "[[with]]" if is_further else _DOCUMENT)


def as_text(origins: list[Origin]) -> Iterator[str]:
    """The origins as aligned lines of text."""
    rows = [
        (each.key, json.dumps(each.value, ensure_ascii=False), f"{each.source}{_line(each)}")
        for each in origins
    ]
    yield from aligned(rows)


def as_json(name: str, origins: list[Origin]) -> dict[str, Any]:
    """The settings of a tool as JSON, each with its origin."""
    listed = [
        {"key": each.key, "value": each.value, "from": each.source, "line": each.line}
        for each in origins
    ]
    return {"tool": name, "settings": listed}


def _line(each: Origin) -> str:
    return f", {settings.FILE_NAME}:{each.line}" if each.line else ""
