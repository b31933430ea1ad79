"""Descriptions of answers in `mcpgen.toml`, which replace those of the document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from ..api import Api, Tool
from ..diagnostics import Diagnostics
from ..operations.answer_headers import with_headers
from ..settings.settings import Settings
from . import accepting

_KEYS = {"redact", "fields", "output_schema", "output_schema_bytes"}
_HEADERS = "headers"


def apply(api: Api, settings: Settings, diagnostics: Diagnostics) -> Api:
    """The API with its answers changed by the settings.

    A tool's Accept header has the media type from the tool's table, or one that the agent chooses.
    Output schemas show the effect of `redact` and `fields`, and contain the response headers from
    the tool's table. With `result_links`, every tool may answer with links.
    """
    if any(accepting.KEY in table for table in settings.tools.values()):
        api = accepting.apply(api, settings, diagnostics)
    tables = {
        table.get("name", name): table
        for name, table in settings.tools.items()
        if table.keys() & _KEYS
    }
    if tables:
        from .shaping import shape  # brings a part of the runtime, of no use otherwise

        tools = (
            shape(tool, tables[tool.name], api.schemas, settings, diagnostics)
            if tool.name in tables
            else tool
            for tool in api.tools
        )
        api = replace(api, tools=tuple(tools))
    if any(_HEADERS in table for table in settings.tools.values()) or tables:
        by_name = {table.get("name", name): table for name, table in settings.tools.items()}
        api = replace(api, tools=tuple(_with_answer_headers(tool, by_name) for tool in api.tools))
    if settings.result_links:
        api = replace(api, tools=tuple(replace(tool, links=True) for tool in api.tools))
    return api


def _with_answer_headers(tool: Tool, tables: Mapping[str, Mapping[str, Any]]) -> Tool:
    """A copy of the tool whose outputSchema also has the response headers set in its table."""
    names = tables.get(tool.name, {}).get(_HEADERS, ())
    return with_headers(tool, [*tool.answer_headers, *names])
