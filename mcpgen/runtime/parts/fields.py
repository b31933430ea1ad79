"""The argument `fields`: callers choose which fields of a tool's large answer they get."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from ..backend.response import FinalResult, Response
from ..results.limits import ResultLimit
from .outlines import Outline, named_fields, outline_of_schema, selected
from .shaping import FIELDS, takes_fields

if TYPE_CHECKING:
    from ..calls.calls import Serve
    from ..calls.context import Context
    from ..calls.server import ServerParts


class Fields:
    """Reduces answers to the requested fields, for tools that have the argument `fields`."""

    def wrap(self, tool: Mapping[str, Any], serve: Serve) -> Serve:
        """A handler that calls the tool and keeps only the requested `fields` of its answer."""
        if not takes_fields(tool):
            return serve
        schema = tool.get("outputSchema") or {}
        outline = outline_of_schema(schema, schema)
        known = outline if outline.is_known else None

        async def serving(context: Context, arguments: Mapping[str, Any]) -> Any:
            texts = arguments.get(FIELDS, ())
            value = await serve(context, {k: v for k, v in arguments.items() if k != FIELDS})
            if not texts or not isinstance(value, Response) or value.kind != "json":
                return value
            from ..backend.threads import LARGE, aside  # with the SDK: `--list` needs neither

            return await aside(LARGE, partial(_kept, value, texts, known, tool, context))

        return serving


def _kept(
    value: Response[Any],
    texts: Sequence[str],
    outline: Outline | None,
    tool: Mapping[str, Any],
    context: Context,
) -> FinalResult:
    """The result with only the requested fields; it is not checked against the outputSchema."""
    from ..calls.calls import shaped
    from ..results.content import to_result

    backend = context.request.lifespan_context.backend
    value = shaped(value, backend.api, tool["name"])
    named, notes = named_fields(texts, outline)
    data, more = selected(value.data, named, outline) if named else (value.data, [])
    notes += more
    if more and data in (None, {}, []):
        data = value.data  # none of them is there: all of it, and what was wrong
    schema = tool.get("outputSchema") or {}
    open_schema = {key: schema[key] for key in ("type",) if key in schema}
    open_tool = {**tool, "outputSchema": open_schema} if "outputSchema" in tool else tool
    limit = ResultLimit.of(backend.settings, backend.api, tool)
    result = to_result(replace(value, data=data, verbatim=None), open_tool, limit)
    told = [{"type": "text", "text": " ".join(notes)}] if notes else []
    return FinalResult({**result, "content": [*result["content"], *told]})


def install(parts: ServerParts) -> Fields:
    """Let callers request only some fields of a tool's answer."""
    return Fields()
