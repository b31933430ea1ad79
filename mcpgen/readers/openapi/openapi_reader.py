"""Reads an OpenAPI document into an Api step by step."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ... import schemas
from ...api import Api, Schema, Skipped, Tool
from ...lock import Lock
from ...operations import answer_headers
from ...operations.argument_names import OF_BODY, with_safe_names
from .. import validate
from ..dialect import Dialect, SchemaPool
from . import arguments, fields, possible, schema_budget, security, servers, tool_names
from .access_reports import report_access
from .cleaning import clean_schemas
from .credentials import signed_everywhere, with_authorization
from .details import read_details
from .filters import follow, left_out, report_unused
from .framework_names import Candidate
from .info import read_frame
from .mcp_headers import with_headers
from .operation_parts import Details, Operation, Unusable
from .operation_schemes import with_schemes, with_servers
from .operation_tool import make_tool
from .path_items import read_operations
from .reader_state import Reading
from .versions import Version, read_version

if TYPE_CHECKING:
    from ...diagnostics import Diagnostics
    from ...settings import Settings
    from ...source.document import Document

_GRPC_STATUS = re.compile(r"(?:rpc\.?Status|runtime\.?Error)\Z", re.IGNORECASE)
_DIALECTS = {Version.V20: Dialect.OAS20, Version.V30: Dialect.OAS30}


def read(
    document: Document, settings: Settings, diagnostics: Diagnostics, old_lock: Lock | None = None
) -> Api:
    """Read an OpenAPI document of any version; operations in the lock keep their tools' names.

    Raises GenerationError with every error found: an unknown version, path keys that are not paths,
    a structure without recognizable operations, or no operation left.
    """
    reading, survey, names, filters = _surveyed(
        _start(document, settings, old_lock or Lock("", "", ""), diagnostics)
    )
    operations = [each for each in survey if isinstance(each, Operation)]
    details, left = _details(operations, names, reading)
    if settings.security == "all":
        details, reading = signed_everywhere(details, reading)
    pool = reading.pool.schemas
    clean_schemas(pool, document.root, settings.description_limit, diagnostics)
    built = {
        (key := d.operation.key): arguments.build(
            d.parameters, d.body, pool, _body_name(key, reading.lock)
        )
        for d in details
    }
    details, built = _possible(details, built, left, reading)
    skipped = _skipped(survey, left)
    report_unused(operations, skipped, names, reading.settings, diagnostics)
    if not (details or diagnostics.errors):
        _report_empty(skipped, reading)
    if diagnostics.errors:
        _validate(reading)
        diagnostics.raise_if_errors()
    reading = schema_budget.cut(built, operations, reading)
    made = _tools(details, built, names, reading)
    tagged = with_servers(
        [(made[each.key], each) for each in operations if each.key in made], reading
    )
    api = read_frame(reading)
    report_access(tagged, operations, api, reading)
    _validate(reading)
    tools = answer_headers.needed([tool for tool, _ in tagged])
    used = _reachable(tools, pool)
    return replace(api, tools=tools, skipped=skipped, filters=filters, schemas=used)


def _surveyed(
    reading: Reading,
) -> tuple[Reading, list[Operation | Skipped], dict[str, str], dict[str, str]]:
    """A copy of `reading` with the servers and schemes of all operations, and updated filters.

    Also returns the operations, their names, and the operations that filters name.
    """
    entries = list(read_operations(reading))
    operations = [each for each in entries if isinstance(each, Operation)]
    reading = _with_operations(operations, reading)
    names = _names(operations, reading)
    settings, filters = follow(
        operations, names, reading.settings, reading.lock.filters, reading.diagnostics
    )
    return replace(reading, settings=settings), entries, names, filters


def _validate(reading: Reading) -> None:
    """Report where the document violates OpenAPI's JSON Schema."""
    validate.report(reading.document.root, reading.version.text, reading.diagnostics)


def _start(
    document: Document, settings: Settings, old_lock: Lock, diagnostics: Diagnostics
) -> Reading:
    """The initial `Reading`: the document's version, servers and security schemes."""
    version = read_version(document.root, diagnostics)
    dialect = _DIALECTS.get(version, Dialect.OAS31)
    closed_whole = settings.closed_objects == "whole"
    reading = Reading(
        document=document,
        version=version,
        pool=SchemaPool(document, dialect, diagnostics, closed_whole=closed_whole),
        diagnostics=diagnostics,
        settings=settings,
        lock=old_lock,
    )
    api_servers = servers.api_servers(reading)
    start = servers.start_of(api_servers)
    schemes = security.read_schemes(document.root, version, start, diagnostics)
    if settings.security_schemes:
        holder = dataclasses.replace(document.root, value={"schemes": settings.security_schemes})
        added = security.schemes_at(holder, "schemes", Version.V31, start, diagnostics)
        schemes = tuple({each.key: each for each in (*schemes, *added)}.values())
    return replace(
        reading,
        servers=api_servers,
        schemes=schemes,
        key_places=security.key_places(schemes),
    )


def _with_operations(operations: list[Operation], reading: Reading) -> Reading:
    """A copy of `reading`, plus the servers and security schemes that only operations declare."""
    reading = replace(reading, servers=with_schemes(operations, reading))
    return with_authorization(operations, _with_requirements(reading))


def _with_requirements(reading: Reading) -> Reading:
    """A copy of `reading` with the default security, from the document or else the settings."""
    node = reading.document.root.get("security")
    requirements = security.read_requirements(node, reading.schemes, reading.diagnostics)
    if not requirements and (added := reading.settings.security_schemes):
        requirements = tuple({each.key: ()} for each in reading.schemes if each.key in added)
    return replace(reading, security=requirements)


def _names(operations: list[Operation], reading: Reading) -> dict[str, str]:
    """The tools' names for all operations; filters are applied later, and so change no name."""
    firsts: dict[str, Operation] = {}
    for operation in operations:
        first = firsts.setdefault(operation.operation_id, operation)
        if operation.operation_id and first is not operation:
            reading.diagnostics.warning(
                "duplicate-operation-id",
                f"the operationId `{operation.operation_id}` is also used by {first.key}; "
                "both are named by method and path",
                operation.fields["operationId"],
            )
    return tool_names.assign(list(map(_candidate, operations)), reading.lock.tools)


def _candidate(operation: Operation) -> Candidate:
    summary = operation.fields.get("summary")
    return Candidate(
        operation.key,
        operation.operation_id,
        operation.extension.name,
        summary.value if summary is not None and isinstance(summary.value, str) else "",
        operation.tags,
        _answers_as_grpc(operation),
    )


def _answers_as_grpc(operation: Operation) -> bool:
    """Whether an operation's errors are a `google.rpc.Status`, as gRPC-Gateway's errors are."""
    responses = operation.fields.get("responses")
    failure = None if responses is None else fields.member(responses, "default")
    if failure is None:
        return False
    content = fields.member(failure, "content")
    holders = [failure, *(each for _, each in (content.items() if content is not None else ()))]
    described = (fields.member(holder, "schema") for holder in holders)
    targets = (fields.string(schema, "$ref") for schema in described if schema is not None)
    return any(map(_GRPC_STATUS.search, targets))


def _details(
    operations: Iterable[Operation], names: Mapping[str, str], reading: Reading
) -> tuple[list[Details], dict[str, Skipped]]:
    """The details of the operations that get a tool, and the others, each with the reason."""
    details: list[Details] = []
    left: dict[str, Skipped] = {}
    for operation in operations:
        if reason := left_out(operation, names[operation.key], reading.settings):
            at = operation.node.pointer
            left[operation.key] = Skipped(operation.method, operation.path, reason, at)
            continue
        try:
            details.append(read_details(operation, reading))
        except Unusable as problem:
            _leave_out(operation, problem, left, reading.diagnostics)
    return details, left


def _possible(
    details: list[Details],
    built: Mapping[str, arguments.Arguments],
    left: dict[str, Skipped],
    reading: Reading,
) -> tuple[list[Details], dict[str, arguments.Arguments]]:
    """The operations that can be called, and their arguments that can have a value.

    The other operations are reported and added to `left`.
    """
    usable = {}
    for each in details:
        operation = each.operation
        try:
            usable[operation.key] = possible.only(
                built[operation.key], operation, reading.document, reading.diagnostics
            )
        except Unusable as problem:
            _leave_out(operation, problem, left, reading.diagnostics)
    return [each for each in details if each.operation.key in usable], usable


def _leave_out(
    operation: Operation, problem: Unusable, left: dict[str, Skipped], diagnostics: Diagnostics
) -> None:
    """Report why an operation has no tool, and add it to `left`."""
    message = f"{operation.key} is left out: {problem.reason}"
    diagnostics.warning("skipped", message, problem.at or operation.node)
    left[operation.key] = Skipped(
        operation.method, operation.path, problem.reason, operation.node.pointer
    )


def _tools(
    details: list[Details],
    built: Mapping[str, arguments.Arguments],
    names: Mapping[str, str],
    reading: Reading,
) -> dict[str, Tool]:
    """The tools, keyed by the key of their operation."""
    tools = {}
    for each in details:
        key = each.operation.key
        tool = make_tool(each, names[key], built[key], reading)
        lock_names = reading.lock.arguments.get(key, {})
        tools[key] = with_headers(with_safe_names(tool, lock_names), each.headers, reading)
    return tools


def _body_name(key: str, old_lock: Lock) -> str:
    """The lock's name for a body that is one argument; empty for a new operation."""
    before = old_lock.arguments.get(key, {})
    return before.get(OF_BODY, "body" if key in old_lock.tools else "")


def _skipped(
    entries: Iterable[Operation | Skipped], left: Mapping[str, Skipped]
) -> tuple[Skipped, ...]:
    """The operations that have no tool, in the document's order."""
    each = (f if isinstance(f, Skipped) else left.get(f.key) for f in entries)
    return tuple(skipped for skipped in each if skipped is not None)


def _reachable(tools: Iterable[Tool], pool: Mapping[str, Schema]) -> dict[str, Schema]:
    used: list[Schema] = []
    for tool in tools:
        used += [a.schema for a in tool.arguments]
        results = (tool.result, *(each.result for each in tool.representations))
        used += [result for result in results if result is not None]
    return schemas.reachable(used, pool)


def _report_empty(skipped: tuple[Skipped, ...], reading: Reading) -> None:
    root = reading.document.root
    if skipped:
        reasons = list(dict.fromkeys(each.reason for each in skipped))
        more = [f"and {len(reasons) - 3} more"] if len(reasons) > 3 else []
        message = f"no operation is left: {'; '.join([*reasons[:3], *more])}"
        hint = "Change the filters, correct the document, or add the files it refers to."
    elif fields.member(root, "webhooks") is not None:
        message = "the document describes webhooks only: requests that the API sends, not receives"
        hint = "A tool needs an operation under `paths`."
    else:
        message = "the document has no operations"
        hint = "Check that this is the whole document: operations are under `paths`."
    reading.diagnostics.error("no-operations", message, root.get("paths") or root, hint)
