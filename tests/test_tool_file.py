"""Reading tool files: defaults, and every problem at its place, all at once."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from documents import load_value
from jsonschema import Draft202012Validator

from mcpgen.api import Api, Argument, In, Tool
from mcpgen.contract import wire_tool
from mcpgen.diagnostics import Diagnostics, GenerationError
from mcpgen.readers import tools
from mcpgen.shipped import tool_file_schema

ANY = {"type": "object"}


LIMITED = {
    "type": "object",
    "properties": {"a": {"type": "integer", "minimum": 0, "exclusiveMinimum": True}},
}
DIALECTS = {
    "2020-12": "https://json-schema.org/draft/2020-12/schema",
    "2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft-07": "http://json-schema.org/draft-07/schema#",
    "draft-06": "http://json-schema.org/draft-06/schema#",
    "draft-04": "http://json-schema.org/draft-04/schema#",
    "draft-03": "http://json-schema.org/draft-03/schema#",
}


def read(folder: Path, file: dict[str, Any], found: Diagnostics | None = None) -> Api:
    return tools.read(load_value(folder, file), found if found is not None else Diagnostics())


def one(folder: Path, tool: dict[str, Any], **more: Any) -> Tool:
    """The tool of a file that has this one only."""
    (read_tool,) = read(folder, {"server": {}, **more, "tools": [described(tool)]}).tools
    return read_tool


def described(tool: dict[str, Any]) -> dict[str, Any]:
    default = {"name": "t", "description": "d", "inputSchema": ANY}
    return tool | {key: value for key, value in default.items() if key not in tool}


def taking(*names: str, required: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    properties = {name: {"type": "string"} for name in names}
    return {"type": "object", "properties": properties, "required": list(required), **more}


def problems(folder: Path, file: dict[str, Any]) -> list[tuple[str, str]]:
    """Code and pointer of every error."""
    with pytest.raises(GenerationError) as caught:
        read(folder, file)
    found = caught.value.diagnostics
    assert all(item.location is not None and item.location.line >= 1 for item in found)
    return [(item.code, item.pointer) for item in found]


def of_tool(folder: Path, tool: dict[str, Any], **more: Any) -> list[tuple[str, str]]:
    """The same for a file with one tool, pointers from there."""
    found = problems(folder, {"server": {}, **more, "tools": [described(tool)]})
    return [(code, pointer.removeprefix("/tools/0")) for code, pointer in found]


def places(tool: Tool) -> dict[str, tuple[In, str]]:
    return {a.name: (a.location, a.wire_name) for a in tool.arguments}


def named(tool: Tool, name: str) -> Argument:
    return next(a for a in tool.arguments if a.name == name)


@pytest.mark.parametrize("body", [None, {"argument": "photo", "mediaType": "image/png"}])
def test_the_request_of_the_guide(tmp_path: Path, body: Any) -> None:
    guide = (Path(__file__).parents[1] / "docs/sources.md").read_text("utf-8")
    (shown,) = re.findall(r"```yaml\n(    http:\n.*?)```", guide, re.DOTALL)
    http = yaml.safe_load(shown)["http"]
    if body is not None:
        assert "{ argument: photo, mediaType: image/png }" in shown
        http["body"] = body
    schema = taking("ship", "draft", "trace", "photo", required=("ship", "photo"))
    tool = one(tmp_path, {"inputSchema": schema, "http": http})
    expected = {"ship": (In.PATH, "ship"), "draft": (In.QUERY, "draft")}
    expected |= {"trace": (In.HEADER, "X-Trace")}
    assert places(tool).items() >= expected.items()
    assert tool.http is not None
    assert tool.http.security == ()


def test_two_lines_are_enough(tmp_path: Path) -> None:
    schema = taking("id", "dry", required=("id",))
    tool = one(tmp_path, {"inputSchema": schema, "http": "GET /x/{id}"})
    assert tool.http is not None
    assert (tool.http.method, tool.http.path, tool.http.body) == ("GET", "/x/{id}", None)
    assert (tool.http.accept, tool.http.statuses) == (("*/*",), ("2XX",))
    assert places(tool) == {"id": (In.PATH, "id"), "dry": (In.QUERY, "dry")}


@pytest.mark.parametrize(
    ("method", "place"),
    [("GET", In.QUERY), ("DELETE", In.QUERY), ("POST", In.PROPERTY), ("PATCH", In.PROPERTY)],
)
def test_the_rule_for_what_is_not_said(tmp_path: Path, method: str, place: In) -> None:
    tool = one(tmp_path, {"inputSchema": taking("a"), "http": f"{method} /x"})
    assert named(tool, "a").location is place


def test_places_styles_and_names(tmp_path: Path) -> None:
    http = {
        "method": "POST",
        "path": "/x/{key}?fixed=1",
        "arguments": {
            "id": {"in": "path", "name": "key"},
            "tags": {"in": "query", "style": "spaceDelimited", "explode": False},
            "trace": "header",
            "crumb": "cookie",
            "note": {"name": "remark"},
        },
    }
    schema = taking("id", "tags", "trace", "crumb", "note", required=("id", "note"))
    tool = one(tmp_path, {"inputSchema": schema, "http": http, "outputSchema": ANY})
    assert places(tool) == {
        "id": (In.PATH, "key"),
        "tags": (In.QUERY, "tags"),
        "trace": (In.HEADER, "trace"),
        "crumb": (In.COOKIE, "crumb"),
        "note": (In.PROPERTY, "remark"),
    }
    assert named(tool, "tags").style == "spaceDelimited"
    assert tool.http is not None
    assert tool.http.fixed_query == (("fixed", "1"),)
    assert tool.http.accept == ("application/json",)
    assert tool.http.body is not None
    assert (tool.http.body.required, tool.http.body.spread) == (True, True)


def test_a_whole_body_leaves_the_others_to_the_query(tmp_path: Path) -> None:
    http = {"method": "POST", "path": "/x", "body": {"argument": "all", "mediaType": "text/csv"}}
    tool = one(tmp_path, {"inputSchema": taking("all", "q"), "http": http})
    assert places(tool) == {"all": (In.BODY, "all"), "q": (In.QUERY, "q")}


@pytest.mark.parametrize(
    ("schema", "is_open"),
    [
        (ANY, True),
        (taking("a"), False),
        (taking("a", additionalProperties=False), False),
        (taking("a", additionalProperties=True), True),
        (taking("a", additionalProperties=False, patternProperties={"^x": {}}), True),
        (taking("a", allOf=[{"properties": {"b": {}}}]), True),
    ],
)
def test_which_arguments_a_handler_gets(
    tmp_path: Path, schema: dict[str, Any], is_open: bool
) -> None:
    assert one(tmp_path, {"inputSchema": schema}).takes_extra is is_open
    assert one(tmp_path, {"inputSchema": schema, "http": "PUT /x"}).takes_extra is is_open


def test_a_tool_is_listed_as_it_was_written(tmp_path: Path) -> None:
    written = {
        "name": "a.b",
        "inputSchema": {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "type": "object",
            "properties": {"p": {"$ref": "#/definitions/P", "x-own": 1}},
            "definitions": {"P": {"type": "string", "pattern": "^(?=a)"}},
        },
        "description": "d",
        "annotations": {"readOnlyHint": True},
    }
    tool = one(tmp_path, written)
    assert json.dumps(wire_tool(tool)) == json.dumps(written)
    assert tool.arguments[0].schema == {"$ref": "#/$defs/P"}


def test_shared_definitions_come_along_where_they_are_used(tmp_path: Path) -> None:
    shared = {
        "A": {"properties": {"b": {"$ref": "#/$defs/B"}}},
        "B": {"type": "integer"},
        "C": {},
        "D": {"type": "string"},
    }
    schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/A"}, "d": {"$ref": "#/$defs/D"}},
        "$defs": {"D": {"type": "null"}},
    }
    tool = one(tmp_path, {"inputSchema": schema}, **{"$defs": shared})
    listed = wire_tool(tool)["inputSchema"]
    own = {"D": {"type": "null"}}
    assert listed == {**schema, "$defs": {**own, "A": shared["A"], "B": shared["B"]}}


def test_definitions_alike_are_one_type_and_others_are_not(tmp_path: Path) -> None:
    def tool(name: str, kind: str) -> dict[str, Any]:
        schema = taking(**{"$defs": {"Item": {"type": kind}, "Same": {"enum": [1]}}})
        schema["properties"] = {"i": {"$ref": "#/$defs/Item"}, "s": {"$ref": "#/$defs/Same"}}
        return described({"name": name, "inputSchema": schema})

    api = read(tmp_path, {"tools": [tool("a", "string"), tool("b", "string"), tool("c", "null")]})
    keys = [tool.arguments[0].schema["$ref"] for tool in api.tools]  # type: ignore[index]
    assert keys[0] == keys[1] != keys[2]
    assert sorted(api.schemas) == ["Item_" + k.rpartition("_")[2] for k in sorted({*keys})] + [
        "Same"
    ]


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
    read(tmp_path, {"tools": [described({"inputSchema": schema})]}, found)
    told = [(d.code, d.pointer.removeprefix("/tools/0/inputSchema/")) for d in found.warnings]
    assert told == [("argument", f"properties/{name}/default") for name in "ace"]


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


@pytest.mark.parametrize(
    ("server", "http", "told"),
    [
        ({}, "GET /x", True),
        ({"security": [{"key": []}]}, "GET /x", False),
        ({"security": []}, "GET /x", False),
        ({}, {"method": "GET", "path": "/x", "security": [{"key": []}]}, False),
        ({}, None, False),
    ],
)
def test_a_way_to_sign_in_that_nothing_asks_for_is_reported(
    tmp_path: Path, server: dict[str, Any], http: Any, told: bool
) -> None:
    found = Diagnostics()
    schemes = {"key": {"type": "http", "scheme": "bearer"}}
    tool = described({"http": http} if http else {})
    file = {"server": {**server, "securitySchemes": schemes}, "tools": [tool]}
    read(tmp_path, file, found)
    assert [d.pointer for d in found.warnings] == ["/server/securitySchemes"] * told
    assert all("`security: [{ key: [] }]`" in d.hint for d in found.warnings)


@pytest.mark.parametrize(
    ("path", "places_", "expected"),
    [
        ("/x/:a/{b}", {}, "/x/{a}/{b}"),
        ("/x/{+a}/{b:[0-9]+}", {}, "/x/{a}/{b}"),
        ("/x/:A", {"a": {"in": "path", "name": "A"}, "b": "query"}, "/x/{A}"),
        ("/x/{b}/:a", {"a": "query"}, "/x/{b}/:a"),
        ("/x/{a}/{b}:stop", {}, "/x/{a}/{b}:stop"),
    ],
)
def test_a_placeholder_may_be_written_as_routers_do(
    tmp_path: Path, path: str, places_: dict[str, Any], expected: str
) -> None:
    http = {"method": "GET", "path": path, "arguments": places_}
    tool = one(tmp_path, {"inputSchema": taking("a", "b", required=("a", "b")), "http": http})
    assert tool.http is not None
    assert tool.http.path == expected


def test_an_argument_may_have_the_empty_name(tmp_path: Path) -> None:
    tool = one(tmp_path, {"inputSchema": taking("", "a"), "http": "POST /x"})
    assert places(tool) == {"": (In.PROPERTY, ""), "a": (In.PROPERTY, "a")}


def test_a_keyword_in_what_tools_share_is_told_once(tmp_path: Path) -> None:
    found = Diagnostics()
    refers = described({"inputSchema": {**ANY, "properties": {"a": {"$ref": "#/$defs/s"}}}})
    tools = [refers, {**refers, "name": "u"}]
    read(tmp_path, {"$defs": {"s": {"minimun": 1}}, "tools": tools}, found)
    assert [(d.code, d.pointer) for d in found.warnings] == [("keyword", "/$defs/s/minimun")]


@pytest.mark.parametrize(
    ("tool", "hint"),
    [
        ({"http": "get /x"}, "Did you mean `GET`?"),
        ({"http": "/x"}, "The methods are GET, "),
        ({"http": "GET https://shop.example/x"}, "the address is `server.baseUrl`"),
        ({"inputSchema": {**ANY, "properties": {"a": {"type": "str"}}}}, "Did you mean `string`?"),
        ({"inputSchema": {**ANY, "properties": {"a": {"type": "list"}}}}, "The types are array, "),
        ({"inputSchema": {**ANY, "properties": {"a": "string"}}}, "write `type: string` in it"),
        ({"inputSchema": {**ANY, "properties": {"type": "null"}}}, "write `type: null` in it"),
        (
            {"inputSchema": {**ANY, "properties": {"a": {"required": True}}}},
            "the list of the properties that it must have",
        ),
    ],
)
def test_what_people_often_write_is_told_with_the_way_out(
    tmp_path: Path, tool: dict[str, Any], hint: str
) -> None:
    with pytest.raises(GenerationError) as caught:
        one(tmp_path, tool)
    (told,) = caught.value.diagnostics
    assert hint in told.hint


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


@pytest.mark.parametrize(("method", "always"), [("DELETE", False), ("POST", True)])
def test_a_delete_has_a_body_only_where_a_call_gives_some_of_it(
    tmp_path: Path, method: str, always: bool
) -> None:
    http = {"method": method, "path": "/x", "arguments": {"a": "body"}}
    tool = one(tmp_path, {"inputSchema": taking("a", "b"), "http": http})
    assert tool.http is not None
    assert tool.http.body is not None
    assert tool.http.body.required is always


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
    ("pattern", "words", "warns"),
    [
        ("([a-z", "no regular expression", True),
        ("^(?!x)", "linear time", False),
        ("(?<a>x)\\k<a>", "linear time", False),
    ],
)
def test_a_pattern_that_is_not_enforced_is_reported_with_the_reason(
    tmp_path: Path, pattern: str, words: str, warns: bool
) -> None:
    found = Diagnostics()
    schema = {"type": "object", "properties": {"a": {"type": "string", "pattern": pattern}}}
    api = read(tmp_path, {"tools": [described({"inputSchema": schema})]}, found)
    assert wire_tool(api.tools[0])["inputSchema"] == schema
    (told,) = found.warnings if warns else found.notes
    assert words in told.message
    assert told.pointer == "/tools/0/inputSchema/properties/a/pattern"


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
        {"a": {"$anchor": "here", "dependentSchemas": {"x": {"if": {"$ref": "#here"}}}}},
    ],
)
def test_a_loop_of_references_that_no_validator_ends_is_refused(
    tmp_path: Path, definitions: dict[str, Any]
) -> None:
    schema = {"type": "object", "properties": {"x": {"$ref": "#/$defs/a"}}, "$defs": definitions}
    with pytest.raises(GenerationError, match="without end"):
        read(tmp_path, {"tools": [described({"inputSchema": schema})]})


def test_a_schema_may_hold_itself(tmp_path: Path) -> None:
    inner = {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/a"}]}
    definitions = {"a": {"type": "object", "properties": {"not": inner, "all": {"items": inner}}}}
    schema = {"type": "object", "properties": {"x": {"$ref": "#/$defs/a"}}, "$defs": definitions}
    api = read(tmp_path, {"tools": [described({"inputSchema": schema})]})
    assert wire_tool(api.tools[0])["inputSchema"] == schema


@pytest.mark.parametrize("own", [None, [1]])
def test_a_dialect_without_definitions_may_have_anything_there(tmp_path: Path, own: Any) -> None:
    refers = {"type": "object", "properties": {"a": {"$ref": "#/$defs/shared"}}}
    schema = {"$schema": DIALECTS["draft-07"], "$defs": own, **refers}
    found = Diagnostics()
    file = {"$defs": {"shared": ANY}, "tools": [described({"inputSchema": schema})]}
    assert wire_tool(read(tmp_path, file, found).tools[0])["inputSchema"] == schema
    assert [item.code for item in found.items] == ["dangling-reference"]


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        ({"desciption": "x"}, [("unknown-key", "/desciption")]),
        ({"annotations": {"readOnly": True}}, [("unknown-key", "/annotations/readOnly")]),
        (
            {"annotations": {"readOnlyHint": "yes"}},
            [("wrong-type", "/annotations/readOnlyHint")],
        ),
        ({"inputSchema": {"type": "array"}}, [("wrong-value", "/inputSchema/type")]),
        ({"inputSchema": {}}, [("missing-key", "/inputSchema")]),
        (
            {"inputSchema": {**ANY, "properties": {"a": {"type": "strin"}}}},
            [("not-json-schema", "/inputSchema/properties/a/type")],
        ),
        ({"outputSchema": {"required": "a"}}, [("not-json-schema", "/outputSchema/required")]),
        (
            {"inputSchema": {**ANY, "$schema": "https://dialect.example/own"}},
            [("unknown-dialect", "/inputSchema/$schema")],
        ),
        (
            {"inputSchema": {**ANY, "$schema": "http://json-schema.org/draft-05/schema#"}},
            [("unknown-dialect", "/inputSchema/$schema")],
        ),
        (
            {"inputSchema": {**LIMITED, "$schema": "https://json-schema.org/draft-07/schema#"}},
            [("not-json-schema", "/inputSchema/properties/a/exclusiveMinimum")],
        ),
        ({"name": "a b"}, [("wrong-value", "/name")]),
        ({"name": "a\n"}, [("wrong-value", "/name")]),
        ({"icons": [{"src": "javascript:x"}]}, [("wrong-value", "/icons/0/src")]),
        ({"http": "FETCH /x"}, [("wrong-value", "/http")]),
        ({"http": {"method": "GET"}}, [("missing-key", "/http")]),
        ({"http": "GET //evil.test/x"}, [("path", "/http")]),
        ({"http": "GET /a/../b"}, [("path", "/http")]),
        ({"http": "GET /x/{id}"}, [("placeholder", "/http")]),
        (
            {"inputSchema": taking("id"), "http": "GET /x/{id}"},
            [("argument", "/http")],
        ),
        (
            {
                "annotations": {"readOnlyHint": True, "destructiveHint": False},
                "http": "DELETE /x",
            },
            [
                ("annotation", "/annotations/readOnlyHint"),
                ("annotation", "/annotations/destructiveHint"),
            ],
        ),
    ],
)
def test_problems_of_a_tool(
    tmp_path: Path, tool: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    assert of_tool(tmp_path, tool) == expected


@pytest.mark.parametrize(
    ("http", "pointers"),
    [
        ({"arguments": {"b": "query"}}, "/http/arguments/b"),
        ({"arguments": {"a": "path"}}, "/http/arguments/a /http/arguments/a"),
        ({"arguments": {"a": {"in": "header", "name": "Host"}}}, "/http/arguments/a"),
        ({"arguments": {"a": {"in": "header", "name": "x:y"}}}, "/http/arguments/a"),
        ({"arguments": {"a": {"in": "header", "name": "x-key"}}}, "/http/arguments/a"),
        ({"arguments": {"a": {"in": "query", "style": "matrix"}}}, "/http/arguments/a"),
        ({"arguments": {"a": {"in": "body", "explode": True}}}, "/http/arguments/a"),
        ({"arguments": {"a": {"in": "query", "name": "c"}, "c": "query"}}, "/http"),
        ({"arguments": {"a": "query"}, "body": {"argument": "a"}}, "/http/arguments/a"),
        ({"arguments": {"c": "body"}, "body": {"argument": "a"}}, "/http/body"),
        ({"path": "/x/{a}", "body": {"argument": "a"}}, "/http/path"),
        ({"body": {"argument": "z"}}, "/http/body /http/body/argument"),
        ({"body": "text/plain"}, "/http/body"),
        ({"body": "no media type"}, "/http/body"),
        ({"body": {"encoding": {"a": {}}}}, "/http/body/encoding"),
        ({"accept": "json"}, "/http/accept"),
        ({"accept": []}, "/http/accept"),
        ({"statuses": ["OK"]}, "/http/statuses"),
        ({"security": [{"missing": []}]}, "/http/security /http/security/0"),
    ],
)
def test_problems_of_a_request(tmp_path: Path, http: dict[str, Any], pointers: str) -> None:
    server = {"securitySchemes": {"k": {"type": "apiKey", "in": "header", "name": "X-Key"}}}
    call = {"method": "POST", "path": "/x", **http}
    tool = {"inputSchema": taking("a", "c"), "http": call}
    found = [pointer for _, pointer in of_tool(tmp_path, tool, server=server)]
    assert found == pointers.split()


HEADER = {"type": "string", "x-mcp-header": "Region"}


@pytest.mark.parametrize(
    "properties",
    [
        {"a": {"type": "string", "x-mcp-header": ""}},
        {"a": {"type": "string", "x-mcp-header": "two words"}},
        {"a": {"type": "string", "x-mcp-header": "a\r\nb"}},
        {"a": {"type": "number", "x-mcp-header": "A"}},
        {"a": {"type": "object", "x-mcp-header": "A"}},
        {"a": HEADER, "b": {"type": "string", "x-mcp-header": "REGION"}},
        {"a": {"type": "array", "items": HEADER}},
        {"a": {"anyOf": [HEADER]}},
        {"apiKey": HEADER},
        {"password": HEADER},
        {"a": {**HEADER, "format": "password"}},
    ],
)
def test_headers_that_the_protocol_forbids(tmp_path: Path, properties: dict[str, Any]) -> None:
    found = of_tool(tmp_path, {"inputSchema": {**ANY, "properties": properties}})
    assert [code for code, _ in found] == ["mcp-header"]


def test_headers_that_the_protocol_allows(tmp_path: Path) -> None:
    inner = {"type": "object", "properties": {"b": {"type": "integer", "x-mcp-header": "B"}}}
    data = {"type": "object", "default": {"x-mcp-header": "not a schema"}}
    schema = {**ANY, "properties": {"a": HEADER, "o": inner, "x-mcp-header": data}}
    assert wire_tool(one(tmp_path, {"inputSchema": schema}))["inputSchema"] == schema


def test_all_problems_at_once(tmp_path: Path) -> None:
    file = {
        "servr": {},
        "server": {"baseUrl": "ftp://x", "versoin": "1"},
        "tools": [
            described({"name": "a", "http": "GET /{x}"}),
            described({"name": "a"}),
            described({"name": "c", "inputSchema": {**ANY, "minProperties": "1"}}),
            None,
        ],
    }
    codes = {code for code, _ in problems(tmp_path, file)}
    assert codes == {
        "unknown-key", "server", "placeholder", "duplicate-tool", "not-json-schema", "wrong-type",
    }  # fmt: skip


def test_the_nearest_key_is_named(tmp_path: Path) -> None:
    with pytest.raises(GenerationError) as caught:
        read(tmp_path, {"server": {}, "tools": [described({"input_schema": {}, "Title": "x"})]})
    assert [item.hint for item in caught.value.diagnostics] == [
        "Did you mean `inputSchema`?",
        "Did you mean `title`?",
    ]


def test_the_nearest_key_is_named_where_an_unknown_one_is_kept(tmp_path: Path) -> None:
    found = Diagnostics()
    hints = {"readonlyHint": True, "vendor": 1}
    read(tmp_path, {"tools": [described({"annotations": hints})]}, found)
    assert [item.hint for item in found.warnings] == [
        "Did you mean `readOnlyHint`? It is kept as it is.",
        "It is kept as it is.",
    ]


def test_what_a_dump_may_hold(tmp_path: Path) -> None:
    """Keys that nobody knows and long names are kept and reported; null is nothing."""
    found = Diagnostics()
    long = "n" * 128
    tool = described({"name": long, "title": None, "annotations": None, "vendor": {"x": 1}})
    answer = {"jsonrpc": "2.0", "id": 1, "result": {"tools": [tool], "nextCursor": None}}
    api = read(tmp_path, answer, found)
    assert wire_tool(api.tools[0]) == {
        "name": long,
        "description": "d",
        "inputSchema": ANY,
        "vendor": {"x": 1},
    }
    assert {(d.code, d.severity.value) for d in found.items} == {
        ("unknown-key", "warning"),
        ("tool-name", "warning"),
    }


def test_a_page_of_a_dump_is_not_all(tmp_path: Path) -> None:
    found = Diagnostics()
    read(tmp_path, {"tools": [described({})], "nextCursor": "abc"}, found)
    assert [d.code for d in found.warnings] == ["next-cursor"]


def test_an_openapi_document_is_no_tool_file(tmp_path: Path) -> None:
    with pytest.raises(GenerationError) as caught:
        read(tmp_path, {"openapi": "3.1.0", "paths": {}})
    assert caught.value.diagnostics[0].hint == "Use `mcpgen from-openapi`."


def test_the_server(tmp_path: Path) -> None:
    server = {
        "name": "n",
        "version": 1.5,
        "title": "T",
        "instructions": "i",
        "icons": [{"src": "https://x.test/i.png", "theme": "dark"}],
        "servers": [{"url": "https://{r}.x.test", "variables": {"r": {"default": "eu"}}}],
        "securitySchemes": {"b": {"type": "http", "scheme": "bearer"}},
        "security": [{"b": []}, {}],
    }
    api = read(tmp_path, {"server": server, "tools": [described({})]})
    assert (api.name, api.version, api.title, api.instructions) == ("n", "1.5", "T", "i")
    assert api.icons[0].theme == "dark"
    assert api.servers[0].variables[0].default == "eu"
    assert api.security == ({"b": ()}, {})


def test_the_published_schema_is_valid_and_judges_as_the_reader(tmp_path: Path) -> None:
    schema = json.loads(tool_file_schema())
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    assert validator.is_valid({"tools": [described({"http": "GET /x"})]})
    assert not validator.is_valid({"tools": [described({"http": "GET"})]})


@pytest.mark.parametrize("name", DIALECTS)
def test_the_dialects_are_documented(tmp_path: Path, name: str) -> None:
    assert name in (Path(__file__).parents[1] / "docs/sources.md").read_text("utf-8")
    schema = {**ANY, "$schema": DIALECTS[name]}
    assert wire_tool(one(tmp_path, {"inputSchema": schema}))["inputSchema"] == schema


def test_the_uri_of_a_dialect_may_have_either_scheme(tmp_path: Path) -> None:
    schema = {**LIMITED, "$schema": DIALECTS["draft-04"].replace("http:", "https:")}
    assert wire_tool(one(tmp_path, {"inputSchema": schema}))["inputSchema"] == schema
