"""Lets a tool's table in `mcpgen.toml` still apply if the document gives the tool another name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from ..api import Api
from ..diagnostics import Diagnostics
from ..lock import operation
from ..operations import matching

Table = Mapping[str, Any]


class Followed(Struct, frozen=True):
    """What `follow` returns: the tables of single tools, and the operation of each table."""

    tables: Mapping[str, Table]
    """By the names that the document gives its tools today."""
    operations: Mapping[str, str]
    """By the names in `mcpgen.toml`, for the lock."""


def follow(
    api: Api,
    tables: Mapping[str, Table],
    old_operations: Mapping[str, str],
    diagnostics: Diagnostics,
) -> Followed:
    """Match the tables of `mcpgen.toml` with an API's tools.

    `old_operations` has the operation that the lock recorded for each table. If no tool has a
    table's name, the table belongs to the tool that now has the table's old operation, unless that
    tool has a table of its own.
    """
    names = {key: tool.name for tool in api.tools if (key := operation(tool))}
    places = {name: key for key, name in names.items()}
    same = matching.same(old_operations.values(), names)
    there = {tool.name for tool in api.tools}
    full_tables = {name: table for name, table in tables.items() if table}
    tables_now: dict[str, Table] = {}
    of: dict[str, str] = {}
    for name, table in full_tables.items():
        was = old_operations.get(name, "")
        key = places.get(name) or same.get(was, was)
        now = names.get(key, name)
        if name in there or now in full_tables:
            now = name
        else:
            message = f"mcpgen.toml: the tool of the table `{name}` is now called `{now}`"
            hint = f"The table still applies to it. Rename the table to `{now}`."
            diagnostics.warning(
                "settings-renamed-tool", message, hint=hint, setting=("tools", name)
            )
        tables_now[now] = table
        if key:
            of[name] = key
    return Followed(tables_now, dict(sorted(of.items())))
