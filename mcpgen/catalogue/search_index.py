"""`search.json`: the index that a server with the search surface uses to find its tools.

Tools are ranked by the words in weighted fields (BM25F). The weight of each word in each tool is
computed here as an integer, so that the file is the same each time and a query only adds up
weights.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from ..api import Api, In, Schema, Tool
from ..operations.effects import effect_of
from ..runtime.parts.search import signatures
from ..runtime.parts.search.answers import Catalogue
from ..runtime.parts.search.index import VERBS, SearchIndex, pieces, static, terms
from ..runtime.values.settings import BYTES_PER_TOKEN
from ..text import literals
from .tools_json import spans_in

Wire = Mapping[str, Any]

_FIELDS = {
    "name": (5.0, 0.4),
    "summary": (4.0, 0.5),
    "keywords": (4.0, 0.5),
    "path": (2.5, 0.4),
    "area": (1.5, 0.3),
    "text": (1.0, 0.75),
    "verbs": (1.0, 0.0),
    "arguments": (0.7, 0.75),
}
"""How much a word counts in each field, and how much less where the field is long."""
_GIVEN = "verbs"
_SATURATION = 1.2
"""How soon a word that stands in many fields counts no more (BM25)."""
_MAX_WEIGHT = 100
_TEXT, _ARGUMENT_TEXT = 600, 80
"""Characters of a description, and of an argument's, that count."""
_SUMMARY, _LEAST, _LINE = 64, 16, 112
"""Characters of a summary, of the arguments at least, and of a tool's line with both."""
_COMMON, _LEAST_COMMON = 0.1, 5
"""The share of tools, and how many at least, that have an argument that is common."""
_MAX_SUBJECTS = 3
_MAX_VALUES = 24
"""Values of an enum that count."""


class _Line(Struct, frozen=True):
    """A tool and its entry in the index."""

    tool: Tool
    wire: Wire

    @property
    def area(self) -> str:
        """The title of the tool's group."""
        return self.tool.group.title if self.tool.group is not None else ""


def search_json(api: Api, tools_json: bytes, prefix: str = "") -> bytes:
    """The bytes of `search.json`.

    `tools_json` is the list of tools; the names of the tools that the search surface adds start
    with `prefix`.
    """
    wires = literals.parsed(tools_json)["tools"]
    for wire in wires:  # `fields` is the calling tools' there: its words are in too many tools
        wire["inputSchema"] = signatures.called(wire["inputSchema"], "read")
    lines = [_Line(*each) for each in zip(api.tools, wires, strict=True)]
    groups = {line.area: line.tool.group for line in lines}
    order = {area: place for place, area in enumerate(groups)}
    spans = spans_in(tools_json)
    answers = _Answers(api.schemas)
    common = _common(wires)
    pairs = zip(lines, spans, strict=True)
    rows = [_row(line, span, order, common, answers) for line, span in pairs]
    things = [
        [area, (group and group.about) or ", ".join(_things(area, lines))]
        for area, group in groups.items()
    ]
    pinned = [tool.name for tool in api.tools if tool.pinned]
    head: dict[str, Any] = {"prefix": prefix, "pinned": pinned, "common": common}
    if largest := max((tool.result_tokens for tool in api.tools), default=0):
        head["largest"] = largest * BYTES_PER_TOKEN
    return _text(head, things, rows, _terms(lines))


def own_tools(search_json: bytes, title: str, *, pages: bool) -> list[dict[str, Any]]:
    """The tools that the search surface itself adds, as clients list them; without pinned tools.

    `pages`: whether the pages of any tool's results can be joined. Raises ValueError for a bad
    index.
    """
    index = SearchIndex(search_json)
    catalogue = Catalogue(index, lambda name: {}, lambda name: True, ())
    return catalogue.own_tools(title, pages=pages)


def shown(
    tools: Sequence[Wire], search_json: bytes, title: str, *, pages: bool
) -> list[Mapping[str, Any]]:
    """The tools that clients list on the search surface, pinned ones included.

    Raises ValueError for a bad index.
    """
    pinned = {*json.loads(search_json)["pinned"]}
    own = own_tools(search_json, title, pages=pages)
    return [*own, *(tool for tool in tools if tool["name"] in pinned)]


def _text(
    head: Mapping[str, Any], areas: Sequence[Any], rows: Sequence[Any], terms: Mapping[str, str]
) -> bytes:
    """The index as text with one line for each area, tool and word, for readable diffs."""
    parts = {
        "areas": [json.dumps(area) for area in areas],
        "tools": [json.dumps(row) for row in rows],
        "terms": [f"{json.dumps(term)}: {json.dumps(terms[term])}" for term in sorted(terms)],
    }
    lists = {key: ",\n".join(lines) for key, lines in parts.items()}
    areas_and_tools = f'"areas": [\n{lists["areas"]}\n],\n"tools": [\n{lists["tools"]}\n]'
    text = f'{json.dumps(head)[:-1]},\n{areas_and_tools},\n"terms": {{\n{lists["terms"]}\n}}}}\n'
    return text.encode()


def _common(wires: Sequence[Wire]) -> list[str]:
    """The arguments that many tools share, and that therefore tell little about a tool."""
    counts = Counter(name for wire in wires for name in wire["inputSchema"].get("properties", {}))
    least = max(_LEAST_COMMON, _COMMON * len(wires))
    return sorted(name for name, count in counts.items() if count >= least)


def _row(
    line: _Line,
    span: tuple[int, int],
    areas: Mapping[str, int],
    common: Sequence[str],
    answers: _Answers,
) -> list[Any]:
    """A row of the index for a tool, in the order of the runtime's `Row`."""
    tool, wire = line.tool, line.wire
    method = tool.http.method if tool.http is not None else ""
    effect = effect_of(tool)
    summary = literals.statement(tool.summary or wire.get("title") or tool.name, _SUMMARY)
    room = max(_LEAST, _LINE - len(wire["name"]) - len(summary))
    path = tool.http.path if tool.http is not None else ""
    arguments = _arguments(signatures.called(wire["inputSchema"], effect), common, room)
    called = [method, path, effect, int(tool.deprecated), arguments, summary.rstrip(".")]
    return [wire["name"], *span, areas[line.area], *called, answers.of(tool)]


class _Answers:
    """Outlines of the tools' answers for the search, since an outputSchema may be cut."""

    def __init__(self, schemas: Mapping[str, Schema]) -> None:
        self._schemas = schemas
        self._outlines: dict[bytes, str] = {}

    def of(self, tool: Tool) -> str:
        """The outline of a tool's answer; empty if its schema is hand-written or filtered."""
        if tool.shape or tool.written is not None or not isinstance(tool.result, Mapping):
            return ""
        key = literals.json_bytes(tool.result)
        if key not in self._outlines:
            self._outlines[key] = signatures.outline({**tool.result, "$defs": self._schemas})
        return self._outlines[key]


def _arguments(schema: Mapping[str, Any], common: Sequence[str], room: int) -> str:
    """The names of a tool's arguments, required ones first; cut after `room` characters."""
    required = schema.get("required", [])
    ordered = signatures.ordered(schema, common)
    names = [name if name in required else f"{name}?" for name in ordered]
    parts: list[str] = []
    for name in names:
        rest = len(names) - len(parts)
        if parts and len(", ".join([*parts, name])) > room:
            return ", ".join([*parts, f"+{rest}"])
        parts.append(name)
    return ", ".join(parts)


def _terms(lines: Sequence[_Line]) -> dict[str, str]:
    """Each word with the tools that contain it, and with its weight in each tool.

    If the word's document frequency is smaller than the number of these tools, it is written before
    them. It does not count tools that have the word only as the verb of their HTTP method. Every
    GET tool has the verb `search`: if these were counted, the word would have no weight, although
    few tools have it in their names.
    """
    tools = [{field: list(terms(text)) for field, text in _fields(line)} for line in lines]
    lengths: Counter[str] = Counter()
    for tool in tools:
        lengths.update({field: len(words) for field, words in tool.items()})
    postings: dict[str, list[str]] = defaultdict(list)
    having: Counter[str] = Counter()
    for place, tool in enumerate(tools):
        counts: dict[str, float] = defaultdict(float)
        for field, words in tool.items():
            weight, shorter = _FIELDS[field]
            average = lengths[field] / len(tools)
            share = weight / (1 - shorter + shorter * len(words) / average) if words else 0
            for word, number in Counter(words).items():
                counts[word] += number * share
        having.update({word for field, words in tool.items() if field != _GIVEN for word in words})
        for word, count in counts.items():
            postings[word].append(f"{place} {round(_MAX_WEIGHT * count / (_SATURATION + count))}")
    for word, count in having.items():
        if count < len(postings[word]):
            postings[word].insert(0, str(count))
    return {word: " ".join(places) for word, places in postings.items()}


def _fields(line: _Line) -> Iterator[tuple[str, str]]:
    tool, wire = line.tool, line.wire
    yield "name", wire["name"]
    yield "summary", tool.summary or wire.get("title") or ""
    yield "text", (wire.get("description") or "")[:_TEXT]
    yield "area", line.area
    yield "keywords", " ".join(tool.keywords)
    yield "arguments", " ".join([*_argument_words(wire["inputSchema"]), *_choices(tool)])
    if tool.http is not None:
        yield "path", " ".join(static(tool.http.path))
        yield "verbs", VERBS.get(tool.http.method, "")


def _argument_words(schema: Mapping[str, Any]) -> Iterator[str]:
    for name, member in schema.get("properties", {}).items():
        yield name
        if isinstance(member, Mapping):
            yield str(member.get("description") or "")[:_ARGUMENT_TEXT]


def _choices(tool: Tool) -> Iterator[str]:
    """The enum values in a tool's body, often the kinds of objects that the tool creates."""
    reader = signatures.Signature(tool.input_schema, 1, 0)
    for argument in tool.arguments:
        if argument.location in (In.BODY, In.PROPERTY):
            for form in reader.forms(argument.schema):
                yield from (
                    each for each in form.get("enum", [])[:_MAX_VALUES] if isinstance(each, str)
                )


def _static(tool: Tool) -> list[str]:
    """The segments of a tool's path that are not variables."""
    return static(tool.http.path) if tool.http is not None else []


def _things(area: str, lines: Sequence[_Line]) -> list[str]:
    """The subjects of a group: the most frequent last segments of its tools' paths."""
    words = {*terms(area)}
    counts: Counter[str] = Counter()
    for line in lines:
        if line.area == area and (parts := _static(line.tool)):
            counts[" ".join(pieces(parts[-1]))] += 1
    new = [thing for thing, _ in counts.most_common() if thing and not {*terms(thing)} <= words]
    return new[:_MAX_SUBJECTS]
