"""How much finding answers, and what the surface's own tools say."""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest
from tables import table

from mcpgen.runtime.parts.search import signatures
from mcpgen.runtime.parts.search.answers import EFFECTS, Catalogue, own_tools
from mcpgen.runtime.parts.search.index import SearchIndex


def catalogue(count: int, properties: Mapping[str, Any] = MappingProxyType({})) -> Catalogue:
    """Tools that all have one word, and the first the word `best` too."""
    rows = [
        [f"tool{n}", 0, 0, 0, "GET", f"/{n}", "read", 0, "a", "Does a thing", ""]
        for n in range(count)
    ]
    every = " ".join(f"{n} 50" for n in range(count))
    terms = {"thing": every, "best": "0 90"}
    head: dict[str, Any] = {"prefix": "", "pinned": [], "common": []}
    index = SearchIndex(
        json.dumps({**head, "areas": [["a", ""]], "tools": rows, "terms": terms}).encode()
    )

    def definition(name: str) -> dict[str, Any]:
        return {
            "name": name,
            "inputSchema": {"type": "object", "properties": {"a": {}, **properties}},
        }

    return Catalogue(index, definition, index.by_name.__contains__, ())


@table(
    "count, arguments, lines, cursor",
    (299, {"query": "thing"}, 8, "8"),
    (300, {"query": "thing"}, 12, "12"),
    (300, {"query": "thing", "limit": 20}, 20, "20"),
    (300, {"query": "best thing"}, 4, "4"),
    (300, {"query": "best thing", "limit": 2}, 2, "2"),
    (300, {"query": "best thing", "cursor": "4"}, 12, "16"),
    (300, {"area": "a"}, 12, "12"),
)
def test_an_answer_has_as_many_lines_as_are_read(count, arguments, lines, cursor):
    listed, _, definition = catalogue(count).find(arguments).partition("\n\n")
    assert bool(definition) == ("best" in arguments.get("query", "") and "cursor" not in arguments)
    head, *tools, more = listed.splitlines()
    assert head.endswith(":")
    assert len(tools) == lines
    assert more.endswith(f'more: cursor "{cursor}"')


def described(areas: int) -> str:
    named = [(f"organisation area {n}", n + 1, "members, invitations") for n in range(areas)]
    find, *_ = own_tools("", "x" * 200, named, ["Get it", "Make it"], EFFECTS, pages=True)
    text: str = find["description"]
    return text


def test_what_areas_are_about_is_left_out_before_their_names_are():
    assert "organisation area 0 (1): members, invitations" in described(5)
    assert "organisation area 0 (1)" in described(50)
    assert "members" not in described(50)
    assert described(70).endswith("organisation area 0")
    assert "more (call without arguments)" in described(200)


@pytest.mark.parametrize("areas", [0, 5, 50, 70, 200, 2000])
def test_the_description_of_finding_is_not_cut_by_clients(areas):
    assert len(described(areas)) < 2048
    assert "such as `Get it` or `Make it`" in described(areas)


def test_areas_that_differ_in_case_alone_are_apart():
    rows = [
        [f"tool{n}", 0, 0, n, "GET", f"/{n}", effect, 0, "", "Does a thing", ""]
        for n, effect in enumerate(("read", "write"))
    ]
    head = {"prefix": "", "pinned": [], "common": [], "terms": {}}
    places = {"areas": [["Responses", ""], ["responses", ""]], "tools": rows}
    index = SearchIndex(json.dumps({**head, **places}).encode())
    found = Catalogue(
        index, lambda name: {"name": name, "inputSchema": {}}, index.by_name.__contains__, ()
    )
    for area, tool in (("Responses", "tool0"), ("responses", "tool1"), ("RESPONSES", "tool0")):
        assert f"1 tools:\n{tool}(" in found.find({"area": area})


def test_finding_by_effect_offers_the_effects_that_are_there():
    for effects, expected in (
        ({"read", "write"}, {"enum": ["read", "write"]}),
        (
            {"read", "delete"},
            {"enum": ["read", "write", "delete"], "description": "write: those that delete too."},
        ),
    ):
        find = own_tools("", "", (), (), effects, pages=False)[0]
        assert find["inputSchema"]["properties"]["effect"] == expected


def test_a_definition_that_has_no_room_is_written_once(monkeypatch):
    """It had been tried with ever shorter texts, which took longer than all else."""
    written = signatures.Signature.written
    tried = []

    def counted(self, schema, name):
        tried.append(name)
        return written(self, schema, name)

    monkeypatch.setattr(signatures.Signature, "written", counted)
    inner = {"type": "object", "properties": {f"m{n}": {"type": "string"} for n in range(300)}}
    text = catalogue(300, {"body": inner}).find({"query": "best thing"})
    assert "\n\n" not in text
    assert tried == ["arguments"]
