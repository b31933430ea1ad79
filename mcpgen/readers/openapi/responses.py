"""Responses: reads the success responses, and chooses the tool's result."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ... import schemas
from ...api import Example, Representation, Schema
from ...runtime.values.media import MediaType, essence, is_token
from ...source.document import ReferenceProblem
from . import fields, media
from .contents import media_entries, read_media
from .examples import written
from .media import Kind
from .operation_parts import Answer, Media, Operation
from .reader_state import referent
from .repetitions import says_something

if TYPE_CHECKING:
    from ...source.document import Node
    from .reader_state import Reading

_SUCCESS = re.compile(r"2(?:\d\d|XX)", re.I)
_DEFAULT = re.compile("default", re.I)
_REDIRECT = re.compile(r"3(?:\d\d|XX)", re.I)
_ERRORS = re.compile(r"\b(?:errors?|exceptions?|failures?|problems?)\b", re.I)
_SUCCEEDED = re.compile(r"\b(?:ok|no errors?|succe\w+)\b", re.I)
_EMPTY = {"204", "205", "304"}
"""Statuses that never have content (RFC 9110 15.3.5, 15.3.6, 15.4.5)."""


class Outcome(Struct, frozen=True):
    """The tool's result, from all success responses of an operation."""

    statuses: tuple[str, ...]
    accept: tuple[str, ...]
    declared: tuple[str, ...]
    """Further media types, which requests do not ask for."""
    schema: Schema | None
    media_type: str | None
    descriptions: tuple[tuple[str, str], ...]
    """Statuses and their descriptions; an empty status means all of them."""
    examples: tuple[Example, ...]
    read_as: str = ""
    """The same as `HttpCall.read_as`."""
    representations: tuple[Representation, ...] = ()
    """The same as `Tool.representations`."""


def success_nodes(operation: Operation, reading: Reading) -> list[tuple[str, Node]]:
    """Status and Response Object of each success response.

    If there are none, those of `default`; without `default`, those of the redirects.
    """
    responses = operation.fields.get("responses")
    if responses is None or responses.value is None:
        return []
    if not isinstance(responses.value, dict):
        fields.wrong_type(responses, "responses", "an object", reading.diagnostics)
        return []
    try:
        own = fields.own_fields(responses)
    except ReferenceProblem as problem:
        reading.diagnostics.add(problem.diagnostic)
        own = dict(responses.items())
    declared = [
        ("default" if _DEFAULT.fullmatch(status) else status.upper(), node)
        for status, node in own.items()
    ]
    for pattern in (_SUCCESS, _DEFAULT, _REDIRECT):
        group = [(status, node) for status, node in declared if pattern.fullmatch(status)]
        if group:
            group.sort(key=lambda pair: (not pair[0].isdigit(), pair[0]))
            return [(status, _response(node, reading)) for status, node in group]
    return []


def _response(node: Node, reading: Reading) -> Node:
    """The Response Object at a node, or at the target of the node's reference.

    If the reference leads nowhere, a warning is reported and the node itself is returned.
    """
    try:
        return referent(node, reading.version)
    except ReferenceProblem as problem:
        reading.diagnostics.add(problem.diagnostic)
        return node


def headers(operation: Operation, reading: Reading) -> tuple[str, ...]:
    """The header names that an operation's responses declare, including error responses."""
    names: dict[str, None] = {}
    responses = operation.fields.get("responses")
    for _, node in responses.items() if responses is not None else ():
        with suppress(ReferenceProblem):
            declared = fields.member(referent(node, reading.version), "headers")
            if declared is not None and isinstance(declared.value, dict):
                names |= dict.fromkeys(filter(is_token, declared.value))
    return tuple(names)


def read_answer(status: str, node: Node, reading: Reading) -> Answer:
    """The success response at a node of an OpenAPI 3.x document."""
    content = fields.object_at(node, "content", reading.diagnostics)
    entries = {} if content is None else media_entries(content, reading)
    read = tuple(_media(name, entry, reading) for name, entry in entries.items())
    return Answer(status, read, reading.described(node) or reading.described(node, "summary"))


def outcome(answers: Iterable[Answer], pool: Mapping[str, Schema], operation: Operation) -> Outcome:
    """The tool's result, from all success responses of an operation."""
    answers = _without_problems([_without_error(answer) for answer in answers])
    whole = _outcome(answers, pool, operation)
    of_any = (m for a in answers if a.status not in _EMPTY for m in a.media)
    kinds = dict.fromkeys(_asked(m) for m in of_any if "*" not in m.media_type)
    if len(kinds) < 2:
        return whole
    each = {kind: _outcome(_only(kind, answers), pool, operation) for kind in kinds}
    several = (Representation(k, o.schema, o.read_as, o.examples) for k, o in each.items())
    return replace(whole, representations=tuple(several))


def _only(kind: str, answers: Iterable[Answer]) -> list[Answer]:
    """The responses, each with only its content of the media type `kind`."""
    return [replace(a, media=tuple(m for m in a.media if _asked(m) == kind)) for a in answers]


def _outcome(
    answers: Sequence[Answer], pool: Mapping[str, Schema], operation: Operation
) -> Outcome:
    chosen = [(a, [] if a.status in _EMPTY else _best(a.media, pool)) for a in answers]
    jsons = [m for _, group in chosen for m in group if _is_json(m, pool)]
    accept = dict.fromkeys(_asked(m) for _, group in chosen for m in group)
    every = dict.fromkeys(_asked(m) for a, group in chosen if group for m in a.media)
    first = next((group[0] for _, group in chosen if group), None)
    kinds = (
        m.by_schema.name.lower()
        for _, group in chosen
        for m in group
        if m.by_schema is not None and not MediaType.read(m.media_type).is_text
    )
    return Outcome(
        statuses=tuple(a.status for a in answers) or ("2XX",),
        accept=tuple(accept) or ("*/*",),
        declared=tuple(name for name in every if name not in accept),
        schema=_together(jsons) if jsons else None,
        media_type=_result_type(jsons, first, pool),
        descriptions=_descriptions(answers, operation),
        examples=tuple(_examples(chosen)),
        read_as=next(kinds, ""),
    )


def _asked(option: Media) -> str:
    """The media type for the Accept header, without a charset.

    Some frameworks compare parameters: for them, `application/json; charset=utf-8` differs from
    their own `application/json`, and they respond with 406.
    """
    kind, *parameters = option.media_type.split(";")
    if "*" in kind and not kind.rstrip().endswith("/*"):
        kind = media.concrete(kind)  # no range is `application/*+json` (RFC 9110 12.5.1)
    rest = [each for each in parameters if each.partition("=")[0].strip().lower() != "charset"]
    return ";".join([kind, *rest])


def _without_problems(answers: list[Answer]) -> tuple[Answer, ...]:
    """The responses without problem details (RFC 9457), unless nothing else would be left."""
    others = [replace(a, media=tuple(m for m in a.media if not _is_problem(m))) for a in answers]
    return tuple(others if any(answer.media for answer in others) else answers)


def _is_problem(option: Media) -> bool:
    return essence(option.media_type) in ("application/problem+json", "application/problem+xml")


def _descriptions(answers: Iterable[Answer], operation: Operation) -> tuple[tuple[str, str], ...]:
    statuses: dict[str, list[str]] = {}
    for answer in answers:
        text = answer.description if says_something(answer.description, operation) else ""
        statuses.setdefault(text, []).append(answer.status)
    if len(statuses) == 1:
        return tuple(("", text) for text in statuses if text)
    return tuple((", ".join(of), text) for text, of in statuses.items() if text)


def _without_error(answer: Answer) -> Answer:
    """The response; a `default` that describes errors is reduced to status and media types."""
    text = answer.description
    if answer.status != "default" or not _ERRORS.search(text) or _SUCCEEDED.search(text):
        return answer
    return Answer(answer.status, tuple(Media(m.media_type) for m in answer.media))


def _media(name: str, node: Node, reading: Reading) -> Media:
    entry = fields.resolved(node, reading.diagnostics)
    kind = media.kind(name)
    may_be_json = kind is Kind.JSON or (kind is Kind.BINARY and not media.are_files(name))
    if may_be_json and not entry.is_ref:
        option = read_media(name, entry, reading, reading.open_schema)
        if option.kind is not Kind.BINARY:
            return option
    return Media(name, examples=written(entry, as_text=kind in (Kind.TEXT, Kind.XML)))


def _best(offered: Iterable[Media], pool: Mapping[str, Schema]) -> list[Media]:
    """The JSON media types if there are any, else all media types; the best one comes first.

    JSON cannot contain bytes. If the schema of every JSON type is bytes, the binary types are
    returned instead. If there are none, any media type is accepted, as for a file of OpenAPI 2.0.
    """
    ranked = sorted(offered, key=lambda m: media.rank(m.media_type, m.by_schema))
    jsons = [m for m in ranked if media.kind(m.media_type) is Kind.JSON]
    if any(m.schema is None or not schemas.is_binary(m.schema, pool) for m in jsons):
        return jsons
    if not jsons:
        is_json = bool(ranked) and ranked[0].by_schema is Kind.JSON
        return [m for m in ranked if m.by_schema is Kind.JSON] if is_json else ranked
    of_bytes = [m for m in ranked if m.kind is Kind.BINARY]
    of_any = [m if "*" in m.media_type else replace(m, media_type="*/*") for m in jsons]
    return of_bytes or of_any


def _is_json(option: Media, pool: Mapping[str, Schema]) -> bool:
    """Whether a media type is JSON.

    A range such as `*/*` is JSON only if it has a schema that is neither binary nor just a string.
    """
    if option.kind is not Kind.JSON:
        return False
    if "*" not in option.media_type or option.schema is None:
        return "*" not in option.media_type
    if schemas.is_binary(option.schema, pool):
        return False
    return schemas.types_of(option.schema, pool) != {"string"}


def _result_type(jsons: list[Media], first: Media | None, pool: Mapping[str, Schema]) -> str | None:
    if jsons:
        return media.concrete(jsons[0].media_type)
    if first is None:
        return None
    if "*" in first.media_type and first.schema is not None:
        binary = schemas.is_binary(first.schema, pool)
        return "application/octet-stream" if binary else "text/plain"
    return first.media_type


def _together(options: list[Media]) -> Schema:
    """One schema for all media types of a result; media types without a schema are ignored."""
    distinct: list[Schema] = []
    for each in options:
        if each.schema is not None and each.schema not in distinct:
            distinct.append(each.schema)
    if not distinct:
        return True
    return distinct[0] if len(distinct) == 1 else {"anyOf": distinct}


def _examples(chosen: list[tuple[Answer, list[Media]]]) -> Iterator[Example]:
    """The examples of each response's best media type; if it is not JSON, only the strings."""
    for answer, group in chosen:
        status = int(answer.status) if answer.status.isdigit() else 200
        for best in group[:1]:
            name = media.concrete(best.media_type)
            for value in best.examples:
                if best.kind is Kind.JSON or isinstance(value, str):
                    yield Example(status, name, value)
