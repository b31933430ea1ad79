"""Calls through the search surface's calling tools; their answers are short texts."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import partial
from sys import maxsize
from typing import TYPE_CHECKING, Any

from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, InputRequiredResult
from pydantic_core import to_jsonable_python

from ...backend.response import FinalResult, Response
from ...backend.threads import LARGE, aside
from ...calls.calls import shaped
from ...results.content import HEADERS, Result, filters_of, to_result
from ...results.limits import ResultLimit, all_of, exceeds, shorten_json, shorten_text
from ...results.returned import from_handler, is_content
from ...values.display import visible
from ...values.jsontext import MAX_DEPTH, dump, is_deeper
from ..outlines import Outline, selected
from .pages import CIRCLE, Joined, Rule, at, is_hidden, says_more, summary_line
from .tables import Split, title_of

if TYPE_CHECKING:
    from ...calls.context import Context
    from ..shaping import Shape

_NAMED, _LONGEST_NAMED = 5, 40
"""Arguments that are named where nothing fits them, and characters of each."""
_MAX_NAMES = 3
"""Fields that are proposed."""
NO_DATA = object()
"""What is no JSON."""


@dataclass
class Via:
    """A call through a calling tool of the search surface: its options and its answer."""

    tool: str
    """The calling tool's own name."""
    fields: Sequence[str] = ()
    outline: Outline | None = None
    """What the tool's answer has, where that is known."""
    as_json: bool = False
    """The answer is JSON and structured content, for programs."""
    pages: int = 1
    rule: Rule | None = None
    """How the tool has pages."""
    items: Sequence[Any] = ()
    """The items of the page that was answered, with all their fields."""
    says_more: bool = False
    """That page says that there are more."""
    following: Mapping[str, Any] | None = None
    """The arguments of the page after the one that was answered."""
    is_hidden: bool = False
    """They are from where an agent must not look."""
    collects: bool = False
    """The answer is one of several that are told together."""
    data: Any = NO_DATA
    """What was answered, where it is JSON."""
    refusal: str = ""
    """Why the call as such cannot be made."""
    unfit: str = ""
    """What is wrong with the fields."""
    notes: list[str] = field(default_factory=list)
    """What the agent is told beside the answer."""
    is_item: bool = False
    """It is one of many of the same tool."""
    is_reached: bool = False
    """No limit was in its way."""
    accepted: bool = False
    """Its arguments were taken."""
    signature: str = ""
    """How the tool is called, where they were not, of one of many."""

    @property
    def is_joined(self) -> bool:
        """Whether pages are joined into one answer."""
        return self.rule is not None and self.pages > 1 and not self.is_item

    def see(
        self, arguments: Mapping[str, Any], response: Response[Any], shape: Shape | None
    ) -> None:
        """Record whether more pages follow this response, and the arguments of the next page."""
        self.says_more = says_more(response.data)
        if self.rule is not None:
            self.following = self.rule.next(arguments, response.data, response.headers)
            self.is_hidden = is_hidden(self.rule.at, shape)
            items = at(response.data, self.rule.items)
            self.items = [*items] if isinstance(items, list) else ()
        if self.fields and not self.is_joined and (self.says_more or self.following is not None):
            self.notes.append(self._more())

    def _more(self) -> str:
        """A note about further pages, since `fields` may have removed the API's link to them."""
        if self.rule is None or self.following is None:
            return "The API has more."
        is_sure = self.says_more or self.rule.cursor or self.rule.at
        text = "There are more" if is_sure else "There may be more"
        if self.is_item:
            return f"{text}: call it by itself with `pages`."
        after = (
            "" if self.is_hidden else f", or continue with arguments {dump(dict(self.following))}"
        )
        return f"{text}: `pages` joins them{after}."


VIA: ContextVar[Via | None] = ContextVar("via", default=None)
"""The call that is being answered, where it came through one."""


def answered(
    value: Any, via: Via, tool: Mapping[str, Any], context: Context, given: Mapping[str, Any]
) -> Any:
    """The result to send for a handler's `value`; `given` are the arguments of the call.

    A result that no handler made, such as a task, is returned unchanged.
    """
    if isinstance(value, InputRequiredResult) or (
        via.as_json and not via.fields and not via.collects
    ):
        return value
    backend = context.request.lifespan_context.backend
    limit = ResultLimit.of(backend.settings, backend.api, tool)
    result, verbatim = _collected(value, via, tool, context, limit)
    if via.collects or via.as_json or via.data is NO_DATA:
        return FinalResult(result)
    blocks = list(result["content"][1:])
    if verbatim is not None and not exceeds(verbatim, limit.most_written):
        told = [verbatim]
    else:
        told = text_of(via.data, limit, tool, empty_words(via.data, tool, given, value))
    return FinalResult(textual(result, told, blocks))


def textual(result: Mapping[str, Any], told: Sequence[str], blocks: Sequence[Any]) -> Result:
    """A copy of a result with these texts and blocks as content, and no structured content."""
    content = [*({"type": "text", "text": text} for text in told), *blocks]
    return {key: each for key, each in result.items() if key != "structuredContent"} | {
        "content": content
    }


def _collected(
    value: Any, via: Via, tool: Mapping[str, Any], context: Context, limit: ResultLimit
) -> tuple[Result, str | None]:
    """A handler's value as an uncut JSON result, and the answer's own JSON text, if known.

    An answer reduced by `fields` is not checked against the tool's outputSchema, which describes
    the complete answer.
    """
    backend = context.request.lifespan_context.backend
    bare = without_promise(tool)
    is_whole = via.collects or not via.as_json
    whole = limit._replace(size=maxsize, budget=maxsize) if is_whole else limit
    via.data = NO_DATA
    if isinstance(value, FinalResult):
        return _of_result(value.result, via), None
    if isinstance(value, Response):
        value = shaped(value, backend.api, tool["name"])
        if value.kind != "json" or is_deeper(value.data, MAX_DEPTH):
            return to_result(value, bare, limit), None
        if via.fields:
            data, notes = selected(value.data, via.fields, via.outline)
            value = replace(value, data=data, verbatim=None)
            via.notes += notes
        described = bare if via.fields or not _is_open(tool) else tool
        result = to_result(value, described, whole)
        via.data = _with_headers(value.data, result) if via.is_item else value.data
        return result, value.verbatim
    value = shaped(value, backend.api, tool["name"])
    if via.fields and not isinstance(value, str | CallToolResult) and not is_content(value):
        value, notes = selected(to_jsonable_python(value, by_alias=True), via.fields, via.outline)
        via.notes += notes
    is_data = not isinstance(value, str) and not is_content(value)
    result = from_handler(value, bare, whole if is_data else limit)
    return _of_result(result, via), None


def _with_headers(data: Any, result: Mapping[str, Any]) -> Any:
    """The data with the result's headers added, such as an ETag; only objects get headers."""
    own = result.get("structuredContent")
    headers = own.get(HEADERS) if isinstance(own, dict) else None
    return {**data, HEADERS: headers} if headers and isinstance(data, dict) else data


def _of_result(result: Result, via: Via) -> Result:
    """Return the result unchanged; if its text repeats its structured content, set `via.data`."""
    data = result.get("structuredContent")
    if result.get("isError") or data is None or not result.get("content"):
        return result
    try:
        copy = json.loads(result["content"][0].get("text", ""))
    except ValueError:
        return result
    bare = data
    if isinstance(data, dict):
        bare = {key: value for key, value in data.items() if key != HEADERS}
    if copy in (bare, data) or {"result": copy} == bare:
        via.data = copy
    return result


def without_promise(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    """The tool without its outputSchema, so that it need not return structured content."""
    return {key: part for key, part in tool.items() if key != "outputSchema"}


def _is_open(tool: Mapping[str, Any]) -> bool:
    """Whether the outputSchema accepts any object besides those that it describes."""
    return {"type": "object"} in (tool.get("outputSchema") or {}).get("anyOf", ())


def text_of(data: Any, limit: ResultLimit, tool: Mapping[str, Any], empty: str = "") -> list[str]:
    """JSON data as text for agents, with a list of the parts that were left out.

    `empty` is the text for empty data.
    """
    size = limit.most_written
    split = Split.of(data)
    text = empty or split.text()
    if not exceeds(text, size):
        return [text]
    less = way_to_less(data, tool)
    if split.tables and (most := split.fitting(size)):
        cuts = [
            f"{most:,} of {len(table.items):,} {title_of(table.path) or 'rows'}"
            for table in split.tables
            if most < len(table.items)
        ]
        return [split.text(most), f"Shown: {', '.join(cuts)}{all_of(text)} {less}"]
    whole = dump(data, allow_nan=True)
    if shortened := shorten_json(data, limit):
        value, note = shortened
        return [visible(dump(value)), f"{note}{all_of(whole)} {less}"]
    start, note = shorten_text(visible(whole), limit)
    return [start, f"{note}{all_of(whole)} {less}"]


def way_to_less(data: Any, tool: Mapping[str, Any]) -> str:
    """Advice on how to get a shorter answer: with `fields`, or with the tool's filters."""
    tables = sorted(Split.of(data).tables, key=lambda table: -len(table.items))
    item = tables[0].items[0] if tables else data
    members = item.items() if isinstance(item, dict) else ()
    names = [name for name, value in members if not isinstance(value, dict | list)]
    ways = [f"set `fields`, such as {dump(names[:_MAX_NAMES])}"] if names else []
    if filters := filters_of(tool):
        ways.append(f"filter by {', '.join(filters)}")
    text = " or ".join(ways) or "ask for less"
    return f"{text[:1].upper()}{text[1:]}."


def empty_words(data: Any, tool: Mapping[str, Any], given: Mapping[str, Any], value: Any) -> str:
    """The text for an empty answer: "0 results for status=open", "Done: 201"."""
    is_read = (tool.get("annotations") or {}).get("readOnlyHint")
    if data == {} and isinstance(value, Response) and not is_read:
        return f"Done: {value.status}."
    rest, lists = "", [data]
    if isinstance(data, dict):
        rest = f"{visible(dump(data, allow_nan=True))}\n"
        lists = [inner for inner in data.values() if isinstance(inner, list)]
    if lists != [[]]:
        return ""
    scalars = ((name, each) for name, each in given.items() if not isinstance(each, dict | list))
    asked = [f"{name}={str(each)[:_LONGEST_NAMED]}" for name, each in scalars][:_NAMED]
    return f"{rest}0 results{' for ' * bool(asked)}{visible(', '.join(asked))}."


async def further(
    call: Callable[[Mapping[str, Any]], Awaitable[Any]],
    via: Via,
    params: Mapping[str, Any],
    joined: Joined,
    seconds: float,
) -> str:
    """Add further pages to `joined`, each from a `call`.

    Returns why this had to stop early; empty if it did not.
    """
    until = time.monotonic() + seconds
    stopped = ""
    while via.following is not None and joined.pages < via.pages and not stopped:
        following, via.following = via.following, None
        before, via.items = via.items, ()
        stopped = joined.refused(following)
        if not stopped and time.monotonic() > until:
            stopped = "the time for one call is over"
        if not stopped:
            try:
                page = await call({**params, "arguments": {**params["arguments"], **following}})
            except MCPError as problem:
                stopped = problem.message
            else:
                if via.items and via.items == before:
                    via.following = None
                    return f"page {joined.pages + 1} repeats page {joined.pages}"
                stopped = await aside(LARGE, partial(joined.add, page, via.data))
        if stopped:
            via.following = following if stopped != CIRCLE else None
    return stopped


def pages_as_text(
    data: Any,
    result: Mapping[str, Any],
    summary: Mapping[str, Any],
    limit: ResultLimit,
    tool: Mapping[str, Any],
) -> Result:
    """The joined pages as a text result; `result` is that of the last page."""
    texts = [*text_of(data, limit, tool), summary_line(summary)]
    return textual(result, texts, result["content"][1:])


def structured(
    data: Any,
    result: Mapping[str, Any],
    summary: Mapping[str, Any],
    limit: ResultLimit,
    tool: Mapping[str, Any],
) -> Result:
    """Joined pages as JSON and structured content."""
    whole = dict(data) if isinstance(data, dict) else {"result": data}
    own = result.get("structuredContent")
    if isinstance(own, dict) and HEADERS in own:
        whole[HEADERS] = own[HEADERS]
    whole["_pages"] = dict(summary)
    text = {"type": "text", "text": visible(dump(whole, allow_nan=True))}
    return {**result, "structuredContent": whole, "content": [text, *result["content"][1:]]}
