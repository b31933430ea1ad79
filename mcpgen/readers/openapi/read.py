"""The straight line from a document to its Api."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from ... import schemas
from ...api import Api, Schema, Skipped, Tool
from ...background import Background
from ...diagnostics import Diagnostics
from .. import validate
from ..dialect import Dialect, SchemaPool
from . import arguments, fields, incremental, names, security, servers
from .cleaning import clean_schemas
from .credentials import with_authorization
from .details import read_details
from .info import read_info
from .linked_schemes import with_requirements
from .mcp_headers import with_headers
from .operations import read_operations
from .parts import Details, Operation, Unusable
from .reading import Reading, Version
from .select import follow, left_out, report_unused
from .server_parameters import with_parameters
from .tags import tag_of
from .tools import Made, make_tool, result_of
from .versions import read_version

if TYPE_CHECKING:
    from ...source.document import Document
    from .incremental import Before, Later
    from .options import ReadOptions

_MANY = 100
"""Operations from which on a process beside the main line is worth it."""
_DIALECTS = {Version.V20: Dialect.OAS20, Version.V30: Dialect.OAS30}


def read(document: Document, options: ReadOptions, diagnostics: Diagnostics) -> Api:
    """Read an OpenAPI document of any version.

    Raises GenerationError with every error found: an unknown version, path keys that are no paths,
    structure in which operations cannot be found, no operation left.
    """
    return read_again(document, options, diagnostics, None)[0]


def read_again(
    document: Document, options: ReadOptions, diagnostics: Diagnostics, before: Before | None
) -> tuple[Api, Later]:
    """Read a document as `read` does, taking over what an earlier run has read of the same.

    The second value is for later runs. Raises GenerationError.
    """
    said = Diagnostics()
    reading = _start(document, options, diagnostics, said)
    found = list(read_operations(reading))
    operations = [each for each in found if isinstance(each, Operation)]
    reading = _with_operations(operations, reading)
    named = _names(operations, reading)
    wanted, filters = follow(operations, named, options, diagnostics)
    reading = replace(reading, options=wanted)
    kept = incremental.kept(before, document, wanted, operations, named)
    reading.pool.has_warned(each.message for each in kept.said)
    check = partial(validate.findings, document.root.value, reading.version.text, kept.valid)
    changed = [operation for operation in operations if operation.key not in kept.tools]
    much = len(operations if not kept.valid else changed) > _MANY
    checked = Background(check, worth_it=much)
    told = {operation.path: Diagnostics() for operation in operations}
    details, left = _details(changed, named, reading, told)
    pool: Mapping[str, Schema] = reading.pool.schemas
    clean_schemas(pool, document.root, options.description_limit, said)
    if not incremental.agree(kept.schemas, pool):
        return read_again(document, options, diagnostics, None)
    diagnostics.extend(chain(kept.said, *kept.told.values(), said.items))
    diagnostics.extend(chain.from_iterable(each.items for each in told.values()))
    skipped = _skipped(found, left)
    report_unused(operations, named, wanted, diagnostics)
    if not (details or kept.tools or diagnostics.errors):
        _report_empty(skipped, reading)
    api = _frame(reading)
    if diagnostics.errors:
        validate.report(document.root, checked.result(), diagnostics)
        diagnostics.raise_if_errors()
    tools = _tools(details, named, pool, reading, told)
    chosen = _tagged({**kept.tools, **tools}, operations)
    _report_access(chosen, operations, api, reading)
    diagnostics.extend(chain.from_iterable(each.items for each in told.values()))
    broken = checked.result()
    validate.report(document.root, broken, diagnostics)
    every = tuple(tool for tool, _ in chosen)
    used = incremental.reached(before, kept, tools) or _reachable(every, {**pool, **kept.schemas})
    api = replace(api, tools=every, skipped=skipped, filters=filters, schemas=used)
    of_all = (*kept.said, *said.items)
    of_paths = {**{path: each.items for path, each in told.items() if each.items}, **kept.told}
    remembered = partial(incremental.remembered, document, wanted, api, of_all, of_paths)
    return api, partial(remembered, is_valid=not broken)


def _start(
    document: Document, options: ReadOptions, diagnostics: Diagnostics, said: Diagnostics
) -> Reading:
    """Start to read; `said` is for what the schemas say."""
    version = read_version(document.root, diagnostics)
    dialect = _DIALECTS.get(version, Dialect.OAS31)
    reading = Reading(
        document=document,
        version=version,
        pool=SchemaPool(document, dialect, said, closed_whole=options.closed_objects == "whole"),
        diagnostics=diagnostics,
        options=options,
    )
    found = servers.api_servers(reading)
    base = servers.base_of(found)
    schemes = security.read_schemes(document.root, version, base, diagnostics)
    return replace(
        reading,
        servers=found,
        schemes=schemes,
        key_places=security.key_places(schemes),
    )


def _with_operations(operations: list[Operation], reading: Reading) -> Reading:
    """With the servers and the ways to sign in that only operations tell of."""
    reading = replace(reading, servers=with_parameters(operations, reading))
    return with_authorization(operations, with_requirements(operations, reading))


def _frame(reading: Reading) -> Api:
    """What the document says of the API as a whole."""
    info = read_info(reading)
    return Api(
        title=info.title,
        name=info.name,
        version=info.version,
        description=info.description,
        instructions=info.description,
        website_url=info.website_url,
        icons=info.icons,
        servers=reading.servers,
        security_schemes=reading.schemes,
        security=reading.security or (),
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
    operations: Iterable[Operation],
    named: Mapping[str, str],
    reading: Reading,
    told: Mapping[str, Diagnostics],
) -> tuple[list[Details], dict[str, Skipped]]:
    """What the operations say, and those of them that are no tools; `told` is by path."""
    details: list[Details] = []
    left: dict[str, Skipped] = {}
    for operation in operations:
        own = replace(reading, diagnostics=told[operation.path])
        reason = left_out(operation, named[operation.key], reading.options)
        if not reason:
            try:
                details.append(read_details(operation, own))
                continue
            except Unusable as problem:
                reason = problem.reason
                message = f"{operation.key} is left out: {reason}"
                own.diagnostics.warning("skipped", message, problem.at or operation.node)
        left[operation.key] = Skipped(
            operation.method, operation.path, reason, operation.node.pointer
        )
    return details, left


def _tools(
    details: list[Details],
    named: Mapping[str, str],
    pool: Mapping[str, Schema],
    reading: Reading,
    told: Mapping[str, Diagnostics],
) -> dict[str, Tool]:
    """The tools by their operations; output schemas are made beside what comes before them."""
    results = [result_of(each, pool) for each in details]
    listed = Background(
        partial(_output_schemas, [each.schema for each in results], pool, reading.options),
        worth_it=len(details) > _MANY,
    )
    built = [arguments.build(each.parameters, each.body, pool) for each in details]
    tools = {}
    for each, given, result, schema in zip(details, built, results, listed.result(), strict=True):
        made = Made(given, result, schema)
        own = replace(reading, diagnostics=told[each.operation.path])
        tool = make_tool(each, named[each.operation.key], made, own)
        tools[each.operation.key] = with_headers(tool, each.headers, own)
    return tools


def _output_schemas(
    found: list[Schema | None], pool: Mapping[str, Schema], options: ReadOptions
) -> list[dict[str, Any] | None]:
    return [
        schemas.output_schema(each, pool, options.output_schema, options.output_schema_bytes)
        for each in found
    ]


def _skipped(
    found: Iterable[Operation | Skipped], left: Mapping[str, Skipped]
) -> tuple[Skipped, ...]:
    """What is no tool, in the document's order."""
    each = (f if isinstance(f, Skipped) else left.get(f.key) for f in found)
    return tuple(skipped for skipped in each if skipped is not None)


def _tagged(
    tools: Mapping[str, Tool], operations: Iterable[Operation]
) -> list[tuple[Tool, Operation]]:
    """The tools in the document's order, each with its tag and its operation."""
    chosen = [operation for operation in operations if operation.key in tools]
    tagged = any(operation.tags for operation in chosen)
    found = []
    for operation in chosen:
        tool, tag = tools[operation.key], tag_of(operation, tagged=tagged)
        found.append((tool if tool.tag == tag else replace(tool, tag=tag), operation))
    return found


def _report_access(
    chosen: list[tuple[Tool, Operation]],
    operations: Iterable[Operation],
    api: Api,
    reading: Reading,
) -> None:
    """Report what is not said, or said unusually, of where the API is and how to sign in."""
    servers.report_no_host((tool for tool, _ in chosen), api.servers, reading)
    servers.report_other_hosts(chosen, api.servers, api.security, reading.diagnostics)
    security.report_unasked(reading, operations, (tool for tool, _ in chosen))


def _reachable(tools: Iterable[Tool], pool: Mapping[str, Schema]) -> dict[str, Schema]:
    used: list[Schema] = []
    for tool in tools:
        used += [a.schema for a in tool.arguments]
        if tool.result is not None:
            used.append(tool.result)
    return schemas.reachable(used, pool)


def _report_empty(skipped: tuple[Skipped, ...], reading: Reading) -> None:
    root = reading.document.root
    if skipped:
        reasons = list(dict.fromkeys(each.reason for each in skipped))
        more = [f"{len(reasons) - 3} reasons more"] if len(reasons) > 3 else []
        message = f"no operation is left: {'; '.join([*reasons[:3], *more])}"
        hint = "Change the filters, mend the document, or add the files that it refers to."
    elif fields.member(root, "webhooks") is not None:
        message = "the document describes webhooks only: requests that the API sends, not receives"
        hint = "A tool needs an operation under `paths`."
    else:
        message = "the document has no operations"
        hint = "Check that this is the whole document: operations are under `paths`."
    reading.diagnostics.error("no-operations", message, root.get("paths") or root, hint)
