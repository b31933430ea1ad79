"""The straight line from a document to its Api."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ... import schemas
from ...api import Api, Schema, Skipped, Tool
from .. import validate
from ..dialect import Dialect, SchemaPool
from . import fields, names, security, servers
from .cleaning import clean_schemas
from .details import read_details
from .info import read_info
from .mcp_headers import with_headers
from .operations import read_operations
from .parts import Details, Operation, Unusable
from .reading import Reading, Version
from .select import left_out
from .tags import tag_of
from .tools import make_tool
from .versions import read_version

if TYPE_CHECKING:
    from ...diagnostics import Diagnostics
    from ...source.document import Document
    from .options import ReadOptions

_DIALECTS = {Version.V20: Dialect.OAS20, Version.V30: Dialect.OAS30}


def read(document: Document, options: ReadOptions, diagnostics: Diagnostics) -> Api:
    """Read an OpenAPI document of any version.

    Raises GenerationError with every error found: an unknown version, path keys that are no paths,
    structure in which operations cannot be found, no operation left.
    """
    reading = _start(document, options, diagnostics)
    found = list(read_operations(reading))
    named = _names([f for f in found if isinstance(f, Operation)], reading)
    details, skipped = _details(found, named, reading)
    if not details and not diagnostics.errors:
        _report_empty(skipped, reading)
    info = read_info(reading)
    root = document.root
    addresses = servers.api_servers(reading)
    default = security.read_requirements(root.get("security"), reading.schemes, diagnostics)
    servers.report_other_hosts(details, addresses, default, diagnostics)
    if diagnostics.errors:
        _validate(reading)
        diagnostics.raise_if_errors()
    pool: Mapping[str, Schema] = reading.pool.schemas
    clean_schemas(pool, root, options.description_limit, diagnostics)
    tools = _tools(details, named, pool, reading)
    _validate(reading)
    return Api(
        title=info.title,
        name=info.name,
        version=info.version,
        description=info.description,
        instructions=info.description,
        website_url=info.website_url,
        icons=info.icons,
        servers=addresses,
        security_schemes=reading.schemes,
        security=default or (),
        tools=tools,
        skipped=tuple(skipped),
        schemas=_reachable(tools, pool),
    )


def _validate(reading: Reading) -> None:
    major, minor = divmod(reading.version, 10)
    validate.report(reading.document.root, f"{major}.{minor}", reading.diagnostics)


def _start(document: Document, options: ReadOptions, diagnostics: Diagnostics) -> Reading:
    version = read_version(document.root, diagnostics)
    schemes = security.read_schemes(document.root, version, diagnostics)
    return Reading(
        document=document,
        version=version,
        pool=SchemaPool(document, _DIALECTS.get(version, Dialect.OAS31), diagnostics),
        diagnostics=diagnostics,
        options=options,
        schemes=schemes,
        key_places=security.key_places(schemes),
    )


def _names(operations: list[Operation], reading: Reading) -> dict[str, str]:
    """Names for all operations, also those that filters leave out: a filter renames nothing."""
    seen: dict[str, Operation] = {}
    for operation in operations:
        first = seen.setdefault(operation.operation_id, operation)
        if operation.operation_id and first is not operation:
            reading.diagnostics.warning(
                "duplicate-operation-id",
                f"the operationId `{operation.operation_id}` is also that of {first.key}; "
                "both are named by method and path",
                operation.fields["operationId"],
            )
    candidates = [names.Candidate(o.key, o.operation_id, o.extension.name) for o in operations]
    return names.assign(candidates, reading.options.known_tools)


def _details(
    found: list[Operation | Skipped], named: Mapping[str, str], reading: Reading
) -> tuple[list[Details], list[Skipped]]:
    details: list[Details] = []
    skipped: list[Skipped] = []
    for entry in found:
        if isinstance(entry, Skipped):
            skipped.append(entry)
            continue
        reason = left_out(entry, named[entry.key], reading.options)
        if reason:
            skipped.append(_skipped(entry, reason))
            continue
        try:
            details.append(read_details(entry, reading))
        except Unusable as problem:
            message = f"{entry.key} is left out: {problem.reason}"
            reading.diagnostics.warning("skipped", message, problem.at or entry.node)
            skipped.append(_skipped(entry, problem.reason))
    return details, skipped


def _skipped(operation: Operation, reason: str) -> Skipped:
    return Skipped(operation.method, operation.path, reason, operation.node.pointer)


def _tools(
    details: list[Details], named: Mapping[str, str], pool: Mapping[str, Schema], reading: Reading
) -> tuple[Tool, ...]:
    tagged = any(d.operation.tags for d in details)
    tools = []
    for each in details:
        tag = tag_of(each.operation, tagged=tagged)
        tool = make_tool(each, named[each.operation.key], tag, pool, reading)
        tools.append(with_headers(tool, each.operation, reading))
    return tuple(tools)


def _reachable(tools: tuple[Tool, ...], pool: Mapping[str, Schema]) -> dict[str, Schema]:
    used: list[Schema] = []
    for tool in tools:
        used += [a.schema for a in tool.arguments]
        if tool.result is not None:
            used.append(tool.result)
    return schemas.reachable(used, pool)


def _report_empty(skipped: list[Skipped], reading: Reading) -> None:
    root = reading.document.root
    if skipped:
        reasons = "; ".join(dict.fromkeys(s.reason for s in skipped[:20]))
        message, hint = (
            f"no operation is left: {reasons}",
            "change the filters or mend the document",
        )
    elif fields.member(root, "webhooks") is not None:
        message = "the document describes webhooks only: requests that the API sends, not receives"
        hint = "a tool needs an operation under `paths`"
    else:
        message = "the document has no operations"
        hint = "check that this is the whole document: operations are under `paths`"
    reading.diagnostics.error("no-operations", message, root.get("paths") or root, hint)
