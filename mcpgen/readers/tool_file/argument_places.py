"""Where each argument of an HTTP tool is sent: as the file says, else by a fixed rule."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ...api import Argument, In, Schema
from ...diagnostics import did_you_mean
from ...runtime.values.media import is_token
from ...text.nearest import nearest
from ..http_names import RESERVED_HEADERS, place_key
from ..openapi import media
from ..openapi.parameters import STYLES

if TYPE_CHECKING:
    from ...diagnostics import Diagnostics
    from ...source.document import Node

IN_QUERY = ("GET", "HEAD", "OPTIONS", "DELETE")
"""Methods whose arguments go into the query unless the file says otherwise."""
BODILESS = ("GET", "HEAD", "OPTIONS")

_FORM = "application/x-www-form-urlencoded"


class Operation(Struct, frozen=True):
    """The facts about a tool's request that decide where its arguments are sent."""

    method: str
    placeholders: tuple[str, ...]
    whole: str | None
    """The argument that is the whole body."""
    at: Node
    """The tool's `http`."""
    path: Node
    key_places: Container[tuple[str, str]]
    """The places of API keys; no argument may be there."""
    asked: frozenset[str]
    """Arguments that the user is asked for if a call leaves them out."""
    declared: str
    """The member of the file that declares the arguments."""


def place(
    operation: Operation,
    properties: Mapping[str, Schema],
    required: Iterable[str],
    diagnostics: Diagnostics,
) -> tuple[Argument, ...]:
    """The arguments with their locations in the request; every problem is reported."""
    nodes = _nodes(operation, properties, diagnostics)
    needed = set(required)
    arguments = []
    for name, schema in properties.items():
        binding: Mapping[str, Any] = nodes[name].value if name in nodes else {}
        argument = _argument(operation, name, schema, binding, name in needed)
        at = nodes.get(name, operation.path)
        for problem in _problems(operation, argument, binding):
            diagnostics.error("argument", problem, at)
        arguments.append(argument)
    _check_together(operation, arguments, diagnostics)
    return tuple(arguments)


def _nodes(
    operation: Operation, properties: Mapping[str, Schema], diagnostics: Diagnostics
) -> dict[str, Node]:
    """The entries under `http.arguments` by name, each as an object."""
    nodes: dict[str, Node] = {}
    for name, node in operation.at.optional("arguments").items():
        if name in properties:
            is_text = isinstance(node.value, str)
            nodes[name] = node.with_value({"in": node.value}) if is_text else node
            continue
        hint = did_you_mean(name, list(properties), f"Declare it in `{operation.declared}`.")
        message = f"`{name}` is not an argument: `{operation.declared}` does not have it"
        diagnostics.error("argument", message, node, hint)
    return nodes


def _argument(
    operation: Operation, name: str, schema: Schema, binding: Mapping[str, Any], required: bool
) -> Argument:
    wire = binding.get("name", name)
    location = _location(operation, name, wire, binding.get("in"))
    content = binding.get("contentType")
    if location is In.QUERYSTRING:
        content = content or _FORM
    return Argument(
        name=name,
        schema=schema,
        location=location,
        wire_name=wire,
        required=required,
        sends_default=not required and isinstance(schema, dict) and "default" in schema,
        description=_description(schema),
        style=binding.get("style"),
        explode=binding.get("explode"),
        allow_reserved=binding.get("allowReserved", False),
        media_type=content,
        pointer=operation.at.pointer,
    )


def _location(operation: Operation, name: str, wire: str, location: str | None) -> In:
    if name == operation.whole:
        return In.BODY
    if location is not None:
        return In.PROPERTY if location == "body" else In(location)
    if wire in operation.placeholders:
        return In.PATH
    if operation.method in IN_QUERY or operation.whole is not None:
        return In.QUERY
    return In.PROPERTY


def _problems(
    operation: Operation, argument: Argument, binding: Mapping[str, Any]
) -> Iterable[str]:
    """The problems with one argument's location in the request."""
    name, wire, location = argument.name, argument.wire_name, argument.location
    if name == operation.whole and binding.get("in", "body") != "body":
        yield f"`{name}` is sent twice: as the whole body, and in the {binding['in']}"
    if location is In.PATH and wire not in operation.placeholders:
        yield f"`{name}` goes into the path, which has no placeholder `{{{wire}}}`"
    if location is In.PATH and not argument.required and name not in operation.asked:
        free = f"`{operation.declared.partition('.')[0]}` lets a call leave it out"
        yield f"`{name}` fills the path and must be `required`, but {free}"
    if location in (In.PROPERTY, In.BODY) and operation.method in BODILESS:
        yield f"`{name}` goes into the body, and {operation.method} has none"
    if location is In.HEADER:
        if not is_token(wire):
            yield f"{wire!r} is not a valid name for a header"
        elif wire.lower() in RESERVED_HEADERS:
            yield f"the header {wire} belongs to the transport: it cannot be an argument"
    if place_key(location.value, wire) in operation.key_places:
        yield f"`{name}` is sent where the API key from the environment belongs"
    yield from _style_problems(argument)


def _style_problems(argument: Argument) -> Iterable[str]:
    name, location = argument.name, argument.location
    styled = argument.style is not None or argument.explode is not None
    if location in (In.PROPERTY, In.BODY):
        if styled or argument.allow_reserved or argument.media_type:
            yield f"`{name}` goes into the body: `body.encoding` says how it is written"
        return
    if argument.style is not None and argument.style not in STYLES.get(location, ()):
        allowed = ", ".join(STYLES.get(location, ())) or "none"
        yield f"a {location.value} cannot have the style `{argument.style}`; allowed: {allowed}"
    if argument.media_type is not None:
        if styled:
            yield f"`{name}` has a `contentType`, so it cannot have `style` or `explode`"
        if not media.is_valid(argument.media_type) or "*" in argument.media_type:
            yield f"{argument.media_type!r} is not a media type"


def _check_together(
    operation: Operation, arguments: list[Argument], diagnostics: Diagnostics
) -> None:
    """Report placeholders without an argument, and arguments that are sent in the same place."""
    taken: dict[tuple[str, str], str] = {}
    for argument in arguments:
        key = (argument.location.value, argument.wire_name)
        first = taken.setdefault(key, argument.name)
        if first != argument.name:
            message = (
                f"two arguments are sent as `{argument.wire_name}` in the {key[0]}: `{first}` and "
            )
            diagnostics.error("argument", f"{message}`{argument.name}`", operation.at)
    for name in operation.placeholders:
        if (In.PATH.value, name) in taken:
            continue
        if (In.BODY.value, name) in taken:
            message = f"`{name}` is sent twice: as the whole body, and in the path"
            diagnostics.error("argument", message, operation.path)
        else:
            message = f"no argument fills the placeholder `{{{name}}}` of the path"
            near = nearest(name, (a.name for a in arguments))
            declare = f"Declare it in `{operation.declared}`."
            hint = f"Did you mean `{{{near}}}`?" if near else declare
            diagnostics.error("placeholder", message, operation.path, hint)
    queries = [a for a in arguments if a.location is In.QUERY]
    whole = [a for a in arguments if a.location is In.QUERYSTRING]
    if len(whole) > 1 or (whole and queries):
        message = "an argument that is the whole query string allows no other in the query"
        diagnostics.error("argument", message, operation.at)


def _description(schema: Schema) -> str:
    text = schema.get("description") if isinstance(schema, Mapping) else None
    return text if isinstance(text, str) else ""
