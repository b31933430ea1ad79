"""Reading tool files: what may be left out, and where each argument goes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from msgspec.structs import replace
from tool_file_reading import ANY, LIMITED, described, named, one, places, read, taking

from mcpgen.api import Annotations, In
from mcpgen.bundled.contents import tool_file_schema
from mcpgen.catalogue.tools_json import wire_tool
from mcpgen.diagnostics import Diagnostics, GenerationError

DIALECTS = {
    "2020-12": "https://json-schema.org/draft/2020-12/schema",
    "2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft-07": "http://json-schema.org/draft-07/schema#",
    "draft-06": "http://json-schema.org/draft-06/schema#",
    "draft-04": "http://json-schema.org/draft-04/schema#",
}


@pytest.mark.parametrize("body", [None, {"argument": "photo", "mediaType": "image/png"}])
def test_the_request_of_the_guide(tmp_path: Path, body: Any) -> None:
    guide = (Path(__file__).parents[3] / "docs/reference/tool-files.md").read_text("utf-8")
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


@pytest.mark.parametrize(
    ("more", "media_type"),
    [({}, "application/x-www-form-urlencoded"), ({"contentType": "text/plain"}, "text/plain")],
)
def test_the_whole_query_string_is_a_form_unless_it_is_told(
    tmp_path: Path, more: dict[str, str], media_type: str
) -> None:
    http = {"method": "GET", "path": "/x", "arguments": {"a": {"in": "querystring", **more}}}
    tool = one(tmp_path, {"inputSchema": taking("a"), "http": http})
    assert places(tool) == {"a": (In.QUERYSTRING, "a")}
    assert tool.arguments[0].media_type == media_type


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
        ({**ANY, "unevaluatedProperties": False}, False),
        (taking("a", unevaluatedProperties=False), False),
        (taking("a", unevaluatedProperties={"type": "string"}), True),
        (taking("a", allOf=[{"properties": {"b": {}}}], unevaluatedProperties=False), True),
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
            "properties": {
                "p": {"$ref": "#/definitions/P", "x-own": 1},
                "q": {"oneOf": [{"title": "Q"}], "discriminator": {"propertyName": "kind"}},
            },
            "definitions": {"P": {"type": "string", "pattern": "^(?=a)"}},
        },
        "description": "d",
        "annotations": {"readOnlyHint": True},
    }
    tool = one(tmp_path, written)
    assert json.dumps(wire_tool(tool)) == json.dumps(written)
    assert tool.arguments[0].schema == {"$ref": "#/$defs/P"}


@pytest.mark.parametrize(
    ("members", "title"),
    [
        ({}, "dig"),
        ({"title": None}, "dig"),
        ({"annotations": {"title": "Dig"}}, "Dig"),
        ({"annotations": {"title": "Dig"}, "title": "Dig in"}, "Dig in"),
    ],
)
def test_a_tool_is_called_by_its_title_or_else_its_name(
    tmp_path: Path, members: dict[str, Any], title: str
) -> None:
    (tool,) = read(tmp_path, {"tools": [described({"name": "dig", **members})]}).tools
    assert tool.title == title


def test_hints_that_are_not_written_are_what_clients_take_them_for(tmp_path: Path) -> None:
    written = {"openWorldHint": False, "idempotentHint": True}
    hints = [one(tmp_path, {"annotations": each}).annotations for each in ({}, written)]
    assert hints[0] == Annotations(read_only=False, destructive=True, idempotent=False)
    assert hints[0].open_world
    assert hints[1] == replace(hints[0], open_world=False, idempotent=True)


@pytest.mark.parametrize(
    ("line", "reads", "destroys", "idempotent"),
    [
        ("GET /x", True, False, True),
        ("POST /x", False, True, False),
        ("PUT /x", False, True, True),
        ("DELETE /x", False, True, True),
        ("", None, None, None),
    ],
)
def test_hints_that_are_not_written_follow_the_method_of_the_request(
    tmp_path: Path, line: str, reads: bool, destroys: bool, idempotent: bool
) -> None:
    """A tool that only reads was listed as destructive, which clients ask their user about."""
    tool = one(tmp_path, {"http": line} if line else {})
    said = {"readOnlyHint": reads, "destructiveHint": destroys, "idempotentHint": idempotent}
    assert wire_tool(tool).get("annotations") == (said if line else None)
    safer = {"destructiveHint": line == "DELETE /x", "title": "T"}
    tool = one(tmp_path, {"annotations": safer, **({"http": line} if line else {})})
    assert wire_tool(tool)["annotations"] == ({**said, **safer} if line else safer)


def test_a_form_says_of_a_field_what_the_protocol_has(tmp_path: Path) -> None:
    fields = {
        "mail": {"type": "string", "format": "email", "maxLength": 9, "pattern": "@", "x-a": 1},
        "code": {"type": "string", "format": "uuid", "title": "Code"},
        "kind": {"type": "integer", "maximum": 2, "multipleOf": 1, "default": 1},
    }
    asked = [{"message": "Who, {kind}?", "arguments": [*fields]}]
    tool = one(tmp_path, {"inputSchema": {**ANY, "properties": fields}, "input": asked})
    assert tool.questions[0].arguments == {
        "mail": {"type": "string", "format": "email", "maxLength": 9},
        "code": {"type": "string", "title": "Code"},
        "kind": {"type": "integer", "maximum": 2, "default": 1},
    }


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


@pytest.mark.parametrize(("method", "always"), [("DELETE", False), ("POST", True)])
def test_a_delete_has_a_body_only_where_a_call_gives_some_of_it(
    tmp_path: Path, method: str, always: bool
) -> None:
    http = {"method": method, "path": "/x", "arguments": {"a": "body"}}
    tool = one(tmp_path, {"inputSchema": taking("a", "b"), "http": http})
    assert tool.http is not None
    assert tool.http.body is not None
    assert tool.http.body.required is always


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
    file = {"server": {"baseUrl": " https://x.test/v1\n"}, "tools": [described({})]}
    assert read(tmp_path, file).servers[0].url == "https://x.test/v1"
    assert api.security == ({"b": ()}, {})


def test_the_published_schema_is_valid_and_judges_as_the_reader() -> None:
    schema = json.loads(tool_file_schema())
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    assert validator.is_valid({"tools": [described({"http": "GET /x"})]})
    assert not validator.is_valid({"tools": [described({"http": "GET"})]})


@pytest.mark.parametrize("name", DIALECTS)
def test_the_dialects_are_documented(tmp_path: Path, name: str) -> None:
    assert name in (Path(__file__).parents[3] / "docs/reference/tool-files.md").read_text("utf-8")
    schema = {**ANY, "$schema": DIALECTS[name]}
    assert wire_tool(one(tmp_path, {"inputSchema": schema}))["inputSchema"] == schema


def test_the_uri_of_a_dialect_may_have_either_scheme(tmp_path: Path) -> None:
    schema = {**LIMITED, "$schema": DIALECTS["draft-04"].replace("http:", "https:")}
    assert wire_tool(one(tmp_path, {"inputSchema": schema}))["inputSchema"] == schema
