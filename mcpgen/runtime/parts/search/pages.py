"""Pages of a list, joined into one answer.

The next page is requested by another call of the same tool, with other arguments. So the request
goes to the tool's own origin and path, whatever URL the API names, and it is checked, limited and
recorded like any other call.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from ..shaping import Shape, shape_value

FILE = "pages.json"
_NEXT = ('rel="next"', "rel=next")
_MORE = ("has_more", "hasMore")
"""Members that say whether there are more pages."""
CIRCLE = "the API names the same next page again"
NO_CURSOR = "the API says there are more but gives no cursor"


@dataclass(frozen=True)
class Rule:
    """The pagination of a tool's collection; paths are member names, the outermost first."""

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
        """The arguments of the next page; None after the last one."""
        if isinstance(data, Mapping) and False in map(data.get, _MORE):
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
    """Joins the pages of one call into a single answer."""

    rule: Rule
    largest: int
    """Bytes that there is room for."""
    measure: Callable[[Any], int]
    """Says how many bytes a list takes in the answer."""
    data: Any
    """The last page, with the items of all."""
    result: Mapping[str, Any]
    """The result of the last page, whose headers count."""
    pages: int = 1
    size: int = 0
    """Bytes of the items."""
    keys: list[str] = field(default_factory=list)

    def refused(self, following: Mapping[str, Any]) -> str:
        """The reason not to request the next page, because it was requested before; else empty."""
        key = json.dumps(following, sort_keys=True)
        if key in self.keys:
            return CIRCLE
        self.keys.append(key)
        return ""

    def add(self, result: Mapping[str, Any], data: Any) -> str:
        """Join one more page; returns the reason if it cannot be joined, else an empty string."""
        if result.get("isError"):
            return "".join(block.get("text", "") for block in result.get("content", ()))
        own, more = (at(each, self.rule.items) for each in (self.data, data))
        if not isinstance(own, list) or not isinstance(more, list):
            return "the next page has no list of items"
        self.size = (self.size or self.measure(own)) + self.measure(more)
        if self.size > self.largest:
            return "there is no room for more in one answer"
        more[:0] = own
        self.data = data
        self.pages += 1
        self.result = result
        return ""

    def summary(
        self, following: Mapping[str, Any] | None, error: str, *, is_hidden: bool
    ) -> dict[str, Any]:
        """The number of pages and items, and the next page's arguments unless `is_hidden`."""
        items = at(self.data, self.rule.items)
        summary: dict[str, Any] = {
            "pages": self.pages,
            "items": len(items) if isinstance(items, list) else 0,
            "more": following is not None or bool(error),
        }
        if following is not None and not is_hidden:
            summary["next"] = dict(following)
        if error:
            summary["error"] = "the next page cannot be had" if is_hidden else error
        return summary

    @property
    def whole(self) -> Any:
        """All collected pages as one answer, without a link to a next page."""
        if not isinstance(self.data, dict):
            return self.data
        return _without({k: v for k, v in self.data.items() if k not in _MORE}, self.rule.at)


def summary_line(summary: Mapping[str, Any]) -> str:
    """A summary as one line."""
    what = f"{summary['pages']} page{'s' * (summary['pages'] != 1)}, "
    if not summary["more"]:
        return f"{what}all {summary['items']:,} items."
    why = f"; stopped: {summary['error']}" if "error" in summary else ""
    after = "" if why else "; there are more"
    if "next" in summary:
        after = f"; continue with arguments {json.dumps(summary['next'], ensure_ascii=False)}"
    return f"{what}{summary['items']:,} items{after}{why}".rstrip(".") + "."


def says_more(data: Any) -> bool:
    """Whether an answer itself states that there are more pages."""
    return isinstance(data, Mapping) and any(data.get(name) is True for name in _MORE)


def _without(value: Any, path: Sequence[str]) -> Any:
    """A copy of the value without the member at a path."""
    if not path or not isinstance(value, dict) or path[0] not in value:
        return value
    rest = {key: inner for key, inner in value.items() if key != path[0]}
    return rest if len(path) == 1 else {**value, path[0]: _without(value[path[0]], path[1:])}


def at(value: Any, path: Sequence[str]) -> Any:
    """The value at a path, or None."""
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _linked(headers: Mapping[str, str]) -> str | None:
    """The URL of the next page in a `Link` header (RFC 8288)."""
    for part in headers.get("link", "").split(","):
        target, _, parameters = part.partition(">")
        if any(mark in parameters.lower() for mark in _NEXT):
            return target.strip().removeprefix("<")
    return None


def is_hidden(path: Sequence[str], shape: Shape | None) -> bool:
    """Whether a tool's `shape` removes or masks the value at a path, so agents do not see it."""
    leaf = object()
    probe: Any = reduce(lambda inner, name: {name: inner}, reversed(path), leaf)
    return bool(path) and shape is not None and at(shape_value(probe, shape), path) is not leaf
