"""Tables hold what their JSON holds: each is read back to the same value."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import table

from mcpgen.runtime.parts.search.tables import Split

_TITLE = re.compile(r"(.+) \((\d+) rows\):")
_DECODER = json.JSONDecoder()
ABSENT = object()


def read(text: str) -> Any:
    """The value that a text stands for, as the description of the format says."""
    if is_json(text):
        return json.loads(text)
    if text[:1] == "{":
        first, _, rest = text.partition("\n")
        value = json.loads(first)
    elif _TITLE.fullmatch(text.partition("\n")[0]):
        value, rest = {}, text
    else:
        return rows_of(text.split("\n"))
    lines = rest.split("\n")
    while lines:
        match = _TITLE.fullmatch(lines[0])
        count = int(match[2])
        place, (*path, last) = value, names(match[1])
        for name in path:
            place = place[name]
        place[last] = rows_of(lines[1 : count + 2])
        del lines[: count + 2]
    return value


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def rows_of(lines: list[str]) -> list[dict[str, Any]]:
    columns = [names(text) for text in heads(lines[0])]
    return [row_of(columns, cells(line)) for line in lines[1:]]


def row_of(columns: list[list[str]], values: list[Any]) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for path, value in zip(columns, values, strict=True):
        if value is not ABSENT and len(path) == 1:
            row[path[0]] = value
        elif value is not ABSENT:
            row.setdefault(path[0], {})[path[1]] = value
    return row


def heads(line: str) -> list[str]:
    """The columns as they are written: `|` in a JSON text ends none."""
    return re.findall(r'(?:"(?:[^"\\]|\\.)*"|[^|"])+', line)


def cells(line: str) -> list[Any]:
    values: list[Any] = []
    at = 0
    while True:
        if line[at : at + 1] in ("[", "{", '"'):
            value, at = _DECODER.raw_decode(line, at)
        else:
            end = line.find("|", at)
            end = len(line) if end < 0 else end
            text, at = line[at:end], end
            value = ABSENT if not text else json.loads(text) if is_json(text) else text
        values.append(value)
        if at == len(line):
            return values
        assert line[at] == "|"
        at += 1


def names(text: str) -> list[str]:
    found, at = [], 0
    while True:
        if text[at] == '"':
            name, at = _DECODER.raw_decode(text, at)
        else:
            end = text.find(".", at)
            end = len(text) if end < 0 else end
            name, at = text[at:end], end
        found.append(name)
        if at == len(text):
            return found
        at += 1


TEXTS = [
    "",
    "|",
    "a|b",
    "a\nb",
    "\r",
    "7",
    "-1.5e3",
    "007",
    "true",
    "null",
    "NaN",
    "[x",
    "{}",
    '"q"',
]
TEXTS += [" a", "a ", "\u202eb", "\x1b[31m", "é", "𝒳", "\u2028", "x.y", "a\tb", "-", "Infinity"]
NAMES = ["id", "name", "a.b", "a b", "", "|", '"', "é", "n (2 rows):", "{", "_", "1", "true"]
scalars = st.none() | st.booleans() | st.integers() | st.sampled_from(TEXTS) | st.text(max_size=4)
scalars |= st.floats(allow_nan=False, allow_infinity=False)
names_of = st.sampled_from(NAMES)
deep = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(names_of, inner, max_size=3),
    max_leaves=4,
)
member = scalars | st.dictionaries(st.sampled_from(NAMES[:4]), scalars, max_size=3) | deep
items = st.lists(st.dictionaries(names_of, member, max_size=4), max_size=5)


@given(items | st.dictionaries(names_of, items | member, max_size=3) | deep)
def test_what_is_written_is_read_back(value):
    assert read(Split.of(value).text()) == value


@pytest.mark.parametrize("text", TEXTS)
def test_each_kind_of_text_stands_in_a_cell(text):
    value = [{"a": text, "b": 1}, {"a": None}, {"b": text}, {"a": "x", "b": {"c": [text]}}] * 3
    written = Split.of(value).text()
    assert written.startswith("a|b")
    assert len(written.split("\n")) == 13
    assert read(written) == value


@table(
    "value",
    *[[1, 2, 3], [{"a": 1}, 2], [{"a": 1}, {"b": 1}, {"c": 1}, {"d": 1}], [], [{}, {}]],
    {"a": {"b": {"c": {"d": {"e": [{"id": 1}, {"id": 2}]}}}}},
)
def test_what_is_not_alike_stays_json(value):
    assert Split.of(value).text() == json.dumps(value, separators=(",", ":"))


def test_tables_are_short_and_of_columns():
    value = {"page": {"rows": [{"id": n, "who": {"name": "Ö", "at": {"x": n}}} for n in range(2)]}}
    assert Split.of(value).text() == (
        '{"page":{}}\npage.rows (2 rows):\nid|who.name|who.at\n0|Ö|{"x":0}\n1|Ö|{"x":1}'
    )
    value = [{"id": n, "name": f"name {n}", "open": True} for n in range(100)]
    assert len(Split.of(value).text()) < 0.5 * len(json.dumps(value, separators=(",", ":")))


@pytest.mark.parametrize("size", [0, 20, 30, 60, 1000])
def test_as_many_rows_as_fit(size):
    split = Split.of({"a": [{"id": n} for n in range(9)], "b": [{"id": n} for n in range(3)]})
    most = split.fitting(size)
    assert most == 0 or len(split.text(most)) <= size
    assert most == 9 or len(split.text(most + 1)) > size
