"""Media Type Objects: the entries of `content`, both in bodies and in answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ... import schemas
from ...api import Schema
from ...runtime.values.media import is_json_lines
from ...text.kinds import json_type
from . import fields, media, xml_outline
from .encodings import read_encodings
from .examples import deserialized, written
from .media import Kind
from .operation_parts import Media
from .versions import Version

if TYPE_CHECKING:
    from ...source.document import Node
    from .reader_state import Reading

_SCHEMA_WORDS = {"type", "properties", "items", "allOf", "oneOf", "anyOf"}
"""Keys that no media type has, but nearly every schema."""


def media_entries(content: Node, reading: Reading) -> dict[str, Node]:
    """The entries of `content`, keyed by media type.

    If a key is a list of media types, the first of them is used.
    """
    entries: dict[str, Node] = {}
    for key, entry in content.items():
        name = media_type_of(key, entry, reading)
        if name == key or (name and name not in content.value):
            entries.setdefault(name, entry)
    return entries


def media_type_of(key: str, node: Node, reading: Reading) -> str:
    """The media type for a key of `content`; an invalid key is reported.

    A blank key means any media type (`*/*`). The result is empty for a key that contains no media
    type.
    """
    if media.is_valid(key):
        if near := media.correction(key):
            message = f"`{key}` is not of a registered type"
            reading.diagnostics.warning("media-type", message, node, f"Did you mean `{near}`?")
        return key
    name = media.first(key) if key.strip() else "*/*"
    what = f"it is read as `{name}`" if name else "it is left out"
    reading.diagnostics.warning("media-type", f"{key!r} is not a media type; {what}", node)
    return name


def read_media(
    name: str, place: Node, reading: Reading, schema_at: Callable[[Node], Schema]
) -> Media:
    """One entry of `content`, a Media Type Object; `schema_at` converts the schema at a node."""
    entry = place.resolve()
    if not isinstance(entry.value, dict):
        kind = json_type(entry.value)
        message = f"a media type must be an object; {kind} is read as {{}}"
        reading.diagnostics.warning("wrong-type", message, place)
        return Media(name)
    schema: Schema | None = None
    if (whole := fields.member(entry, "schema")) is not None:
        schema = schema_at(whole)
    elif (items := fields.member(entry, "itemSchema")) is not None:
        schema = {"type": "array", "items": schema_at(items)}
    elif _SCHEMA_WORDS & entry.value.keys():
        message = (
            f"`{name}` holds a schema that belongs under `schema`; it is read as if it were there"
        )
        hint = "Write `schema:` above it."
        reading.diagnostics.warning("media-type", message, place, hint=hint)
        schema = schema_at(place)
    pool = reading.pool.schemas
    option = with_kind(Media(name, schema), pool)
    is_text, is_json = _is_written(option), option.kind is Kind.JSON
    examples = written(
        entry,
        None if is_text else schema,
        reading,
        as_text=is_text,
        directed=True,
        read_json=lambda value: [deserialized(value, schema, pool)] if is_json else [value],
    )
    return replace(
        option,
        outline=read_outline(name, whole, reading),
        encoding=dict(read_encodings(name, entry, reading)),
        open_parts=reading.version >= Version.V31,
        examples=examples,
    )


def with_kind(option: Media, pool: Mapping[str, Schema]) -> Media:
    """The media type; if its name suggests binary data, its kind is taken from its schema."""
    if option.schema is None or option.kind is not Kind.BINARY:
        return option
    kind = media.kind_by_schema(
        option.media_type,
        schemas.types_of(option.schema, pool),
        is_binary=schemas.is_binary(option.schema, pool),
    )
    return option if kind is option.kind else replace(option, by_schema=kind)


def read_outline(name: str, schema: Node | None, reading: Reading) -> str:
    """An outline of the XML that a schema describes; empty if the media type is not XML."""
    if schema is None or media.kind(name) is not Kind.XML:
        return ""
    return reading.clean(xml_outline.outline(schema), schema)


def _is_written(option: Media) -> bool:
    """Whether the body is plain text or XML, which agents write as one string."""
    return option.kind in (Kind.TEXT, Kind.XML) and not is_json_lines(option.media_type)
