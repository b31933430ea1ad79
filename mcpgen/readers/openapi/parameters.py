"""Parameters: merged from path item and operation, checked, in one form for every version."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...api import In
from . import fields, media, paths
from .parts import Operation, Parameter, Unusable
from .text import clean

if TYPE_CHECKING:
    from ...document import Node
    from .reading import Reading

_LOCATIONS = {"path", "query", "header", "cookie", "querystring", "body", "formData"}
_STYLES = {
    In.PATH: {"simple", "label", "matrix"},
    In.QUERY: {"form", "spaceDelimited", "pipeDelimited", "deepObject"},
    In.HEADER: {"simple"},
    In.COOKIE: {"form", "cookie"},
}
_DEFAULT_STYLE = {In.PATH: "simple", In.QUERY: "form", In.HEADER: "simple", In.COOKIE: "form"}
_EXPLODED = {"form", "cookie"}
_FORBIDDEN = {
    "accept", "content-type", "authorization", "host", "content-length", "transfer-encoding",
    "connection", "cookie",
}  # fmt: skip
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


def parameter_nodes(operation: Operation, reading: Reading) -> dict[tuple[str, str], Node]:
    """The parameters by location and name; an operation's own win over its path item's."""
    found: dict[tuple[str, str], Node] = {}
    for holder in (operation.item, operation.fields):
        own: dict[tuple[str, str], Node] = {}
        for node in _listed(holder.get("parameters"), reading):
            place = _place(node, reading)
            if place is None:
                continue
            if place in own:
                message = (
                    f"the parameter `{place[1]}` in {place[0]} is declared twice; the first holds"
                )
                reading.diagnostics.warning("duplicate-parameter", message, node)
            else:
                own[place] = node
        found.update(own)
    return found


def is_argument(location: str, name: str, node: Node, reading: Reading) -> bool:
    """Whether an agent may set a parameter: not credentials, nor the transport's headers."""
    key = name.lower() if location == "header" else name
    if (location, key) in reading.key_places:
        return False
    if location == "header" and key in _FORBIDDEN:
        return False
    if location not in ("header", "cookie") or _TOKEN.fullmatch(name):
        return True
    if fields.flag(node, "required"):
        raise Unusable(f"{name!r} is no name for a {location} and cannot be sent", node)
    reading.diagnostics.warning(
        "parameter-name", f"{name!r} is no name for a {location} and is left out", node
    )
    return False


def read_parameter(location: In, name: str, node: Node, reading: Reading) -> Parameter:
    """A Parameter Object of 3.x."""
    parameter = Parameter(
        name=name,
        location=location,
        required=location is In.PATH or fields.flag(node, "required"),
        schema=True,
        description=described(node, reading),
        deprecated=fields.flag(node, "deprecated"),
        examples=examples(node, reading),
        pointer=node.pointer,
    )
    content = fields.object_at(node, "content", reading.diagnostics)
    if content is not None and content.value:
        return _with_content(parameter, content, reading)
    schema = fields.member(node, "schema")
    style, explode = _style(location, node, reading)
    return replace(
        parameter,
        schema=True if schema is None else reading.schema(schema),
        style=style,
        explode=explode,
        allow_reserved=fields.flag(node, "allowReserved"),
        allow_empty_value=location is In.QUERY and fields.flag(node, "allowEmptyValue"),
    )


def described(node: Node, reading: Reading) -> str:
    """The description of a node, cleaned."""
    found = fields.member(node, "description")
    if found is None or not isinstance(found.value, str):
        return ""
    return clean(found.value, found, reading.options.description_limit, reading.diagnostics)


def examples(node: Node, reading: Reading) -> tuple[Any, ...]:
    """The values of `example` and `examples`, in that order; external ones are not fetched."""
    found = []
    if isinstance(node.value, dict) and "example" in node.value:
        found.append(node.value["example"])
    shown = fields.member(node, "examples")
    if shown is not None and isinstance(shown.value, dict):
        for _, entry in shown.items():
            resolved = entry.resolve()
            if isinstance(resolved.value, dict):
                found += [resolved.value[k] for k in ("value", "dataValue") if k in resolved.value][
                    :1
                ]
    return tuple(found)


def fit_template(
    operation: Operation, parameters: list[Parameter], reading: Reading
) -> tuple[list[Parameter], tuple[tuple[str, str], ...]]:
    """Make path parameters and path template agree; also gives the query that the path key carries.

    A name that only the template has becomes a required string, a parameter that only the list has
    is left out, and `?a={b}` in a path key makes `b` a query parameter that goes out as `a`.
    """
    key = paths.without_fragment(operation.path)
    path = key.partition("?")[0]
    if not paths.is_balanced(key):
        raise Unusable("the path has braces that belong to no parameter", operation.node)
    by_query = {
        v[1:-1]: n for n, v in paths.query_pairs(key) if paths.template_names(v) == [v[1:-1]]
    }
    wanted = paths.template_names(path)
    fitted = []
    for parameter in parameters:
        if parameter.location is not In.PATH or parameter.name in wanted:
            fitted.append(parameter)
        elif parameter.name in by_query:
            name = by_query.pop(parameter.name)
            fitted.append(
                replace(parameter, location=In.QUERY, name=name, style=None, explode=None)
            )
        else:
            message = f"the path has no `{{{parameter.name}}}`; this path parameter is left out"
            reading.diagnostics.warning("path-parameter", message, operation.node)
    declared = {p.name for p in fitted if p.location is In.PATH}
    for name in wanted:
        if name not in declared:
            message = f"the path parameter `{name}` is not declared; it is taken as a string"
            reading.diagnostics.warning("path-parameter", message, operation.node)
            schema = {"type": "string"}
            fitted.append(Parameter(name, In.PATH, required=True, schema=schema))
    sent = {p.name for p in fitted if p.location is In.QUERY}
    fixed = [(n, v) for n, v in paths.query_pairs(key) if n not in sent and "{" not in v]
    return fitted, tuple(fixed)


def _listed(node: Node | None, reading: Reading) -> Iterator[Node]:
    if node is None or node.value is None:
        return
    if not isinstance(node.value, list):
        fields.wrong_type(node, "parameters", "an array", reading.diagnostics)
        raise Unusable("its `parameters` are no array", node)
    for entry in node.elements():
        yield entry.resolve()


def _place(node: Node, reading: Reading) -> tuple[str, str] | None:
    if not isinstance(node.value, dict):
        fields.wrong_type(node, "parameters", "an array of objects", reading.diagnostics)
        return None
    location, name = node.value.get("in"), node.value.get("name")
    if location not in _LOCATIONS:
        found = location if isinstance(location, str) else fields.kind_of(location)
        message = f"a parameter must be in path, query, header or cookie, not in `{found}`"
        reading.diagnostics.warning("parameter", f"{message}; left out", node)
        return None
    if location in ("body", "querystring"):
        name = name if isinstance(name, str) and name else location
    if not isinstance(name, str) or not name:
        message = f"a parameter must have a name, found {fields.kind_of(name)}; left out"
        reading.diagnostics.warning("parameter", message, node)
        return None
    return str(location), name


def _with_content(parameter: Parameter, content: Node, reading: Reading) -> Parameter:
    best = media.best(content.value)[0]
    entry = content.child(best).resolve()
    schema = fields.member(entry, "schema")
    return replace(
        parameter,
        schema=True if schema is None else reading.schema(schema),
        media_type=best,
        examples=parameter.examples or examples(entry, reading),
    )


def _style(location: In, node: Node, reading: Reading) -> tuple[str | None, bool | None]:
    if location not in _STYLES:
        return None, None
    style = fields.string(node, "style", reading.diagnostics) or _DEFAULT_STYLE[location]
    if style not in _STYLES[location]:
        message = f"style `{style}` is not for parameters in {location}; the default is used"
        reading.diagnostics.warning("style", message, node)
        style = _DEFAULT_STYLE[location]
    explode = fields.boolean(node, "explode")
    if explode == (style in _EXPLODED) or style == "deepObject":
        explode = None
    return (None if style == _DEFAULT_STYLE[location] else style), explode
