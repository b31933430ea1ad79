"""Collections that come in pages: how one leads to the next, and pages joined into one answer.

A next page is a further call of the same tool with other arguments. So it goes to the tool's own
origin and path whatever an API's URL says, and is checked, limited and recorded as any call is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

FILE = "pages.json"
MOST = 50
"""Pages of one call."""
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
        found = {self.query[name]: text for name, text in pairs if name in self.query}
        return {name: self._value(name, text) for name, text in found.items()} or None

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
    seen: list[str] = field(default_factory=list)
    last: Mapping[str, Any] | None = None
    """The result of the last page, whose headers count."""

    def refused(self, following: Mapping[str, Any]) -> str:
        """Why a next page is not asked for: one that was there before leads round in a circle."""
        key = json.dumps(following, sort_keys=True)
        if key in self.seen:
            return "the API names the same next page again"
        self.seen.append(key)
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

    def finished(self, following: Mapping[str, Any] | None, error: str) -> dict[str, Any]:
        """The answer, which says what it has and how to go on."""
        data, items = _data(self.result), at(_data(self.result), self.rule.items)
        told: dict[str, Any] = {
            "pages": self.pages,
            "items": len(items) if isinstance(items, list) else 0,
            "more": following is not None,
        }
        if following is not None:
            told["next"] = dict(following)
        if error:
            told["error"] = error
        last = self.last or self.result
        whole = {**(data if isinstance(data, dict) else {"result": data}), **_headers(last)}
        whole["_pages"] = told
        text = {
            "type": "text",
            "text": json.dumps(whole, ensure_ascii=False, separators=(",", ":")),
        }
        others = last.get("content", [])[1:]
        return {**self.result, "structuredContent": whole, "content": [text, *others]}


def at(value: Any, path: Sequence[str]) -> Any:
    """The value at a path, or None."""
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _data(result: Mapping[str, Any]) -> Any:
    """The answer of the API in a result, where a list may stand in an object beside `_headers`."""
    data = result.get("structuredContent")
    is_wrapped = isinstance(data, dict) and all(k == "result" or k[:1] == "_" for k in data)
    listed = data.get("result") if is_wrapped and isinstance(data, dict) else None
    return listed if isinstance(listed, list) else data


def _headers(result: Mapping[str, Any]) -> dict[str, Any]:
    data = result.get("structuredContent")
    is_told = isinstance(data, Mapping) and "_headers" in data
    return {"_headers": data["_headers"]} if is_told and isinstance(data, Mapping) else {}


def _linked(headers: Mapping[str, str]) -> str | None:
    """The URL of the next page that a `Link` header names (RFC 8288)."""
    for part in headers.get("link", "").split(","):
        target, _, parameters = part.partition(">")
        if any(mark in parameters.lower() for mark in _NEXT):
            return target.strip().removeprefix("<")
    return None
