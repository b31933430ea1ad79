"""Turns an operation into a tool."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from ... import schemas
from ...api import Argument, HttpCall, In, Schema, Tool
from ...operations.in_words import in_words
from ...schemas.subschemas import ANNOTATIONS
from ...schemas.width import is_wide
from ...text.prose import with_ours
from ..overlapping import as_taken
from . import agent_text, arguments, fields
from .filters import only_reads
from .html_text import as_markdown
from .method_hints import hints_of
from .repetitions import announces, repeats, says_something
from .responses import Outcome, outcome
from .tags import has_tag, tag_of
from .tool_names import is_no_name

if TYPE_CHECKING:
    from .operation_parts import Details, Operation
    from .reader_state import Reading

_MAX_ADDED_CHARACTERS = 300
_TYPES = ("string", "number", "boolean", "object", "array", "null")
_MAX_TITLE_LENGTH = 120
_ROOT = re.compile(r"\A(?:/(?:api|rest|v[0-9]{1,3}(?:\.[0-9]{1,3})*))+(?=/\w)", re.I)
"""Common beginnings of paths that do not describe the operation."""
_LAST = re.compile(r"(?<=\w)/\{([^{}/]+)\}/?\Z")
_RETURNS = re.compile(r"returns?\s", re.I)
_BODY = re.compile(r"(?:the\s)?request\sbody\b", re.I)


def make_tool(details: Details, name: str, built: arguments.Arguments, reading: Reading) -> Tool:
    """The tool of an operation."""
    operation, settings, pool = details.operation, reading.settings, reading.pool.schemas
    result = _result_of(details, pool)
    summary = _summary(operation, reading)
    description = _text(operation, "description", reading)
    if summary and "://" not in description and not says_something(description, operation):
        description = ""
    title = _title(operation, summary, name, reading)
    return Tool(
        name=name,
        title=title,
        description=_description(operation, (summary, description), built.about, result, reading),
        summary=agent_text.one_line(_line(summary, description, operation)) or title,
        arguments=built.arguments,
        input_schema=_input_schema(built, details.operation, name, reading),
        output_schema=schemas.output_schema(
            result.schema, pool, settings.output_schema, settings.output_schema_bytes
        ),
        result=result.schema,
        is_wide=is_wide(result.schema, pool),
        result_media_type=result.media_type,
        annotations=hints_of(
            operation.method, only_reads(operation), operation.extension, reading.diagnostics
        ),
        http=_call(details, built, result),
        tag=tag_of(operation),
        tagged=has_tag(operation),
        icons=operation.extension.icons,
        keywords=operation.extension.keywords,
        deprecated=fields.flag(operation.node, "deprecated"),
        examples=result.examples,
        answer_headers=details.answer_headers,
        representations=result.representations,
        sample_arguments=built.samples,
        operation_id=operation.operation_id,
        operation=operation.key,
        pointer=operation.node.pointer,
    )


def _result_of(details: Details, pool: Mapping[str, Schema]) -> Outcome:
    """The result from the success responses; for HEAD, declared content is ignored."""
    answers = details.answers
    if details.operation.method == "HEAD":
        answers = tuple(replace(answer, media=()) for answer in answers)
    return outcome(answers, pool, details.operation)


def _input_schema(
    built: arguments.Arguments, operation: Operation, name: str, reading: Reading
) -> dict[str, Any]:
    parts = [a.name for a in built.arguments if a.location is In.PROPERTY]
    whole = schemas.input_root(
        {a.name: _with_types(a, built.pool) for a in built.arguments},
        [a.name for a in built.arguments if a.required],
        built.additional,
        built.pool,
        schemas.all_or_none(parts, built.body.needed if built.body else ()),
    )
    limit = reading.settings.input_schema_bytes
    taken = as_taken(whole, built.pool)
    if reading.settings.argument_texts == "first":
        short = schemas.shortened(schemas.with_gists(taken), limit)
    else:
        short = schemas.shortened(taken, limit, built.pool)
    if limit and schemas.size(short) > limit:
        _report_long(short, operation, name, reading)
    return short


def _report_long(
    schema: Mapping[str, Any], operation: Operation, name: str, reading: Reading
) -> None:
    limit = reading.settings.input_schema_bytes
    message = (
        f"the inputSchema of `{name}` has {schemas.size(schema):,} bytes; the limit is {limit:,}"
    )
    arguments = sorted(schema["properties"].items(), key=lambda each: -schemas.size(each[1]))
    largest = ", ".join(f"`{argument}`" for argument, _ in arguments[:3])
    hint = f"Nothing is left to cut. Hide arguments in `mcpgen.toml`; the largest: {largest}."
    reading.diagnostics.warning("input-schema-too-long", message, operation.node, hint)


def _with_types(argument: Argument, pool: Mapping[str, Schema]) -> Schema:
    """The schema of an argument; all JSON types are added to one that says nothing of types.

    Without a type, clients send a string. The schema of a path parameter is not changed, since its
    value cannot be null.
    """
    schema = argument.schema
    words = {} if schema is True else schema
    if isinstance(words, Mapping) and "$ref" in words:
        target = schemas.resolve(words, pool)
        own = {key: value for key, value in words.items() if key != "$ref"}
        words = {} if target is True else target if target is False else {**target, **own}
    if isinstance(words, bool) or words.keys() - ANNOTATIONS or argument.location is In.PATH:
        return schema
    return {**words, "type": list(_TYPES), "items": {}}


def _call(details: Details, built: arguments.Arguments, result: Outcome) -> HttpCall:
    return HttpCall(
        method=details.operation.method,
        path=details.path,
        body=built.body,
        accept=result.accept,
        declared=result.declared,
        statuses=result.statuses,
        read_as=result.read_as,
        security=details.security,
        servers=details.servers,
        fixed_query=details.fixed_query,
    )


def _text(operation: Operation, key: str, reading: Reading) -> str:
    """The string under `key` in the operation, or else in its path item, cleaned."""
    for holder in (operation.fields, operation.item):
        node = holder.get(key)
        if node is not None and isinstance(node.value, str) and node.value.strip():
            return reading.clean(as_markdown(node.value), node)
    return ""


def _summary(operation: Operation, reading: Reading) -> str:
    """The operation's summary; if it is only an identifier, it is split into words."""
    summary = _text(operation, "summary", reading).replace("\\n", "\n")  # quoted twice
    word = summary.removesuffix("()")
    if len(word.split()) != 1:
        return summary
    phrase = agent_text.humanize(word)
    id_phrase = agent_text.humanize(operation.operation_id).lower()
    is_part = f" {phrase.lower()} " in f" {id_phrase} "
    return phrase if is_part and len(phrase.split()) > 1 else summary


def _line(summary: str, description: str, operation: Operation) -> str:
    """One line about the tool: the operation's summary, or else its description.

    The description also replaces a summary that a framework made from a function's name
    (`Read Item`).
    """
    name = agent_text.humanize(operation.operation_id)
    is_made = name and summary.istitle() and agent_text.contains(name, summary)
    return description if description and (is_made or not summary) else summary


def _summary_alone(operation: Operation) -> str:
    """The summary if there is no description; empty if there is one."""
    nodes = [operation.fields.get(key) for key in ("summary", "description")]
    texts = [str(node.value or "") if node is not None else "" for node in nodes]
    return "" if texts[1].strip() or operation.extension.description else texts[0].strip()


def _title(operation: Operation, summary: str, name: str, reading: Reading) -> str:
    chosen = agent_text.one_line(_extension_title(operation, reading), _MAX_TITLE_LENGTH)
    title = agent_text.one_line(summary, _MAX_TITLE_LENGTH).rstrip(".")
    own = "" if is_no_name(operation.operation_id, operation.key) else operation.operation_id
    if own.startswith(name) or own.endswith(name):
        own = name
    fallback = agent_text.humanize(own or operation.extension.name) or _path_in_words(operation.key)
    return chosen or title or agent_text.cut(fallback, _MAX_TITLE_LENGTH) or name


def _path_in_words(key: str) -> str:
    """Method and path in words: `GET /api/v1/pets/{id}` becomes `Get pets by id`."""
    method, _, path = key.partition(" ")
    words = _LAST.sub(r"/by/\1", _ROOT.sub("", path))
    return agent_text.humanize(f"{method.lower()} {words.strip('/') or 'root'}")


def _extension_title(operation: Operation, reading: Reading) -> str:
    extension = operation.extension
    return "" if extension.node is None else reading.clean(extension.title, extension.node)


def _description(
    operation: Operation, texts: tuple[str, str], about: str, result: Outcome, reading: Reading
) -> str:
    """The tool's description: effect, arguments and results, as far as the document describes them.

    `texts` are the operation's summary and description; if possible, only these are cut to the
    limit. `about` describes the request body.
    """
    summary, description = texts
    limit = reading.settings.description_limit
    extension = operation.extension
    if extension.description and extension.node is not None:
        whole = reading.clean(extension.description, extension.node)
    elif description and _adds_nothing(summary, description, operation):
        whole = description
    elif agent_text.contains(summary, description):
        whole = summary
    else:
        whole = f"{summary}\n\n{description}".strip()
    added = "\n\n".join(filter(None, _additions(operation, about, result, whole)))
    text = with_ours(whole, added)
    if len(text) <= limit:
        return text
    message = f"the description of {operation.key} was cut at {limit:,} characters"
    reading.diagnostics.warning("text-cut", message, operation.node)
    room = limit - len(f"\n\n{added}")
    if added and room >= limit // 2:
        text = with_ours(agent_text.cut(whole, room), added)
    return agent_text.cut(text, limit)


def _adds_nothing(summary: str, description: str, operation: Operation) -> bool:
    """Whether a summary only repeats the description or spells out the operation's name."""
    if agent_text.contains(description, summary) or agent_text.begins_with(description, summary):
        return True
    name = agent_text.humanize(operation.operation_id)
    return bool(name) and agent_text.contains(name, summary)


def _additions(operation: Operation, body: str, result: Outcome, text: str) -> list[str]:
    added = []
    first = text.partition("\n\n")[0]
    nothing = not says_something(body, operation) or repeats(body, operation, first)
    if not nothing and not agent_text.contains(text, body):
        line = agent_text.whole(body, _MAX_ADDED_CHARACTERS)
        added.append(line if not line or _BODY.match(line) else f"Request body: {line}")
    returns = _returns(result, operation, text)
    is_word = len(text.split()) == 1 and text == _summary_alone(operation)
    if not text or (is_word and not (added or returns)):
        path = agent_text.strip_hidden(operation.path)
        added.insert(0, in_words(operation.method, path, None if returns else result.schema))
    added += returns
    if fields.flag(operation.node, "deprecated") and "deprecat" not in text.lower():
        added.append("Deprecated: use another tool where there is one.")
    return added


def _returns(result: Outcome, operation: Operation, text: str) -> list[str]:
    """Sentences that describe the result; one for each status if several are described."""
    pairs = [pair for pair in result.descriptions if not announces(pair[1], operation, text)]
    returns = {
        f"Status {of}" if of else "Returns": agent_text.whole(t, _MAX_ADDED_CHARACTERS)
        for of, t in pairs
    }
    if result.schema is None and result.media_type:
        described = returns.get("Returns", "").rstrip(".")
        kind = f"{described} ({result.media_type})" if described else result.media_type
        returns = {"Returns": kind, **{of: t for of, t in returns.items() if of != "Returns"}}
    return [
        line if _RETURNS.match(line) and of == "Returns" else f"{of}: {line}"
        for of, line in returns.items()
        if not agent_text.contains(text, line)
    ]
