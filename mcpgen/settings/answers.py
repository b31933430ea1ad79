"""What `mcpgen.toml` says of the answers of single tools put over what the document says."""

from __future__ import annotations

from msgspec.structs import replace

from ..api import Api
from ..diagnostics import Diagnostics
from .settings import Settings

_KEYS = {"redact", "fields", "output_schema", "output_schema_bytes"}


def apply(api: Api, asked: Settings, diagnostics: Diagnostics) -> Api:
    """The API as the settings shape its answers.

    Advertised output schemas follow the `redact` and `fields` of their tools, and promise what the
    tools' tables say; with `result_links`, every tool may answer with links.
    """
    tables = {
        table.get("name", name): table
        for name, table in asked.tools.items()
        if table.keys() & _KEYS
    }
    if tables:
        from .shaping import shape  # brings a part of the runtime, of no use otherwise

        tools = (
            shape(tool, tables[tool.name], api.schemas, asked, diagnostics)
            if tool.name in tables
            else tool
            for tool in api.tools
        )
        api = replace(api, tools=tuple(tools))
    if asked.result_links:
        api = replace(api, tools=tuple(replace(tool, links=True) for tool in api.tools))
    return api
