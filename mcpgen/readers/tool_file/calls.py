"""Reads `http`: the request that implements a tool."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ... import schemas
from ...api import Argument, Body, Encoding, HttpCall, In, Schema
from ...diagnostics import did_you_mean
from ..openapi import media, paths
from ..openapi.media import Kind
from .argument_places import BODILESS, Operation, place

if TYPE_CHECKING:
    from ...diagnostics import Diagnostics
    from ...source.document import Node
    from .info import Home

_FIXED = "the query in a path is fixed: add an argument to it with `in: query`"
_EXPANSION = re.compile(r"\{[?&][^{}]*\}")
_STATUS = re.compile(r"[1-5](?:[0-9]{2}|XX)|default")
_JSON = "application/json"
_MEDIA_TYPES = "Such as application/json, multipart/form-data or application/x-www-form-urlencoded."


class Input(Struct, frozen=True):
    """A tool's arguments, before their locations in the request are known."""

    properties: Mapping[str, Schema]
    required: Sequence[str]
    open: bool
    """Undeclared arguments are allowed."""
    pool: Mapping[str, Schema]
    asked: frozenset[str] = frozenset()
    """Arguments that the user is asked for if a call leaves them out."""
    declared: str = "inputSchema.properties"
    """The member of the file that declares the arguments."""


def read_call(
    node: Node, tool_input: Input, home: Home, answers: bool, diagnostics: Diagnostics
) -> tuple[HttpCall, tuple[Argument, ...]]:
    """The request of a tool, and its arguments with their locations in the request.

    `answers`: whether the tool has an outputSchema.
    """
    method, path, at = _line(node)
    _check_path(path, at, diagnostics)
    body_node = node.get("body")
    whole = _whole(body_node, tool_input, diagnostics)
    template = paths.with_braces(path.partition("?")[0], _wire_names(node, tool_input))
    operation = Operation(
        method=method,
        placeholders=tuple(paths.template_names(template)),
        whole=whole,
        at=node,
        path=at,
        key_places=home.key_places,
        asked=tool_input.asked,
        declared=tool_input.declared,
    )
    arguments = place(operation, tool_input.properties, tool_input.required, diagnostics)
    fixed = tuple(paths.query_pairs(path))
    _check_literal(template, fixed, arguments, tool_input, at, diagnostics)
    call = HttpCall(
        method=method,
        path=template,
        body=_body(body_node, method, arguments, tool_input, diagnostics),
        accept=_accept(node.get("accept"), answers, diagnostics),
        statuses=_statuses(node.get("statuses"), diagnostics),
        security=home.requirements(node.get("security"), diagnostics),
        servers=home.servers_at(node.get("servers"), diagnostics),
        fixed_query=fixed,
        poll=_poll(node),
    )
    return call, arguments


def _wire_names(node: Node, tool_input: Input) -> set[str]:
    """The names that path placeholders may use: of all arguments but those sent elsewhere."""
    bindings = node.optional("arguments")
    names = set()
    for name in tool_input.properties:
        binding = bindings.optional(name).value or {}
        if isinstance(binding, str):
            binding = {"in": binding}
        if binding.get("in", "path") == "path":
            names.add(binding.get("name", name))
    return names


def _poll(node: Node) -> Mapping[str, Any] | None:
    poll = node.get("poll") if isinstance(node.value, dict) else None
    if poll is None or poll.value is False:
        return None
    return {} if poll.value is True else dict(poll.value)


def method_of(node: Node | None) -> str | None:
    """The HTTP method of a tool's request; None if the tool has no request."""
    return None if node is None else _line(node)[0]


def _line(node: Node) -> tuple[str, str, Node]:
    if isinstance(node.value, str):
        method, _, path = node.value.partition(" ")
        return method, path, node
    return node["method"].value, node["path"].value, node["path"]


def _check_path(path: str, at: Node, diagnostics: Diagnostics) -> None:
    template, _, query = path.partition("?")
    if _EXPANSION.search(path):
        diagnostics.error("path", _FIXED, at)
        return
    problem = paths.problem_of(path)
    if problem:
        diagnostics.error("path", problem, at, "The API's address is `server.baseUrl`.")
    elif not paths.is_balanced(template):
        hint = "Write an argument as in `/pets/{name}`."
        diagnostics.error("path", "the braces of the path are not balanced", at, hint)
    elif "#" in path:
        diagnostics.error("path", "a path cannot have a fragment", at)
    elif set("{}") & set(query):
        diagnostics.error("path", _FIXED, at)


def _check_literal(
    template: str,
    fixed: Iterable[tuple[str, str | None]],
    arguments: Iterable[Argument],
    tool_input: Input,
    at: Node,
    diagnostics: Diagnostics,
) -> None:
    """Report each `:name` in the path that is no argument, and fixed query fields that are one."""
    for segment in template.split("/"):
        name = segment[1:]
        if segment[:1] == ":" and name.isidentifier() and name not in tool_input.properties:
            message = f"`{segment}` is sent as it is: `{tool_input.declared}` has no `{name}`"
            hint = did_you_mean(name, list(tool_input.properties), "Declare it there.")
            diagnostics.warning("placeholder", message, at, hint)
    names = {name for name, _ in fixed}
    for argument in arguments:
        if argument.location is In.QUERY and argument.wire_name in names:
            message = f"`{argument.wire_name}` is sent twice: in the path, and as an argument"
            hint = f"Leave it out of the path, or give `{argument.name}` another `name`."
            diagnostics.warning("argument", message, at, hint)


def _whole(body: Node | None, tool_input: Input, diagnostics: Diagnostics) -> str | None:
    argument = body.get("argument") if body is not None else None
    if argument is None:
        return None
    name: str = argument.value
    if name not in tool_input.properties:
        message = f"`{name}` is not an argument: `{tool_input.declared}` does not have it"
        diagnostics.error("argument", message, argument)
    return name


def _body(
    body: Node | None,
    method: str,
    arguments: tuple[Argument, ...],
    tool_input: Input,
    diagnostics: Diagnostics,
) -> Body | None:
    parts = [a for a in arguments if a.location is In.PROPERTY]
    whole = [a for a in arguments if a.location is In.BODY]
    spread = not whole and method not in BODILESS
    extra = spread and tool_input.open and (bool(parts) or method != "DELETE")
    if not (parts or whole or extra):
        if body is not None:
            diagnostics.error("body", "`body` is described, but no argument goes into it", body)
        return None
    media_type = _media_type(body)
    if not media.is_valid(media_type) or "*" in media_type:
        diagnostics.error("body", f"{media_type!r} is not a media type", body, _MEDIA_TYPES)
        return None
    kind = media.kind(media_type)
    if parts and whole:
        message = f"`{whole[0].name}` is the whole body: `{parts[0].name}` has no place in it"
        diagnostics.error("body", message, body)
    if kind > Kind.MULTIPART and not whole:
        message = f"a body of {media_type} is one argument: name it with `body.argument`"
        diagnostics.error("body", message, body)
    return Body(
        media_type=media_type,
        # Some APIs refuse a DELETE with content (RFC 9110 9.3.5): none is sent that says nothing.
        required=whole[0].required if whole else method != "DELETE",
        spread=not whole,
        encoding=_encodings(body, kind, parts, tool_input, diagnostics),
        binary=bool(whole) and kind is Kind.BINARY,
        extra=extra,
    )


def _media_type(body: Node | None) -> str:
    if body is None:
        return _JSON
    media_type = body.value if isinstance(body.value, str) else body.value.get("mediaType", _JSON)
    return str(media_type)


def _encodings(
    body: Node | None,
    kind: Kind,
    parts: list[Argument],
    tool_input: Input,
    diagnostics: Diagnostics,
) -> dict[str, Encoding]:
    listed = body.get("encoding") if body is not None else None
    fields_by_name: dict[str, Any] = {} if listed is None else dict(listed.value)
    parts_by_name = {part.wire_name: part for part in parts}
    for name, node in listed.items() if listed is not None else ():
        if parts and name not in parts_by_name:
            hint = did_you_mean(
                name, list(parts_by_name), f"Its properties: {', '.join(parts_by_name)}."
            )
            diagnostics.error("body", f"`{name}` is not a property of the body", node, hint)
    if listed is not None and kind not in media.FORMS:
        diagnostics.error("body", "`encoding` is for forms and multipart bodies", listed)
    encodings = {}
    for name in dict.fromkeys([*parts_by_name, *fields_by_name]):
        fields = fields_by_name.get(name, {})
        schema = parts_by_name[name].schema if name in parts_by_name else True
        is_file = kind is Kind.MULTIPART and _is_file(schema, tool_input)
        encoding = Encoding(
            content_type=fields.get(
                "contentType", _content_type(schema, tool_input) if is_file else None
            ),
            style=fields.get("style"),
            explode=fields.get("explode"),
            allow_reserved=fields.get("allowReserved", False),
            binary=is_file,
        )
        if encoding != Encoding():
            encodings[name] = encoding
    return encodings


def _content_type(schema: Schema, tool_input: Input) -> str | None:
    """The `contentMediaType` of a string argument; None if it has none or an invalid one."""
    target = schemas.resolve(schema, tool_input.pool)
    media_type = target.get("contentMediaType") if isinstance(target, Mapping) else None
    return media_type if isinstance(media_type, str) and media.is_valid(media_type) else None


def _is_file(schema: Schema, tool_input: Input) -> bool:
    """Whether a part of a multipart body is a file, which the agent gives as base64."""
    target = schemas.resolve(schema, tool_input.pool)
    if isinstance(target, bool):
        return False
    parts = [part for part in (target, target.get("items")) if isinstance(part, Mapping)]
    return any(
        schemas.is_binary(part, tool_input.pool) or part.get("contentEncoding") == "base64"
        for part in parts
    )


def _accept(node: Node | None, answers: bool, diagnostics: Diagnostics) -> tuple[str, ...]:
    if node is None:
        return (_JSON,) if answers else ("*/*",)
    listed = [node.value] if isinstance(node.value, str) else node.value
    types = tuple(entry.strip() for text in listed for entry in text.split(","))
    for entry in types:
        if not media.is_valid(entry):
            hint = "Such as application/json, text/csv or image/*."
            diagnostics.error("accept", f"{entry!r} is not a media type", node, hint)
    return types


def _statuses(node: Node | None, diagnostics: Diagnostics) -> tuple[str, ...]:
    if node is None:
        return ("2XX",)
    statuses = tuple(str(status) for status in node.value)
    for status in statuses:
        if not _STATUS.fullmatch(status):
            hint = "A status such as 201, `2XX`, or `default`."
            diagnostics.error("statuses", f"`{status}` is not an HTTP status", node, hint)
    return statuses
