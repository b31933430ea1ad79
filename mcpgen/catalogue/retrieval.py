"""Checks whether a search finds tools by their own summaries and by a team's questions."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from ..api import Api
from ..diagnostics import Diagnostics, GenerationError, Location
from ..runtime.parts.search.index import SearchIndex

AMONG = 5
MOST = 200
"""Tools whose summaries are tried, spread over the document: each is a query."""
_MAX_NAMES = 5


class Question(Struct, frozen=True):
    """A question, and the tools that a search for it should find."""

    query: str
    tools: tuple[str, ...]


def summaries(api: Api, data: bytes, diagnostics: Diagnostics) -> list[list[str]]:
    """The name and summary of each tool that a search for its own summary finds.

    Tools that such a search misses, since other tools have the same words, are reported in a note.
    """
    index = SearchIndex(data)
    tools = api.tools[:: -(-len(api.tools) // MOST)]
    tried = [(tool.name, tool.summary or tool.title or tool.name) for tool in tools]
    lost = [name for name, summary in tried if name not in _first(index, summary)]
    if lost:
        names = ", ".join(f"`{name}`" for name in lost[:_MAX_NAMES])
        more = f" and {len(lost) - _MAX_NAMES} more" if len(lost) > _MAX_NAMES else ""
        diagnostics.note(
            "search-twins",
            f"{names}{more} cannot be found by their own summaries: other tools have the same "
            "words",
            hint="Describe in the document how they differ, or give them `keywords`.",
        )
    return [[name, summary] for name, summary in tried if name not in lost]


def questions(path: Path) -> tuple[Question, ...]:
    """The questions in a file; raises GenerationError for an invalid file."""
    try:
        data = tomllib.loads(path.read_text("utf-8"))
        entries = data.get("question", [])
        return tuple(Question(each["query"], _names(each["tools"])) for each in entries)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as problem:
        raise GenerationError.of(
            "questions",
            f"the questions cannot be read: {problem}",
            hint='Write a table `[[question]]` with `query = "…"` and `tools = ["…"]` for each.',
            location=Location(str(path), 1, 1),
        ) from None


def misses(folder: Path, questions: Sequence[Question]) -> Iterator[str]:
    """A line for each question whose tool is not found in the server's index.

    Raises GenerationError if the server has no index.
    """
    path = next(folder.glob("*/search.json"), None)
    if path is None:
        raise GenerationError.of(
            "no-index",
            f"{folder} is not a server with a search index",
            hint='Generate it with `surface = "search"`.',
        )
    try:
        index = SearchIndex(path.read_bytes())
    except ValueError as problem:
        raise GenerationError.of("no-index", f"{path}: {problem}", hint="Run update.") from None
    for each in questions:
        names = _first(index, each.query)
        if not {*each.tools} & {*names}:
            unknown = [name for name in each.tools if name not in index.by_name]
            why = f"there is no `{unknown[0]}`; " if unknown else ""
            found = f"it finds {', '.join(names) or 'nothing'}{_advice(index, each)}"
            yield f"{each.query!r} finds none of its tools: {why}{found}"


def _advice(index: SearchIndex, question: Question) -> str:
    """The setting that adds the question's words to a tool; empty if the tool has all of them."""
    for name in question.tools:
        if name in index.by_name and (words := index.lacking(question.query, name)):
            key = name if name.replace("_", "").replace("-", "").isalnum() else json.dumps(name)
            listed = json.dumps(words, ensure_ascii=False)
            return f"; [tools.{key}] keywords = {listed} would add its words"
    return ""


def _first(index: SearchIndex, query: str) -> list[str]:
    return [match.row.name for match in index.ranked(query, lambda row: True)[:AMONG]]


def _names(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise TypeError("`tools` must be a list of names")
    return tuple(value)
