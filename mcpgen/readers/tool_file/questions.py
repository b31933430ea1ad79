"""Reads `input`: the questions to the user before a tool runs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...api import Question, Schema
from ..mcp_headers import is_secret

if TYPE_CHECKING:
    from ...diagnostics import Diagnostics
    from ...source.document import Node

_PLACE = re.compile(r"\{([^{}]+)\}")
_KINDS = ("string", "number", "integer", "boolean")
_FORMATS = ("email", "uri", "date", "date-time")
_KEPT = (
    "type", "title", "description", "default", "enum",
    "minLength", "maxLength", "minimum", "maximum",
)  # fmt: skip
"""Keywords that a form's field may have (MCP, PrimitiveSchemaDefinition)."""


def read_questions(
    node: Node | None, properties: Mapping[str, Schema], diagnostics: Diagnostics
) -> tuple[Question, ...]:
    """The questions of a tool; every problem with them is reported."""
    if node is None:
        return ()
    return tuple(_question(each, properties, diagnostics) for each in node.elements())


def _question(node: Node, properties: Mapping[str, Schema], diagnostics: Diagnostics) -> Question:
    message: str = node["message"].value
    for place in _PLACE.findall(message):
        if place not in properties:
            problem = f"`{{{place}}}` in the message is not an argument"
            hint = f"Arguments: {', '.join(properties) or 'none'}."
            diagnostics.error("input", problem, node["message"], hint)
    fields: dict[str, Any] = {}
    for entry in node.optional("arguments").elements():
        name: str = entry.value
        schema = properties.get(name)
        if schema is None:
            problem = f"`{name}` is not an argument: `inputSchema.properties` does not have it"
            diagnostics.error("input", problem, entry)
        elif not isinstance(schema, Mapping) or schema.get("type") not in _KINDS:
            problem = f"the user cannot fill in `{name}`: a form has single values only"
            hint = "Give it the type string, number, integer or boolean."
            diagnostics.error("input", problem, entry, hint)
        elif is_secret(schema, name):
            problem = f"`{name}` is a secret, and a form must not ask for one"
            hint = "Clients and models see what is filled in: take it from the environment."
            diagnostics.error("input", problem, entry, hint)
        else:
            fields[name] = _field(schema)
    return Question(message, fields)


def _field(schema: Mapping[str, Any]) -> dict[str, Any]:
    field = {key: schema[key] for key in _KEPT if key in schema}
    if schema.get("format") in _FORMATS:
        field["format"] = schema["format"]
    return field
