"""Functions that answer questions about JSON Schemas, and build a tool's inputSchema.

A pool has every definition by its key; a `$ref` is always `#/$defs/<key>`. No function here changes
a schema that it is given.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..api import Schema
from ..runtime.values.media import is_json, is_json_lines, is_text
from .definitions import definitions
from .rules import Rules, conjunction, in_place
from .subschemas import ANNOTATIONS, reference_to, references, referred_key

_ENCODINGS = ("base16", "base32", "base64", "base64url", "quoted-printable")
"""The encodings of RFC 4648 and RFC 2045 that turn bytes into other text."""
_PLAIN = ANNOTATIONS | {"type", "properties", "required", "additionalProperties"}


def reachable(schemas: Iterable[Schema], pool: Mapping[str, Schema]) -> dict[str, Schema]:
    """The definitions that the schemas reach, directly or indirectly, in the pool's order."""
    whole_pool = definitions(pool)
    start: set[str] = set()
    for schema in schemas:
        start |= references(schema)
    return {key: whole_pool[key] for key in sorted(whole_pool.closure(start))}


def resolve(schema: Schema, pool: Mapping[str, Schema]) -> Schema:
    """The schema itself, or the schema at the end of its `$ref` chain.

    Annotations beside a reference override the target's; other keywords beside a reference are
    joined to the target by `allOf`. A reference that leads nowhere, or to itself, is the schema
    that allows everything.
    """
    keys: set[str] = set()
    beside: dict[str, Any] = {}
    while (key := referred_key(schema)) is not None:
        assert not isinstance(schema, bool)
        siblings = {name: value for name, value in schema.items() if name != "$ref"}
        if siblings.keys() - ANNOTATIONS:
            joined = {**siblings, "allOf": [reference_to(key), *siblings.get("allOf", ())]}
            return {**joined, **beside}
        beside = {**siblings, **beside}
        if key in keys or key not in pool:
            return beside
        keys.add(key)
        schema = pool[key]
    return schema if isinstance(schema, bool) or not beside else {**schema, **beside}


def is_plain_object(schema: Schema, pool: Mapping[str, Schema]) -> bool:
    """Whether the schema is an object whose properties may become separate arguments.

    It has `properties`, but no applicators such as `anyOf`, no schema or pattern for further
    properties, and no limit on the number of properties.
    """
    target = resolve(schema, pool)
    if isinstance(target, bool) or not target.keys() <= _PLAIN:
        return False
    extra = target.get("additionalProperties", True)
    return (
        bool(target.get("properties"))
        and target.get("type", "object") in ("object", ["object"])
        and (isinstance(extra, bool) or not extra)
    )


def properties(schema: Schema, pool: Mapping[str, Schema]) -> dict[str, Schema]:
    """The properties that an object schema declares, itself or through `$ref` and `allOf`.

    A name that is declared more than once has all its schemas, joined by `allOf`.
    """
    members = Rules.of(schema, pool).properties.items()
    return {name: conjunction(each for each, _ in subs) for name, subs in members}


def is_binary(schema: Schema, pool: Mapping[str, Schema]) -> bool:
    """Whether an instance is bytes: `format: binary`, or an unencoded byte media type.

    `type: object` with `format: file` is how AutoRest's documents write a stream.
    """
    return any(
        part.get("format") in ("binary", "file")
        or names_no_encoding(part)
        or ("contentEncoding" not in part and _has_bytes(part))
        for part in in_place(schema, pool)
    )


def names_no_encoding(schema: Mapping[str, Any]) -> bool:
    """Whether `contentEncoding` leaves bytes as they are (RFC 2045, 6.2).

    OpenAPI 3.1 uses this keyword in place of `format: binary`.
    """
    return _encoding(schema) == "binary"


def _encoding(schema: Mapping[str, Any]) -> str:
    return str(schema.get("contentEncoding", "")).lower()


def is_encoded(schema: Schema, pool: Mapping[str, Schema]) -> bool:
    """Whether a string that fits the schema is bytes encoded as text, such as base64.

    In OpenAPI 3.0 this is `format: base64` ("Considerations for File Uploads").
    """
    return any(
        _encoding(part) in _ENCODINGS or part.get("format") == "base64"
        for part in in_place(schema, pool)
    )


def _has_bytes(schema: Mapping[str, Any]) -> bool:
    media_type = str(schema.get("contentMediaType", "text/plain"))
    return not (is_text(media_type) or is_json(media_type) or is_json_lines(media_type))


def description(schema: Schema, pool: Mapping[str, Schema]) -> str:
    """The description of a schema, or else the description of its reference's target."""
    target = resolve(schema, pool)
    return "" if isinstance(target, bool) else str(target.get("description", ""))


def with_keywords(schema: Schema, added: Mapping[str, Any]) -> Schema:
    """The schema with the keywords in `added`, which replace its own keywords of the same name."""
    if not added:
        return schema
    if schema is True:
        return dict(added)
    return {**({"not": {}} if schema is False else schema), **added}


def all_or_none(names: Iterable[str], needed: Sequence[str]) -> dict[str, list[str]]:
    """The `dependentRequired` for names that are only allowed together with all `needed` ones.

    It is kept short: each name requires the first needed name, which requires the others (JSON
    Schema 2020-12 validation, 6.5.4).
    """
    if not needed:
        return {}
    first, *others = needed
    requirements = {name: others if name == first else [first] for name in names}
    return {name: each for name, each in requirements.items() if each}


def input_root(
    properties: Mapping[str, Schema],
    required: Iterable[str],
    additional: Schema,
    pool: Mapping[str, Schema],
    dependent: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, Any]:
    """A complete input schema: a plain object with the definitions that its properties reach.

    `pool` is the pool of the properties' schemas (`for_input` returns both); `dependent` becomes
    its `dependentRequired`.
    """
    root: dict[str, Any] = {
        "type": "object",
        "properties": {
            name: {} if schema is True else schema for name, schema in properties.items()
        },
    }
    names = list(dict.fromkeys(required))
    if names:
        root["required"] = names
    if dependent:
        root["dependentRequired"] = dependent
    root["additionalProperties"] = additional
    reached = reachable([*properties.values(), additional], pool)
    if reached:
        root["$defs"] = reached
    return root
