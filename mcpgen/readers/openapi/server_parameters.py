"""Variables of a server's URL that operations declare as path parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from ...diagnostics import Diagnostics
from ...source.document import ReferenceProblem
from . import fields, paths
from .operation_parts import Unusable
from .parameters import parameter_nodes
from .servers import best_first, variable_of, with_variables

if TYPE_CHECKING:
    from ...api import Server, ServerVariable
    from .operation_parts import Operation
    from .reader_state import Reading


def with_parameters(operations: Iterable[Operation], reading: Reading) -> tuple[Server, ...]:
    """The servers, with defaults for their variables from path parameters.

    A path parameter that is not in the operation's path can only be the server's. All operations
    must agree on it.
    """
    own = reading.servers
    names = {v.name for server in own for v in server.variables if v.default is None}
    if not names:
        return own
    by_name: dict[str, dict[Any, ServerVariable]] = {name: {} for name in names}
    silent = replace(reading, diagnostics=Diagnostics())
    for operation in operations:
        for variable in _strays(operation, names, silent):
            by_name[variable.name].setdefault((variable.default, variable.enum), variable)
    agreed = {v.name: v for each in by_name.values() if len(each) == 1 for v in each.values()}
    return best_first(with_variables(server, agreed) for server in own)


def _strays(operation: Operation, names: set[str], reading: Reading) -> Iterator[ServerVariable]:
    names = names.difference(paths.template_names(operation.path))
    try:
        nodes = parameter_nodes(operation, reading)
        for (place, name), node in nodes.items():
            if place == "path" and name in names:
                schema = (fields.member(node, "schema") or node).resolve()
                yield variable_of(name, node, schema)
    except (ReferenceProblem, Unusable):
        return
