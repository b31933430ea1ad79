"""Documents that mix versions of OpenAPI: each keyword is read as in the version that has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...api import In
from . import bodies, fields, parameters, responses, swagger2
from .versions import Version, tell_other

if TYPE_CHECKING:
    from ...source.document import Node
    from .operation_parts import Answer, Operation, Parameter, RequestBody
    from .reader_state import Reading


def read_parameter(location: In, name: str, node: Node, reading: Reading) -> Parameter:
    """A parameter, read as in 3.x or, if it has a `type` and no `schema`, as in 2.0."""
    is_old = reading.version is Version.V20
    own, *others = (fields.member(node, key) for key in ("type", "schema", "content"))
    if own is not None and not is_old and not any(others):
        tell_other("type", "2.0", own, reading.version, reading.diagnostics)
        is_old = True
    read = swagger2.read_parameter if is_old else parameters.read_parameter
    return read(location, name, node, reading)


def read_body(
    operation: Operation, nodes: Mapping[tuple[str, str], Node], reading: Reading
) -> RequestBody | None:
    """The request body, read as in 3.x or 2.0; the document's version decides between the two."""
    is_old = reading.version is Version.V20
    old_nodes = [node for (place, _), node in nodes.items() if place in parameters.OLD_BODIES]
    whole = operation.fields.get("requestBody")
    if whole is None or whole.value is None or (is_old and old_nodes):
        return swagger2.read_body(operation, nodes, reading)
    if is_old:
        tell_other("requestBody", "3", whole, reading.version, reading.diagnostics)
    for node in old_nodes:
        message = "the operation has a `requestBody`; other bodies beside it are left out"
        reading.diagnostics.warning("body", message, node)
    return bodies.read_body(operation, reading)


def read_answers(operation: Operation, reading: Reading) -> tuple[Answer, ...]:
    """The success responses; the keywords of each decide whether it is read as in 3.x or 2.0."""
    return tuple(
        _answer(status, node, operation, reading)
        for status, node in responses.success_nodes(operation, reading)
    )


def _answer(status: str, node: Node, operation: Operation, reading: Reading) -> Answer:
    is_old = reading.version is Version.V20
    schema, content = (fields.member(node, key) for key in ("schema", "content"))
    if is_old and schema is None and content is not None:
        tell_other("content", "3", content, reading.version, reading.diagnostics)
        is_old = False
    elif not is_old and schema is not None and content is None:
        tell_other("schema", "2.0", schema, reading.version, reading.diagnostics)
        is_old = True
    if is_old:
        return swagger2.read_answer(status, node, operation, reading)
    return responses.read_answer(status, node, reading)
