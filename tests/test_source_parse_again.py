"""A text of which only some path items are parsed is what parsing all of it gives."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fuzz import budget
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.sameness import identical
from mcpgen.source import decode, parse_again
from mcpgen.source.limits import Limits, ParseProblem
from mcpgen.source.parsed import Parsed, Remembered
from mcpgen.source.yaml_places import YamlPlaces, yaml_places

SPECS = Path(__file__).parents[1] / "specs"
YAML = """\
openapi: 3.1.0
info: {title: T, version: 1.0}
paths:
  /a:
    get: {x: 1}
  # about b
  /b:
    get:
      description: |
        Two
        lines
  /c: {}
components: {}
"""
ITEMS = {"/a": {"get": {"x": 1}}, "/b": {"get": [1, 2]}, "/c": {}}
LINES = json.dumps({"openapi": "3.1.0", "paths": ITEMS, "tags": []}, indent=1)
DENSE = json.dumps({"paths": ITEMS})


@cache
def whole(text: str) -> Parsed:
    return decode.parse(text, "api.yaml", Limits())


@cache
def remembered(text: str) -> Remembered:
    return parse_again.remembered(whole(text))


def again(old: str, new: str, limits: Limits | None = None) -> Parsed | None:
    return parse_again.parse_again(remembered(old), new, limits or Limits())


def check(found: Parsed, text: str) -> None:
    """Assert that this is what the text holds, and that it can be gone on with."""
    expected = remembered(text)
    assert identical(found.value, expected.value)
    assert (found.text, found.format) == (text, expected.format)
    now = parse_again.remembered(found)
    assert (now.length, now.hashes) == (expected.length, expected.hashes)
    one, other = now.outline, expected.outline
    assert one is not None
    assert other is not None
    assert (one.starts, one.end, one.indent) == (other.starts, other.end, other.indent)
    assert one.count >= other.count


@pytest.mark.parametrize(
    ("text", "was", "now"),
    [
        (YAML, "x: 1", "x: 2"),
        (YAML, "x: 1", '"x": [1, {y: z}]'),
        (YAML, "  /a:\n", "  /aa:\n"),
        (YAML, "  /a:\n", "  /new:\n    put: {}\n  /a:\n"),
        (YAML, "  /c: {}\n", ""),
        (YAML, "  /c: {}\n", "  /c: {}\n  /d: {}\n\n"),
        (YAML, "        lines\n", "        lines\n\n\n"),
        (YAML, "  # about b\n", ""),
        (YAML, "  /c: {}\n", "        # three\n  /c: {}\n"),
        (YAML, "  # about b\n", "  /n:\n    get: 'a\n\n      b'\n"),
        (LINES, '"x": 1', '"x": 2, "y": {"z": null}'),
        (LINES, '"x": 1', '"x": 1}, "y": {'),
        (LINES, '"/c": {}', '"/c": {"get": {}}, "/d": {}'),
        (LINES, ',\n  "/c": {}', ""),
        (LINES, '  "/a"', '  "/": 1,   "/a"'),
        (DENSE, '"/c": {}', '"/c": {}, "/d": {}'),
        (DENSE, '"/c"', '"/d"'),
        (DENSE, '"/a": {"get": {"x": 1}}, ', ""),
        (DENSE, '{"x": 1}}, "/b"', '{"x": 1}},\n\n "/b"'),
        (LINES, '  "/b"', '      "/b"'),
        (LINES, '  "/a"', '      "/a"'),
        (DENSE, '"/b": {', '"/b": {"put": {"x": 1}}, "/bb": {"get": {"x": 1}}, "/c2": {'),
    ],
)
def test_path_items_alone_are_parsed(text: str, was: str, now: str) -> None:
    assert was in text
    changed = text.replace(was, now)
    found = again(text, changed)
    assert found is not None
    check(found, changed)


@pytest.mark.parametrize(
    ("text", "was", "now"),
    [
        (YAML, "title: T", "title: U"),
        (YAML, "components: {}", "components: {schemas: {}}"),
        (YAML, "x: 1", "x: &one 1"),
        (YAML, "get: {x: 1}", "get: {x: 1}\n---\n"),
        (YAML, "x: 1", "x: 1, x: 2"),
        (YAML, "  /b:", "  /a:"),
        (YAML, "  /b:", " /b:"),
        (YAML, "  /c: {}\n", "  /c: {}\ntags: []\n"),
        (YAML, "get: {x: 1}", "get: 'x"),
        (LINES, '"tags"', '"more": {}, "tags"'),
        (LINES, '"/c"', '"/a"'),
        (LINES, '"x": 1', '"x": 1}}}, "more": {"a": {"b": {"c": 1'),
        (LINES, '"x": 1', '"x": NaN'),
        (DENSE, '"/c": {}', '"/c": {}}, "tags": {"a": 1'),
        (DENSE, '1}}, "/b"', '1}} "/b"'),
    ],
)
def test_what_else_changed_is_parsed_as_a_whole(text: str, was: str, now: str) -> None:
    assert was in text
    changed = text.replace(was, now)
    assert again(text, changed) is None


@pytest.mark.parametrize(
    "text",
    [
        "paths: {\n  /a: {},\n  /b: {}\n}\n",
        "{paths:\n  {/a: {}}}\n",
        "paths: &all\n  /a: {}\nx-all: *all\n",
        "%TAG !! tag:example.com,2026:\n---\npaths:\n  /a: {}\n",
        "paths: {}\n",
        "paths:\n  ? /a\n  : {}\n  /b: {}\n",
        "paths:\n  /a: {}",
        "paths:\n  <<: {/a: {}}\n  /b: {}\n",
        "- paths\n",
        "[]",
        '{"paths": {}}',
    ],
)
def test_path_items_that_depend_on_what_is_around_have_no_outline(text: str) -> None:
    assert remembered(text).outline is None


def test_a_block_that_goes_on_is_no_comment() -> None:
    """What begins like a comment at the head of changed lines may be text of those before."""
    old = "paths:\n  /a:\n    get: |\n      One\n  /b: {}\n"
    new = "paths:\n  /a:\n    get: |\n      One\n      # two\n  /b: {}\n"
    found = again(old, new)
    assert found is not None
    check(found, new)
    assert found.value["paths"]["/a"]["get"] == "One\n# two\n"


def test_limits_hold_for_all_of_it() -> None:
    changed = YAML.replace("x: 1", "x: [1, 2, 3]")
    assert again(YAML, changed, Limits(max_values=20)) is None
    deep = YAML.replace("x: 1", "x: [[[[1]]]]")
    assert again(YAML, deep, Limits(max_depth=6)) is None
    assert again(YAML, deep, Limits(max_depth=8)) is not None


NAMES = ("bookshop.yaml", "wire.yaml", "clinic-v2.yaml")
TEXTS = {name: (SPECS / name).read_text() for name in NAMES}


@cache
def as_json(name: str) -> str:
    return json.dumps(whole(TEXTS[name]).value, indent=2)


BITS = (
    *("\n", "  ", ": ", "#", "  # x\n", '"', "'", "|\n", "|+\n", "- a\n", "{", "}", "[", "]", ","),
    *("&a ", "*a", "---\n", "...\n", "!!str ", "\t", "\r\n", "? ", "<<: ", "null", "x: y\n"),
    *("  /new:\n    get: {}\n", '"/new": {},', '"a": 1,', "\u2028", "\\", "\n\n", "tags: []\n"),
)


@st.composite
def edits(draw: st.DrawFn) -> tuple[str, str]:
    """A text, and what an edit near the beginning of a path item, or anywhere, makes of it."""
    name = draw(st.sampled_from(NAMES))
    text = as_json(name) if draw(st.booleans()) else TEXTS[name]
    outline = remembered(text).outline
    assert outline is not None
    near = st.sampled_from([*outline.starts, outline.end])
    at = draw(st.one_of(st.integers(0, len(text)), near))
    at = max(0, min(len(text), at + draw(st.integers(-4, 8))))
    gone = draw(st.sampled_from([0, 0, 0, 1, 2, 5, 20]))
    new = draw(st.one_of(st.just(""), st.sampled_from(BITS)))
    return text, text[:at] + new + text[at + gone :]


@budget.tries(200)
@given(edits())
def test_any_edit(edit: tuple[str, str]) -> None:
    old, new = edit
    found = again(old, new)
    if found is not None:
        check(found, new)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_places_are_those_of_the_whole_text(text: str) -> None:
    places = YamlPlaces(whole(text))
    expected: dict[str, Any] = dict(yaml_places(text))
    assert {at: places.get(at) for at in expected} == expected
    assert places.get("/paths/nothing") is None


def test_an_edit_that_is_refused_is_refused_where_it_is() -> None:
    with pytest.raises(ParseProblem) as caught:
        whole(YAML.replace("{x: 1}", "{x: 1"))
    assert again(YAML, YAML.replace("{x: 1}", "{x: 1")) is None
    assert caught.value.offset is not None
