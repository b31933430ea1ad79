"""`x-mcp-header` in an OpenAPI document: on a parameter, or on a property of a spread body."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...api import Argument, In, Tool
from ...source.document import ReferenceProblem
from ..mcp_headers import KEY, problem_of
from . import fields
from .parameters import parameter_nodes

if TYPE_CHECKING:
    from ...source.document import Node
    from .parts import Operation
    from .reading import Reading


def with_headers(tool: Tool, operation: Operation, reading: Reading) -> Tool:
    """The tool with the headers that its arguments ask for (MCP 2026-07-28, server/tools).

    One that the protocol forbids, or that would show a secret, is reported and left out.
    """
    places = _places(operation, reading)
    if not places:
        return tool
    names: dict[str, str] = {}
    properties: dict[str, Any] = dict(tool.input_schema.get("properties", {}))
    for argument in tool.arguments:
        at = places.get((_kind(argument.location), argument.wire_name))
        schema = properties.get(argument.name)
        if at is None or not isinstance(schema, Mapping):
            continue
        wanted = {**schema, KEY: at.value}
        problem = problem_of(wanted, argument.name, names)
        if problem:
            reading.diagnostics.warning("mcp-header", f"`{KEY}` {problem}; it is not used", at)
        else:
            properties[argument.name] = wanted
    return replace(
        tool,
        input_schema={**tool.input_schema, "properties": properties},
        arguments=tuple(_as_listed(argument, properties) for argument in tool.arguments),
    )


def _as_listed(argument: Argument, properties: Mapping[str, Any]) -> Argument:
    return replace(argument, schema=properties.get(argument.name, argument.schema))


def _kind(location: In) -> str:
    return "body" if location is In.PROPERTY else location.value


def _places(operation: Operation, reading: Reading) -> dict[tuple[str, str], Node]:
    """Where the keyword stands, by the location and the name of what it stands on."""
    found = {}
    for (location, name), node in parameter_nodes(operation, reading).items():
        kind = "body" if location == "formData" else location
        for holder in (fields.member(node, "schema"), node):
            if holder is not None and fields.member(holder, KEY) is not None:
                found[kind, name] = holder[KEY]
        if location == "body":
            found |= _of_body(fields.member(node, "schema"))
    for schema in _bodies(operation):
        found |= _of_body(schema)
    return found


def _bodies(operation: Operation) -> Iterator[Node | None]:
    body = operation.fields.get("requestBody")
    content = None if body is None else fields.member(body.resolve(), "content")
    for _, media in content.items() if content is not None else ():
        with suppress(ReferenceProblem):
            yield fields.member(media.resolve(), "schema")


def _of_body(schema: Node | None) -> dict[tuple[str, str], Node]:
    """The keyword's places among the properties of a body's schema."""
    with suppress(ReferenceProblem):
        properties = None if schema is None else fields.member(schema.resolve(), "properties")
        listed = properties.items() if properties is not None else ()
        return {("body", n): p[KEY] for n, p in listed if fields.member(p, KEY) is not None}
    return {}
