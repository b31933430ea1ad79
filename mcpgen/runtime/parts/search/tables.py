"""Answers as short text: a list of similar objects becomes a table that has each name once.

A table loses nothing. Its first line has the columns, with `customer.name` for a member of a
member, and each further line is an item. An empty cell is an absent member. Any other cell is JSON,
or plain text if that cannot be mistaken for JSON and does not end the cell. A name with special
characters is written as a JSON string. Deeper values are JSON in their cell.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...values.display import visible
from ...values.jsontext import dump

Path = tuple[str, ...]
"""The names that lead to a value, from the outermost."""

SEPARATOR = "|"
_MIN_FILL = 0.5
"""How much of a table is filled at least: items of many kinds are not alike."""
_MAX_DEPTH = 3
"""Levels of objects in which lists are looked for."""
_NAME = re.compile(r"[^\s.|\"\[\]{}():]+")
_JSON = re.compile(r"[\s\"\[{]|(?:true|false|null|-?(?:[0-9]|Infinity)|NaN)")
"""How a text begins that may be taken for JSON."""
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|-?Infinity")
_WORDS = ("true", "false", "null", "NaN")


def cell(value: Any) -> str:
    """A value as the text of a table cell."""
    if isinstance(value, str):
        return value if _is_plain(value) else visible(dump(value))
    return visible(dump(value, allow_nan=True))


def _is_plain(text: str) -> bool:
    """Whether a text can be put into a cell unchanged."""
    if not text or SEPARATOR in text or text != text.strip() or "\n" in text or "\r" in text:
        return False
    if _JSON.match(text) and (
        text[0] in '"[{' or text in _WORDS or _NUMBER.fullmatch(text) is not None
    ):
        return False
    return text.isprintable() or text == visible(text)


def title_of(path: Path) -> str:
    """The title of a column or a list at a path."""
    return ".".join(n if _NAME.fullmatch(n) else visible(dump(n)) for n in path)


@dataclass(frozen=True)
class Table:
    """A list of similar objects; `path` is its place in the answer, empty for the answer itself."""

    path: Path
    items: Sequence[Mapping[str, Any]]

    @cached_property
    def columns(self) -> list[Path]:
        """The columns: members of the items, and of objects in the items if they are similar."""
        columns: list[Path] = []
        for name in dict.fromkeys(name for item in self.items for name in item):
            values = [item[name] for item in self.items if name in item]
            objects = [value for value in values if isinstance(value, dict) and value]
            if not _are_alike(objects):
                columns.append((name,))
                continue
            if len(objects) < len(values):
                columns.append((name,))
            columns += [(name, inner) for inner in dict.fromkeys(n for o in objects for n in o)]
        return columns

    @cached_property
    def rows(self) -> list[str]:
        """The items, one line each."""
        return [SEPARATOR.join(self._cells(item)) for item in self.items]

    def _cells(self, item: Mapping[str, Any]) -> Iterator[str]:
        spread = {path[0] for path in self.columns if len(path) > 1}
        for name, *inner in self.columns:
            value = item.get(name)
            if name not in item:
                yield ""
            elif inner:
                yield cell(value[inner[0]]) if isinstance(value, dict) and inner[0] in value else ""
            else:
                yield "" if name in spread and isinstance(value, dict) and value else cell(value)

    @property
    def head(self) -> str:
        """The line with the titles of the columns."""
        return SEPARATOR.join(map(title_of, self.columns))

    def text(self, most: int | None = None) -> str:
        """The whole table, or only its first `most` rows."""
        rows = self.rows[:most]
        title = [f"{title_of(self.path)} ({len(rows)} rows):"] if self.path else []
        return "\n".join([*title, self.head, *rows])


def _are_alike(items: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the objects have most of their members in common."""
    counts = Counter(name for item in items for name in item)
    return bool(counts) and sum(counts.values()) >= _MIN_FILL * len(counts) * len(items)


@dataclass(frozen=True)
class Split:
    """The tables of an answer, and the rest of the answer, which is JSON."""

    rest: Any
    tables: Sequence[Table]
    is_list: bool = False
    """The answer is the one table."""

    @classmethod
    def of(cls, value: Any) -> Split:
        """The tables of an answer, where a table is shorter than JSON."""
        if isinstance(value, list):
            tables = _tables(value, ())
            return cls(None if tables else value, tables, is_list=bool(tables))
        tables = []
        rest = _without(value, (), tables)
        return cls(rest, tables)

    def text(self, most: int | None = None) -> str:
        """The answer, or at most `most` rows of each table."""
        first = (
            []
            if self.is_list or (self.rest == {} and self.tables)
            else [visible(dump(self.rest, allow_nan=True))]
        )
        return "\n".join([*first, *(table.text(most) for table in self.tables)])

    def fitting(self, size: int) -> int:
        """The number of rows of each table that fit into `size` bytes; 0 if not even one fits."""
        longest = max((len(table.rows) for table in self.tables), default=0)
        least, most = 0, longest + 1
        while most - least > 1:
            middle = (least + most) // 2
            if len(self.text(middle).encode()) <= size:
                least = middle
            else:
                most = middle
        return least


def _without(value: Any, path: Path, tables: list[Table]) -> Any:
    """The value without the lists that become tables, which are added to `tables`."""
    if not isinstance(value, dict) or len(path) > _MAX_DEPTH:
        return value
    rest = {}
    for name, inner in value.items():
        own = _tables(inner, (*path, name)) if isinstance(inner, list) else []
        tables += own
        if not own:
            rest[name] = _without(inner, (*path, name), tables)
    return rest


def _tables(items: list[Any], path: Path) -> list[Table]:
    """A list with one table of all `items`; empty if no table is possible or JSON is as short."""
    if not all(isinstance(item, dict) for item in items) or not _are_alike(items):
        return []
    table = Table(path, items)
    return [table] if len(table.text()) < len(dump(items, allow_nan=True)) else []


def size_of_text(value: Any) -> int:
    """The size of a value as text, in bytes."""
    return len(Split.of(value).text().encode())


def size_of_json(value: Any) -> int:
    """The size of a value as JSON, in bytes."""
    return len(dump(value, allow_nan=True).encode())
