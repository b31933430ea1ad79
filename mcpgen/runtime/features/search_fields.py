"""The fields of an answer that an agent asks for, in place of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..backend.response import FinalResult, Response
from ..calls.calls import shaped
from ..results.content import ResultLimit, to_result
from ..values.errors import ToolError
from .field_paths import read_path
from .shaping import Shape

if TYPE_CHECKING:
    from ..calls.context import Context


def check(paths: Sequence[str]) -> None:
    """Raise ToolError for what is no path of a field."""
    for path in paths:
        try:
            read_path(path)
        except ValueError as problem:
            raise ToolError(f"`{path[:100]}` in `fields` {problem}. Nothing was done.") from None


def with_fields(
    value: Any, fields: Sequence[str], tool: Mapping[str, Any], context: Context
) -> Any:
    """The fields of what a handler returned, of those that the tool shows.

    What is left is not measured by the tool's outputSchema, which describes the whole.
    """
    shape = Shape(fields=fields)
    if not isinstance(value, Response):
        return shape.of_returned(value)
    backend = context.request.lifespan_context.backend
    value = shaped(value, backend.api, tool["name"])
    if value.kind == "json":
        value = shape.of_answer(value)
    bare = {key: part for key, part in tool.items() if key != "outputSchema"}
    return FinalResult(to_result(value, bare, ResultLimit.of(backend.settings, backend.api)))
