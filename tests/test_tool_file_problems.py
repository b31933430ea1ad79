"""Reading tool files: every problem at its place, all at once, with a way out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tool_file_reading import ANY, LIMITED, described, of_tool, one, problems, read, taking

from mcpgen.contract import wire_tool
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
    ("scheme", "pointer", "meant"),
    [
        ({"type": "apiKey", "in": "query", "name": "a", "nam": "b"}, "nam", "name"),
        ({"type": "oauth2", "flow": {}}, "flow", "flows"),
        ({"type": "oauth2", "flows": {"clientCredential": {}}}, "flows/clientCredential", "client"),
        ({"type": "oauth2", "flows": {"x-a": {}, "passwd": {}}}, "flows/passwd", "password"),
        (
            {"type": "oauth2", "flows": {"password": {"tokenURL": ""}}},
            "flows/password/tokenURL",
            "tokenUrl",
        ),
        ({"type": "openIdConnect", "openIdConnectURL": ""}, "openIdConnectURL", "openIdConnectUrl"),
    ],
)
def test_a_misspelled_key_of_a_way_to_sign_in_is_told(
    tmp_path: Path, scheme: dict[str, Any], pointer: str, meant: str
) -> None:
    """`tokenURL` was passed over, and with it the only way to have a token."""
    server = {"securitySchemes": {"k": scheme}, "security": [{"k": []}]}
    found = Diagnostics()
    with pytest.raises(GenerationError) as caught:
        read(tmp_path, {"server": server, "tools": [described({"http": "GET /x"})]}, found)
    (told,) = caught.value.diagnostics
    place = f"/server/securitySchemes/k/{pointer}"
    assert (told.code, told.pointer) == ("unknown-key", place)
    assert told.hint.startswith(f"Did you mean `{meant}")


def test_a_way_to_sign_in_may_say_all_that_openapi_has(tmp_path: Path) -> None:
    described_by = {"description": "d", "x-a": 1}
    urls = dict.fromkeys(("authorizationUrl", "tokenUrl", "refreshUrl"), "https://a.example/t")
    kinds = ("implicit", "password", "clientCredentials", "authorizationCode", "x-flow")
    flow = {**urls, "scopes": {"any": "d"}, "x-a": 1}
    schemes = {
        "a": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT", **described_by},
        "b": {"type": "apiKey", "in": "header", "name": "X-Key", **described_by},
        "c": {"type": "oauth2", "flows": dict.fromkeys(kinds, flow), **described_by},
        "d": {"type": "openIdConnect", "openIdConnectUrl": "https://a.example", **described_by},
        "e": {"type": "mutualTLS", **described_by},
        "f": {"$ref": "#/server/securitySchemes/a"},
    }
    server = {"securitySchemes": schemes, "security": [{"a": []}]}
    api = read(tmp_path, {"server": server, "tools": [described({"http": "GET /x"})]})
    assert [scheme.key for scheme in api.security_schemes] == [*schemes]


def test_a_keyword_in_what_tools_share_is_told_once(tmp_path: Path) -> None:
    found = Diagnostics()
    refers = described({"inputSchema": {**ANY, "properties": {"a": {"$ref": "#/$defs/s"}}}})
    tools = [refers, {**refers, "name": "u"}]
    read(tmp_path, {"$defs": {"s": {"minimun": 1}}, "tools": tools}, found)
    assert [(d.code, d.pointer) for d in found.warnings] == [("keyword", "/$defs/s/minimun")]


@pytest.mark.usefixtures("usual_depth")
def test_a_schema_that_is_too_deep_to_be_checked_is_told(tmp_path: Path) -> None:
    schema: dict[str, Any] = {}
    for _ in range(240):
        schema = {"items": schema}
    with pytest.raises(GenerationError) as caught:
        one(tmp_path, {"inputSchema": {**ANY, "properties": {"a": schema}}})
    (told,) = caught.value.diagnostics
    assert "nested too deeply" in told.message
    assert told.hint == "Flatten it, or put parts of it into `$defs`."


def test_of_many_problems_of_a_schema_the_same_are_told_each_time(tmp_path: Path) -> None:
    names = [f"a{n:02}" for n in range(50)]
    properties = {name: {"type": "text"} for name in names}
    told = of_tool(tmp_path, {"inputSchema": {**ANY, "properties": properties}})
    assert [pointer.split("/")[3] for _, pointer in told] == names[:20]


@pytest.mark.parametrize(
    ("hints", "method", "pointer"),
    [
        ({"readOnlyHint": False}, "GET", "readOnlyHint"),
        ({"idempotentHint": False}, "PUT", "idempotentHint"),
        ({"readOnlyHint": True, "destructiveHint": True}, "GET", "destructiveHint"),
        ({"readOnlyHint": True, "destructiveHint": True}, "", "destructiveHint"),
        ({"readOnlyHint": True, "idempotentHint": False}, "POST", ""),
    ],
)
def test_hints_that_go_against_what_is_known_are_told_and_kept(
    tmp_path: Path, hints: dict[str, bool], method: str, pointer: str
) -> None:
    found = Diagnostics()
    http = {"http": f"{method} /x"} if method else {}
    api = read(tmp_path, {"tools": [described({"annotations": hints, **http})]}, found)
    assert wire_tool(api.tools[0])["annotations"] == hints
    told = [d.pointer.removeprefix("/tools/0/annotations/") for d in found.warnings]
    assert told == [pointer] * bool(pointer)
    assert all("the hint" in d.hint or "two hints" in d.hint for d in found.warnings)


@pytest.mark.parametrize(
    ("tool", "hint"),
    [
        ({"http": "get /x"}, "Did you mean `GET`?"),
        ({"icons": "https://shop.example/icon.png"}, "such as `[{src: "),
        ({"http": {"method": "GET", "path": "/x", "security": ["key"]}}, "such as `{key: []}`"),
        ({"http": "FIND /x"}, "The methods are GET, "),
        ({"http": "/x"}, "The method stands before the path, as in `GET /pets`"),
        ({"http": "GET x"}, "The path starts with `/`"),
        ({"http": "GET  /x"}, "One blank stands between the method and the path"),
        ({"http": "GET /x "}, "One blank stands between the method and the path"),
        ({"http": "GET https://shop.example/x"}, "the address is `server.baseUrl`"),
        ({"inputSchema": {**ANY, "properties": {"a": {"type": "str"}}}}, "Did you mean `string`?"),
        ({"inputSchema": {**ANY, "properties": {"a": {"type": "list"}}}}, "The types are array, "),
        ({"inputSchema": {**ANY, "properties": {"a": "string"}}}, "write `type: string` in it"),
        ({"inputSchema": {**ANY, "properties": {"type": "null"}}}, "write `type: null` in it"),
        (
            {"inputSchema": {**ANY, "properties": {"a": {"required": True}}}},
            "the list of the properties that it must have",
        ),
        ({"inputSchema": {**ANY, "properties": ["a"]}}, "It must be an object."),
        ({"inputSchema": {**ANY, "minProperties": "1"}}, "It must be a whole number."),
        ({"inputSchema": {**ANY, "minProperties": -1}}, "json-schema.org/understanding"),
        ({"http": "GET /x/{a"}, "as in `/pets/{name}`"),
        ({"inputSchema": {**ANY, "additionalProperties": "no"}}, "Write `false`: in YAML 1.2 `no`"),
        ({"inputSchema": {**ANY, "deprecated": "On"}}, "Write `true`: in YAML 1.2 `On` is text."),
        ({"annotations": {"readOnlyHint": "yes"}}, "Write `true`: in YAML 1.2 `yes` is text."),
        ({"annotations": {"readOnlyHint": "si"}}, "The tool changes nothing."),
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
            {"inputSchema": {**ANY, "$schema": "https://["}},
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
        ({"http": "GET /x/{a"}, [("path", "/http")]),
        ({"http": "GET /x#top"}, [("path", "/http")]),
        ({"http": "GET /x?a={a}"}, [("path", "/http")]),
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
        ({"body": {"mediaType": "multipart/a", "encoding": {"b": {}}}}, "/http/body/encoding/b"),
        ({"method": "GET", "arguments": {"a": "body"}}, "/http/arguments/a"),
        ({"method": "GET", "body": "application/json"}, "/http/body"),
        ({"method": "GET", "arguments": {"a": "querystring"}}, "/http"),
        (
            {"arguments": {"a": {"in": "query", "contentType": "text/plain", "explode": False}}},
            "/http/arguments/a",
        ),
        ({"arguments": {"a": {"in": "query", "contentType": "text/*"}}}, "/http/arguments/a"),
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


@pytest.mark.parametrize(
    ("server", "told"),
    [
        ({"servers": [{"url": "https://b.example"}]}, "both say where the API is"),
        ({"baseUrl": "/v1"}, "it must begin with `http://` or `https://`"),
        ({"baseUrl": "shop.example/v1"}, "it must begin with `http://` or `https://`"),
        ({"baseUrl": "ftp://shop.example"}, "not by `ftp:`"),
        ({"baseUrl": "https://a:b@shop.example"}, "must not hold credentials"),
    ],
)
def test_a_base_url_that_cannot_be(tmp_path: Path, server: dict[str, Any], told: str) -> None:
    file = {"server": {"baseUrl": "https://a.example", **server}, "tools": [described({})]}
    with pytest.raises(GenerationError) as caught:
        read(tmp_path, file)
    (found,) = caught.value.diagnostics
    assert (found.code, found.pointer) == ("server", "/server/baseUrl")
    assert told in found.message
    assert found.hint


def test_a_reference_that_is_no_uri_leads_nowhere(tmp_path: Path) -> None:
    found = Diagnostics()
    schema = {**ANY, "properties": {"a": {"$ref": "https://["}}}
    read(tmp_path, {"tools": [described({"inputSchema": schema})]}, found)
    told = [(d.code, d.pointer) for d in found.items]
    assert told == [("dangling-reference", "/tools/0/inputSchema/properties/a")]


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


@pytest.mark.parametrize(
    ("name", "shown"), [("", "empty"), ("a b", "'a b'"), ("é" * 99, f"'{'é' * 77}...'")]
)
def test_what_cannot_be_is_shown(tmp_path: Path, name: str, shown: str) -> None:
    with pytest.raises(GenerationError) as caught:
        read(tmp_path, {"server": {}, "tools": [described({"name": name})]})
    assert {item.message for item in caught.value.diagnostics} == {f"`name` cannot be {shown}"}


@pytest.mark.parametrize("shared", [5, [], "none"])
def test_what_tools_share_is_an_object(tmp_path: Path, shared: Any) -> None:
    tool = described({"inputSchema": {**ANY, "properties": {"a": {"$ref": "#/$defs/A"}}}})
    found = problems(tmp_path, {"server": {}, "$defs": shared, "tools": [tool]})
    assert found == [("wrong-type", "/$defs")]


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
