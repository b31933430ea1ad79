"""The search index of a package, `search.json`: ranks tools by words (BM25F).

The weight of each word in each tool is computed at generation; a query adds the weights.
"""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from heapq import nlargest
from importlib.resources import files
from itertools import zip_longest
from typing import Any, NamedTuple

_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_A-Za-z]+")
"""Identifiers split at case, digits and separators; letters of other scripts stay together."""
_STOP_WORDS = (
    "a all an and any are as at be by can for from has have i if in into is it its may me my not "
    "of on or that the their this to which will with you your"
)
_STOP = frozenset(_STOP_WORDS.split())
_ENDINGS = (
    *("ification", "ing", "ion", "ment", "ity", "ed", "er", "or", "al", "ive", "ly", "able"),
)
_PLURALS = ("sses", "xes", "ches", "shes", "zes")
_VOWEL = re.compile("[aeiouy]")
_MAX_WORD_LENGTH = 40
"""Characters of a word; a longer one is no word."""

VERBS = {
    "GET": "get list find search show read fetch view",
    "QUERY": "get list find search show read fetch view",
    "HEAD": "check get",
    "POST": "create add new make post",
    "PUT": "update set change edit replace put",
    "PATCH": "update change edit modify patch",
    "DELETE": "delete remove",
}
"""The words that ask for an operation of a method."""


def pieces(text: str) -> list[str]:
    """The words of a text in lower case; identifiers are split."""
    return [piece.lower() for piece in _PIECE.findall(text)]


def terms(text: str) -> Iterator[str]:
    """The words of a text that matter in a search, without their endings."""
    for word in pieces(text):
        if word not in _STOP and len(word) <= _MAX_WORD_LENGTH:
            yield stem(word)


@lru_cache(maxsize=10_000)
def stem(word: str) -> str:
    """A word without its English ending, so that `creates`, `creating` and `creation` are equal."""
    if len(word) < 4 or not word.isascii():
        return word
    word = _without_ending(_singular(word))
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    if len(word) > 3 and word.endswith("y"):
        word = f"{word[:-1]}i"
    return word[:-2] if len(word) > 5 and word.endswith("at") else word


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith(_PLURALS):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _without_ending(word: str) -> str:
    for ending in _ENDINGS:
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= 3 and _VOWEL.search(rest):
            if ending == "ification":
                return f"{rest}ify"
            doubled = len(rest) > 3 and rest[-1] == rest[-2] and rest[-1] not in "lsz"
            return rest[:-1] if doubled else rest
    return word


def methods_of(word: str) -> frozenset[str]:
    """The HTTP methods that a verb suggests; empty for any other word."""
    return _METHODS.get(stem(word), frozenset())


_METHODS = {
    stem(verb): frozenset(m for m, verbs in VERBS.items() if verb in verbs.split())
    for verb in {verb for verbs in VERBS.values() for verb in verbs.split()}
}


FILE = "search.json"
_MAX_WEIGHT = 100
"""What a word counts at most in a tool: the index has whole numbers."""
MOST = 100
"""Tools that a query finds at most: behind them is nothing that was meant."""
_OTHER_METHOD = 0.8
_IN_NAME, _LIKE_NAME = 0.2, 0.5
_SUMMARY, _THING = 1.5, 1.1
_DEPRECATED = 0.7
"""Factors of a score, and shares that are added to them: see `_fit`."""
_WEAK_SHARE = 0.5
"""A best match that has less of the query's weight is a weak one."""
_MAX_PATH_CHARACTERS = 40
"""Characters that tell a tool from those of the same summary."""
_MIN_TOOLS_OF_A_WORD = 3
"""Tools that have a word at least, for what is a weak match: one that none has may be no name."""
LONGEST_QUERY = 10_000
"""Characters of a query that are read."""
_MAX_WORDS = 64
"""Words of it that count."""


class Row(NamedTuple):
    """A tool's entry in the search index."""

    name: str
    start: int
    end: int
    """Where the members of its definition stand in `tools.json`, in bytes."""
    area: int
    method: str
    path: str
    """Both are empty for a tool that is no HTTP operation."""
    effect: str
    """read, write or delete."""
    is_deprecated: int
    """1 or 0."""
    arguments: str
    """The names of its arguments, as many as a line has room for."""
    summary: str
    answer: str
    """The outline of what it answers; empty where its outputSchema says it as well."""


VARIABLE = re.compile(r"\{([^{}]*)\}")
"""A variable of a path, with its name."""


def static(path: str) -> list[str]:
    """The segments of a path, without the variables in them."""
    return [part for part in VARIABLE.sub("", path).split("/") if part]


def route(method: str, path: str) -> tuple[str, str]:
    """The key of an operation: its method, and its path without the names of variables."""
    return method, VARIABLE.sub("{}", path.rstrip("/"))


class _Words(NamedTuple):
    """The words of a tool, for comparison with those of a query."""

    spelled: frozenset[str]
    """Those of its name, with their endings."""
    name: tuple[str, ...]
    summary: frozenset[str]
    thing: frozenset[str]
    """Those of the last fixed part of its path."""

    @staticmethod
    def of(row: Row) -> _Words:
        summary = frozenset() if row.summary.endswith("…") else frozenset(terms(row.summary))
        thing = frozenset(terms(" ".join(static(row.path)[-1:])))
        return _Words(frozenset(pieces(row.name)), tuple(terms(row.name)), summary, thing)


@dataclass(frozen=True)
class Match:
    """A tool that matches a query."""

    row: Row
    score: float
    share: float
    """How much of the query's weight the tool has words for: 0 to 1."""

    @property
    def is_weak(self) -> bool:
        """Whether the tool lacks most of the query's words."""
        return self.share < _WEAK_SHARE


class SearchIndex:
    """The index of a package, which is read as a whole when it is created."""

    def __init__(self, data: bytes) -> None:
        """Read an index.

        Raises:
            ValueError: the bytes are not those of an index.
        """
        try:
            index = json.loads(data)
            self.rows = [Row(*row) for row in index["tools"]]
            self.prefix: str = index["prefix"]
            self.pinned: list[str] = index["pinned"]
            self.largest: int = index.get("largest", 0)
            """The characters of a tool's answers, where settings give one more than usual."""
            self.common = frozenset(index["common"])
            """The arguments that many tools have."""
            self.areas: list[tuple[str, str]] = [(name, about) for name, about in index["areas"]]
            self._terms: Mapping[str, str] = dict(index["terms"])
            self._words: dict[str, _Words] = {}
        except (KeyError, TypeError, ValueError) as problem:
            raise ValueError("this is no search index") from problem

    @cached_property
    def by_name(self) -> Mapping[str, Row]:
        """The tools by name."""
        return {row.name: row for row in self.rows}

    @cached_property
    def by_route(self) -> Mapping[tuple[str, str], Row]:
        """The tools that call an operation, keyed by method and path."""
        return {route(row.method, row.path): row for row in reversed(self.rows) if row.path}

    @cached_property
    def apart(self) -> Mapping[str, str]:
        """For tools with equal summaries: the words in which their paths differ, keyed by tool."""
        twins: dict[str, list[Row]] = defaultdict(list)
        for row in self.rows:
            twins[row.summary.casefold()].append(row)
        texts: dict[str, str] = {}
        for rows in twins.values():
            paths = [static(row.path) for row in rows]
            columns = enumerate(zip_longest(*paths))
            shared = next((place for place, parts in columns if len({*parts}) > 1), 0)
            words = [" ".join(pieces(" ".join(path[shared:]))) for path in paths]
            if len({*words}) > 1:
                texts |= {
                    row.name: text[-_MAX_PATH_CHARACTERS:]
                    for row, text in zip(rows, words, strict=True)
                }
        return texts

    def ranked(self, query: str, allowed: Callable[[Row], bool]) -> list[Match]:
        """The allowed tools that have words of a query: the best `MOST` of them, the best first."""
        query = query[:LONGEST_QUERY]
        words = list(dict.fromkeys(terms(query)))[:_MAX_WORDS]
        scores: dict[int, float] = defaultdict(float)
        weights: dict[int, float] = defaultdict(float)
        whole, heaviest = 0.0, self._weight(_MIN_TOOLS_OF_A_WORD)
        for word in words:
            having, numbers = self._postings(word)
            weight = self._weight(having)
            asked = min(weight, heaviest)
            whole += asked
            for place, part in zip(numbers[::2], numbers[1::2], strict=True):
                scores[place] += weight * part / _MAX_WEIGHT
                weights[place] += asked
        places = [place for place in scores if allowed(self.rows[place])]
        best = nlargest(MOST, places, key=lambda place: (scores[place], -place))
        tokens = pieces(query)[:_MAX_WORDS]
        matches = []
        for place in best:
            row = self.rows[place]
            if row.name not in self._words:
                self._words[row.name] = _Words.of(row)
            score = scores[place] * _fit(row, self._words[row.name], tokens, {*words})
            matches.append(Match(row, score, weights[place] / whole))
        return sorted(matches, key=lambda match: -match.score)

    def lacking(self, query: str, name: str) -> list[str]:
        """The words of a query that a tool does not have."""
        place = self.rows.index(self.by_name[name])
        words = dict.fromkeys(word for word in pieces(query) if word not in _STOP)
        return [word for word in words if place not in self._postings(stem(word))[1][::2]]

    def _postings(self, word: str) -> tuple[int, list[int]]:
        """The number of tools with a word, and a list with each tool's index and then its
        weight.
        """
        numbers = list(map(int, self._terms.get(word, "").split()))
        having = numbers.pop(0) if len(numbers) % 2 else len(numbers) // 2
        return having, numbers

    def _weight(self, having: int) -> float:
        """The BM25F weight of a word that occurs in `having` tools; it is larger for rare words."""
        return math.log(1 + (len(self.rows) - having + 0.5) / (having + 0.5))


class Definitions:
    """Reads the definitions of single tools from `tools.json`, at positions that the index
    gives.
    """

    def __init__(self, package: str, index: Callable[[], SearchIndex]) -> None:
        self._package = package
        self._index = index
        self._read: dict[str, dict[str, Any]] = {}

    def __call__(self, name: str) -> dict[str, Any] | None:
        """The tool of that name; None if the index has none.

        Raises:
            LookupError: the positions do not fit the file.
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
                raise LookupError("search.json belongs to another tools.json")
            self._read[name] = tool
        return self._read.get(name)


def _fit(row: Row, own: _Words, tokens: Sequence[str], words: set[str]) -> float:
    """A factor for the score of a tool: how well it fits a query.

    It is lower for a deprecated tool, and if the query begins with a verb for another HTTP method.
    It is higher for each word of the tool's name in the query, twice if the spelling is equal (so
    `logs` prefers a tool that lists logs, and `log` one that gets a log), and most if the name has
    only these words. It is also higher if the query equals the summary, or has the words at the end
    of the path.
    """
    factor = _DEPRECATED if row.is_deprecated else 1.0
    methods = methods_of(tokens[0]) if tokens else frozenset()
    if methods and row.method and row.method not in methods:
        factor *= _OTHER_METHOD
    if own.spelled and own.name:
        factor *= 1 + _IN_NAME * len(own.spelled & {*tokens}) / len(tokens)
        factor *= 1 + _IN_NAME * sum(word in words for word in own.name) / len(own.name)
        factor *= 1 + _LIKE_NAME * (len(words & {*own.name}) / len(words | {*own.name})) ** 2
    if own.summary == words:
        factor *= _SUMMARY
    if own.thing and own.thing <= words:
        factor *= _THING
    return factor
