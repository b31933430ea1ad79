"""Tables of `mcpgen.toml` for several tools: by a glob, by method and path, or by a group.

If several tables set the same key, the first of these wins: the tool's own table, its method and
path, a glob of its name, a glob of method and path, its group, and at last the table for every
tool. Among globs of one kind, the one with the most literal characters wins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..api import Api, Tool
from ..diagnostics import Diagnostics, did_you_mean
from ..operations.matching import shape
from ..settings.settings import GROUP_TABLE, SEVERAL
from . import groups

Table = Mapping[str, Any]
Key = tuple[str, ...]
"""A key of a table, and the hint or other member in it where each counts by itself."""
_GLOB = re.compile(r"\[[^]]*\]|[*?]")
_HINTS = "annotations"


class Expanded(Struct, frozen=True):
    """The tables of single tools, extended by the tables for several tools."""

    tables: Mapping[str, Table]
    origins: Mapping[str, Mapping[Key, str]]
    """By tool: the table that each key is from."""


def of_several(tables: Mapping[str, Table]) -> dict[str, Table]:
    """The tables that are for several tools, but not for all tools."""
    return {name: table for name, table in tables.items() if re.search(SEVERAL, name)}


def expand(
    api: Api,
    tables: Mapping[str, Table],
    several: Mapping[str, Table],
    own_groups: Mapping[str, Table],
    kept_slugs: Mapping[str, str],
    diagnostics: Diagnostics,
) -> Expanded:
    """Each tool's table, with what it omits filled in from the tables for several tools.

    Tables for several tools that are not used are reported.
    """
    slugs: dict[str, str] = {}
    if any(name.startswith(GROUP_TABLE) for name in several):
        slugs = _slugs(api, tables, own_groups, kept_slugs)
    ordered = sorted(several, key=_rank)
    found = {tool.name: [each for each in ordered if _has(each, tool, slugs)] for tool in api.tools}
    _check(several, found, api, slugs, diagnostics)
    expanded = dict(tables)
    origins: dict[str, dict[Key, str]] = {}
    for name, names in found.items():
        own = tables.get(name, {})
        origins[name] = dict.fromkeys(_keys(own), name)
        for each in names:
            own = _filled(own, several[each])
            origins[name] = {**dict.fromkeys(_keys(several[each]), each), **origins[name]}
        if own:
            expanded[name] = own
    return Expanded(expanded, origins)


def _slugs(
    api: Api, tables: Mapping[str, Table], own_groups: Mapping[str, Table], kept: Mapping[str, str]
) -> dict[str, str]:
    """The slug of each tool's group, by the tool's name."""
    names = [tables.get(tool.name, {}).get("name", tool.name) for tool in api.tools]
    pairs = zip(api.tools, names, strict=True)
    renamed = replace(api, tools=tuple(replace(tool, name=name) for tool, name in pairs))
    grouped = groups.apply(renamed, own_groups, kept, Diagnostics())
    of = zip(api.tools, grouped.tools, strict=True)
    return {tool.name: each.group.slug for tool, each in of if each.group is not None}


def _rank(pattern: str) -> tuple[int, int]:
    """The rank of a table for several tools: a smaller rank comes first."""
    if pattern.startswith(GROUP_TABLE):
        return 3, 0
    is_glob = _GLOB.search(pattern) is not None
    literal = len(_GLOB.sub("", pattern))
    if " " in pattern:
        return (2, -literal) if is_glob else (0, 0)
    return 1, -literal


def _has(pattern: str, tool: Tool, slugs: Mapping[str, str]) -> bool:
    if pattern.startswith(GROUP_TABLE):
        slug = slugs.get(tool.name, "")
        return bool(slug) and fnmatchcase(slug, pattern.removeprefix(GROUP_TABLE))
    if " " in pattern:
        return fnmatchcase(shape(groups.operation(tool)), shape(pattern))
    return fnmatchcase(tool.name, pattern)


def _keys(table: Table) -> Iterator[Key]:
    for key, value in table.items():
        if key == _HINTS:
            yield from ((key, hint) for hint in value)
        else:
            yield (key,)


def _filled(own: Table, more: Table) -> Table:
    """A copy of the table `own`, plus the keys and hints that only `more` has."""
    filled = {**more, **own}
    if _HINTS in filled:
        filled[_HINTS] = {**more.get(_HINTS, {}), **own.get(_HINTS, {})}
    return filled


def _check(
    several: Mapping[str, Table],
    found: Mapping[str, list[str]],
    api: Api,
    slugs: Mapping[str, str],
    diagnostics: Diagnostics,
) -> None:
    used = {each for names in found.values() for each in names}
    names = {*found, *map(groups.operation, api.tools), *(GROUP_TABLE + s for s in slugs.values())}
    for pattern in several:
        if pattern not in used:
            hint = did_you_mean(pattern, sorted(names - {"", GROUP_TABLE}), "")
            hint = hint or "`mcpgen inspect` lists tools and groups."
            message = f'mcpgen.toml: `[tools."{pattern}"]` matches no tool'
            place = ("tools", pattern)
            diagnostics.warning("settings-unknown-tool", message, hint=hint, setting=place)
