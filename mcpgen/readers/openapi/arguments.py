"""Turns parameters and a body into a tool's arguments, with names and schemas."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from ... import schemas
from ...api import Argument, Body, Encoding, In, Schema
from ...schemas.subschemas import referred_key
from ...schemas.types import ALL, with_integers
from ...text import words
from . import bodies, examples, files, media
from .agent_text import contains, one_line, spells
from .defaults import with_default
from .media import Kind
from .operation_parts import Media, Parameter, RequestBody

Pool = Mapping[str, Schema]
_BODY = "body"
_ENCODED = re.compile(
    r"\b(?:must|should|has to|needs to) be (?:URL|percent)[- ]?(?:en|es)coded", re.IGNORECASE
)
_AS_IT_IS = "Give it as it is: it is encoded for you."
_FURTHER = f"Further arguments are fields of the form. {files.OR_TEXT}"
_MAX_NAME_LENGTH = 40
_MAX_WORDS = 4
"""The most words in a title that is used as a name: a longer title is a sentence."""


class Arguments(Struct, frozen=True):
    """The arguments of a tool, and the body that is made from some of them."""

    arguments: tuple[Argument, ...] = ()
    samples: Mapping[str, Any] = field(default_factory=dict)
    body: Body | None = None
    about: str = ""
    """The document's description of a body whose properties are arguments."""
    pool: Pool = field(default_factory=dict)
    """The pool of the arguments' schemas, without read-only properties."""

    @property
    def additional(self) -> bool:
        """Whether undeclared arguments are allowed; they become properties of the body."""
        return self.body is not None and self.body.extra


def build(
    parameters: tuple[Parameter, ...], body: RequestBody | None, pool: Pool, body_name: str = ""
) -> Arguments:
    """The arguments of a tool: those for its parameters, then those for its body.

    `body_name` is the name in the lock for the single argument that is the whole body; it is empty
    for a new operation.
    """
    content = Arguments()
    if body is not None:
        content = _content(body, {p.name for p in parameters}, pool, body_name)
    pairs = list(_with_names(parameters, tuple(a.name for a in content.arguments)))
    samples: dict[str, Any] = {}
    for name, parameter in pairs:
        if sendable := examples.sent(parameter, pool):
            samples[name] = sendable[0]
    directed = schemas.for_input(True, pool)[1]
    arguments = (*(_argument(name, p, pool) for name, p in pairs), *content.arguments)
    return replace(
        content,
        arguments=tuple(with_default(each, directed) for each in arguments),
        samples={**samples, **content.samples},
        pool=directed,
    )


def _with_names(
    parameters: tuple[Parameter, ...], in_use: tuple[str, ...]
) -> Iterable[tuple[str, Parameter]]:
    """Each parameter with its argument name; equal names get the location appended (`id_path`)."""
    counts = Counter([*in_use, *(p.name for p in parameters)])
    used = set(in_use) | {p.name for p in parameters if counts[p.name] == 1}
    for parameter in parameters:
        name = parameter.name
        if counts[name] > 1:
            name = f"{name}_{parameter.location.value}"
            while name in used:
                name += "_"
            used.add(name)
        yield name, parameter


def _argument(name: str, parameter: Parameter, pool: Pool) -> Argument:
    schema = schemas.for_input(parameter.schema, pool)[0]
    if parameter.media_type and media.kind(parameter.media_type) in (Kind.TEXT, Kind.XML):
        schema = bodies.argument_schema(Media(parameter.media_type, schema), pool)
    if not isinstance(schema, bool) and spells(schema.get("title"), parameter.name):
        schema = {keyword: value for keyword, value in schema.items() if keyword != "title"}
    added: dict[str, Any] = {}
    described = _description(parameter, schema)
    if parameter.location is In.PATH and _ENCODED.search(described):
        described = f"{described.rstrip()} {_AS_IT_IS}"
    if described:
        added["description"] = described
    if parameter.deprecated:
        added["deprecated"] = True
    if values := examples.of_parameter(parameter, schema, pool):
        added["examples"] = values
    if parameter.location is In.PATH and parameter.media_type is None:
        added |= _of_path(schema, pool)
    return Argument(
        name=name,
        schema=schemas.with_keywords(schema, added),
        location=parameter.location,
        wire_name=parameter.name,
        required=parameter.required,
        description=described or schemas.description(schema, pool),
        style=parameter.style,
        explode=parameter.explode,
        inner=parameter.inner,
        allow_reserved=parameter.allow_reserved,
        allow_empty_value=parameter.allow_empty_value
        or (parameter.location is In.PATH and _lists_empty(schema, pool)),
        media_type=parameter.media_type,
        encoding=parameter.encoding,
        deprecated=parameter.deprecated,
        pointer=parameter.pointer,
    )


def _description(parameter: Parameter, schema: Schema) -> str:
    """The parameter's description, together with that of its schema if the latter says more."""
    own = "" if isinstance(schema, bool) else str(schema.get("description", ""))
    if own and contains(own, parameter.description):
        return own
    if contains(parameter.description, own):
        return parameter.description
    return f"{parameter.description}\n\n{own}"


def _lists_empty(schema: Schema, pool: Pool) -> bool:
    """Whether a schema lists the empty string among its values."""
    parts = schemas.in_place(schema, pool)
    return any("" in part.get("enum", ()) or part.get("const") == "" for part in parts)


def _of_path(schema: Schema, pool: Pool) -> dict[str, Any]:
    """The keywords that forbid an empty array or object in a path (RFC 6570 3.2.1).

    A schema without a type is restricted to booleans, numbers and strings, since how to write
    arrays and objects depends on a style.
    """
    if schemas.types_of(schema, pool) >= ALL - {"integer"}:
        return {"type": ["boolean", "number", "string"]}
    limits = {"array": "minItems", "object": "minProperties"}
    types = schemas.types_of(schema, pool)
    target = schemas.resolve(schema, pool)
    limit = limits.get(next(iter(types))) if len(types) == 1 else None
    if limit is None or (isinstance(target, Mapping) and target.get(limit)):
        return {}
    return {limit: 1}


def _content(body: RequestBody, names: set[str], pool: Pool, body_name: str) -> Arguments:
    """The arguments for a body with content. They are named before the parameters are."""
    options = bodies.ranked(body, pool)
    chosen, (others, _) = examples.for_input(options[0], pool), bodies.alternatives(options, pool)
    binary = bodies.is_bytes(chosen, pool)
    encoding = {n: e for m in (*others, chosen) for n, e in bodies.encodings(m, pool).items()}
    base = Body(
        media_type=_media_type(chosen.media_type, binary),
        required=body.required,
        spread=False,
        encoding=encoding,
        binary=binary,
        kinds={n: k for m in (chosen, *others) for n, k in _kinds(m, pool)},
        offered=tuple(_media_type(m.media_type, bodies.is_bytes(m, pool)) for m in others),
    )
    if others:
        return _choice(base, body, [chosen, *others], pool)
    if chosen.kind <= Kind.MULTIPART and not binary:
        spread = _spread(base, body, names, chosen, pool)
        if spread is not None:
            return spread
    schema = bodies.argument_schema(chosen, pool)
    whole = _whole(base, body, schema, chosen, pool)
    name = body_name or _name_of(chosen.schema_or_any if binary else schema, names, pool)
    return whole if name == _BODY else _called(name, whole)


def _name_of(schema: Schema, names: set[str], pool: Pool) -> str:
    """The argument name for an array, string or bytes as body: its schema's name (`order_ids`)."""
    target = schemas.resolve(schema, pool)
    title = "" if isinstance(target, bool) else str(target.get("title", ""))
    name = words.snake(title, fallback=_BODY)
    is_short = len(name) <= _MAX_NAME_LENGTH and name.count("_") < _MAX_WORDS
    is_list_or_text = schemas.types_of(schema, pool) <= {"array", "string", "null"}
    return name if is_short and is_list_or_text and name not in names else _BODY


def _called(name: str, whole: Arguments) -> Arguments:
    """Rename the body's argument to `name`, and drop a title that only repeats the name."""
    (argument,) = whole.arguments
    schema = argument.schema
    if isinstance(schema, Mapping) and spells(schema.get("title"), name):
        schema = {keyword: value for keyword, value in schema.items() if keyword != "title"}
    samples = dict.fromkeys([name] if whole.samples else [], whole.samples.get(_BODY))
    return replace(whole, arguments=(replace(argument, name=name, schema=schema),), samples=samples)


def _media_type(declared: str, binary: bool) -> str:
    """The media type to send.

    A range such as `image/*` is replaced by a concrete type, but not for bytes. Bytes declared as
    JSON are sent as `application/octet-stream`.
    """
    if not binary:
        return media.concrete(declared)
    return "application/octet-stream" if media.kind(declared) is Kind.JSON else declared


def _kinds(option: Media, pool: Pool) -> Iterator[tuple[str, str]]:
    """Media types whose names do not show their kind of content, each with that kind.

    A text type such as `text/csv` has the kind `binary` if its schema describes bytes.
    """
    is_bytes = bodies.is_bytes(option, pool)
    if option.by_schema is not None or bodies.is_encoded(option, pool):
        yield option.media_type, "json" if option.kind is Kind.JSON else "text"
    elif is_bytes:
        names = [_media_type(name.strip(), True) for name in option.media_type.split(",")]
        others = [name for name in names if media.kind(name) is not Kind.BINARY]
        if others and len(names) > 1:
            others.append(option.media_type)
        yield from ((name, "binary") for name in others)


def _choice(base: Body, body: RequestBody, entries: list[Media], pool: Pool) -> Arguments:
    """One body argument with an alternative for each media type.

    If a value may fit several alternatives, the further argument `content_type` selects one.
    """
    options: list[Schema] = []
    places: list[int] = []
    for entry in entries:
        schema = bodies.argument_schema(entry, pool)
        if schema not in options:
            options.append(schema)
        places.append(options.index(schema))
    if len(options) < len(entries):
        base = replace(base, places=tuple(places))
    together: Schema = {"anyOf": options} if len(options) > 1 else options[0]
    whole = _whole(base, body, together, entries[0], pool)
    if len(options) == len(entries) and _are_apart(options, pool):
        return whole
    text = f"Media type of `{_BODY}`; default: the first of these that fits it."
    names = (name.strip() for each in (base.media_type, *base.offered) for name in each.split(","))
    schema = {"type": "string", "enum": [*names], "description": text}
    chooser = Argument(
        name="content_type",
        schema=schema,
        location=In.CONTENT_TYPE,
        wire_name="content_type",
        required=False,
        description=text,
        pointer=body.pointer,
    )
    return replace(whole, arguments=(*whole.arguments, chooser))


def _are_apart(options: list[Schema], pool: Pool) -> bool:
    """Whether the types of all schemas differ, so that no value can fit two of them."""
    types = [with_integers(schemas.types_of(schema, pool)) for schema in options]
    return all(one.isdisjoint(other) for one, other in combinations(types, 2))


def _spread(
    base: Body, body: RequestBody, names: set[str], chosen: Media, pool: Pool
) -> Arguments | None:
    """The body's properties as arguments; None if the body must be one argument.

    The required properties of an optional body become `dependentRequired`, which is impossible if
    the body allows undeclared properties.
    """
    schema, directed = schemas.for_input(chosen.schema_or_any, pool)
    if not schemas.is_plain_object(schema, directed):
        return None
    target = schemas.resolve(schema, directed)
    if isinstance(target, bool) or names & set(target["properties"]):
        return None
    required = tuple(dict.fromkeys(target.get("required", ())))
    extra = target.get("additionalProperties", False) in (True, {})
    needed = () if body.required else required
    if not set(required) <= set(target["properties"]) or (extra and needed):
        return None
    example = next((e for e in chosen.examples if isinstance(e, dict)), {})
    sample = {n: v for n, v in example.items() if n in target["properties"]}
    parts = {
        name: files.described(
            examples.of_property(name, value, sample.get(name), directed),
            base.encoding.get(name, Encoding()),
            directed,
        )
        for name, value in target["properties"].items()
    }
    of = referred_key(schema) or ""
    always = required if body.required else ()
    arguments = tuple(
        _property(name, part, name in always, of, body, directed) for name, part in parts.items()
    )
    spread = replace(base, spread=True, extra=extra, needed=needed)
    about = body.description or one_line(schemas.description(schema, directed))
    if extra and base.encoding.get("*") == files.FREE:
        about = f"{about} {_FURTHER}".lstrip()
    return Arguments(arguments, sample, spread, about)


def _property(
    name: str, schema: Schema, required: bool, of: str, body: RequestBody, pool: Pool
) -> Argument:
    return Argument(
        name=name,
        schema=schema,
        location=In.PROPERTY,
        wire_name=name,
        required=required,
        description=schemas.description(schema, pool),
        deprecated=isinstance(schema, Mapping) and schema.get("deprecated") is True,
        pointer=body.pointer,
        of=of,
    )


def _whole(base: Body, body: RequestBody, schema: Schema, chosen: Media, pool: Pool) -> Arguments:
    text = body.description or (schemas.description(schema, pool) if base.binary else "")
    bytes_types = [name for name in base.offered if media.kind(name) is Kind.BINARY]
    if base.binary:
        text, schema = files.hinted(text, base.media_type), files.as_base64(schema, pool)
    elif chosen.examples and chosen.kind is not Kind.MULTIPART:
        schema = examples.of_body(schema, chosen.examples[0], pool)
    if isinstance(schema, Mapping) and chosen.outline and "description" in schema:
        text = f"{text} {schema['description']}".lstrip()
    if bytes_types:
        about = f"{text.rstrip()}." if text.rstrip()[-1:].isalnum() else text
        text = f"{about} {', '.join(bytes_types)}: {files.GIVEN}".lstrip()
    argument = Argument(
        name=_BODY,
        schema=schemas.with_keywords(schema, {"description": text} if text else {}),
        location=In.BODY,
        wire_name=_BODY,
        required=body.required,
        description=text,
        pointer=body.pointer,
    )
    samples = {_BODY: chosen.examples[0]} if chosen.examples else {}
    return Arguments((argument,), samples, base)
