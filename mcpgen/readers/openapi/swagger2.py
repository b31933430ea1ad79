"""Swagger 2.0: `consumes`, `produces`, forms, and parameters without a `schema`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from ... import schemas
from ...api import Encoding, In, Schema
from . import fields, media
from .contents import media_type_of, read_outline, with_kind
from .examples import deserialized, read
from .files import is_file
from .media import Kind
from .operation_parts import Answer, Media, Operation, Parameter, RequestBody
from .versions import Version, tell_other

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
    schema = _own_schema(node, reading)
    is_array = schemas.types_of(schema, reading.pool.schemas) == {"array"}
    style, explode = _collection(node, reading) if is_array else (None, None)
    default = location is In.QUERY
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
    """The `body` parameter, or a form of all `formData` parameters; None without either."""
    consumes = [t for t in _types(operation, "consumes", reading) if t]
    form = {name: node for (location, name), node in nodes.items() if location == "formData"}
    bodies = [node for (location, _), node in nodes.items() if location == "body"]
    if bodies and not form and _is_field(bodies[0], consumes, reading):
        name = fields.string(bodies[0], "name")
        message = f"a form has no `body`: its parameter `{name}` becomes a field in `formData`"
        reading.diagnostics.warning("body", message, bodies[0])
        form = {name: bodies.pop()}
    if form:
        if bodies:
            message = "an operation has either `body` or `formData` parameters; `body` is left out"
            reading.diagnostics.warning("body", message, bodies[0])
        return _form(form, consumes, operation, reading)
    return _body(bodies[0], consumes, reading) if bodies else None


def read_answer(status: str, node: Node, operation: Operation, reading: Reading) -> Answer:
    """A success response, with the media types in `produces`."""
    schema = fields.member(node, "schema")
    if schema is None:
        return Answer(status, (), reading.described(node))
    produces = _types(operation, "produces", reading)
    return Answer(status, _produced(schema, produces, node, reading), reading.described(node))


def _is_field(node: Node, consumes: list[str], reading: Reading) -> bool:
    """Whether a `body` parameter is only one field of a form, since its schema is not an object."""
    schema = fields.member(node, "schema")
    if schema is None or not consumes or any(media.kind(t) not in media.FORMS for t in consumes):
        return False
    types = schemas.types_of(reading.pool.add(schema), reading.pool.schemas)
    return "object" not in types and bool(fields.string(node, "name"))


def _examples(node: Node, schema: Schema, reading: Reading) -> tuple[Any, ...]:
    nodes = (node.optional(key) for key in ("x-example", "example"))
    first = next((each for each in nodes if each.value is not None), None)
    return () if first is None else tuple(read(first, schema, reading))


def _own_schema(node: Node, reading: Reading) -> Schema:
    """The schema of a parameter: its own keywords in 2.0, or its `schema`, as in 3.x."""
    is_old, declared = reading.version is Version.V20, fields.member(node, "schema")
    if declared is None or (is_old and fields.member(node, "type") is not None):
        return reading.schema(node, parameter=True)
    if is_old:
        tell_other("schema", "3", declared, reading.version, reading.diagnostics)
    return reading.schema(declared)


def _collection(node: Node, reading: Reading) -> tuple[str | None, bool | None]:
    """The style and explode that are equivalent to a `collectionFormat`."""
    name = fields.string(node, "collectionFormat", reading.diagnostics) or "csv"
    style = _STYLES.get(name.lower())  # in another case nothing else can be meant
    if style is None:
        message = f"`collectionFormat: {name}` is not known; csv is used"
        reading.diagnostics.warning("style", message, node)
    return style or _STYLES["csv"]


def _inner(node: Node, reading: Reading) -> str:
    """The delimiter of a nested array; empty if it is that of the outer array."""
    items = fields.member(node, "items")
    if items is None or fields.string(items, "type") != "array":
        return ""
    if _collection(items, reading) == _collection(node, reading):
        return ""
    return _DELIMITERS.get(fields.string(items, "collectionFormat").lower(), ",")


def _media_types(keys: Iterable[str], node: Node, reading: Reading) -> list[str]:
    """The media types from the entries of `consumes` or `produces`; JSON if there are none."""
    names = [media_type_of(key, node, reading) for key in keys]
    return [*dict.fromkeys(name for name in names if name)] or ["application/json"]


def _body(node: Node, consumes: list[str], reading: Reading) -> RequestBody:
    schema = fields.member(node, "schema")
    types = _media_types(consumes, node, reading)
    jsons = [t for t in types if media.kind(t) is Kind.JSON]
    schema_at = reading.open_schema if jsons else reading.schema
    if schema is None and fields.member(node, "type") is not None:
        message = "a `body` has its schema under `schema`; its `type` is read as part of one"
        reading.diagnostics.warning("body", message, node["type"])
        converted = reading.schema(node, parameter=True)
    else:
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
    """The form made from `formData` parameters; it is sent even if no field is given."""
    properties: dict[str, Schema] = {}
    encoding: dict[str, Encoding] = {}
    for name, node in form.items():
        schema, text = _own_schema(node, reading), reading.described(node)
        if text and isinstance(schema, Mapping):
            schema = {**schema, "description": text}
        properties[name] = schema
        is_array = schemas.types_of(schema, reading.pool.schemas) == {"array"}
        style, explode = _collection(node, reading) if is_array else (None, None)
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
            value = deserialized(values[0], value_schema, pool)
            values = read(by_type[name].with_value(value), value_schema, reading, directed=True)
        entries.append(replace(option, schema=value_schema, examples=tuple(values)))
    return tuple(entries)


def _types(operation: Operation, key: str, reading: Reading) -> tuple[str, ...]:
    """The operation's own `consumes` or `produces`, even if empty; else the document's."""
    holder = operation.node if key in operation.fields else reading.document.root
    return fields.strings(holder, key, reading.diagnostics)
