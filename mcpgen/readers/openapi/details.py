"""Collects everything about an operation that its tool needs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...api import In
from ...source.document import ReferenceProblem
from .. import schema_chains
from . import bodies, mixed, parameters, responses
from .agent_text import report_hidden, texts_in
from .credentials import asked_by_parameters
from .fitting import fit
from .mcp_headers import places_in
from .operation_parts import Details, Operation, Parameter, RequestBody, Unusable
from .security import read_requirements
from .servers import document_url, own_servers

if TYPE_CHECKING:
    from ...api import Schema, SecurityRequirement
    from .reader_state import Reading


def read_details(operation: Operation, reading: Reading) -> Details:
    """Read parameters, body, answers, security and servers of an operation.

    Raises Unusable if the operation cannot be called as it is described.
    """
    try:
        details = _read(operation, reading)
    except ReferenceProblem as dangling:
        raise Unusable(dangling.diagnostic.message, operation.node) from dangling
    for schema in _taken(details):
        if why := reading.pool.unusable(schema):
            raise Unusable(why, operation.node)
    if problem := schema_chains.problem_of(_schemas(details), reading.pool.schemas):
        raise Unusable(problem, operation.node)
    report_hidden(texts_in(_examples(details)), operation.node, reading.diagnostics)
    return details


def _examples(details: Details) -> Iterator[Any]:
    """The examples of an operation's parameters and bodies."""
    for parameter in details.parameters:
        yield from parameter.examples
    for offered in details.body.media if details.body else ():
        yield from offered.examples


def _taken(details: Details) -> Iterator[Schema]:
    """The schemas of an operation's parameters and bodies."""
    yield from (parameter.schema for parameter in details.parameters)
    body = details.body.media if details.body else ()
    yield from (each.schema for each in body if each.schema is not None)


def _schemas(details: Details) -> Iterator[Schema]:
    yield from _taken(details)
    media = (each for answer in details.answers for each in answer.media)
    yield from (each.schema for each in media if each.schema is not None)


def _stated(operation: Operation, reading: Reading) -> tuple[SecurityRequirement, ...] | None:
    security = operation.fields.get("security")
    return read_requirements(security, reading.schemes, reading.diagnostics)


def _read(operation: Operation, reading: Reading) -> Details:
    nodes = parameters.parameter_nodes(operation, reading)
    arguments: list[Parameter] = []
    for (place, name), node in nodes.items():
        if place in parameters.OLD_BODIES or not parameters.is_argument(place, name, node, reading):
            continue
        read = mixed.read_parameter(In(place), name, node, reading)
        arguments.append(parameters.as_azure_sends(read, node))
    fitted = fit(operation, arguments, reading)
    body = mixed.read_body(operation, nodes, reading)
    answers = mixed.read_answers(operation, reading)
    bodies.tell_choice(body, reading, operation.fields.get("requestBody", operation.node))
    return Details(
        operation=operation,
        path=fitted.path,
        parameters=tuple(each for each in fitted.parameters if not _is_coding(each, body, reading)),
        body=body,
        answers=answers,
        security=asked_by_parameters(_stated(operation, reading), nodes, reading),
        servers=own_servers(operation, document_url(reading), reading),
        fixed_query=fitted.fixed_query,
        answer_headers=responses.headers(operation, reading),
        headers=places_in(operation, nodes),
    )


def _is_coding(parameter: Parameter, body: RequestBody | None, reading: Reading) -> bool:
    """Whether a parameter is the Content-Encoding of a body that is always sent uncompressed."""
    is_coding = parameter.location is In.HEADER and parameter.name.lower() == "content-encoding"
    types = body.media if body is not None else ()
    has_bytes = any(bodies.is_bytes(each, reading.pool.schemas) for each in types)
    return is_coding and not (has_bytes or parameter.required)
