"""Parameters of path item and operation, merged and checked, for all versions of OpenAPI."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from msgspec.structs import replace

from ... import schemas
from ...api import DEFAULT_STYLE, In
from ...diagnostics import did_you_mean
from ...runtime.values.media import is_token
from ...samples.checks import Checker
from ...schemas.rules import Rules
from ...source.suggestions import QUOTED
from ...text.kinds import json_type
from ..http_names import RESERVED_HEADERS, place_key
from . import fields, media
from .agent_text import report_hidden, strip_hidden
from .encodings import FIELD_STYLES, read_encodings
from .examples import as_it_is, written
from .operation_parts import Operation, Parameter, Unusable
from .reader_state import referent
from .versions import Version, tell_other

if TYPE_CHECKING:
    from ...api import Schema
    from ...source.document import Node
    from .reader_state import Reading

_LOCATIONS = {
    Version.V20: {"path", "query", "header", "body", "formData"},
    Version.V30: {"path", "query", "header", "cookie"},
    Version.V31: {"path", "query", "header", "cookie"},
    Version.V32: {"path", "query", "header", "cookie", "querystring"},
}
OLD_BODIES = ("body", "formData")
"""The locations of 2.0 whose parameters are sent in a body."""
_SPELLED = {
    version: {each.lower(): each for each in (*of, *OLD_BODIES)}
    for version, of in _LOCATIONS.items()
}
STYLES = {
    In.PATH: ("simple", "label", "matrix"),
    In.QUERY: FIELD_STYLES,
    In.HEADER: ("simple",),
    In.COOKIE: ("form", "cookie"),
}
"""The styles of each location (OpenAPI 3.2.0, "Style Values")."""
_EXPLODED = {"form", "cookie"}
_ESCAPED = re.compile(r"(?=[^%]*%)(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*")
"""A text with percent-escapes and no characters that a URL must escape (RFC 3986 3.4)."""
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
"""The beginning of a value that is a URL itself, with its own escapes."""


Place = tuple[str, str]
"""The location and the name of a parameter."""


def parameter_nodes(operation: Operation, reading: Reading) -> dict[Place, Node]:
    """The parameters by location and name. Those of the operation override the path item's."""
    by_key: dict[Place, tuple[Place, Node]] = {}
    for holder in (operation.item, operation.fields):
        own: dict[Place, tuple[Place, Node]] = {}
        for node in _parameter_nodes(holder.get("parameters"), reading):
            place = _place(node, operation.path, reading)
            if place is None:
                continue
            if place_key(*place) in own:
                location, name = place
                message = (
                    f"the parameter `{name}` in {location} is declared twice; the first is used"
                )
                reading.diagnostics.warning("duplicate-parameter", message, node)
            else:
                own[place_key(*place)] = place, node
        by_key.update(own)
    return _one_querystring(dict(by_key.values()), reading)


def _one_querystring(nodes: dict[Place, Node], reading: Reading) -> dict[Place, Node]:
    """Remove and report all `in: querystring` parameters but the first; returns `nodes`."""
    whole = [place for place in nodes if place[0] == "querystring"]
    for place in whole[1:]:
        message = f"`{whole[0][1]}` is already the whole query string; `{place[1]}` is left out"
        reading.diagnostics.warning("duplicate-parameter", message, nodes.pop(place))
    return nodes


def is_argument(location: str, name: str, node: Node, reading: Reading) -> bool:
    """Whether an agent may set a parameter; not if it is a credential or a transport header."""
    if place_key(location, name) in reading.key_places:
        return False
    if location == "header" and name.lower() in RESERVED_HEADERS:
        _tell_reserved(name.lower(), node, reading)
        return False
    if location not in ("header", "cookie") or is_token(name):
        return True
    if fields.flag(node, "required"):
        raise Unusable(f"{name!r} is not a valid name for a {location} and cannot be sent", node)
    reading.diagnostics.warning(
        "parameter-name", f"{name!r} is not a valid name for a {location} and is left out", node
    )
    return False


def _tell_reserved(name: str, node: Node, reading: Reading) -> None:
    """Note that a header may contain a credential, although no security scheme sends it."""
    hint = "Set the header in the server's variable `..._EXTRA_HEADERS`."
    if name == "cookie":
        message = "the header `Cookie` is not an argument: it may hold a credential"
        reading.diagnostics.note("cookie-header", message, node, hint)
    elif name == "authorization":
        message = "the header `Authorization` is not an argument, and no security scheme sends it"
        hint = f"Declare one, such as `type: http` with `scheme: bearer`. Or: {hint}"
        reading.diagnostics.note("authorization-header", message, node, hint)


def read_parameter(location: In, name: str, node: Node, reading: Reading) -> Parameter:
    """The Parameter Object of 3.x at a node."""
    description = reading.described(node)
    content = fields.object_at(node, "content", reading.diagnostics)
    is_content = content is not None and bool(content.value)
    declared = None if is_content else fields.member(node, "schema")
    schema: Schema = True if declared is None else reading.open_schema(declared)
    style, explode = (None, None) if is_content else _style(location, node, reading)
    escaped = _is_escaped(location, node) and not is_content
    meant = partial(_unescaped, schema=schema, pool=reading.pool.schemas) if escaped else as_it_is
    parameter = Parameter(
        name=name,
        location=location,
        required=location is In.PATH or fields.flag(node, "required"),
        schema=schema,
        description=description,
        style=style,
        explode=explode,
        allow_reserved=not is_content and fields.flag(node, "allowReserved"),
        allow_empty_value=location is In.QUERY
        and not is_content
        and fields.flag(node, "allowEmptyValue"),
        deprecated=fields.flag(node, "deprecated"),
        examples=written(node, schema, reading, read_json=meant),
        pointer=node.pointer,
    )
    if content and is_content:
        return _with_content(parameter, content, reading)
    _tell_nested(parameter, node, reading)
    return parameter


def as_azure_sends(parameter: Parameter, node: Node) -> Parameter:
    """The parameter; a copy that sends reserved characters unchanged if `x-ms-skip-url-encoding` is
    set.

    Azure's extension means that values are encoded already, or contain slashes, as resource paths
    do.
    """
    in_url = parameter.location in (In.PATH, In.QUERY) and parameter.media_type is None
    if not in_url or not fields.flag(node, "x-ms-skip-url-encoding"):
        return parameter
    spans = parameter.location is In.PATH and parameter.style is None
    return replace(parameter, style="segments" if spans else parameter.style, allow_reserved=True)


def _tell_nested(parameter: Parameter, node: Node, reading: Reading) -> None:
    """Report arrays and objects nested in a parameter: no style defines how to write them.

    RFC 6570 1.2 only has lists and pairs of strings; `deepObject` has "objects with scalar
    properties".
    """
    schema, pool = parameter.schema, reading.pool.schemas
    inside = [*schemas.properties(schema, pool).values(), *Rules.of(schema, pool).each("items")]
    if any(_is_structure(schemas.types_of(inner, pool)) for inner in inside):
        reading.diagnostics.note(
            "style",
            f"`{parameter.name}` has arrays or objects inside, and OpenAPI does not say how these "
            "are written: the API may expect another form",
            node,
            "Declare how: with `content` instead of `schema`.",
        )


def _is_structure(types: set[str]) -> bool:
    return bool(types & {"array", "object"}) and types <= {"array", "object", "null"}


def _is_escaped(location: In, node: Node) -> bool:
    """Whether the document's examples of a parameter may be percent-encoded."""
    as_it_is = ("allowReserved", "x-ms-skip-url-encoding")
    return location in (In.PATH, In.QUERY) and not any(fields.flag(node, f) for f in as_it_is)


def _unescaped(example: Any, schema: Schema, pool: Mapping[str, Schema]) -> list[Any]:
    """The example, percent-decoded: `a b` for `a%20b`.

    An example is not decoded if it is a URL, or if it only fits the schema undecoded. The result is
    empty if decoding reveals invisible characters.
    """
    if not isinstance(example, str) or not _ESCAPED.fullmatch(example) or _URL.match(example):
        return [example]
    try:
        text = unquote(example, errors="strict")
    except UnicodeDecodeError:
        return [example]
    check = Checker(pool)
    if check.refused(text, schema) and not check.refused(example, schema):
        return [example]
    return [text] if strip_hidden(text) == text else []


def _parameter_nodes(node: Node | None, reading: Reading) -> Iterator[Node]:
    node = None if node is None else node.resolve()
    if node is None or node.value is None:
        return
    if not isinstance(node.value, list):
        fields.wrong_type(node, "parameters", "an array", reading.diagnostics)
        raise Unusable("its `parameters` are not an array", node)
    for entry in node.elements():
        target = referent(entry, reading.version)
        if entry.is_ref and not isinstance(target.value, dict):
            raise Unusable(f"a parameter refers to {json_type(target.value)}", entry)
        yield target


def _place(node: Node, path: str, reading: Reading) -> Place | None:
    if not isinstance(node.value, dict):
        fields.wrong_type(node, "parameters", "an array of objects", reading.diagnostics)
        return None
    value, name = node.value.get("in"), fields.text(node.optional("name"))
    spelling = value if isinstance(value, str) else json_type(value)
    # In another case nothing else can be meant, and without it calls would lack the parameter.
    location = _SPELLED[reading.version].get(spelling.lower())
    if location is None:
        if fields.flag(node, "required") and f"{{{name}}}" not in path:
            raise Unusable(f"it requires `{name}`, but does not say where that goes", node)
        _tell_place(node, spelling, reading)
        return None
    if location in OLD_BODIES and reading.version is not Version.V20:
        told = f"in: {location}"
        tell_other(told, "2.0", node["in"], reading.version, reading.diagnostics)
    if location == "body":
        name = location  # there is one at most, and its name says nothing (2.0, Parameter Object)
    if location == "querystring":
        name = name or location
    if not name:
        kind = json_type(node.value["name"]) if "name" in node.value else "none"
        if fields.flag(node, "required"):
            raise Unusable("it requires a parameter without a name", node)
        message = f"a parameter must have a name, found {kind}; left out"
        reading.diagnostics.warning("parameter", message, node)
        return None
    report_hidden([name], node, reading.diagnostics)
    return location, name


def _tell_place(node: Node, spelling: str, reading: Reading) -> None:
    """Report a parameter with a missing or unknown `in`; raises Unusable if it is required."""
    location = node.get("in")
    if fields.flag(node, "required"):
        raise Unusable("it does not say where a required parameter goes", location or node)
    if location is None:
        message = "a parameter must say with `in` where it is; left out"
        hint = QUOTED if "$ref" in node and node["$ref"].value is None else ""
    else:
        message = f"a parameter cannot be in `{spelling}`; left out"
        places = sorted(_LOCATIONS[reading.version])
        hint = did_you_mean(spelling, places, f"It can be in {', '.join(places)}.")
    reading.diagnostics.warning("parameter", message, location or node, hint)


def _with_content(parameter: Parameter, content: Node, reading: Reading) -> Parameter:
    best = min(content.value, key=media.rank)
    entry = content.child(best).resolve()
    schema = fields.member(entry, "schema")
    is_whole = parameter.location is In.QUERYSTRING
    content_schema: Schema = True if schema is None else reading.schema(schema)
    return replace(
        parameter,
        schema=content_schema,
        media_type=best,
        encoding=dict(read_encodings(best, entry, reading)) if is_whole else {},
        examples=parameter.examples or written(entry, content_schema, reading),
    )


def _style(location: In, node: Node, reading: Reading) -> tuple[str | None, bool | None]:
    if location not in STYLES:
        return None, None
    style = fields.string(node, "style", reading.diagnostics) or DEFAULT_STYLE[location]
    if style not in STYLES[location]:
        message = f"style `{style}` is not for parameters in {location}; the default is used"
        hint = did_you_mean(style, STYLES[location], "")
        reading.diagnostics.warning("style", message, node["style"], hint)
        style = DEFAULT_STYLE[location]
    explode = fields.boolean(node, "explode")
    if explode == (style in _EXPLODED) or style == "deepObject":
        explode = None  # as the style has it anyway
    return (None if style == DEFAULT_STYLE[location] else style), explode
