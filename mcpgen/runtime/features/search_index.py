"""The search index of a package, `search.json`: ranks tools by words (BM25F).

What each word counts in each tool is computed at generation; a query adds it up.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest
from importlib.resources import files
from pkgutil import get_data
from typing import Any, NamedTuple

from .search_words import methods_of, pieces, terms

FILE = "search.json"
_WHOLE = 100
"""What a word counts at most in a tool: the index has whole numbers."""
MOST = 100
"""Tools that a query finds at most: behind them is nothing that was meant."""
_OTHER_METHOD = 0.8
_IN_NAME = 0.2
_WEAK = 0.45
"""A best match that has less of the query's weight is a weak one."""
_LONGEST_QUERY = 64
"""Words of a query that count."""


class Row(NamedTuple):
    """A tool of the index."""

    name: str
    start: int
    end: int
    """Where the members of its definition stand in `tools.json`, in bytes."""
    area: int
    method: str
    """Empty for a tool that is no HTTP operation."""
    effect: str
    """read, write or delete."""
    line: str
    """Its arguments and summary."""
    answer: str
    """The outline of what it answers; empty where its outputSchema says it as well."""


@dataclass(frozen=True)
class Match:
    """A tool that a query finds."""

    row: Row
    score: float
    share: float
    """How much of the query's weight the tool has words for: 0 to 1."""

    @property
    def is_weak(self) -> bool:
        """Whether most of what was asked for is not in the tool."""
        return self.share < _WEAK


class SearchIndex:
    """The index of a package, read whole when it is made."""

    def __init__(self, data: bytes) -> None:
        """Read an index.

        Raises:
            ValueError: these are not the bytes of one.
        """
        try:
            found = json.loads(data)
            self.rows = [Row(*row) for row in found["tools"]]
            self.prefix: str = found["prefix"]
            self.pinned: list[str] = found["pinned"]
            self.areas: list[tuple[str, str]] = [(name, about) for name, about in found["areas"]]
            self._terms: Mapping[str, str] = dict(found["terms"])
        except (KeyError, TypeError, ValueError) as problem:
            raise ValueError("this is no search index") from problem

    @classmethod
    def of(cls, package: str) -> SearchIndex:
        """The index of a package.

        Raises:
            ValueError: it cannot be used.
            OSError: there is none.
        """
        data = get_data(package, FILE)
        if data is None:
            raise FileNotFoundError(f"{package} has no {FILE}")
        return cls(data)

    @cached_property
    def by_name(self) -> Mapping[str, Row]:
        """The tools by their names."""
        return {row.name: row for row in self.rows}

    def ranked(self, query: str, allowed: Callable[[Row], bool]) -> list[Match]:
        """The allowed tools that have words of a query, the best first, `MOST` of them."""
        words = list(dict.fromkeys(terms(query)))[:_LONGEST_QUERY]
        scores: dict[int, float] = defaultdict(float)
        weights: dict[int, float] = defaultdict(float)
        whole = 0.0
        for word in words:
            numbers = list(map(int, self._terms.get(word, "").split()))
            having = len(numbers) // 2
            weight = math.log(1 + (len(self.rows) - having + 0.5) / (having + 0.5))
            whole += weight
            for place, part in zip(numbers[::2], numbers[1::2], strict=True):
                scores[place] += weight * part / _WHOLE
                weights[place] += weight
        places = [place for place in scores if allowed(self.rows[place])]
        best = nlargest(MOST, places, key=lambda place: (scores[place], -place))
        asked = pieces(query)[:_LONGEST_QUERY]
        found = []
        for place in best:
            row = self.rows[place]
            score = scores[place] * _fit(row, asked, {*words})
            found.append(Match(row, score, weights[place] / whole))
        return sorted(found, key=lambda match: -match.score)


class Definitions:
    """Reads the definitions of single tools from `tools.json`, by the places that an index has."""

    def __init__(self, package: str, index: Callable[[], SearchIndex]) -> None:
        self._package = package
        self._index = index
        self._read: dict[str, dict[str, Any]] = {}

    def __call__(self, name: str) -> dict[str, Any] | None:
        """The tool of a name, or None.

        Raises:
            LookupError: the places are not those of the file.
        """
        row = self._index().by_name.get(name)
        if row is not None and name not in self._read:
            with files(self._package).joinpath("tools.json").open("rb") as file:
                file.seek(row.start)
                members = file.read(row.end - row.start)
            try:
                tool: dict[str, Any] = json.loads(b"{%b}" % members)
            except ValueError:
                tool = {}
            if tool.get("name") != name:
                raise LookupError("search.json has the places of another tools.json")
            self._read[name] = tool
        return self._read.get(name)


def _fit(row: Row, asked: Sequence[str], words: set[str]) -> float:
    """How well a tool's name and method fit a query, as a factor of its score.

    A verb at the start of the query asks for a method. The words of the name that are asked for
    count, and those that are spelled the same once more: `logs` is a list, and `log` is one.
    """
    factor = 1.0
    methods = methods_of(asked[0]) if asked else frozenset()
    if methods and row.method and row.method not in methods:
        factor *= _OTHER_METHOD
    name = pieces(row.name)
    stems = list(terms(row.name))
    if name and stems:
        factor *= 1 + _IN_NAME * len({*name} & {*asked}) / len(asked)
        factor *= 1 + _IN_NAME * sum(stem in words for stem in stems) / len(stems)
    return factor
