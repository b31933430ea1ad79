"""Arguments that the settings add for the handler only, and schemas that they set for others."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from ..api import Argument, In, Schema, Tool
from ..diagnostics import Diagnostics
from ..schemas.violations import Form

Table = Mapping[str, Any]
_REFERENCE = re.compile(r'"\$(?:anchor|defs|dynamic\w+|id|ref|schema)":')


def schema_in(details: Table) -> dict[str, Any] | None:
    """The schema that a table gives an argument; None if it gives none."""
    schema = details.get("schema")
    if schema is None:
        schema = {"type": details["type"]} if "type" in details else None
    if schema is not None and schema.get("type") == "array":
        return {"items": {}, **schema}  # models' APIs refuse an array without
    return schema


def verify(tool: Tool, name: str, details: Table, diagnostics: Diagnostics) -> bool:
    """Whether the schema that a table gives for an argument is usable; reports an error if not."""
    schema = schema_in(details)
    reason = "" if schema is None else _problem(schema)
    if reason:
        message = f"mcpgen.toml: the schema of `{name}` of `{tool.name}` {reason}"
        setting = ("tools", tool.name, name)
        hint = 'For example: `schema = { type = "string", enum = ["a", "b"] }`.'
        diagnostics.error("settings-schema", message, hint=hint, setting=setting)
    return not reason


def _problem(schema: Mapping[str, Any]) -> str:
    if _REFERENCE.search(json.dumps(schema)):
        return "must not contain references, or keys such as `$id` and `$defs`"
    try:
        Form(schema).violations(None)
    except ValueError:
        return "is not a valid JSON Schema"
    return ""


def with_own(tool: Tool, name: str, details: Table, diagnostics: Diagnostics) -> Tool:
    """The tool with an argument that goes to its handler, but never to the API."""
    schema = schema_in(details)
    if schema is None:
        message = f"mcpgen.toml: the new argument `{name}` of `{tool.name}` has no type"
        hint, setting = 'Write for example `type = "boolean"`.', ("tools", tool.name, name)
        diagnostics.error("settings-schema", message, hint=hint, setting=setting)
    if schema is None or not verify(tool, name, details, diagnostics):
        return tool
    words = {key: details[key] for key in ("description", "default") if key in details}
    own: Schema = {**schema, **words}
    argument = Argument(
        name=name,
        schema=own,
        location=In.OWN,
        wire_name=name,
        required=False,
        description=details.get("description", ""),
        sends_default="default" in details,
    )
    properties = {**tool.input_schema.get("properties", {}), name: own}
    return replace(
        tool,
        arguments=(*tool.arguments, argument),
        input_schema={**tool.input_schema, "properties": properties},
    )
