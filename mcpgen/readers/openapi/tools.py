"""From an operation to its tool, by the table in the design."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from ... import schemas
from ...api import HttpCall, Schema, Tool
from . import arguments, fields, paths, text
from .extensions import hints_of
from .responses import Outcome, outcome

if TYPE_CHECKING:
    from ...diagnostics import Diagnostics
    from ...document import Node
    from .options import ReadOptions
    from .parts import Details, Operation

_RETURNS_LIMIT = 300
_TITLE_LIMIT = 120


def make_tool(
    details: Details,
    name: str,
    tag: str,
    pool: Mapping[str, Schema],
    options: ReadOptions,
    diagnostics: Diagnostics,
) -> Tool:
    """The tool of an operation; `pool` holds every schema of the document that is reached."""
    operation = details.operation
    built = arguments.build(details.parameters, details.body, pool)
    bodiless = operation.method == "HEAD"
    answers = [replace(a, media=()) for a in details.answers] if bodiless else details.answers
    result = outcome(answers, pool)
    summary = _text(operation, "summary", options, diagnostics)
    description = _text(operation, "description", options, diagnostics)
    title = _title(operation, summary, description, name)
    return Tool(
        name=name,
        title=title,
        description=_description(details, result, summary, description, options, diagnostics),
        summary=text.one_line(summary or description) or title,
        arguments=built.arguments,
        input_schema=schemas.input_root(
            {a.name: a.schema for a in built.arguments},
            [a.name for a in built.arguments if a.required],
            built.additional,
            built.pool,
        ),
        output_schema=schemas.output_schema(
            result.schema, pool, options.output_schema, options.output_schema_bytes
        ),
        result=result.schema,
        result_media_type=result.media_type,
        annotations=hints_of(operation.method, None, operation.extension, diagnostics),
        http=_call(details, built, result),
        tag=tag,
        icons=operation.extension.icons,
        deprecated=fields.flag(operation.node, "deprecated"),
        examples=result.examples,
        sample_arguments=built.samples,
        operation_id=operation.operation_id,
        pointer=operation.node.pointer,
    )


def _call(details: Details, built: arguments.Arguments, result: Outcome) -> HttpCall:
    operation = details.operation
    return HttpCall(
        method=operation.method,
        path=paths.sent(operation.path),
        body=built.body,
        accept=result.accept,
        statuses=result.statuses,
        security=details.security,
        servers=details.servers,
        fixed_query=details.fixed_query,
    )


def _text(operation: Operation, key: str, options: ReadOptions, diagnostics: Diagnostics) -> str:
    """A text of the operation, or of its path item where it has none."""
    for holder in (operation.fields, operation.item):
        node = holder.get(key)
        if node is not None and isinstance(node.value, str) and node.value.strip():
            return text.clean(node.value, node, options.description_limit, diagnostics)
    return ""


def _title(operation: Operation, summary: str, description: str, name: str) -> str:
    chosen = text.one_line(text.strip_hidden(operation.extension.title), _TITLE_LIMIT)
    if chosen:
        return chosen
    given = text.one_line(summary, _TITLE_LIMIT).rstrip(".")
    return given or text.humanize(operation.operation_id or name) or name


def _description(
    details: Details,
    result: Outcome,
    summary: str,
    description: str,
    options: ReadOptions,
    diagnostics: Diagnostics,
) -> str:
    """What the operation does, then what it takes and returns as far as the document says it."""
    operation = details.operation
    chosen = operation.extension.description
    if chosen and operation.extension.node is not None:
        at: Node = operation.extension.node
        whole = text.clean(chosen, at, options.description_limit, diagnostics)
    elif summary and description and not text.contains(description, summary):
        whole = f"{summary}\n\n{description}"
    else:
        whole = description or summary or f"{operation.method} {operation.path}"
    for part in _additions(details, result, whole):
        whole = f"{whole}\n\n{part}"
    if len(whole) > options.description_limit:
        diagnostics.warning(
            "text-cut", f"description cut at {options.description_limit:,}", operation.node
        )
        whole = text.cut(whole, options.description_limit)
    return whole


def _additions(details: Details, result: Outcome, said: str) -> list[str]:
    added = []
    body = details.body
    if body is not None and body.description and not text.contains(said, body.description):
        added.append(f"Request body: {text.cut(body.description, _RETURNS_LIMIT)}")
    returns = _returns(result)
    if returns and not text.contains(said, returns):
        added.append(f"Returns: {returns}")
    if fields.flag(details.operation.node, "deprecated") and "deprecat" not in said.lower():
        added.append("Deprecated: use another tool where there is one.")
    return added


def _returns(result: Outcome) -> str:
    described = text.cut(result.description, _RETURNS_LIMIT)
    kind = "" if result.schema is not None else result.media_type or ""
    if described and kind:
        return f"{described.rstrip('.')} ({kind})"
    return described or kind
