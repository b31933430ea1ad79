"""Reads an OpenAPI document into an Api, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from ... import answer_headers, schemas
from ...api import Api, Schema, Skipped, Tool
from ...argument_names import with_safe_names
from ...background import Background
from ...diagnostics import Diagnostics
from .. import validate
from ..dialect import Dialect, SchemaPool
from . import arguments, fields, incremental, names, room, security, servers
from .access_reports import report_access
from .cleaning import clean_schemas
from .credentials import with_authorization
from .details import read_details
from .info import read_frame
from .linked_schemes import with_requirements
from .mcp_headers import with_headers
from .operation_schemes import reached, with_schemes
from .operations import read_operations
from .parts import Details, Operation, Unusable
from .reading import Reading
from .select import follow, left_out, report_unused
from .server_parameters import with_parameters
from .tags import tag_of
from .tools import Made, make_tool, result_of
from .versions import Version, read_version

if TYPE_CHECKING:
    from ...source.document import Document
    from .incremental import Before, Kept, Later
    from .options import ReadOptions

_MANY = 100
"""With more operations than this, work in a separate process pays off."""
_DIALECTS = {Version.V20: Dialect.OAS20, Version.V30: Dialect.OAS30}


def read(document: Document, options: ReadOptions, diagnostics: Diagnostics) -> Api:
    """Read an OpenAPI document of any version.

    Raises GenerationError with every error found: an unknown version, path keys that are not paths,
    structure in which no operations can be found, no operation left.
    """
    return read_again(document, options, diagnostics, None)[0]


def read_again(
    document: Document, options: ReadOptions, diagnostics: Diagnostics, before: Before | None
) -> tuple[Api, Later]:
    """Read a document as `read` does, reusing what an earlier run read of it.

    The second value makes what a later run can reuse. Raises GenerationError.
    """
    of_schemas = Diagnostics()
    reading = _start(document, options, diagnostics, of_schemas)
    reading, found, named, filters = _surveyed(reading)
    operations = [each for each in found if isinstance(each, Operation)]
    wanted = reading.options
    kept = incremental.kept(before, document, wanted, operations, named)
    reading.pool.has_warned(kept.said)
    changed = [operation for operation in operations if operation.key not in kept.tools]
    validation = _validation(reading, kept, changed if kept.valid else operations)
    of_paths = {operation.path: Diagnostics() for operation in operations}
    details, left = _details(changed, named, reading, of_paths)
    pool: Mapping[str, Schema] = reading.pool.schemas
    clean_schemas(pool, document.root, options.description_limit, of_schemas)
    built = {d.operation.key: arguments.build(d.parameters, d.body, pool) for d in details}
    sizes = {} if wanted.input_schema_bytes else room.sizes(built, kept.tools.values())
    longest = room.limit(sizes, room.ROOM)
    if not incremental.agree(kept.schemas, pool) or (longest and kept.tools):
        return read_again(document, options, diagnostics, None)
    _report(of_paths, diagnostics)
    if diagnostics.errors and kept.tools:  # of what was kept more is told than comes to be told now
        return read_again(document, options, diagnostics, None)
    diagnostics.extend(chain(*kept.told.values(), of_schemas.items))
    skipped = _skipped(found, left)
    report_unused(operations, skipped, named, wanted, diagnostics)
    if not (details or kept.tools or diagnostics.errors):
        _report_empty(skipped, reading)
    _raise_if_errors(reading, validation)
    if longest:
        reading = room.cut(sizes, longest, operations, reading)
    made = _tools(details, built, named, pool, reading, of_paths)
    tools = incremental.with_earlier(made, before)
    tagged = reached(_tagged({**kept.tools, **tools}, operations), reading)
    api = read_frame(reading)
    report_access(tagged, operations, api, reading)
    _report(of_paths, diagnostics)
    violations = validation.result()
    validate.report(document.root, violations, diagnostics)
    every = answer_headers.needed([tool for tool, _ in tagged])
    used = incremental.reached(before, kept, tools) or _reachable(every, {**pool, **kept.schemas})
    api = replace(api, tools=every, skipped=skipped, filters=filters, schemas=used)
    told = {**{path: each.items for path, each in of_paths.items() if each.items}, **kept.told}
    remembered = partial(incremental.remembered, document, wanted, api, of_schemas.items, told)
    return api, incremental.nothing if longest else partial(remembered, is_valid=not violations)


def _surveyed(
    reading: Reading,
) -> tuple[Reading, list[Operation | Skipped], dict[str, str], dict[str, str]]:
    """What is decided over all operations: servers, schemes and filters are part of the reading.

    With it come the operations, their names, and the operations that filters name.
    """
    found = list(read_operations(reading))
    operations = [each for each in found if isinstance(each, Operation)]
    reading = _with_operations(operations, reading)
    named = _names(operations, reading)
    wanted, filters = follow(operations, named, reading.options, reading.diagnostics)
    return replace(reading, options=wanted), found, named, filters


def _raise_if_errors(reading: Reading, validation: Background[list[validate.Finding]]) -> None:
    """Raise GenerationError if there are errors, with what breaks the specification beside them."""
    if reading.diagnostics.errors:
        validate.report(reading.document.root, validation.result(), reading.diagnostics)
        reading.diagnostics.raise_if_errors()


def _validation(
    reading: Reading, kept: Kept, changed: list[Operation]
) -> Background[list[validate.Finding]]:
    """Start to validate the document against OpenAPI's own schema, in the background."""
    root = reading.document.root.value
    work = partial(validate.findings, root, reading.version.text, kept.valid)
    return Background(work, worth_it=len(changed) > _MANY)


def _report(of_paths: Mapping[str, Diagnostics], diagnostics: Diagnostics) -> None:
    diagnostics.extend(chain.from_iterable(each.items for each in of_paths.values()))


def _start(
    document: Document, options: ReadOptions, diagnostics: Diagnostics, said: Diagnostics
) -> Reading:
    """Read version, servers and security schemes; diagnostics about schemas go to `said`."""
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
    start = servers.start_of(found)
    schemes = security.read_schemes(document.root, version, start, diagnostics)
    return replace(
        reading,
        servers=found,
        schemes=schemes,
        key_places=security.key_places(schemes),
    )


def _with_operations(operations: list[Operation], reading: Reading) -> Reading:
    """Add the servers and security schemes that only operations declare."""
    reading = replace(reading, servers=with_parameters(operations, reading))
    reading = replace(reading, servers=with_schemes(operations, reading))
    return with_authorization(operations, with_requirements(operations, reading))


def _names(operations: list[Operation], reading: Reading) -> dict[str, str]:
    """Names for all operations; filters are applied later, so that they rename nothing."""
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
    """What the operations say, and the operations left out; `told` is by path."""
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
    built: Mapping[str, arguments.Arguments],
    named: Mapping[str, str],
    pool: Mapping[str, Schema],
    reading: Reading,
    told: Mapping[str, Diagnostics],
) -> dict[str, Tool]:
    """The tools by operation; output schemas are made in the background."""
    results = [result_of(each, pool) for each in details]
    listed = Background(
        partial(_output_schemas, [each.schema for each in results], pool, reading.options),
        worth_it=len(details) > _MANY,
    )
    tools = {}
    for each, result, schema in zip(details, results, listed.result(), strict=True):
        made = Made(built[each.operation.key], result, schema)
        own = replace(reading, diagnostics=told[each.operation.path])
        tool = make_tool(each, named[each.operation.key], made, own)
        known = reading.options.known_arguments.get(each.operation.key, {})
        tools[each.operation.key] = with_headers(with_safe_names(tool, known), each.headers, own)
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
    """The operations that have no tool, in the document's order."""
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
        more = [f"and {len(reasons) - 3} more"] if len(reasons) > 3 else []
        message = f"no operation is left: {'; '.join([*reasons[:3], *more])}"
        hint = "Change the filters, mend the document, or add the files that it refers to."
    elif fields.member(root, "webhooks") is not None:
        message = "the document describes webhooks only: requests that the API sends, not receives"
        hint = "A tool needs an operation under `paths`."
    else:
        message = "the document has no operations"
        hint = "Check that this is the whole document: operations are under `paths`."
    reading.diagnostics.error("no-operations", message, root.get("paths") or root, hint)
