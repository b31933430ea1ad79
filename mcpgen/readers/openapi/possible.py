"""Arguments that no value fits; an operation that requires one cannot be called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...api import In
from ...samples.satisfiable import nothing_fits
from .operation_parts import Unusable

if TYPE_CHECKING:
    from ...diagnostics import Diagnostics
    from ...source.document import Document
    from .arguments import Arguments
    from .operation_parts import Operation

_HINT = "Check `type` against `enum`, `const` and the limits, and what closed objects require."


def only(
    built: Arguments, operation: Operation, document: Document, diagnostics: Diagnostics
) -> Arguments:
    """The arguments that have a valid value; the others are left out and reported.

    Raises Unusable if an argument without a valid value is required.
    """
    # Where other properties may be given, one that may not has to be named.
    locations = (In.PROPERTY,) if built.additional else ()
    empty = [
        each
        for each in built.arguments
        if nothing_fits(each.schema, built.pool)
        and (each.required or each.location not in locations)
    ]
    for each in empty:
        at = document.find(each.pointer) or operation.node
        if each.required:
            raise Unusable(f"no value at all fits its required argument `{each.name}`", at)
        message = f"no value at all fits the argument `{each.name}`; it is left out"
        diagnostics.warning("argument", message, at, _HINT)
    if not empty:
        return built
    body = None if any(each.location is In.BODY for each in empty) else built.body
    rest = tuple(each for each in built.arguments if each not in empty)
    return replace(built, arguments=rest, body=body)
