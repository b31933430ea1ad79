"""`x-mcp-header` in an OpenAPI document: on a parameter, or on a property of a body."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from ...api import In, Tool
from ...source.document import ReferenceProblem
from ..mcp_headers import KEY, problem_of
from . import fields

if TYPE_CHECKING:
    from ...source.document import Node
    from .operation_parts import HeaderPlaces, Operation
    from .reader_state import Reading


def with_headers(tool: Tool, places: HeaderPlaces, reading: Reading) -> Tool:
    """The tool, with `x-mcp-header` in its inputSchema (MCP 2026-07-28, server/tools).

    A header that MCP forbids, or that would reveal a secret, is reported and left out.
    """
    if not places:
        return tool
    names: dict[str, str] = {}
    properties: dict[str, Any] = dict(tool.input_schema.get("properties", {}))
    for argument in tool.arguments:
        at = places.get((_kind(argument.location), argument.wire_name))
        schema = properties.get(argument.name)
        if at is None or not isinstance(schema, Mapping):
            continue
        schema = {**schema, KEY: at.value}
        problem = problem_of(schema, argument.name, names)
        if problem:
            reading.diagnostics.warning("mcp-header", f"`{KEY}` {problem}; it is not used", at)
        else:
            properties[argument.name] = schema
    return replace(
        tool,
        input_schema={**tool.input_schema, "properties": properties},
        arguments=tuple(
            replace(a, schema=properties.get(a.name, a.schema)) for a in tool.arguments
        ),
    )


def _kind(location: In) -> str:
    return "body" if location is In.PROPERTY else location.value


def places_in(operation: Operation, parameters: HeaderPlaces) -> HeaderPlaces:
    """The nodes of `x-mcp-header` in an operation, by location and name of the argument."""
    places = {}
    for (location, name), node in parameters.items():
        kind = "body" if location == "formData" else location
        if _has_key(node.value.get("schema")):
            places[kind, name] = node["schema"][KEY]
        if _has_key(node.value):
            places[kind, name] = node[KEY]
        if location == "body":
            places |= _of_body(fields.member(node, "schema"))
    for schema in _bodies(operation):
        places |= _of_body(schema)
    return places


def _bodies(operation: Operation) -> Iterator[Node | None]:
    body = operation.fields.get("requestBody")
    content = None if body is None else fields.member(body.resolve(), "content")
    for _, media in content.items() if content is not None else ():
        with suppress(ReferenceProblem):
            yield fields.member(media.resolve(), "schema")


def _of_body(schema: Node | None) -> dict[tuple[str, str], Node]:
    """The nodes of `x-mcp-header` in a body's properties, by location and name of the argument."""
    with suppress(ReferenceProblem):
        properties = None if schema is None else fields.member(schema.resolve(), "properties")
        if properties is not None and isinstance(properties.value, dict):
            names = [name for name, inner in properties.value.items() if _has_key(inner)]
            return {("body", name): properties[name][KEY] for name in names}
    return {}


def _has_key(value: object) -> bool:
    return isinstance(value, dict) and value.get(KEY) is not None
