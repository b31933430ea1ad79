"""The search surface's own tools, and the answers of `find_tools` and `describe_tools`.

The answers are text, which costs half as many tokens as JSON.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Container, Mapping, Sequence, Set
from heapq import nlargest
from itertools import pairwise
from typing import Any

from ...values.errors import ToolError
from ...values.settings import DECLARED
from . import signatures
from .index import LONGEST_QUERY, VARIABLE, Match, Row, SearchIndex, route, terms

Area = tuple[str, int, str]
"""An area: its name, how many tools it has, and what it is about."""
Definition = Callable[[str], Mapping[str, Any]]
"""Gives the definition of a tool that is there, by its name."""

FIND, DESCRIBE = "find_tools", "describe_tools"
READ, WRITE, DELETE = CALLING = ("call_read_tool", "call_write_tool", "call_delete_tool")
EFFECTS = {"read": READ, "write": WRITE, "delete": DELETE}
"""The calling tool for tools of each effect."""
MOST_FOUND, MOST_DESCRIBED = 50, 8
MOST_PAGES, MOST_FIELDS, MOST_CALLS = 50, 50, 50
"""Pages of one call, fields that are asked for, and calls in one."""
_LONGEST_NAME, _LONGEST_TEXT = 128, 1000
"""Characters of a tool's name (SEP-986), and of an area, a cursor or a path."""
_USUAL, _OF_MANY, _MANY, _BESIDE = 8, 12, 300, 4
"""Lines of an answer; of an API of many tools; and beside a definition."""
_SHORT_AREAS, _LONGEST_DESCRIPTION = 600, 2000
"""Characters of areas with what they are about, and of a description: clients cut it at 2,048."""
_EXAMPLE = range(2, 6)
"""Words of a summary that is shown as an example."""
_TITLES = {
    FIND: "Find tools",
    DESCRIBE: "Describe tools",
    READ: "Call a reading tool",
    WRITE: "Call a changing tool",
    DELETE: "Call a deleting tool",
}
_FIND = (
    "Find the tools of {title} by what they do: {count:,} tools in all. Say it in a few words "
    "of the API{examples}; another wording helps where nothing fits. "
    "Answers a line for each tool: name(required, optional?) - summary [effect].\n"
    "Areas: {areas}"
)
_DESCRIBE = (
    "How tools are called, before a first call: each argument with its type, bounds, default "
    "and text, and what the tool answers."
)
_READ = (
    "Call a tool that only reads ([read]). A list of like objects is answered as a table: an empty "
    "cell is a field that is absent."
)
_WRITE = (
    "Call a tool that changes something ([write]), with the arguments of {prefix}call_read_tool."
)
_DELETE = (
    "Call a tool that deletes something ([delete]), with the arguments of {prefix}call_read_tool."
)
_NAME = {"type": "string", "maxLength": _LONGEST_NAME}
_SHORT = {"type": "string", "maxLength": _LONGEST_TEXT}
_CALL: dict[str, Any] = {
    "name": {**_NAME, "description": "The tool's name, as find_tools has it."},
    "arguments": {
        "type": "object",
        "description": "The tool's arguments, as describe_tools has them.",
    },
    "fields": {
        "type": "array",
        "items": _SHORT,
        "maxItems": MOST_FIELDS,
        "description": "Only these fields of the answer, such as $.items[*].id; default: all.",
    },
    "as": {"enum": ["json"], "description": "For programs: JSON and structured content."},
}
_EACH: dict[str, Any] = {
    "each": {
        "type": "array",
        "items": {"type": "object"},
        "minItems": 1,
        "maxItems": MOST_CALLS,
        "description": "Many calls in one: the arguments of each, beside those in `arguments`.",
    }
}
_ON_ERROR = {
    "on_error": {
        "enum": ["stop", "continue"],
        "default": "stop",
        "description": "What a failed call of `each` does to those after it.",
    }
}
_PAGES = {
    "type": "integer",
    "minimum": 1,
    "maximum": MOST_PAGES,
    "description": "Join at most so many pages of a list; default: one.",
}
_TYPED_LINES = 3
"""Tools of an answer whose arguments have types."""
_LEAD = 1.25
"""A best match stands apart that has this much more than the second."""
_MAX_TOKENS = 690
"""Tokens of lines and a definition that comes along."""
_MIN_TOKENS = 60
_MIN_SHARED_LINES = 3
"""Lines from which on arguments are said once that all of them begin with."""
_NEAREST, _ALIKE = 5, 0.75
"""Names that are told, and how like the asked one are those that come before the words."""
_OPERATION = re.compile(r"\b(GET|POST|PUT|PATCH|DELETE) (/[^\s`'\"(),;]{0,200}[\w}/])")
_PER_TOOL, _PER_ANSWER = 2000, 6000
"""Tokens of a description."""


class Catalogue:
    """The tools that one caller may use, and the texts about them."""

    def __init__(
        self,
        index: SearchIndex,
        definition: Definition,
        allowed: Callable[[str], bool],
        paged: Container[str],
    ) -> None:
        """`paged`: the names of the tools whose pages can be joined."""
        self._paged = paged
        self._index = index
        self._definition = definition
        self._allowed = allowed

    def effect(self, name: str) -> str:
        """`read`, `write` or `delete`; never `delete` for a tool that is not in the index."""
        if row := self._index.by_name.get(name):
            return row.effect
        hints = self._definition(name).get("annotations") or {}
        return "read" if hints.get("readOnlyHint") else "write"

    def areas(self) -> list[Area]:
        """The groups of the caller's tools, with counts, and the topic if no tool is withheld."""
        every = Counter(row.area for row in self._index.rows)
        own = Counter(row.area for row in self._index.rows if self._allowed(row.name))
        areas = ((place, *self._index.areas[place]) for place in sorted(own))
        return [(name, own[p], about if own[p] == every[p] else "") for p, name, about in areas]

    def find(self, arguments: Mapping[str, Any]) -> str:
        """Answer `find_tools`; raises ToolError for an unknown area or an invalid cursor."""
        query, limit = arguments.get("query", "").strip(), arguments.get("limit")
        start = _start(arguments.get("cursor"))
        if not query and "area" not in arguments and "effect" not in arguments:
            return _listed_areas(self.areas())
        area = self._area(arguments["area"]) if arguments.get("area") else None

        def fits(row: Row) -> bool:
            reads = row.effect == "read"
            right = arguments.get("effect") in (None, row.effect, "read" if reads else "write")
            return right and area in (None, row.area) and self._allowed(row.name)

        if not query:
            rows = [row for row in self._index.rows if fits(row)]
            return self._lines(rows, start, limit, f"{len(rows):,} tools")
        matches = self._index.ranked(query, fits)
        if not matches:
            return f"No tool has these words.\n{_listed_areas(self.areas())}"
        rows = [match.row for match in matches]
        if matches[0].is_weak:
            return self._lines(rows, start, limit, "No tool has all these words; nearest")
        head = "Tools, the best match first"
        if not start:
            few = self._lines(rows, start, limit or _BESIDE, head, is_defined=True)
            if best := self._best(matches, _MAX_TOKENS - signatures.tokens_in(few)):
                return f"{few}\n\n{best}"
        return self._lines(rows, start, limit, head)

    def own_tools(self, title: str, *, pages: bool) -> list[dict[str, Any]]:
        """The tools that the search surface adds, in the format of `tools/list`."""
        index = self._index
        effects = {row.effect for row in index.rows if self._allowed(row.name)}
        areas, examples = self.areas(), self.examples()
        return own_tools(
            index.prefix, title, areas, examples, effects, pages=pages, largest=index.largest
        )

    def examples(self) -> list[str]:
        """Up to two summaries as examples: of a tool that reads, and of one that writes."""
        rows = [row for row in self._index.rows if self._allowed(row.name)]
        short = [row for row in rows if len(row.summary.split()) in _EXAMPLE]
        firsts = {row.effect == "read": row.summary for row in reversed(short)}
        return [firsts[reads] for reads in (True, False) if reads in firsts]

    def nearest(self, name: str) -> str:
        """A sentence that names the tools most similar to `name`, by spelling and by words."""
        name = name[:_LONGEST_NAME]
        pairs = _pairs(name)
        there = {n: _likeness(pairs, _pairs(n)) for n in self._index.by_name if self._allowed(n)}
        spelled = nlargest(_NEAREST, there, key=there.__getitem__)
        alike = [each for each in spelled if there[each] >= _ALIKE]
        matches = self._index.ranked(name, lambda row: row.name in there)
        by_words = [match.row.name for match in matches[:_NEAREST]]
        names = list(dict.fromkeys([*alike, *by_words, *spelled]))[:_NEAREST]
        return f"The nearest: {', '.join(names)}." if names else ""

    def describe(self, arguments: Mapping[str, Any]) -> str:
        """Answer `describe_tools`; raises ToolError for a path that does not exist."""
        names = list(dict.fromkeys(arguments["names"]))
        texts: list[str] = []
        told = signatures.Told()
        room = _PER_ANSWER
        for place, name in enumerate(names):
            most = min(_PER_TOOL, room // (len(names) - place))
            texts.append(self._described(name, arguments, most, told))
            room -= signatures.tokens_in(texts[-1])
        return "\n\n".join(texts)

    def _described(
        self, name: str, arguments: Mapping[str, Any], most: int, told: signatures.Told
    ) -> str:
        row = self._index.by_name.get(name)
        if not self._allowed(name):
            return f"{name[:200]}: there is no such tool. {self.nearest(name)}"
        tool = self._definition(name)
        if arguments.get("schema"):
            parts = {key: tool[key] for key in ("inputSchema", "outputSchema") if key in tool}
            text = f"{name}: {json.dumps(parts, ensure_ascii=False)}"
            if signatures.tokens_in(text) <= most:
                return text
            return f"{name}: its schemas are too long; ask without `schema` for a short form"
        try:
            path = arguments.get("path", "")
            text = self._signature(tool, row, most - 20, path, told)
            return f"{text}\nhas pages: `pages` joins them" if name in self._paged else text
        except ValueError as problem:
            raise ToolError(f"{name}: {problem}.") from None

    def _signature(
        self,
        tool: Mapping[str, Any],
        row: Row | None,
        most: int,
        path: str = "",
        told: signatures.Told | None = None,
        *,
        whole: bool = False,
    ) -> str:
        effect, answer = self.effect(tool["name"]), row.answer if row else ""
        hints = self._hints(row, tool["inputSchema"]) if row else {}
        text = signatures.described(
            tool, effect, most, path=path, answer=answer, hints=hints, told=told, whole=whole
        )
        return _OPERATION.sub(self._named, text)

    def _hints(self, row: Row, schema: Mapping[str, Any]) -> dict[str, str]:
        """For each id in a tool's path, a tool that lists such ids: `{"id": "from listPets"}`."""
        arguments, hints = schema.get("properties", {}), {}
        for variable in VARIABLE.finditer(row.path):
            source = self._index.by_route.get(route("GET", row.path[: variable.start()]))
            if variable[1] not in arguments or source in (None, row) or "[" not in source.answer:
                continue
            if self._allowed(source.name):
                hints[variable[1]] = f"from {source.name}"
        return hints

    def _named(self, operation: re.Match[str]) -> str:
        """The name of the tool for a mentioned operation (`GET /pets`); else the mention itself."""
        row = self._index.by_route.get(route(operation[1], operation[2]))
        return row.name if row is not None and self._allowed(row.name) else operation[0]

    def _area(self, text: str) -> int:
        """The number of the area that a text names."""
        text = text[:_LONGEST_TEXT]
        area, words = text.strip(), {*terms(text)}
        there = [name for name, *_ in self.areas()]
        meant = [name for name in there if name == area]
        meant += [name for name in there if name.casefold() == area.casefold()]
        meant += [name for name in there if words and words <= {*terms(name)}]
        if meant:
            return [name for name, _ in self._index.areas].index(meant[0])
        raise ToolError(f"There is no area `{text[:100]}`. {_listed_areas(self.areas())}")

    def _lines(
        self,
        rows: Sequence[Row],
        start: int,
        limit: int | None,
        head: str,
        *,
        is_defined: bool = False,
    ) -> str:
        """A page of tools, one per line; `is_defined`: `…` replaces the first tool's arguments."""
        page = rows[start : start + (limit or _usual(len(self._index.rows)))]
        if not page:
            return "There is nothing more." if start else "There is no such tool."
        typed = 0 if is_defined else _TYPED_LINES
        taken = [self._arguments(row, place < typed) for place, row in enumerate(page, start)]
        shared = _shared(taken) if len(page) >= _MIN_SHARED_LINES else []
        if shared:
            head = f"{head}; each takes {', '.join(shared)}"
        own = [", ".join(each.split(", ")[len(shared) :]) for each in taken]
        own[:is_defined] = ["…"] * is_defined
        lines = [self._line(row, arguments) for row, arguments in zip(page, own, strict=True)]
        end = start + len(page)
        if end < len(rows):
            lines.append(f'{len(rows) - end:,} more: cursor "{end}"')
        return "\n".join([f"{head}:", *lines])

    def _arguments(self, row: Row, typed: bool) -> str:
        if not typed:
            return row.arguments
        schema = signatures.called(self._definition(row.name)["inputSchema"], row.effect)
        return signatures.in_line(schema, self._index.common)

    def _line(self, row: Row, arguments: str) -> str:
        apart = f" ({apart})" if (apart := self._index.apart.get(row.name)) else ""
        effect = f"{row.effect}, deprecated" if row.is_deprecated else row.effect
        return f"{row.name}({arguments}) - {row.summary}{apart} [{effect}]"

    def _best(self, matches: Sequence[Match], room: int) -> str:
        """The best match's definition; empty if no match clearly leads or it exceeds `room`."""
        first = matches[0]
        if room < _MIN_TOKENS or (len(matches) > 1 and first.score < _LEAD * matches[1].score):
            return ""
        text = self._signature(self._definition(first.row.name), first.row, room, whole=True)
        return text if signatures.tokens_in(text) <= room else ""


def _shared(lines: Sequence[str]) -> list[str]:
    """The required arguments with which all of the argument lists begin."""
    shared: list[str] = []
    for column in zip(*(line.split(", ") for line in lines), strict=False):
        name, *others = {each.partition(":")[0] for each in column}
        if others or not name or name[-1] == "?" or name[0] in '+"':
            break
        shared.append(name)
    return shared


def _pairs(name: str) -> set[tuple[str, str]]:
    """The pairs of neighbouring characters."""
    return {*pairwise(name.lower())}


def _likeness(one: Set[Any], other: Set[Any]) -> float:
    """The similarity of two sets, from 0 to 1 (Dice)."""
    return 2 * len(one & other) / (len(one) + len(other) or 1)


def _start(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if cursor.isascii() and cursor.isdigit() and len(cursor) < 7:
        return int(cursor)
    raise ToolError(f"`{cursor[:40]}` is not a cursor: take the one at the end of a list.")


def own_tools(
    prefix: str,
    title: str,
    areas: Sequence[Area],
    examples: Sequence[str],
    effects: Collection[str],
    *,
    pages: bool,
    largest: int = 0,
) -> list[dict[str, Any]]:
    """The tools that the search surface adds, in the format of `tools/list`.

    `largest` is the length of the longest answer, if a tool's answers may be longer than usual.
    """
    count = sum(number for _, number, _ in areas)
    usual = _usual(count)
    query = {"type": "string", "maxLength": LONGEST_QUERY}
    find: dict[str, Any] = {
        "query": {**query, "description": "The task of the tool, in a few words."},
        "area": {**_SHORT, "description": "Only this area; without query: all of it."},
        "limit": {"type": "integer", "minimum": 1, "maximum": MOST_FOUND, "default": usual},
        "cursor": {**_SHORT, "description": "Where to go on in a list."},
    }
    if {*effects} - {"read"}:
        enum = [effect for effect in EFFECTS if effect in {"read", "write", *effects}]
        find["effect"] = {"enum": enum}
    if "delete" in effects:
        find["effect"]["description"] = "write: those that delete too."
    names = {"type": "array", "items": _NAME, "minItems": 1}
    describe = {
        "names": {**names, "maxItems": MOST_DESCRIBED},
        "path": {**_SHORT, "description": "Only this part, such as body.lines[]."},
        "schema": {"type": "boolean", "description": "true: JSON Schemas.", "default": False},
    }
    read = {**_CALL, **_EACH, **({"pages": _PAGES} if pages else {})}
    # What is said of an argument is not said again of the next tool: they are listed together.
    change = _without_texts(_CALL | _EACH) | _ON_ERROR
    tools = [
        _tool(FIND, _finding(title, count, areas, examples), find),
        _tool(DESCRIBE, _DESCRIBE, describe, "names"),
        _tool(READ, _READ, read, "name", calls=True),
    ]
    for effect, name, text in (("write", WRITE, _WRITE), ("delete", DELETE, _DELETE)):
        if effect in effects:
            text = text.format(prefix=prefix)
            tools.append(_tool(name, text, change, "name", reads=False, calls=True))
            change = _without_texts(change)
    declared = {DECLARED: largest} if largest else {}
    for tool in tools:
        tool["_meta"] |= declared if tool["name"] in CALLING else {}
    return [{**tool, "name": f"{prefix}{tool['name']}"} for tool in tools]


def _without_texts(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: {key: value for key, value in schema.items() if key != "description"}
        for name, schema in properties.items()
    }


def _tool(
    name: str,
    text: str,
    properties: Mapping[str, Any],
    *required: str,
    reads: bool = True,
    calls: bool = False,
) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = list(required)
    return {
        "name": name,
        "title": _TITLES[name],
        "description": text,
        "inputSchema": {**schema, "additionalProperties": False},
        "annotations": {
            "readOnlyHint": reads,
            "destructiveHint": not reads,
            "idempotentHint": reads,
            "openWorldHint": calls,
        },
        "_meta": {"anthropic/alwaysLoad": True},
    }


def _usual(count: int) -> int:
    """The default number of lines in an answer, which depends on the number of tools."""
    return _OF_MANY if count >= _MANY else _USUAL


def _finding(title: str, count: int, areas: Sequence[Area], examples: Sequence[str]) -> str:
    """The description of `find_tools`."""
    such = f", such as {' or '.join(f'`{each}`' for each in examples)}" if examples else ""
    rest = _FIND.format(title=title, count=count, examples=such, areas="")
    return rest + _shortened(areas, _LONGEST_DESCRIPTION - len(rest))


def _shortened(areas: Sequence[Area], room: int) -> str:
    """The areas, largest first, with topics or counts if `room` allows, else as names only."""
    ordered = sorted(areas, key=lambda area: -area[1])
    if len(text := "; ".join(map(_area_text, ordered))) <= min(room, _SHORT_AREAS):
        return text
    if len(text := ", ".join(f"{name} ({count})" for name, count, _ in ordered)) <= room:
        return text
    texts = [name for name, *_ in ordered]
    if len(text := ", ".join(texts)) <= room:
        return text
    while texts:
        more = f"and {len(areas) - len(texts)} more (call without arguments)"
        if len(text := ", ".join([*texts, more])) <= room:
            return text
        texts.pop()
    return ""


def _area_text(area: Area) -> str:
    name, count, about = area
    return f"{name} ({count})" + (f": {about}" if about else "")


def _listed_areas(areas: Sequence[Area]) -> str:
    return "\n".join(["The areas, with how many tools each has:", *map(_area_text, areas)])
