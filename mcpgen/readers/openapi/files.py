"""Files in forms: finds the fields that are bytes, and tells agents how to write them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

from msgspec.structs import replace

from ... import schemas
from ...api import Encoding, Schema
from ...schemas.rules import IN_PLACE, Rules, parts
from ...schemas.subschemas import ANNOTATIONS, children, referred_key
from . import media

Pool = Mapping[str, Schema]

GIVEN = "base64, a data: URI or a file:// URI."
_PART_GIVEN = (
    "base64, a data: URI (`data:text/csv;name=a.csv,...` names the file) or a file:// URI."
)
"""How an agent gives bytes: for a whole body, and for a field."""
_SENTENCES = re.compile(r"[.!?]\s|\n")
"""A place where a second sentence begins."""
OR_TEXT = "A data: URI or a file:// URI is sent as a file, anything else as text."
FREE = Encoding(binary=True, text=True)
"""The encoding of a part without a description: it may be a file."""
_OTHERS = "additionalProperties"
_SAY_NOTHING = ANNOTATIONS | {"type", _OTHERS}
_GOOD = re.compile(r"(?:data|file):|(?:[A-Za-z0-9+/_-]{4})+={0,2}\Z|[A-Za-z0-9+/_-]{2,}={1,2}\Z")
_ALTERNATIVES = ("anyOf", "oneOf")
_ITEMS = frozenset({"items", "prefixItems"})
_FIELDS = _ITEMS | {"properties", "patternProperties", "additionalProperties"}
_OF_BYTES = {"enum", "const", "pattern", "minLength", "maxLength"}
"""Keywords about the bytes themselves; the bytes' base64 need not fit them."""


def fields(schema: Schema, pool: Pool) -> dict[str, Schema]:
    """The schemas of a form's fields by name, including those in alternatives.

    `*` is the schema of undeclared fields; it is only there if these can be files.
    """
    rules = Rules(parts(schema, pool, IN_PLACE))
    joined: dict[str, Schema] = rules.either()
    others = [each for named in rules.each("patternProperties") for each in named.values()]
    others += (each for each in rules.each("additionalProperties") if isinstance(each, Mapping))
    if any(is_file(other, pool) for other in others):
        joined.setdefault("*", {"anyOf": others})
    return joined | schemas.properties(schema, pool)


def is_free(schema: Schema, pool: Pool) -> bool:
    """Whether a form's schema declares no fields and allows any."""
    target = schemas.resolve(schema, pool)
    if isinstance(target, bool):
        return target
    is_object = target.get("type", "object") == "object"
    return target.keys() <= _SAY_NOTHING and is_object and takes_more(target, pool, default=True)


def takes_more(schema: Schema, pool: Pool, *, default: bool = False) -> bool:
    """Whether the schema of a form allows fields that it does not declare."""
    target = schemas.resolve(schema, pool)
    return _is_open(target if isinstance(target, bool) else target.get(_OTHERS, default))


def positions(schema: Schema, encodings: Mapping[str, Encoding], pool: Pool) -> dict[str, Schema]:
    """The schemas of an array's items by position; `*` is any further position."""
    target = schemas.resolve(schema, pool)
    keywords: Mapping[str, Any] = {} if isinstance(target, bool) else target
    first: list[Schema] = list(keywords.get("prefixItems", ()))
    other: Schema = keywords.get("items", True)
    if other is not False:
        length = next(at for at in count() if str(at) not in encodings)
        first += [other] * (length - len(first))
    return {**{str(at): each for at, each in enumerate(first)}, "*": other}


def deciding(schema: Schema, pool: Pool) -> set[str]:
    """The keys of the definitions that determine which fields, parts and files a form has.

    Definitions of values nested more deeply do not count, since these are always written as JSON.
    """
    members = list(_members(schema, pool, _FIELDS))
    items = [item for member in members for item in _members(member, pool, _ITEMS)]
    parts = (part for each in (schema, *members, *items) for part in _parts(each, pool))
    return {key for part in parts if (key := referred_key(part)) is not None}


def _members(schema: Schema, pool: Pool, keywords: frozenset[str]) -> Iterator[Schema]:
    """The schemas under the given keywords, such as `properties` or `items`."""
    for part in _parts(schema, pool):
        yield from children({keyword: part[keyword] for keyword in keywords & part.keys()})


def _parts(schema: Schema, pool: Pool) -> Iterator[Mapping[str, Any]]:
    """The schema, and all schemas that apply, or may apply, to the same value."""
    return schemas.in_place(schema, pool)


def is_file(schema: Schema, pool: Pool) -> bool:
    """Whether a field is a file, or an array of files."""
    for part in _parts(schema, pool):
        items = [part.get("items", True), *part.get("prefixItems", ())]
        if any(schemas.is_binary(each, pool) for each in (part, *items)):
            return True
    return False


def marked(encoding: Encoding, schema: Schema, pool: Pool, *, open_parts: bool) -> Encoding:
    """A field's encoding; it becomes `binary` if the schema, or else the media type, says so.

    `open_parts`: a field with an empty schema may be bytes too.
    """
    leaves = list(_leaves(schema, pool)) or [False]
    if is_file(schema, pool):
        texts = [leaf for leaf in leaves if not schemas.is_binary(leaf, pool)]
        return replace(encoding, binary=True, text=any(_is_text(leaf, pool) for leaf in texts))
    if media.are_bytes(encoding.content_type or ""):
        fits = all(_is_open(leaf) or _is_text(leaf, pool) for leaf in leaves)
        return replace(encoding, binary=True) if fits else encoding
    how_many = all if encoding.content_type is None else any
    if open_parts and encoding == Encoding() and all(map(_is_encoded, leaves)):
        return replace(encoding, content_type="application/octet-stream")  # 3.1.0, Encoding Object
    if open_parts and how_many(map(_is_open, leaves)) and _may_be_bytes(encoding):
        return replace(encoding, binary=True, text=True)
    return encoding


def _may_be_bytes(encoding: Encoding) -> bool:
    """Whether the media types of an encoding allow bytes; without media types, they are allowed."""
    listed = (encoding.content_type or "application/octet-stream").split(",")
    return encoding == Encoding(encoding.content_type) and any(map(media.are_bytes, listed))


def each_of(schema: Schema, pool: Pool) -> Schema:
    """The schema that an encoding applies to: for an array, that of its items (3.2.0, "Encoding By
    Name").
    """
    target = schemas.resolve(schema, pool)
    if isinstance(target, bool) or schemas.types_of(schema, pool) != {"array"}:
        return schema
    items: Schema = target.get("items", True)
    return items


def described(schema: Schema, encoding: Encoding, pool: Pool, *, has_name: bool = True) -> Schema:
    """The schema of a field as an argument; for bytes, its description says how to write them."""
    if media.are_xml(encoding.content_type or ""):
        return _as_text(schema, str(encoding.content_type), pool)
    if encoding.parts is not None:
        inner = each_of(schema, pool) if has_name else schema
        new = form(inner, encoding.parts, pool)
        if new is inner:
            return schema
        target = schemas.resolve(schema, pool)
        return new if inner is schema or isinstance(target, bool) else {**target, "items": new}
    if not encoding.binary:
        return schema
    text = schemas.description(schema, pool)
    if encoding.text:
        text = f"{text.rstrip().rstrip('.')}. {OR_TEXT}" if text else OR_TEXT
        return schemas.with_keywords(schema, {"description": text})
    text = hinted(text, instruction=_PART_GIVEN if has_name else GIVEN)
    return as_base64(schemas.with_keywords(schema, {"description": text}), pool)


def form(schema: Schema, encodings: Mapping[str, Encoding], pool: Pool) -> Schema:
    """The argument schema for a form, or for an array of ordered parts."""
    target = schemas.resolve(schema, pool)
    if isinstance(target, bool) or not any(e.binary or e.content_type for e in encodings.values()):
        return schema
    changed: dict[str, Any] = dict(target)
    for keyword in IN_PLACE:
        if keyword in target:
            changed[keyword] = [form(each, encodings, pool) for each in target[keyword]]
    other = encodings.get("*", Encoding())
    for keyword in ("properties", "patternProperties"):
        if keyword in target:
            changed[keyword] = {
                name: described(each, encodings.get(name, other), pool)
                for name, each in target[keyword].items()
            }
    if isinstance(target.get("additionalProperties"), Mapping):
        changed["additionalProperties"] = described(target["additionalProperties"], other, pool)
    if schemas.types_of(schema, pool) == {"array"}:
        places = positions(schema, encodings, pool)
        by_position = {
            at: described(each, encodings.get(at, other), pool, has_name=False)
            for at, each in places.items()
        }
        *first, rest = by_position.values()
        if first and by_position != places:
            changed["prefixItems"] = first
        if "items" in target:
            changed["items"] = rest
    return schema if changed == target else changed


def as_base64(schema: Schema, pool: Pool, *, items: bool = True) -> Schema:
    """The schema, with raw bytes described as base64 strings, since JSON cannot contain bytes.

    The keywords are those of JSON Schema validation, 8.3. A file may be an item of an array, but
    not of an array inside an array: `items` is False for the schemas of items.
    """
    original = target = schemas.resolve(schema, pool)
    if isinstance(target, bool):
        return {"type": "string", "contentEncoding": "base64"} if target else target
    if target.get("format") in ("binary", "file") and "string" not in schemas.types_of(
        target, pool
    ):
        words = {key: target[key] for key in ("title", "description") if key in target}
        return {**words, "type": "string", "contentEncoding": "base64"}
    if schemas.names_no_encoding(target):
        target = {key: value for key, value in target.items() if key != "contentEncoding"}
    changed = _without_other_examples(target)
    if _is_text(target, pool):
        changed = {key: value for key, value in changed.items() if key not in _OF_BYTES}
    for keyword in IN_PLACE:
        if keyword in target:
            changed[keyword] = [as_base64(each, pool, items=items) for each in target[keyword]]
    if items and "prefixItems" in target:
        inner = target["prefixItems"]
        changed["prefixItems"] = [as_base64(each, pool, items=False) for each in inner]
    if items and "items" in target:
        changed["items"] = as_base64(target["items"], pool, items=False)
    elif _is_open({key: target[key] for key in target if key != "contentMediaType"}):
        changed |= {"type": "string", "contentEncoding": "base64"}
    elif (
        target.get("format") != "binary"
        and target.keys().isdisjoint(IN_PLACE)
        and _is_text(target, pool)
    ):
        changed["contentEncoding"] = "base64"
    return schema if changed == original else changed


def _as_text(schema: Schema, media_type: str, pool: Pool, *, items: bool = True) -> Schema:
    """The schema with XML as a string, since no schema of an object can say how to write XML."""
    target, types = schemas.resolve(schema, pool), schemas.types_of(schema, pool)
    if items and types == {"array"} and isinstance(target, Mapping):
        each = target.get("items", True)
        inner = _as_text(each, media_type, pool, items=False)
        changed = {**target, "items": inner}
        if inner is not each:
            changed.pop("examples", None)  # they have objects for items
        return changed
    if types.isdisjoint({"array", "object"}):
        return schema
    text = schemas.description(schema, pool)
    taken = as_text(schema, media_type, pool)
    return schemas.with_keywords(taken, {"description": text} if text else {})


def as_text(schema: Schema, media_type: str, pool: Pool) -> Schema:
    """The schema of a string of a media type (JSON Schema validation, 8.5: `contentSchema`)."""
    taken: dict[str, Any] = {"type": "string", "contentMediaType": media_type}
    telling = () if isinstance(schema, bool) else schema.keys() - ANNOTATIONS - {"type"}
    if telling and not schemas.types_of(schema, pool).isdisjoint({"array", "object"}):
        taken["contentSchema"] = schema
    return taken


def hinted(text: str, media_types: str = "", *, instruction: str = GIVEN) -> str:
    """The description of a binary argument, followed by an instruction on how to write bytes."""
    about = text.rstrip().rstrip(".") or "Bytes"
    whole = f"{about}{'. Give ' if _SENTENCES.search(about) else ': '}{instruction}"
    which = f" A data: URI says which of {media_types} they are."
    return whole + which if "," in media_types else whole


def _leaves(schema: Schema, pool: Pool, *, items: bool = True) -> Iterator[Schema]:
    """All alternatives of a value, or of the items of an array; `null` is left out."""
    target = schemas.resolve(schema, pool)
    inner: list[tuple[Schema, bool]] = []
    if isinstance(target, Mapping):
        inner = [(each, items) for keyword in _ALTERNATIVES for each in target.get(keyword, ())]
        if items:
            inner += [(each, False) for each in target.get("prefixItems", ())]
            inner += [(target["items"], False)] if "items" in target else []
    if not inner and schemas.types_of(target, pool) != {"null"}:
        yield target
    for each, deeper in inner:
        yield from _leaves(each, pool, items=deeper)


def _is_open(schema: Schema) -> bool:
    """Whether a schema has no keyword that restricts its values."""
    return schema is True or (isinstance(schema, Mapping) and schema.keys() <= ANNOTATIONS)


def _is_encoded(schema: Schema) -> bool:
    """Whether a schema describes bytes that are encoded as a string."""
    keys: Mapping[str, Any] = {} if isinstance(schema, bool) else schema
    return "contentEncoding" in keys and "contentMediaType" not in keys


def _is_text(schema: Schema, pool: Pool) -> bool:
    """Whether a schema only allows strings that are not encoded bytes."""
    types = schemas.types_of(schema, pool) - {"null"}
    target = schemas.resolve(schema, pool)
    encoded = isinstance(target, Mapping) and (
        "contentEncoding" in target or target.get("format") == "byte"
    )
    return types == {"string"} and not encoded


def _without_other_examples(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema without examples such as `@photo.jpg`, which are neither base64 nor a URI."""
    examples = [e for e in schema.get("examples", ()) if isinstance(e, str) and _GOOD.match(e)]
    rest = {key: value for key, value in schema.items() if key != "examples"}
    return {**rest, "examples": examples} if examples else rest
