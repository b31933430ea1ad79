"""Request bodies: the media types that can be sent, and how their properties are encoded."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ... import schemas
from ...api import Encoding, Schema
from ...runtime.values.media import essence, is_json_lines
from ...schemas.output_clean import undescribed
from ...schemas.types import ALL
from ...text.kinds import json_type
from . import fields, files, media
from .contents import media_entries, read_media
from .media import Kind
from .operation_parts import Media, Operation, RequestBody, Unusable
from .reader_state import referent

if TYPE_CHECKING:
    from ...source.document import Node
    from .reader_state import Reading

_ANYTHING = ALL - {"integer"}
_MAX_MEDIA_TYPES = 50
"""The most media types of one body, since each is compared with every other."""
_SCALARS = frozenset({"string", "integer", "number", "boolean"})
_ANY_FIELDS = "The form's fields, by the API's names for them; its document does not list them."
_NAMED = ("multipart/form-data", "application/x-www-form-urlencoded")
"""Forms whose fields have names; parts of other multiparts need no names (RFC 2046, RFC 7578)."""


def read_body(operation: Operation, reading: Reading) -> RequestBody | None:
    """The Request Body Object of 3.x; None if it is missing or has no content."""
    field = operation.fields.get("requestBody")
    if field is None or field.value is None:
        return None
    node = referent(field, reading.version)
    if field.is_ref and not isinstance(node.value, dict):
        raise Unusable(f"its body refers to {json_type(node.value)}", field)
    if not isinstance(node.value, dict):
        fields.wrong_type(field, "requestBody", "an object", reading.diagnostics)
        return None
    content = fields.object_at(node, "content", reading.diagnostics)
    if content is None or not content.value:
        reading.diagnostics.warning("body", "a request body without `content` is not sent", node)
        return None
    return RequestBody(
        required=fields.flag(node, "required"),
        media=_offered(content, reading),
        description=reading.described(node),
        pointer=node.pointer,
    )


def _offered(content: Node, reading: Reading) -> tuple[Media, ...]:
    """The media types that can be sent; raises Unusable if there are none."""
    options: list[Media] = []
    refused: list[tuple[str, Unusable]] = []
    entries = media_entries(content, reading)
    if len(entries) > _MAX_MEDIA_TYPES:
        message = (
            f"a body has {len(entries):,} media types; only the first {_MAX_MEDIA_TYPES} are used"
        )
        reading.diagnostics.warning("media-type", message, content, "Name those that agents need.")
    for name, entry in islice(entries.items(), _MAX_MEDIA_TYPES):
        try:
            options.append(_sendable(name, entry, reading))
        except Unusable as problem:
            refused.append((name, problem))
    options = _with_names(options, content, reading)
    if not options:
        if refused:
            raise refused[0][1]
        raise Unusable("its request body has no media type that can be sent", content)
    for name, why in refused:
        message = f"`{name}` is left out: {why.reason}"
        reading.diagnostics.warning("media-type", message, why.at or content)
    return tuple(options)


def _sendable(name: str, entry: Node, reading: Reading) -> Media:
    """One media type; raises Unusable if a dangling reference hides how to write the body."""
    kind = media.kind(name)
    if kind not in media.FORMS:
        schema_at = reading.open_schema if kind is Kind.JSON else reading.schema
        return read_media(name, entry, reading, schema_at)
    option = read_media(name, entry, reading, reading.open_schema)
    is_nested = any(encoding.parts is not None for encoding in option.encoding.values())
    if is_nested:
        broken = reading.pool.broken(option.schema_or_any)
    else:
        deciding = files.deciding(option.schema_or_any, reading.pool.schemas)
        broken = reading.pool.dangling(deciding)
    if broken is not None:
        raise Unusable(broken.message, fields.member(entry.resolve(), "schema"))
    return option


def _with_names(options: list[Media], content: Node, reading: Reading) -> list[Media]:
    """The media types, without forms for which the document declares no fields.

    If no other media type is left, forms are kept, and each call has to name the fields itself.
    """
    nameless = [each for each in options if not _has_names(each, reading.pool.schemas)]
    usable = [_with_free_parts(each, reading.pool.schemas) for each in options]
    usable = [each for each, option in zip(usable, options, strict=True) if option not in nameless]
    if not usable:
        usable = [_with_any_fields(each) for each in nameless if essence(each.media_type) in _NAMED]
    types = {each.media_type for each in usable}
    for each in nameless:
        what = "a call has to name them" if each.media_type in types else "it is left out"
        message = f"the document declares no fields of `{each.media_type}`; {what}"
        reading.diagnostics.warning("media-type", message, content)
    return usable


def _has_names(option: Media, pool: Mapping[str, Schema]) -> bool:
    """Whether the fields of a form have names, since its schema allows an object.

    Also true for other media types, for a form that is one string, and for a multipart body that is
    an array of unnamed parts.
    """
    if option.kind not in media.FORMS or option.schema is None:
        return True
    types = schemas.types_of(option.schema, pool)
    kinds = {"object", "string"} if option.kind is Kind.FORM else {"object"}
    return not types or bool(types & kinds) or is_ordered(option, pool)


def is_ordered(option: Media, pool: Mapping[str, Schema]) -> bool:
    """Whether a multipart body has an array as its schema: its parts are ordered and unnamed."""
    if option.schema is None or essence(option.media_type) in _NAMED:
        return False
    return option.kind is Kind.MULTIPART and schemas.types_of(option.schema, pool) == {"array"}


def _with_any_fields(option: Media) -> Media:
    values = option.schema_or_any
    schema = {"type": "object", "description": _ANY_FIELDS, "additionalProperties": values}
    return replace(option, schema=schema)


def _with_free_parts(option: Media, pool: Mapping[str, Schema]) -> Media:
    """The media type; multipart without a schema is given one that allows any fields and parts."""
    types = schemas.types_of(option.schema_or_any, pool)
    if option.kind is not Kind.MULTIPART or not files.is_free(option.schema_or_any, pool):
        return option
    if essence(option.media_type) in _NAMED or types == {"object"}:
        return _with_any_fields(replace(option, schema={}))
    about = f"The parts: an object (by name) or an array (in order). {files.OR_TEXT}"
    schema: Schema = {
        "type": ["object", "array"],
        "description": about,
        "items": {},
        "additionalProperties": {},
    }
    return replace(option, schema=schema)


def encodings(option: Media, pool: Mapping[str, Schema]) -> dict[str, Encoding]:
    """The encodings of a form's properties, or of ordered parts, where they are not the default."""
    if option.kind not in media.FORMS or option.schema is None:
        return {}
    is_multipart = option.kind is Kind.MULTIPART
    result = {}
    ordered = is_ordered(option, pool)
    declared, other = files.fields(option.schema, pool), Encoding()
    if ordered:
        declared = files.positions(option.schema, option.encoding, pool)
        other = option.encoding.get("*", other)
    if is_multipart and not ordered and files.takes_more(option.schema, pool):
        result["*"] = files.FREE
    for name, schema in declared.items():
        encoding = option.encoding.get(name, other)
        inner = _inside(option, encoding, schema if ordered else files.each_of(schema, pool), pool)
        encoding = replace(encoding, parts=None if inner is None else encodings(inner, pool))
        if inner is None and (is_multipart or files.is_file(schema, pool)):
            open_parts = is_multipart and option.open_parts
            encoding = files.marked(encoding, schema, pool, open_parts=open_parts)
        result[name] = encoding
    plain = all(encoding == Encoding() for encoding in result.values())
    if result.get("*", Encoding()) != Encoding() or (ordered and not plain):
        return result
    return {name: encoding for name, encoding in result.items() if encoding != Encoding()}


def _inside(
    option: Media, encoding: Encoding, schema: Schema, pool: Mapping[str, Schema]
) -> Media | None:
    """The nested form or multipart body inside a property; None if the property has none."""
    kind = media.kind(encoding.content_type or "")
    is_object = "object" in schemas.types_of(schema, pool)
    if encoding.parts is None or (kind is Kind.FORM and not is_object):
        return None
    return replace(
        option, media_type=str(encoding.content_type), schema=schema, encoding=encoding.parts
    )


def has_files(option: Media, pool: Mapping[str, Schema]) -> bool:
    """Whether a property of the body is a file."""
    if option.schema is None:
        return False
    if any(each.binary and not each.text for each in encodings(option, pool).values()):
        return True
    return any(files.is_file(s, pool) for s in files.fields(option.schema, pool).values())


def ranked(body: RequestBody, pool: Mapping[str, Schema]) -> list[Media]:
    """The media types of a body, best first; for a body with files, multipart forms are first."""
    options = sorted(body.media, key=lambda each: _rank(each, pool))
    first = options[0]
    if any(m.kind is Kind.MULTIPART for m in options) and (
        first.kind is Kind.FORM or (first.kind is Kind.JSON and has_files(first, pool))
    ):
        options.sort(key=lambda m: not (m.kind is Kind.MULTIPART and has_files(m, pool)))
    return _bytes_together(options, pool)


def _rank(option: Media, pool: Mapping[str, Schema]) -> tuple[bool, int, int]:
    """A sort key: byte types come late, and types that are bytes only by their schema come last."""
    kind, within = media.rank(option.media_type, option.by_schema)
    if kind not in (Kind.BINARY, *media.FORMS) and _is_raw(option, pool):
        kind, within = Kind.BINARY, within + len(Kind)
    return _misfit(option, pool), kind, within


def alternatives(
    options: list[Media], pool: Mapping[str, Schema]
) -> tuple[list[Media], list[Media]]:
    """The media types to offer besides the first, and those left out because they add nothing."""
    offered, left = [options[0]], list[Media]()
    for other in options[1:]:
        if any(_is_no_use_beside(each, other, pool) for each in offered):
            left.append(other)
        elif is_bytes(other, pool) and other.kind in (Kind.TEXT, Kind.XML):
            offered.append(replace(other, schema={"type": "string"}))
        else:
            offered.append(other)
    return offered[1:], left


def _is_no_use_beside(one: Media, other: Media, pool: Mapping[str, Schema]) -> bool:
    """Whether a media type adds nothing to another one, or cannot be distinguished from it."""
    if media.concrete(one.media_type) == media.concrete(other.media_type):
        return True
    if one.kind in media.FORMS and other.kind in media.FORMS:
        first, second = encodings(one, pool), encodings(other, pool)
        shared = (first.keys() & second.keys()) | {"*"}
        if any(first.get(name) != second.get(name) for name in shared):
            return True
    if one.kind is other.kind is Kind.TEXT and not is_json_lines(other.media_type):
        return False  # the type alone says what the text is
    return _says_as_much(one, other, pool)


def _says_as_much(one: Media, other: Media, pool: Mapping[str, Schema]) -> bool:
    """Whether the media type `one` can send the same values as `other`.

    Objects and arrays are always written as JSON or as a form, so offering them as bytes too adds
    nothing.
    """
    first, second = (_bare(each, pool) for each in (one, other))
    if first != second:
        return argument_schema(one, pool) == argument_schema(other, pool)
    if is_bytes(one, pool) == is_bytes(other, pool):
        return True
    types = schemas.types_of(first, pool)
    return types != {"string"} and len(types) < len(_ANYTHING)


def _bare(option: Media, pool: Mapping[str, Schema]) -> Schema:
    return undescribed(schemas.resolve(option.schema_or_any, pool))


def tell_choice(body: RequestBody | None, reading: Reading, at: Node) -> None:
    """Report media types of a body that are not offered, since others can send the same.

    Also reports media types that do not define how to write an object or array: such a body is sent
    as JSON.
    """
    if body is None:
        return
    options = ranked(body, reading.pool.schemas)
    others, left = alternatives(options, reading.pool.schemas)
    for option in (options[0], *others):
        if option.by_schema is Kind.JSON:
            what = f"`{option.media_type}` does not say how an object or array is written"
            hint = "Write `format: binary` if it is a file."
            reading.diagnostics.warning("media-type", f"{what}; it is sent as JSON", at, hint)
    if left:
        names = ", ".join(f"`{each.media_type}`" for each in left)
        message = f"the body is sent as `{options[0].media_type}`, and not as {names}"
        reading.diagnostics.note("media-type", f"{message}, which would carry no more", at)


def argument_schema(option: Media, pool: Mapping[str, Schema]) -> Schema:
    """The schema of a body that is one argument; plain text and bytes are always strings.

    For text/plain with a schema of an object or array, the argument is that object, sent as JSON.
    """
    schema, directed = schemas.for_input(option.schema_or_any, pool)
    types = schemas.types_of(schema, pool)
    if is_bytes(option, pool):
        return schema if types == {"string"} else {"type": "string", "contentEncoding": "base64"}
    spelt = types <= _SCALARS or (types == {"array"} and is_json_lines(option.media_type))
    spelt |= types <= {"object", "array"} and essence(option.media_type) == "text/plain"
    if option.kind is Kind.XML or (option.kind is Kind.TEXT and not (types and spelt)):
        taken = files.as_text(schema, essence(media.concrete(option.media_type)), directed)
        annotations = {"description": f"XML such as `{option.outline}`."} if option.outline else {}
        return schemas.with_keywords(taken, annotations)
    return files.form(schema, encodings(option, pool), directed)


def is_bytes(option: Media, pool: Mapping[str, Schema]) -> bool:
    """Whether the whole body is bytes by its media type, or else by its schema."""
    if option.kind is Kind.BINARY:
        return not is_encoded(option, pool)
    if option.schema is None or option.kind in media.FORMS:
        return False
    open_type = option.kind is not Kind.JSON or "*" in option.media_type
    return open_type and _is_raw(option, pool)


def is_encoded(option: Media, pool: Mapping[str, Schema]) -> bool:
    """Whether the whole body is bytes encoded as text, such as base64.

    3.1, "Considerations for File Uploads": "The JSON Schema `type` and `contentEncoding` fields
    explain that the payload is transferred as text."
    """
    if option.kind is not Kind.BINARY or option.schema is None:
        return False
    return schemas.is_encoded(option.schema, pool)


def _is_raw(option: Media, pool: Mapping[str, Schema]) -> bool:
    """Whether a body's schema describes raw bytes."""
    return option.schema is not None and schemas.is_binary(option.schema, pool)


def _bytes_together(options: list[Media], pool: Mapping[str, Schema]) -> list[Media]:
    """The media types, with all binary ones merged: the bytes themselves show their type."""
    first = options[0]
    bytes_types = [
        m
        for m in options
        if is_bytes(m, pool) and "," not in m.media_type
        if is_bytes(first, pool) or not _says_as_much(first, m, pool)
    ]
    if len(bytes_types) < 2:
        return options
    names = ", ".join(m.media_type for m in bytes_types)
    others = [m for m in options if m not in bytes_types]
    joined = replace(bytes_types[0], media_type=names)
    return [joined, *others] if first in bytes_types else [*others, joined]


def _misfit(option: Media, pool: Mapping[str, Schema]) -> bool:
    """Whether a schema allows no array, although a JSON Patch must be an array (RFC 6902)."""
    if essence(option.media_type) != "application/json-patch+json" or option.schema is None:
        return False
    return "array" not in schemas.types_of(option.schema, pool)
