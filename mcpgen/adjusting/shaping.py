"""Reduces a tool's answers as the settings say, and changes their schema to match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from ..api import Schema, Shape, Tool
from ..diagnostics import Diagnostics
from ..runtime.values.media import MediaType
from ..schemas import output_schema, reachable, shaped
from ..settings.settings import Settings

_OPEN = ("", "*/*", "application/*")
"""Where JSON may come."""


def shape(
    tool: Tool,
    table: Mapping[str, Any],
    pool: Mapping[str, Schema],
    settings: Settings,
    diagnostics: Diagnostics,
) -> Tool:
    """The tool with the `redact` and `fields` of its `table` applied to its answers."""
    selection = Shape(tuple(table.get("redact", ())), tuple(table.get("fields", ())))
    media_type = MediaType.read(tool.result_media_type)
    if selection and media_type.name not in _OPEN and not media_type.is_json:
        message = (
            f"mcpgen.toml: the answer of `{tool.name}` is {media_type.name}, which has no fields"
        )
        hint = "Take `redact` and `fields` out of its table."
        setting = ("tools", tool.name, "redact" if selection.redact else "fields")
        diagnostics.error("settings-fields", message, hint=hint, setting=setting)
        return tool
    if tool.written is not None or tool.result is None:
        _refuse_promise(tool, table, diagnostics)
        return _described(replace(tool, shape=selection))
    for path in (*selection.redact, *selection.fields):
        if not shaped.names_a_field(tool.result, pool, path):
            message = f"mcpgen.toml: no answer schema of `{tool.name}` has `{path}`"
            setting = ("tools", tool.name, path)
            diagnostics.warning("settings-unknown-field", message, setting=setting)
    schema, definitions = shaped.shaped(
        tool.result, pool, redact=selection.redact, fields=selection.fields
    )
    promised = table.get("output_schema", settings.output_schema)
    size = table.get("output_schema_bytes", settings.output_schema_bytes)
    described = output_schema(schema, definitions, promised, size)
    return replace(tool, shape=selection, output_schema=described)


def _refuse_promise(tool: Tool, table: Mapping[str, Any], diagnostics: Diagnostics) -> None:
    """Report a setting that needs an outputSchema, if the tool has none or a hand-written one."""
    for key in ("output_schema", "output_schema_bytes"):
        if key not in table:
            continue
        if tool.written is not None:
            why, hint = "its outputSchema is written by hand", "Change it in the tool file."
        else:
            why, hint = "the document gives its answer no schema", f"Take `{key}` out of its table."
        message = f"mcpgen.toml: `{key}` of `{tool.name}` does nothing: {why}"
        setting = ("tools", tool.name, key)
        diagnostics.error("settings-output-schema", message, hint=hint, setting=setting)


def _described(tool: Tool) -> Tool:
    """A tool whose output schema has only the fields that remain in its answers."""
    if tool.output_schema is None:
        return tool
    inside = tool.http is not None and set(tool.output_schema.get("properties", ())) == {"result"}
    redact, fields = (
        [f"$.result{path[1:]}" if inside else path for path in paths]
        for paths in (tool.shape.redact, tool.shape.fields)
    )
    root = {key: value for key, value in tool.output_schema.items() if key != "$defs"}
    pool = tool.output_schema.get("$defs", {})
    schema, definitions = shaped.shaped(root, pool, redact=redact, fields=fields)
    described = {**(schema if isinstance(schema, Mapping) else {}), "type": "object"}
    defs = reachable([described], definitions)
    described |= {"$defs": dict(defs)} if defs else {}
    written = None if tool.written is None else {**tool.written, "outputSchema": described}
    return replace(tool, output_schema=described, written=written)
