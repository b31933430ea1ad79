"""Finds the operations that return collections in pages, where the document clearly shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..api import Api, Argument, In, Schema, Tool
from ..runtime.parts.search.signatures import Signature
from ..schemas import types_of
from ..schemas.definitions import definitions

Rule = dict[str, Any]

_CURSORS = frozenset(
    {"cursor", "after", "pagetoken", "nexttoken", "continuationtoken", "continue", "marker"}
    | {
        "nextcursor",
        "startcursor",
        "bookmark",
        "nextpagetoken",
        "pagecursor",
        "startingtoken",
        "offset",
    }
)
_NEXT_CURSORS = frozenset(
    {"nextcursor", "nextpagetoken", "nexttoken", "nextcontinuationtoken", "continue", "nextmarker"}
    | {"cursor", "continuationtoken", "marker", "endcursor", "after", "bookmark", "pagetoken"}
    | {"next", "lastid"}
)
_NEXT_PAGE = "nextpage"
_NEXT_URLS = frozenset({"next", "nexturl", "nextlink", "nextpageuri", "nextpageurl", "nexthref"})
_PAGES = frozenset({"page", "pagenumber", "pageno", "pageindex"})
_OFFSETS = frozenset({"offset", "skip", "startindex"})
_SIZES = frozenset({"limit", "perpage", "pagesize", "size", "count", "top", "take", "maxresults"})
_ITEMS = frozenset({"items", "data", "results", "values", "entries", "records", "list", "elements"})
_NUMBERS = frozenset({"integer", "number"})
_MAX_DEPTH = 2
"""Objects within objects in which a cursor is looked for."""


def pages_json(api: Api) -> dict[str, Rule]:
    """The pagination of tools by name, from the settings or the document."""
    rules: dict[str, Rule] = {}
    schemas = definitions(api.schemas)
    for tool in api.tools:
        rule = (
            rule_of(tool, schemas)
            if tool.pages is None
            else _rule_of_settings(tool, tool.pages, schemas)
        )
        if rule:
            rules[tool.name] = rule
    return rules


def way(rule: Rule) -> str:
    """The kind of pagination in a rule: cursor, page, offset or url."""
    return next((key for key in ("cursor", "page", "offset") if key in rule), "url")


def _query(tool: Tool, schemas: Mapping[str, Schema]) -> Rule:
    """A pagination rule for answers that contain the next page's URL.

    `query` has the argument for each query parameter of that URL. `parsed` lists the arguments that
    are not strings.
    """
    queries = [each for each in tool.arguments if each.location is In.QUERY]
    parsed = [a.name for a in queries if "string" not in types_of(a.schema, schemas)]
    return {"query": {a.wire_name: a.name for a in queries}, "parsed": parsed}


def _rule_of_settings(tool: Tool, pages: Mapping[str, Any], schemas: Mapping[str, Schema]) -> Rule:
    """The pagination of a tool from its settings; empty for a tool without pages."""
    paths = {key: pages[key].split(".") for key in ("items", "at") if pages.get(key)}
    return {**pages, **paths, **_query(tool, schemas)} if pages else {}


def rule_of(tool: Tool, schemas: Mapping[str, Schema]) -> Rule | None:
    """The pagination of a tool in the format of the runtime's `Rule`; None without pages."""
    if tool.http is None or not tool.annotations.read_only or not isinstance(tool.result, Mapping):
        return None
    answer = Signature({**tool.result, "$defs": schemas}, 1, 0)
    items = _items(answer, tool, schemas)
    if items is None:
        return None
    queries = [each for each in tool.arguments if each.location is In.QUERY]
    numbers = {each.name for each in queries if _NUMBERS & types_of(each.schema, schemas)}
    queried = {_plain(each.wire_name): each for each in queries}
    common = {**_query(tool, schemas), "items": items}
    kinds = dict(_scalars(answer, answer.whole(tool.result), schemas, ()))
    scalars, texts = list(kinds), [path for path, types in kinds.items() if "string" in types]
    return (
        _by_cursor([a for n, a in queried.items() if n in _CURSORS], scalars, common, numbers)
        or _by_named_page(queried, scalars, common, numbers)
        or _by_url(texts, common)
        or _by_number({n: a for n, a in queried.items() if a.name in numbers}, common)
    )


def _items(answer: Signature, tool: Tool, pool: Mapping[str, Schema]) -> list[str] | None:
    """The path of the items in an answer; None if it is not clear."""
    root = answer.whole(tool.result)
    if "array" in types_of(root, pool):
        return []
    members = root.get("properties", {}).items()
    lists = [name for name, schema in members if "array" in types_of(schema, pool)]
    thing = _plain(tool.http.path.rpartition("/")[2]) if tool.http is not None else ""
    usual = [name for name in lists if _plain(name) in _ITEMS]
    named = [name for name in lists if _plain(name) == thing]
    return next((names for names in (usual, named, lists) if len(names) == 1), None)


def _scalars(
    answer: Signature, schema: Mapping[str, Any], pool: Mapping[str, Schema], path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], set[str]]]:
    """The paths of strings and integers outside the items, with their types."""
    for name, inner in schema.get("properties", {}).items():
        whole = answer.whole(inner)
        here = (*path, name)
        kinds = types_of(inner, pool)
        if kinds & {"string", "integer"} and "object" not in kinds:
            yield here, kinds
        elif "properties" in whole and len(here) <= _MAX_DEPTH:
            yield from _scalars(answer, whole, pool, here)


def _by_cursor(
    taking: list[Argument], scalars: list[tuple[str, ...]], common: Rule, numbers: set[str]
) -> Rule | None:
    arguments = [each for each in taking if each.name not in numbers]
    places = [path for path in scalars if _is_next_cursor(path)]
    cursors = [p for p in places if any(_plain(n).startswith("next") for n in p)] or places
    if len(arguments) != 1 or len(cursors) != 1:
        return None
    return {**common, "cursor": arguments[0].name, "at": list(cursors[0])}


def _by_named_page(
    queried: Mapping[str, Argument], scalars: list[tuple[str, ...]], common: Rule, numbers: set[str]
) -> Rule | None:
    """Pagination in which each answer contains the next page's name; None if unclear."""
    page = queried.get("page")
    places = [path for path in scalars if _plain(path[-1]) == _NEXT_PAGE]
    if page is None or page.name in numbers or len(places) != 1:
        return None
    return {**common, "cursor": page.name, "at": list(places[0])}


def _by_url(scalars: list[tuple[str, ...]], common: Rule) -> Rule | None:
    places = [path for path in scalars if _is_next_url(path)]
    return {**common, "at": list(places[0])} if len(places) == 1 and common["query"] else None


def _is_next_cursor(path: tuple[str, ...]) -> bool:
    last, around = _plain(path[-1]), map(_plain, path[:-1])
    is_within = last == "offset" and any(name.startswith("next") for name in around)
    return is_within or last in _NEXT_CURSORS


def _is_next_url(path: tuple[str, ...]) -> bool:
    last, around = _plain(path[-1]), _plain("".join(path[-2:-1]))
    return last in _NEXT_URLS or (last in ("href", "uri", "url") and around == "next")


def _by_number(queried: Mapping[str, Argument], common: Rule) -> Rule | None:
    sizes = [each for name, each in queried.items() if name in _SIZES]
    if len(sizes) != 1:
        return None
    size = {"size": sizes[0].name, "usual": _default(sizes[0])}
    for names, key in ((_PAGES, "page"), (_OFFSETS, "offset")):
        arguments = [each for name, each in queried.items() if name in names]
        if len(arguments) == 1:
            first = _default(arguments[0])
            lowest = {"first": 1 if first is None else first} if key == "page" else {}
            return {**common, **size, key: arguments[0].name, **lowest}
    return None


def _default(argument: Argument) -> int | None:
    default = argument.schema.get("default") if isinstance(argument.schema, Mapping) else None
    return default if isinstance(default, int) and not isinstance(default, bool) else None


def _plain(name: str) -> str:
    return "".join(char for char in name.lower() if char.isalnum())
