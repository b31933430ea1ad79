"""Arguments in tool files: what no call can give and what is never sent is told at its place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tool_file_reading import ANY, described, of_tool, one, read, taking

from mcpgen.catalogue.tools_json import wire_tool
from mcpgen.diagnostics import Diagnostics, GenerationError


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, [("argument", "/tools/0/inputSchema/required/1", "Did you mean `title`?")]),
        ({"additionalProperties": True}, []),
        ({"patternProperties": {"^t": True}}, []),
    ],
)
def test_a_required_argument_that_no_call_can_give_is_reported(
    tmp_path: Path, more: dict[str, Any], expected: list[tuple[str, str, str]]
) -> None:
    found = Diagnostics()
    schema = taking("a", "title", required=("a", "titel"), **more)
    api = read(tmp_path, {"tools": [described({"inputSchema": schema})]}, found)
    assert wire_tool(api.tools[0])["inputSchema"] == schema
    assert [(d.code, d.pointer, d.hint) for d in found.items] == expected


@pytest.mark.parametrize(
    ("line", "told", "hint"),
    [
        ("GET /x/:idd", "`:idd` is sent as it is", "Did you mean `id`?"),
        ("GET /x/:when", "`:when` is sent as it is", "Declare it there."),
        ("GET /x?a=1&id=2", "`id` is sent twice", "or give `id` another `name`"),
        ("POST /x?id=2", "", ""),
        ("GET /x/:id", "", ""),
        ("GET /x/:1", "", ""),
    ],
)
def test_what_is_sent_as_it_is_though_an_argument_seems_meant_is_reported(
    tmp_path: Path, line: str, told: str, hint: str
) -> None:
    found = Diagnostics()
    schema = taking("id", required=("id",))
    read(
        tmp_path, {"server": {}, "tools": [described({"inputSchema": schema, "http": line})]}, found
    )
    warned = [each for each in found.warnings if each.pointer == "/tools/0/http"]
    assert len(warned) == bool(told)
    assert all(told in each.message and hint in each.hint for each in warned)


@pytest.mark.parametrize("line", ["GET /x{?id}", "GET /x?a=1{&id}", "GET /x?id={id}"])
def test_the_query_of_a_path_is_fixed(tmp_path: Path, line: str) -> None:
    with pytest.raises(GenerationError, match="gets there by `in: query`"):
        one(tmp_path, {"inputSchema": taking("id"), "http": line})


def test_a_default_that_does_not_fit_is_reported(tmp_path: Path) -> None:
    found = Diagnostics()
    limit = {"type": "integer", "maximum": 100}
    properties = {
        "a": {**limit, "default": 500},
        "b": {**limit, "default": 5},
        "c": {"$ref": "#/$defs/limit", "default": "5"},
        "d": {"type": ["string", "null"], "default": None},
        "e": {"type": "string", "default": None},
    }
    schema = {**ANY, "properties": properties, "$defs": {"limit": limit}}
    with pytest.raises(GenerationError):
        read(tmp_path, {"tools": [described({"inputSchema": schema})]}, found)
    told = [(d.code, d.pointer.removeprefix("/tools/0/inputSchema/")) for d in found.errors]
    assert told == [("value", f"properties/{name}/default") for name in "ac"]
    warned = [d.pointer for d in found.warnings if d.code == "value"]
    assert warned == ["/tools/0/inputSchema/properties/e/default"]


def test_what_generators_write_for_json_schema_is_a_warning(tmp_path: Path) -> None:
    found = Diagnostics()
    number = {"type": "integer", "minimum": 0, "exclusiveMinimum": True}
    text = {"anyOf": [{"type": "string"}, {"type": "integer", "exclusiveMaximum": False}]}
    properties = {
        "n": number,
        "t": {**text, "default": None},
        "l": {"type": "array", "items": number},
    }
    schema = {**ANY, "properties": properties}
    api = read(tmp_path, {"tools": [described({"inputSchema": schema})]}, found)
    written = (api.tools[0].written or {})["inputSchema"]["properties"]
    above = {"type": "integer", "exclusiveMinimum": 0}
    assert written["n"] == above
    assert written["l"]["items"] == above
    assert written["t"] == {"anyOf": [{"type": "string"}, {"type": "integer"}]}
    assert sorted(each.code for each in found.warnings) == ["not-json-schema"] * 3 + ["value"]


@pytest.mark.parametrize(
    ("schema", "place"),
    [
        ({"type": "string", "enum": ["a", 5]}, "enum/1"),
        ({"type": "integer", "const": "5"}, "const"),
        ({"type": "string", "maxLength": 2, "examples": ["ab", "abc"]}, "examples/1"),
        ({"type": "array", "items": {"type": "string", "enum": [1]}}, "items/enum/0"),
    ],
)
def test_a_value_that_the_server_would_refuse_is_an_error(
    tmp_path: Path, schema: dict[str, Any], place: str
) -> None:
    """In an answer it refuses no call."""
    holder = {"type": "object", "properties": {"a": schema}}
    found = Diagnostics()
    with pytest.raises(GenerationError):
        read(tmp_path, {"tools": [described({"inputSchema": holder})]}, found)
    assert [d.pointer for d in found.errors] == [f"/tools/0/inputSchema/properties/a/{place}"]
    found = Diagnostics()
    read(tmp_path, {"tools": [described({"outputSchema": holder, "inputSchema": ANY})]}, found)
    warned = [d.pointer for d in found.warnings if d.code == "value"]
    assert warned == [f"/tools/0/outputSchema/properties/a/{place}"]


@pytest.mark.parametrize(
    ("schema", "meant"),
    [
        ({"minimun": 1}, {"minimun": "minimum"}),
        ({"items": {"maxlength": 1, "max_items": 2}}, {"maxlength": "maxLength"}),
        ({"anyOf": [{"requred": ["a"]}]}, {"requred": "required"}),
        ({"$defs": {"b": {"additional_properties": False}}}, {"additional_properties": ""}),
        ({"properties": {"requred": {"type": "string"}}, "default": {"minimun": 1}}, {}),
        ({"example": 1, "nullable": True, "id": "a", "x-minimum": 1, "enumNames": ["a"]}, {}),
    ],
)
def test_a_keyword_that_is_all_but_one_is_told(
    tmp_path: Path, schema: dict[str, Any], meant: dict[str, str]
) -> None:
    found = Diagnostics()
    api = read(tmp_path, {"tools": [described({"inputSchema": {**ANY, **schema}})]}, found)
    assert wire_tool(api.tools[0])["inputSchema"] == {**ANY, **schema}
    assert {d.code for d in found.warnings} <= {"keyword"}
    told = {d.pointer.rpartition("/")[2]: d.hint for d in found.warnings}
    assert bool(told) is bool(meant)
    for key, near in meant.items():
        assert f"Did you mean `{near}" in told[key]


@pytest.mark.parametrize(
    ("http", "more", "told"),
    [
        ("GET /x", {"additionalProperties": True}, ["additionalProperties"]),
        ("DELETE /x", {"patternProperties": {"^y": ANY}}, ["patternProperties"]),
        ("GET /x", {"unevaluatedProperties": True}, ["unevaluatedProperties"]),
        ("GET /x", {"additionalProperties": False}, []),
        ("GET /x", {}, []),
        ("POST /x", {"additionalProperties": True}, []),
        ("GET /x", {"allOf": [{"properties": {"b": {}}}]}, [""]),
        ("GET /x", {"$ref": "#/$defs/s", "$defs": {"s": {"properties": {"b": {}}}}}, [""]),
        ("GET /x", {"anyOf": [{"required": ["a"]}, {"properties": {"a": {}}}]}, []),
        ("POST /x", {"allOf": [{"properties": {"b": {}}}]}, []),
    ],
)
def test_arguments_that_are_let_in_and_have_no_place_are_reported(
    tmp_path: Path, http: str, more: dict[str, Any], told: list[str]
) -> None:
    found = Diagnostics()
    read(
        tmp_path, {"tools": [described({"inputSchema": taking("a", **more), "http": http})]}, found
    )
    assert [d.pointer for d in found.warnings] == [
        f"/tools/0/inputSchema/{key}".rstrip("/") for key in told
    ]


@pytest.mark.usefixtures("usual_depth")
def test_a_schema_may_be_as_deep_as_a_text(tmp_path: Path) -> None:
    schema: dict[str, Any] = {"type": "text"}
    for _ in range(240):
        schema = {"items": schema}
    told = of_tool(tmp_path, {"inputSchema": {**ANY, "properties": {"a": schema}}})
    assert told == [("not-json-schema", f"/inputSchema/properties/a{'/items' * 240}/type")]


def test_of_many_problems_of_a_schema_the_same_are_told_each_time(tmp_path: Path) -> None:
    names = [f"a{n:02}" for n in range(50)]
    properties = {name: {"type": "text"} for name in names}
    told = of_tool(tmp_path, {"inputSchema": {**ANY, "properties": properties}})
    assert [pointer.split("/")[3] for _, pointer in told] == names[:20]


@pytest.mark.parametrize(
    ("reference", "hint"),
    [
        ("#/$defs/Pets", "Did you mean `#/$defs/Pet`?"),
        ("#/components/schemas/Pet", "Did you mean `#/$defs/Pet`?"),
        ("Shop", "Did you mean `#/$defs/Shop`?"),
        ("shared.yaml#/$defs/Boat", "one file: what tools share is in its `$defs`"),
        ("#/$defs/Boat", "It accepts anything here"),
    ],
)
def test_a_reference_that_leads_nowhere_is_told_with_the_way_out(
    tmp_path: Path, reference: str, hint: str
) -> None:
    found = Diagnostics()
    own = {"Shop": {"type": "string"}}
    schema = {**ANY, "properties": {"a": {"$ref": reference}}, "$defs": own}
    read(tmp_path, {"$defs": {"Pet": ANY}, "tools": [described({"inputSchema": schema})]}, found)
    (told,) = found.warnings
    assert told.hint.startswith(hint) or hint in told.hint.partition(". ")[0]


@pytest.mark.parametrize("is_open", [True, False])
def test_a_required_argument_that_the_user_is_to_be_asked_for_is_reported(
    tmp_path: Path, is_open: bool
) -> None:
    found = Diagnostics()
    schema = taking("a", "b", required=("a", "b"), additionalProperties=is_open)
    asked = {"input": [{"message": "Which?", "arguments": ["b"]}]}
    read(tmp_path, {"tools": [described({"inputSchema": schema, **asked})]}, found)
    (told,) = found.warnings
    assert (told.code, told.pointer) == ("input", "/tools/0/inputSchema/required/1")
    assert "never asked for `b`" in told.message


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("([a-z", "no regular expression"),
        ("^(?!x)", "linear time"),
        ("(?<a>x)\\k<a>", "linear time"),
        ("(?i)a", "ECMAScript does not have"),
    ],
)
def test_a_pattern_that_is_not_enforced_is_reported_with_the_reason(
    tmp_path: Path, pattern: str, words: str
) -> None:
    """It is advertised as it is written."""
    text = {"type": "string", "pattern": pattern}
    names = {"type": "object", "patternProperties": {pattern: {}}}
    for schema, place in ((text, "pattern"), (names, f"patternProperties/{pattern}")):
        found = Diagnostics()
        given = {"type": "object", "properties": {"a": schema}}
        api = read(tmp_path, {"tools": [described({"inputSchema": given})]}, found)
        assert wire_tool(api.tools[0])["inputSchema"] == given
        (told,) = found.warnings
        assert words in told.message
        assert told.pointer == f"/tools/0/inputSchema/properties/a/{place}"


def test_an_array_without_items_is_reported_and_kept(tmp_path: Path) -> None:
    found = Diagnostics()
    good = {"type": "array", "items": {}}
    schema = {"type": "object", "properties": {"a": {"type": "array"}, "b": good}}
    api = read(tmp_path, {"tools": [described({"inputSchema": schema})]}, found)
    assert wire_tool(api.tools[0])["inputSchema"] == schema
    assert [(told.code, told.pointer) for told in found.warnings] == [
        ("items", "/tools/0/inputSchema/properties/a/type")
    ]


@pytest.mark.parametrize("reference", ["http://x.test/s", "#/$defs/gone", "#/$defs/a~b", "#/~"])
def test_a_reference_that_leads_nowhere_is_reported_and_kept(
    tmp_path: Path, reference: str
) -> None:
    found = Diagnostics()
    schema = {"type": "object", "properties": {"a": {"$ref": reference}, "b": True}}
    file = {"$defs": {"shared": ANY}, "tools": [described({"inputSchema": schema})]}
    api = read(tmp_path, file, found)
    assert wire_tool(api.tools[0])["inputSchema"] == schema
    assert [(d.code, d.pointer) for d in found.items] == [
        ("dangling-reference", "/tools/0/inputSchema/properties/a")
    ]
    assert "clients may refuse" in found.items[0].hint


@pytest.mark.parametrize(
    "definitions",
    [
        {"a": {"$ref": "#/$defs/a"}},
        {"a": {"anyOf": [{"allOf": [{"$ref": "#/$defs/b"}]}]}, "b": {"not": {"$ref": "#/$defs/a"}}},
        {"a": {"oneOf": [{"$ref": "#/$defs/b"}]}, "b": {"allOf": [{"$ref": "#/$defs/a"}]}},
        {"a": {"$anchor": "here", "dependentSchemas": {"x": {"if": {"$ref": "#here"}}}}},
    ],
)
def test_a_loop_of_references_that_no_validator_ends_is_refused(
    tmp_path: Path, definitions: dict[str, Any]
) -> None:
    schema = {"type": "object", "properties": {"x": {"$ref": "#/$defs/a"}}, "$defs": definitions}
    with pytest.raises(GenerationError, match="without end"):
        read(tmp_path, {"tools": [described({"inputSchema": schema})]})


def test_a_reference_that_is_no_uri_leads_nowhere(tmp_path: Path) -> None:
    found = Diagnostics()
    schema = {**ANY, "properties": {"a": {"$ref": "https://["}}}
    read(tmp_path, {"tools": [described({"inputSchema": schema})]}, found)
    told = [(d.code, d.pointer) for d in found.items]
    assert told == [("dangling-reference", "/tools/0/inputSchema/properties/a")]
