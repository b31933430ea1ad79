"""What a caller or a document gives to the search surface takes a bounded number of steps."""

import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import fanning
import pytest
from steps import memory, steps
from tables import table

from mcpgen.runtime.parts.outlines import check_fields, outline_of_text
from mcpgen.runtime.parts.search import signatures, texts
from mcpgen.runtime.parts.search.answers import EFFECTS, Catalogue, own_tools
from mcpgen.runtime.parts.search.index import SearchIndex
from mcpgen.runtime.parts.shaping import Shape, read_path, shape_value
from mcpgen.runtime.schemas.validation import ArgumentValidator
from mcpgen.runtime.values.errors import ToolError

LARGE = 1_000_000
SCHEMA: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "string"}}}


def catalogue() -> Catalogue:
    rows = [
        [f"getThing{n}", 0, 0, n % 9, "GET", f"/things/{n}", "read", 0, "a", "Get it", ""]
        for n in range(200)
    ]
    terms = {"thing": " ".join(f"{n} 50" for n in range(200)), "ab": "3 50"}
    areas = [[f"area {n}", "things"] for n in range(9)]
    data = {"prefix": "", "pinned": [], "common": [], "areas": areas, "tools": rows, "terms": terms}
    index = SearchIndex(json.dumps(data).encode())

    def definition(name: str) -> dict[str, Any]:
        return {"name": name, "inputSchema": SCHEMA}

    return Catalogue(index, definition, index.by_name.__contains__, ())


def tool_of(argument: dict[str, Any]) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"a": {"type": "string", **argument}}}
    return {"name": "do", "inputSchema": schema}


CATALOGUE = catalogue()
OUTLINE = outline_of_text("{a, b: [{c: {d}}]}")
FUNCTIONS: dict[str, Callable[[str], Callable[[], object]]] = {
    "name": lambda text: partial(CATALOGUE.nearest, text),
    "names": lambda text: partial(CATALOGUE.describe, {"names": [text]}),
    "query": lambda text: partial(CATALOGUE.find, {"query": text}),
    "area": lambda text: partial(CATALOGUE.find, {"area": text}),
    "cursor": lambda text: partial(CATALOGUE.find, {"query": "thing", "cursor": text}),
    "path": lambda text: partial(CATALOGUE.describe, {"names": ["getThing1"], "path": text}),
    "text": lambda text: partial(texts.gist, text, 200),
    "pattern": lambda text: partial(
        signatures.described, tool_of({"maxLength": 3, "pattern": text}), "read", 2000
    ),
    "description": lambda text: partial(
        signatures.described, {**tool_of({}), "description": text}, "read", 2000
    ),
    "field": lambda text: partial(check_fields, [f"$.{text}"], OUTLINE),
    "fields": lambda text: partial(check_fields, ["$.a"] * len(text), OUTLINE),
    "step": lambda text: partial(read_path, "$" + ".a" * len(text)),
}
PIECES = ("ab", "abc ", "aB", "a.", "[].", "寵", "9", "}{", "..a", "A. ", "GET /a ", "[a")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_text_of_a_megabyte_is_no_more_work_than_a_long_one(name):
    def work(size, piece):
        function = FUNCTIONS[name](piece * (size // len(piece)))

        def call():
            with suppress(ToolError, ValueError):
                function()

        return call

    for piece in PIECES:
        work(20_000, piece)()  # what is kept for all calls is there
        assert steps(work(LARGE, piece)) <= 1.5 * steps(work(20_000, piece)) + 1000, piece
        assert steps(work(LARGE, piece)) < 400_000, piece
    assert memory(work(LARGE, "ab")) < 3_000_000  # copies of the text, but no lists of its parts


def test_the_surface_says_its_bounds_and_holds_them():
    tools = {each["name"]: each for each in own_tools("", "x", (), (), EFFECTS, pages=True)}
    wrong = {
        "find_tools": [{"query": "a" * 10_001}, {"area": "a" * 1001}, {"cursor": "1" * 1001}],
        "describe_tools": [{"names": ["a" * 129]}, {"names": ["a"], "path": "a" * 1001}],
        "call_read_tool": [
            {"name": "a" * 129},
            {"name": "a", "fields": ["$.a"] * 51},
            {"name": "a", "fields": ["$." + "a" * 1000]},
        ],
    }
    wrong["call_write_tool"] = wrong["call_read_tool"]
    for name, each in wrong.items():
        for arguments in each:
            with pytest.raises(ToolError, match=r"at most|must"):
                ArgumentValidator.of(tools[name]).check(arguments)


@table(
    "path, reason",
    ("$" + ".a" * 21, "at most 20 steps"),
    ("$..a..b..c", "and `..` at most 2"),
    ("$." + "a" * 1000, "at most 1,000 characters"),
)
def test_a_path_has_so_many_steps(path, reason):
    with pytest.raises(ValueError, match=reason):
        read_path(path)
    assert len(read_path("$" + ".a" * 20)) == 20
    assert len(read_path("$..a.b..c")) == 3


def test_many_fields_are_looked_for_in_as_many_steps_as_few():
    """Fifty paths with `..` cost each value a look, not fifty."""
    value = {"items": [{"a": {"b": n}, "c": [n]} for n in range(2000)]}
    deep = "$..items" + ".a" * 18
    many = [f"$..x{n}..y{n}" + ".z" * 17 for n in range(49)] + [deep]
    few = steps(lambda: shape_value(value, Shape(fields=["$..q"])))
    assert steps(lambda: shape_value(value, Shape(fields=many))) < 2 * few + 400_000
    assert steps(lambda: shape_value(value, Shape(redact=many))) < 2 * few + 400_000


@pytest.mark.parametrize("kind", ["forms", "lists"])
def test_a_signature_of_schemas_that_fan_out_is_short(kind):
    """Each further level had taken twice as long: 22 of them, minutes."""
    schema = fanning.tool_file(kind)["tools"][0]["inputSchema"]
    schema["properties"]["number"] = {"type": "integer"}
    tool = {"name": "fan", "inputSchema": schema, "outputSchema": schema}
    texts = []

    def write():
        texts.append(signatures.described(tool, "read", 2000))
        texts.append(signatures.in_line(schema))
        texts.append(signatures.outline(schema))
        texts.append(signatures.described(tool, "read", 2000, path="a"))

    assert steps(write) < 1_000_000
    described, line, outline, part = texts
    assert "…" in described
    assert "number?: integer" in described
    assert "number?: integer" in line
    assert "number" in outline
    assert "…" in part
    assert all(signatures.tokens_in(text) < 2000 for text in texts)


def test_the_budget_is_the_bound_where_no_reference_repeats(monkeypatch):
    """References on different ways, which nothing keeps."""
    defs = {"A12": {"type": "string"}, "B12": {"type": "integer"}}
    for level in range(12):
        inner = [{"$ref": f"#/$defs/{name}{level + 1}"} for name in "AB"]
        forms = [each | {"description": "x"} for each in inner]
        defs |= {
            f"A{level}": {"anyOf": [*forms, {"type": "array", "items": forms[1]}]},
            f"B{level}": {"anyOf": [{"type": "array", "items": forms[0]}, *forms]},
        }
    schema = {"type": "object", "properties": {"a": {"$ref": "#/$defs/A0"}}, "$defs": defs}
    looked = 0
    whole = signatures.Signature.whole

    def counted(self, *given):
        nonlocal looked
        looked += not self.is_over
        return whole(self, *given)

    monkeypatch.setattr(signatures.Signature, "whole", counted)
    text = signatures.described({"name": "fan", "inputSchema": schema}, "read", 2000)
    assert "…" in text
    assert looked <= 7 * (signatures._MAX_STEPS + 1)
