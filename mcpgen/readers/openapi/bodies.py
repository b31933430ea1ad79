"""Request bodies: the media types that can be sent and how their properties are written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ... import schemas
from ...api import Encoding, Schema
from . import fields, media
from .media import Kind
from .parameters import described, examples
from .parts import Media, Operation, RequestBody, Unusable

if TYPE_CHECKING:
    from ...document import Node
    from .reading import Reading


def read_body(operation: Operation, reading: Reading) -> RequestBody | None:
    """The Request Body Object of 3.x; None where there is none or it has no content."""
    given = operation.fields.get("requestBody")
    if given is None or given.value is None:
        return None
    node = given.resolve()
    if not isinstance(node.value, dict):
        fields.wrong_type(given, "requestBody", "an object", reading.diagnostics)
        return None
    content = fields.object_at(node, "content", reading.diagnostics)
    if content is None or not content.value:
        reading.diagnostics.warning("body", "a request body without `content` is not sent", node)
        return None
    offered = tuple(
        read_media(name, entry, reading)
        for name, entry in content.items()
        if usable(name, entry, reading)
    )
    if not offered:
        raise Unusable("its request body has no media type that can be sent", content)
    return RequestBody(
        required=fields.flag(node, "required"),
        media=offered,
        description=described(node, reading),
        pointer=node.pointer,
    )


def usable(name: str, node: Node, reading: Reading) -> bool:
    """Whether a media type may stand in a header; reported where not."""
    if media.is_valid(name):
        return True
    reading.diagnostics.warning("media-type", f"{name!r} is no media type and is left out", node)
    return False


def read_media(name: str, node: Node, reading: Reading) -> Media:
    """One entry of `content`, a Media Type Object."""
    entry = node.resolve()
    if not isinstance(entry.value, dict):
        fields.wrong_type(node, "content", "an object of media types", reading.diagnostics)
        return Media(name)
    schema_node = fields.member(entry, "schema") or fields.member(entry, "itemSchema")
    schema = None if schema_node is None else reading.schema(schema_node)
    return Media(
        media_type=name,
        schema=schema,
        encoding=dict(_encodings(name, entry, reading)),
        examples=examples(entry, reading),
    )


def _encodings(name: str, entry: Node, reading: Reading) -> Iterator[tuple[str, Encoding]]:
    if media.kind(name) not in (Kind.FORM, Kind.MULTIPART):
        return
    for key, node in fields.members(entry, "encoding", reading.diagnostics):
        if not isinstance(node.value, dict):
            fields.wrong_type(node, "encoding", "an object of objects", reading.diagnostics)
            continue
        yield (
            key,
            Encoding(
                content_type=_part_type(fields.string(node, "contentType", reading.diagnostics)),
                style=fields.string(node, "style", reading.diagnostics) or None,
                explode=fields.boolean(node, "explode"),
                allow_reserved=fields.flag(node, "allowReserved"),
            ),
        )


def _part_type(declared: str) -> str | None:
    """The first media type of a list that can be sent as it is; a range leaves the choice open."""
    first = declared.split(",")[0].strip()
    return first if media.is_valid(first) and "*" not in first else None


def encodings(found: Media, pool: Mapping[str, Schema]) -> dict[str, Encoding]:
    """How each property of a form is written, as far as it is not the default."""
    if media.kind(found.media_type) not in (Kind.FORM, Kind.MULTIPART) or found.schema is None:
        return {}
    result = {}
    for name, schema in schemas.properties(found.schema, pool).items():
        encoding = found.encoding.get(name, Encoding())
        if is_file(schema, pool):
            encoding = replace(encoding, binary=True)
        if encoding != Encoding():
            result[name] = encoding
    return result


def is_file(schema: Schema, pool: Mapping[str, Schema]) -> bool:
    """Whether a property is a file, or an array of files."""
    if schemas.is_binary(schema, pool):
        return True
    found = schemas.resolve(schema, pool)
    items = found.get("items") if isinstance(found, Mapping) else None
    return items is not None and schemas.is_binary(items, pool)


def sendable(body: RequestBody, pool: Mapping[str, Schema]) -> Media:
    """The media type that a tool sends: the best; among forms the one that carries files."""
    ranked = sorted(body.media, key=lambda m: media.rank(m.media_type))
    if media.kind(ranked[0].media_type) is Kind.FORM:
        for other in ranked:
            if any(e.binary for e in encodings(other, pool).values()):
                return other
    return ranked[0]


def as_text(schema: Schema | None, media_type: str) -> dict[str, Any]:
    """The argument for a body that is written as text, whatever structure it has."""
    if isinstance(schema, Mapping) and schema.get("type") == "string":
        return dict(schema)
    return {"type": "string", "contentMediaType": media.essence(media_type)}
