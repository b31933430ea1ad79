"""Calls through the calling tools: the fields that are asked for, and pages joined into one answer.

A next page is a further call of the same tool with other arguments. So it goes to the tool's own
origin and path whatever an API's URL says, and is checked, limited and recorded as any call is.
"""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from mcp.shared.exceptions import MCPError

from ...backend.response import FinalResult, Response
from ...calls.calls import shaped
from ...results.content import to_result
from ...results.limits import ResultLimit
from ...values.display import visible
from ...values.errors import ToolError
from ...values.jsontext import dump
from ..shaping import Shape, read_path, shape_value
from .answers import MOST_FIELDS

if TYPE_CHECKING:
    from ...calls.context import Context
    from ...values.settings import Settings

FILE = "pages.json"
_NEXT = ('rel="next"', "rel=next")


@dataclass(frozen=True)
class Rule:
    """How a tool's collection has pages; paths are the names of members, from the outermost."""

    items: Sequence[str] = ()
    """Where an answer has its items; empty: it is the list."""
    cursor: str = ""
    """The argument that takes the cursor of a page, and `at`, where the one before names it."""
    at: Sequence[str] = ()
    """Without `cursor`: where an answer has the URL of the next one."""
    page: str = ""
    """The argument that takes the number of a page."""
    offset: str = ""
    """The argument that takes how many items to leave out."""
    size: str = ""
    """The argument that takes how many items a page has."""
    usual: int | None = None
    """How many items a page has where that is not given."""
    first: int = 1
    """The number of the first page."""
    query: Mapping[str, str] = field(default_factory=dict)
    """The arguments by the names that they have in a URL's query."""
    parsed: Sequence[str] = ()
    """Those of them that are no texts."""

    def next(
        self, arguments: Mapping[str, Any], data: Any, headers: Mapping[str, str]
    ) -> Mapping[str, Any] | None:
        """The arguments of the next page; None behind the last one."""
        if isinstance(data, Mapping) and False in (data.get("has_more"), data.get("hasMore")):
            return None
        if self.cursor:
            cursor = at(data, self.at)
            return {self.cursor: cursor} if cursor not in (None, "", False) else None
        if link := _linked(headers) or (at(data, self.at) if self.at else None):
            return self._of_url(link)
        if self.at or not (self.page or self.offset):
            return None
        count = len(items) if isinstance(items := at(data, self.items), list) else 0
        size = arguments.get(self.size, self.usual)
        if not count or (isinstance(size, int) and count < size):
            return None
        if self.page:
            return {self.page: arguments.get(self.page, self.first) + 1}
        return {self.offset: arguments.get(self.offset, 0) + count}

    def _of_url(self, link: Any) -> Mapping[str, Any] | None:
        if not isinstance(link, str):
            return None
        pairs = parse_qsl(urlsplit(link).query, keep_blank_values=True)
        texts = {self.query[name]: text for name, text in pairs if name in self.query}
        return {name: self._value(name, text) for name, text in texts.items()} or None

    def _value(self, name: str, text: str) -> Any:
        try:
            return json.loads(text) if name in self.parsed else text
        except ValueError:
            return text


@dataclass
class Joined:
    """The pages of a call so far."""

    rule: Rule
    largest: int
    """Bytes that there is room for."""
    result: dict[str, Any]
    pages: int = 1
    size: int = 0
    """Bytes of the items."""
    keys: list[str] = field(default_factory=list)
    last: Mapping[str, Any] | None = None
    """The result of the last page, whose headers count."""

    def refused(self, following: Mapping[str, Any]) -> str:
        """Why a next page is not asked for: one that was there before leads round in a circle."""
        key = json.dumps(following, sort_keys=True)
        if key in self.keys:
            return "the API names the same next page again"
        self.keys.append(key)
        return ""

    def add(self, result: Mapping[str, Any]) -> str:
        """Join a further answer, or say why it cannot be."""
        if result.get("isError"):
            return "".join(block.get("text", "") for block in result.get("content", ()))
        own, more = (at(_data(each), self.rule.items) for each in (self.result, result))
        if not isinstance(own, list) or not isinstance(more, list):
            return "the next page has no list of items"
        self.size = (self.size or len(json.dumps(own))) + len(json.dumps(more))
        if self.size > self.largest:
            return "there is no room for more in one answer"
        own.extend(more)
        self.pages += 1
        self.last = result
        return ""

    def finished(self, via: Via, error: str) -> dict[str, Any]:
        """The answer, which says what it has and how to go on."""
        following = via.following
        data, items = _data(self.result), at(_data(self.result), self.rule.items)
        summary: dict[str, Any] = {
            "pages": self.pages,
            "items": len(items) if isinstance(items, list) else 0,
            "more": following is not None,
        }
        if following is not None and not via.is_hidden:
            summary["next"] = dict(following)
        if error:
            summary["error"] = "the next page cannot be had" if via.is_hidden else error
        last = self.last or self.result
        whole = dict(data) if isinstance(data, dict) else {"result": data}
        if "_headers" in (own := last.get("structuredContent") or {}):
            whole["_headers"] = own["_headers"]
        whole["_pages"] = summary
        text = visible(dump(whole, allow_nan=True))
        content = [{"type": "text", "text": text}, *last.get("content", [])[1:]]
        return {**self.result, "structuredContent": whole, "content": content}


def at(value: Any, path: Sequence[str]) -> Any:
    """The value at a path, or None."""
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _data(result: Mapping[str, Any]) -> Any:
    """The answer of the API in a result, where a list may stand in an object beside `_headers`."""
    data = result.get("structuredContent")
    if isinstance(data, dict) and all(key == "result" or key[:1] == "_" for key in data):
        return data["result"] if isinstance(data.get("result"), list) else data
    return data


def _linked(headers: Mapping[str, str]) -> str | None:
    """The URL of the next page that a `Link` header names (RFC 8288)."""
    for part in headers.get("link", "").split(","):
        target, _, parameters = part.partition(">")
        if any(mark in parameters.lower() for mark in _NEXT):
            return target.strip().removeprefix("<")
    return None


@dataclass
class Via:
    """A call that came through one of the calling tools."""

    tool: str
    """The calling tool's own name."""
    fields: Sequence[str] = ()
    pages: int = 1
    rule: Rule | None = None
    """How the tool has pages, where several were asked for."""
    following: Mapping[str, Any] | None = None
    """The arguments of the page after the one that was answered."""
    is_hidden: bool = False
    """They are from where an agent must not look."""
    refusal: str = ""
    """Why the call as such cannot be made."""
    accepted: bool = False
    """Its arguments were taken."""


VIA: ContextVar[Via | None] = ContextVar("via", default=None)
"""The call that is being answered, where it came through one."""


async def further(
    call: Callable[[Mapping[str, Any]], Awaitable[Any]],
    via: Via,
    params: Mapping[str, Any],
    result: dict[str, Any],
    settings: Settings,
) -> dict[str, Any]:
    """The pages after the first result, each a `call` of its own, joined to it."""
    assert via.rule is not None
    joined = Joined(via.rule, settings.max_result_bytes, result)
    until = time.monotonic() + settings.timeout
    stopped = ""
    while via.following is not None and joined.pages < via.pages and not stopped:
        following, via.following = via.following, None
        stopped = joined.refused(following)
        if not stopped and time.monotonic() > until:
            stopped = "the time for one call is over"
        if not stopped:
            arguments = {**params["arguments"], **following}
            meta = {key: params[key] for key in ("_meta",) if key in params}
            try:
                page = await call({**meta, "name": params["name"], "arguments": arguments})
            except MCPError as problem:
                stopped = problem.message
            else:
                stopped = joined.add(page)
        if stopped:
            via.following = following
    return joined.finished(via, stopped)


def check_fields(paths: Sequence[str]) -> None:
    """Raise ToolError for what is no path of a field."""
    if len(paths) > MOST_FIELDS:
        raise ToolError(f"`fields` has at most {MOST_FIELDS} paths. Nothing was done.")
    for path in paths:
        try:
            read_path(path)
        except ValueError as problem:
            raise ToolError(f"`{path[:100]}` in `fields` {problem}. Nothing was done.") from None


def is_hidden(path: Sequence[str], shape: Shape | None) -> bool:
    """Whether a tool of that shape does not show what is at a path."""
    leaf = object()
    probe: Any = reduce(lambda inner, name: {name: inner}, reversed(path), leaf)
    return bool(path) and shape is not None and at(shape_value(probe, shape), path) is not leaf


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
