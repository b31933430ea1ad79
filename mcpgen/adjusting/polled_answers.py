"""Describes the final answers of operations that the API first answers with 202."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from ..api import Api, Tool
from ..diagnostics import Diagnostics, did_you_mean

Table = Mapping[str, Any]
_ANY = "*/*"


def apply(api: Api, tables: Mapping[str, Table], diagnostics: Diagnostics) -> Api:
    """The API; each tool that polls until its operation ends gets the final answer as its result.

    With `poll.operation`, the final answer is that of the named operation. Without it, the tool's
    own answer counts as final if it is declared for a status other than 202, or if a GET in the
    document has the same answer. Otherwise, or with `poll.result`, the final answer is unknown,
    which is noted.
    """
    if not any("poll" in table for table in tables.values()):
        return api
    tools = (_described(tool, tables.get(tool.name, {}), api, diagnostics) for tool in api.tools)
    return replace(api, tools=tuple(tools))


def _described(tool: Tool, table: Table, api: Api, diagnostics: Diagnostics) -> Tool:
    if "poll" not in table or tool.http is None:
        return tool
    poll, setting = table["poll"], ("tools", tool.name, "poll", "operation")
    operation = poll.get("operation")
    if tool.written is not None:
        if operation is not None:
            message = f"mcpgen.toml: `poll.operation` of `{tool.name}` does nothing"
            hint = "Its outputSchema is written in the tool file."
            diagnostics.error("settings-value", message, hint=hint, setting=setting)
        return tool
    others = [each for each in api.tools if each.http is not None and each.api == tool.api]
    if operation is not None:
        answering = next((each for each in others if operation in _names(each)), None)
        if answering is None:
            message = f"mcpgen.toml: `poll.operation` of `{tool.name}`: there is no `{operation}`"
            hint = did_you_mean(operation, [n for each in others for n in _names(each)], _WAY_OUT)
            diagnostics.error("settings-value", message, hint=hint, setting=setting)
            return tool
        return _ending_as(tool, answering)
    if _may_be_last(tool, poll, others):
        return tool
    message = f"mcpgen.toml: the document does not describe the final answer of `{tool.name}`"
    diagnostics.note("poll-operation", message, hint=_WAY_OUT, setting=setting[:2])
    call = replace(tool.http, declared=(*tool.http.declared, _ANY))
    return replace(
        tool, output_schema=None, result=None, result_media_type=_ANY, examples=(), http=call
    )


_WAY_OUT = (
    "Name the operation that gives the final answer: write `operation` into the table `poll`."
)


def _names(tool: Tool) -> tuple[str, ...]:
    return tuple(filter(None, (tool.operation_id, tool.name, tool.operation)))


def _may_be_last(tool: Tool, poll: Table, others: Iterable[Tool]) -> bool:
    """Whether an answer that the tool's operation declares may be the final one.

    Not if `poll` has a `result`.
    """
    if "result" in poll:
        return False
    if any(status != "202" for status in tool.call.statuses):
        return True
    return any(each.call.method == "GET" and _is_same(each, tool) for each in others)


def _is_same(one: Tool, other: Tool) -> bool:
    return other.result is not None and one.result == other.result


def _ending_as(tool: Tool, last: Tool) -> Tool:
    """A copy of `tool` with the result of the tool `last`, whose media types it accepts too."""
    accept = dict.fromkeys((*last.call.accept, *tool.call.accept))
    declared = dict.fromkeys((*tool.call.declared, *last.call.declared))
    return replace(
        tool,
        output_schema=last.output_schema,
        result=last.result,
        result_media_type=last.result_media_type,
        examples=last.examples,
        http=replace(tool.call, accept=tuple(accept), declared=tuple(declared)),
    )
