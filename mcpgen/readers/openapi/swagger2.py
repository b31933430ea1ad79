"""Swagger 2.0: parameters that are their own schema, forms, `consumes` and `produces`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from ... import schemas
from ...api import Encoding, In, Schema
from . import fields, media
from .contents import media_type_of, read_outline, with_kind
from .examples import meant, read
from .files import is_file
from .media import Kind
from .operation_parts import Answer, Media, Operation, Parameter, RequestBody
from .responses import success_nodes

if TYPE_CHECKING:
    from ...source.document import Node
    from .reader_state import Reading

_STYLES = {
    "csv": (None, False),
    "ssv": ("spaceDelimited", False),
    "tsv": ("tabDelimited", False),
    "pipes": ("pipeDelimited", False),
    "multi": (None, True),
}
_DELIMITERS = {"csv": ",", "ssv": " ", "tsv": "\t", "pipes": "|"}
_FILE: Schema = {"type": "string", "format": "binary"}


def read_parameter(location: In, name: str, node: Node, reading: Reading) -> Parameter:
    """A Parameter Object of 2.0 in path, query or header."""
    style, explode = _collection(node, reading)
    default = location is In.QUERY
    schema = reading.schema(node, parameter=True)
    return Parameter(
        name=name,
        location=location,
        required=location is In.PATH or fields.flag(node, "required"),
        schema=schema,
        description=reading.described(node),
        style=style,
        explode=None if explode == default else explode,
        inner=_inner(node, reading),
        allow_empty_value=location is In.QUERY and fields.flag(node, "allowEmptyValue"),
        examples=_examples(node, schema, reading),
        pointer=node.pointer,
    )


def read_body(
    operation: Operation, nodes: Mapping[tuple[str, str], Node], reading: Reading
) -> RequestBody | None:
    """The `body` parameter, or all `formData` parameters together."""
    consumes = [t for t in _types(operation, "consumes", reading) if t]
    form = {name: node for (location, name), node in nodes.items() if location == "formData"}
    bodies = [node for (location, _), node in nodes.items() if location == "body"]
    if form:
        if bodies:
            message = "an operation has either `body` or `formData` parameters; `body` is left out"
            reading.diagnostics.warning("body", message, bodies[0])
        return _form(form, consumes, operation, reading)
    return _body(bodies[0], consumes, reading) if bodies else None


def read_answers(operation: Operation, reading: Reading) -> tuple[Answer, ...]:
    """The success responses, each with the media types that the operation produces."""
    produces = _types(operation, "produces", reading)
    answers = []
    for status, node in success_nodes(operation, reading):
        schema = fields.member(node, "schema")
        media_types = () if schema is None else _produced(schema, produces, node, reading)
        answers.append(Answer(status, media_types, reading.described(node)))
    return tuple(answers)


def _examples(node: Node, schema: Schema, reading: Reading) -> tuple[Any, ...]:
    nodes = (node.optional(key) for key in ("x-example", "example"))
    first = next((each for each in nodes if each.value is not None), None)
    return () if first is None else tuple(read(first, schema, reading))


def _collection(node: Node, reading: Reading) -> tuple[str | None, bool | None]:
    """Style and explode of an array; None for other types."""
    if not isinstance(node.value, dict) or node.value.get("type") != "array":
        return None, None
    name = fields.string(node, "collectionFormat", reading.diagnostics) or "csv"
    style = _STYLES.get(name.lower())  # in another case nothing else can be meant
    if style is None:
        message = f"`collectionFormat: {name}` is not known; csv is used"
        reading.diagnostics.warning("style", message, node)
    return style or _STYLES["csv"]


def _inner(node: Node, reading: Reading) -> str:
    """The delimiter of nested arrays; none if it is the outer array's delimiter too."""
    items = fields.member(node, "items")
    if items is None or _collection(items, reading) in ((None, None), _collection(node, reading)):
        return ""
    return _DELIMITERS.get(fields.string(items, "collectionFormat").lower(), ",")


def _media_types(keys: Iterable[str], node: Node, reading: Reading) -> list[str]:
    """The media types that the keys of `consumes` or `produces` mean; JSON if there are none."""
    names = [media_type_of(key, node, reading) for key in keys]
    return [*dict.fromkeys(name for name in names if name)] or ["application/json"]


def _body(node: Node, consumes: list[str], reading: Reading) -> RequestBody:
    schema = fields.member(node, "schema")
    types = _media_types(consumes, node, reading)
    jsons = [t for t in types if media.kind(t) is Kind.JSON]
    schema_at = reading.open_schema if jsons else reading.schema
    converted = True if schema is None else schema_at(schema)
    pool = reading.pool.schemas
    offered = (Media(t, converted, outline=read_outline(t, schema, reading)) for t in types)
    return RequestBody(
        required=fields.flag(node, "required"),
        media=tuple(with_kind(each, pool) for each in offered),
        description=reading.described(node),
        pointer=node.pointer,
    )


def _form(
    form: Mapping[str, Node], consumes: list[str], operation: Operation, reading: Reading
) -> RequestBody:
    """The form made of parameters; it is sent even if no parameter is given."""
    properties: dict[str, Schema] = {}
    encoding: dict[str, Encoding] = {}
    for name, node in form.items():
        schema, text = reading.schema(node, parameter=True), reading.described(node)
        if text and isinstance(schema, Mapping):
            schema = {**schema, "description": text}
        properties[name] = schema
        style, explode = _collection(node, reading)
        if style is not None or explode is False:
            encoding[name] = Encoding(style=style or "form", explode=explode)
        if inner := _inner(node, reading):
            encoding[name] = replace(encoding.get(name, Encoding()), inner=inner)
    required = [name for name, node in form.items() if fields.flag(node, "required")]
    whole: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        whole["required"] = required
    offered = [t for t in consumes if media.kind(t) in media.FORMS and media.is_valid(t)]
    if any(is_file(each, reading.pool.schemas) for each in properties.values()):
        offered = [t for t in offered if media.kind(t) is Kind.MULTIPART] or ["multipart/form-data"]
    offered = offered or ["application/x-www-form-urlencoded"]
    return RequestBody(
        required=True,
        media=tuple(Media(t, whole, encoding) for t in offered),
        pointer=operation.node.pointer,
    )


def _produced(
    schema: Node, produces: tuple[str, ...], response: Node, reading: Reading
) -> tuple[Media, ...]:
    types = _media_types(produces, response, reading)
    examples = fields.member(response, "examples")
    by_type = dict(examples.items()) if examples is not None else {}
    others = [t for t in types if media.kind(t) is not Kind.JSON]
    files = all(media.kind(t) is not Kind.BINARY or media.are_files(t) for t in others)
    of_json = True if len(others) == len(types) and files else reading.open_schema(schema)
    is_file = isinstance(schema.value, dict) and schema.value.get("type") == "file"
    pool = reading.pool.schemas
    if is_file or schemas.is_binary(of_json, pool):
        # A file may be of any type; JSON is often said of all answers.
        return tuple(Media(t, _FILE) for t in others or ["*/*"])
    entries = []
    for name in types:
        option = Media(name) if media.are_files(name) else with_kind(Media(name, of_json), pool)
        value_schema = of_json if option.kind is Kind.JSON else None
        values = [by_type[name].value] if name in by_type else []
        if value_schema is not None and values:
            value = meant(values[0], value_schema, pool)
            values = read(by_type[name].with_value(value), value_schema, reading, directed=True)
        entries.append(replace(option, schema=value_schema, examples=tuple(values)))
    return tuple(entries)


def _types(operation: Operation, key: str, reading: Reading) -> tuple[str, ...]:
    """The operation's own `consumes` or `produces`, even if empty, else the document's."""
    holder = operation.node if key in operation.fields else reading.document.root
    return fields.strings(holder, key, reading.diagnostics)
