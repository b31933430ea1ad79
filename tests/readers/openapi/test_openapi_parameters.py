"""Parameters become arguments under their own names, with everything the wire needs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from openapi_parameters import TEXT, param
from openapi_reading import OK, argument, one, read_document, read_text

from mcpgen.api import Encoding, In
from mcpgen.cases.requests import Requests
from mcpgen.samples.checks import Checker


def test_an_operations_own_parameter_wins(tmp_path: Path) -> None:
    item = {
        "parameters": [param("query", "a", schema=TEXT), param("query", "b", schema=TEXT)],
        "get": {
            "parameters": [param("query", "b", required=True, schema={"type": "integer"})],
            "responses": OK,
        },
    }
    tool = read_document({"paths": {"/x": item}}, tmp_path).tool
    assert [(a.name, a.required) for a in tool.arguments] == [("a", False), ("b", True)]
    assert tool.input_schema["properties"]["b"] == {"type": "integer"}


@pytest.mark.parametrize(
    ("given", "name"),
    [("1", "1"), ("2.0", "2.0"), ("true", ""), ("null", ""), ('""', ""), ("{}", "")],
)
def test_a_name_without_quotes_is_what_the_document_spells(
    tmp_path: Path, given: str, name: str
) -> None:
    document = one({"parameters": [{"in": "query", "name": "NAME"}]})
    text = json.dumps({"openapi": "3.1.0", **document}).replace('"NAME"', given)
    read = read_text(text, tmp_path)
    found = [(a.wire_name, a.schema) for a in read.tool.arguments]
    assert found == ([(name, True)] if name else [])
    assert ("parameter" in read.codes) == (not name)


@pytest.mark.parametrize(
    ("version", "given", "location"),
    [
        ("3.1.0", "Query", "query"),
        ("3.1.0", "HEADER", "header"),
        ("2.0", "formdata", "property"),
        ("3.1.0", "formdata", "property"),
        ("3.1.0", ["query"], None),
        ("3.1.0", None, None),
    ],
)
def test_a_location_in_another_case_is_that_location(
    tmp_path: Path, version: str, given: Any, location: str | None
) -> None:
    document = one({"parameters": [{"in": given, "name": "p", "type": "string"}]}, method="post")
    head = {"swagger": "2.0"} if version == "2.0" else {"openapi": version}
    read = read_document({**head, **document}, tmp_path)
    assert [a.location.value for a in read.tool.arguments] == ([location] if location else [])
    assert ("parameter" in read.codes) == (location is None)


def test_a_parameter_declared_twice(tmp_path: Path) -> None:
    twice = [param("query", "a", schema=TEXT), param("query", "a", schema={"type": "integer"})]
    read = read_document(one({"parameters": twice}), tmp_path)
    assert read.codes == ["duplicate-parameter"]
    assert argument(read.tool, "a").schema == TEXT


def test_a_header_is_the_same_in_any_case(tmp_path: Path) -> None:
    """RFC 9110 5.1, which the Parameter Object refers to; other names are case-sensitive."""
    twice = [param("header", "X-Tenant", schema=TEXT), param("header", "x-tenant", schema=TEXT)]
    item = {
        "parameters": [
            param(place, name, schema=TEXT) for place in ("header", "query") for name in ("A", "B")
        ],
        "get": {"parameters": [param(place, "a", schema=TEXT) for place in ("header", "query")]},
        "put": {"parameters": twice},
    }
    read = read_document({"paths": {"/x": item}}, tmp_path)
    names = [[(a.location.value, a.wire_name) for a in t.arguments] for t in read.api.tools]
    both = [("query", "A"), ("query", "B")]
    assert names[0] == [("header", "a"), ("header", "B"), *both, ("query", "a")]
    assert names[1] == [("header", "A"), ("header", "B"), *both, ("header", "X-Tenant")]
    assert read.codes == ["duplicate-parameter"]


def test_only_names_that_meet_get_their_location(tmp_path: Path) -> None:
    parameters = [param(p, "id", schema=TEXT) for p in ("path", "query", "header", "cookie")]
    parameters += [param("query", "id_path", schema=TEXT), param("query", "$top", schema=TEXT)]
    read = read_document(one({"parameters": parameters}, path="/x/{id}"), tmp_path)
    assert [(a.name, a.wire_name, a.location.value) for a in read.tool.arguments] == [
        ("id_path_", "id", "path"),
        ("id_query", "id", "query"),
        ("id_header", "id", "header"),
        ("id_cookie", "id", "cookie"),
        ("id_path", "id_path", "query"),
        ("top", "$top", "query"),
    ]


def test_transport_headers_and_credentials_are_no_arguments(tmp_path: Path) -> None:
    names = ["Accept", "content-type", "Authorization", "Host", "Content-Length", "Cookie"]
    names += ["Transfer-Encoding", "Connection", "X-Api-KEY", "X-Mine"]
    parameters = [param("header", n, required=True, schema=TEXT) for n in names]
    parameters += [param("query", "key", schema=TEXT), param("query", "KEY", schema=TEXT)]
    schemes = {
        "h": {"type": "apiKey", "in": "header", "name": "x-api-key"},
        "q": {"type": "apiKey", "in": "query", "name": "key"},
    }
    document = one({"parameters": parameters}, components={"securitySchemes": schemes})
    read = read_document(document, tmp_path)
    assert [a.name for a in read.tool.arguments] == ["X-Mine", "KEY"]
    [note] = [each for each in read.diagnostics.notes if each.code == "cookie-header"]
    assert "EXTRA_HEADERS" in note.hint, "nothing else that is declared says how to send it"


@pytest.mark.parametrize(
    ("media_type", "schema", "required", "is_argument"),
    [
        ("application/json", {}, False, False),
        ("text/plain", {}, False, False),
        ("application/json", {}, True, True),
        ("application/octet-stream", {}, False, True),
        ("*/*", {"type": "string", "format": "binary"}, False, True),
        ("text/plain", {"type": "string", "format": "binary"}, False, True),
    ],
)
def test_who_writes_a_body_says_how_it_is_compressed(
    media_type: str, schema: dict[str, Any], required: bool, is_argument: bool, tmp_path: Path
) -> None:
    header = param("header", "content-encoding", required=required, schema={"enum": ["gzip"]})
    body = {"content": {media_type: {"schema": schema}}}
    document = one({"parameters": [header], "requestBody": body}, method="post")
    read = read_document(document, tmp_path)
    assert ("content-encoding" in [a.name for a in read.tool.arguments]) is is_argument


@pytest.mark.parametrize("name", ["X\r\nY", "a b", "é"])
def test_a_header_that_cannot_be_sent(tmp_path: Path, name: str) -> None:
    optional = read_document(one({"parameters": [param("header", name, schema=TEXT)]}), tmp_path)
    assert optional.tool.arguments == ()
    assert optional.codes == ["parameter-name"]
    required = [param("header", name, required=True, schema=TEXT)]
    paths = {"/a": {"get": {"parameters": required}}, "/b": {"get": {"responses": OK}}}
    read = read_document({"paths": paths}, tmp_path)
    assert [s.path for s in read.api.skipped] == ["/a"]


@pytest.mark.parametrize(
    ("place", "style", "explode", "expected"),
    [
        ("path", None, None, (None, None)),
        ("path", "simple", True, (None, True)),
        ("path", "label", False, ("label", None)),
        ("path", "matrix", True, ("matrix", True)),
        ("query", "form", True, (None, None)),
        ("query", "form", False, (None, False)),
        ("query", "spaceDelimited", False, ("spaceDelimited", None)),
        ("query", "pipeDelimited", True, ("pipeDelimited", True)),
        ("query", "deepObject", True, ("deepObject", None)),
        ("header", "simple", True, (None, True)),
        ("cookie", "form", False, (None, False)),
        ("cookie", "cookie", None, ("cookie", None)),
    ],
)
def test_styles(
    tmp_path: Path, place: str, style: str | None, explode: bool | None, expected: tuple[Any, Any]
) -> None:
    rest = {k: v for k, v in (("style", style), ("explode", explode)) if v is not None}
    parameter = param(place, "p", schema={"type": "array", "items": TEXT}, **rest)
    read = read_document(one({"parameters": [parameter]}, path="/x/{p}"), tmp_path)
    found = next(a for a in read.tool.arguments if a.wire_name == "p" and a.location == place)
    assert (found.style, found.explode) == expected


def test_a_style_of_another_location(tmp_path: Path) -> None:
    parameter = param("header", "X-P", style="deepObject", schema=TEXT)
    read = read_document(one({"parameters": [parameter]}), tmp_path)
    assert read.codes[0] == "style"
    assert read.tool.arguments[0].style is None


def test_querystring_of_3_2(tmp_path: Path) -> None:
    encoding = {"b": {"explode": False}}
    content = {
        "application/x-www-form-urlencoded": {"schema": {"type": "object"}, "encoding": encoding}
    }
    parameter = {"in": "querystring", "name": "filter", "content": content}
    document = one({"parameters": [parameter]})
    read = read_document({**document, "openapi": "3.2.0"}, tmp_path)
    assert read.tool.arguments[0].location is In.QUERYSTRING
    assert read.tool.arguments[0].media_type == "application/x-www-form-urlencoded"
    assert read.tool.arguments[0].encoding == {"b": Encoding(explode=False)}
    older = read_document(document, tmp_path)
    assert older.tool.arguments == ()
    assert older.codes[0] == "parameter"


@pytest.mark.parametrize(
    ("media_type", "schema", "value", "target"),
    [
        (
            "application/x-www-form-urlencoded",
            {"type": "object"},
            {"a": "b c", "d": [1, 2]},
            "?q=a%3Db%2Bc%26d%3D1%26d%3D2",
        ),
        ("application/xml", {"type": "object"}, "<a/>", "?q=%3Ca%2F%3E"),
        ("text/csv", {"type": "array"}, "a,b", "?q=a%2Cb"),
        ("text/plain", {"type": "integer"}, 1, "?q=1"),
    ],
)
def test_content_that_is_no_json(
    tmp_path: Path, media_type: str, schema: dict[str, Any], value: Any, target: str
) -> None:
    parameter = param("query", "q", content={media_type: {"schema": schema}})
    read = read_document(one({"parameters": [parameter]}), tmp_path)
    assert Checker({}).valid({"q": value}, read.tool.input_schema)
    assert Requests(read.api, {}).expected(read.tool, {"q": value})["url"].endswith(target)


@pytest.mark.parametrize(
    ("schema", "value", "query"),
    [
        (TEXT, "a=b&c", "a=b&c"),
        ({"type": "object"}, {"a": "b&c", "d": [1, 2]}, "a=b%26c&d=1&d=2"),
        (None, {"a": 1}, "a=1"),
    ],
)
def test_a_query_string_without_content_is_a_form_or_a_text(
    tmp_path: Path, schema: Any, value: Any, query: str
) -> None:
    """It must have `content` (OpenAPI 3.2.0, `in`), but there is one way to send it."""
    parameter = {"in": "querystring", "name": "q", "style": "form"}
    parameter |= {} if schema is None else {"schema": schema}
    read = read_document({**one({"parameters": [parameter]}), "openapi": "3.2.0"}, tmp_path)
    assert Requests(read.api, {}).expected(read.tool, {"q": value})["url"].endswith(f"?{query}")
    assert set(read.codes) == {"specification"}


def test_one_parameter_is_the_whole_query_string(tmp_path: Path) -> None:
    content = {"text/plain": {"schema": TEXT}}
    parameters = [{"in": "querystring", "name": name, "content": content} for name in "ab"]
    read = read_document({**one({"parameters": parameters}), "openapi": "3.2.0"}, tmp_path)
    assert [a.name for a in read.tool.arguments] == ["a"]
    assert read.pointers("duplicate-parameter") == ["/paths/~1pets/get/parameters/1"]


@pytest.mark.parametrize(
    ("given", "is_told"),
    [
        ({"schema": {"type": "array", "items": {"$ref": "#/components/schemas/It"}}}, True),
        ({"schema": {"allOf": [{"$ref": "#/components/schemas/It"}]}}, True),
        ({"schema": {"$ref": "#/components/schemas/It"}, "style": "deepObject"}, True),
        ({"schema": {"type": "array", "items": {"type": ["object", "string"]}}}, False),
        ({"schema": {"type": "object", "properties": {"a": TEXT, "any": {}}}}, False),
        ({"content": {"application/json": {"schema": {"$ref": "#/components/schemas/It"}}}}, False),
    ],
)
def test_structures_that_no_style_spells_are_told(
    tmp_path: Path, given: dict[str, Any], is_told: bool
) -> None:
    it = {"type": "object", "properties": {"a": TEXT, "deep": {"type": "array", "items": TEXT}}}
    document = one({"parameters": [{"name": "q", "in": "query", **given}]})
    read = read_document({"components": {"schemas": {"It": it}}, **document}, tmp_path)
    notes = [note.message for note in read.diagnostics.notes if note.code == "style"]
    assert ["`q` has arrays or objects inside" in note for note in notes] == [True] * is_told


@pytest.mark.parametrize(
    ("parameter", "pointer", "message", "hint"),
    [
        (
            {"name": "p", "in": "qeury"},
            "/in",
            "a parameter cannot be in `qeury`; left out",
            "Did you mean `query`?",
        ),
        (
            {"name": "p", "in": "session"},
            "/in",
            "a parameter cannot be in `session`; left out",
            "It can be in cookie, header, path, query.",
        ),
        ({"name": "p"}, "", "a parameter must say with `in` where it is; left out", ""),
        (
            {"$ref": None},
            "",
            "a parameter must say with `in` where it is; left out",
            "In YAML, `#` after a blank begins a comment: write the reference in quotes.",
        ),
        (
            {"name": "p", "in": "query", "style": "deepobject"},
            "/style",
            "style `deepobject` is not for parameters in query; the default is used",
            "Did you mean `deepObject`?",
        ),
    ],
)
def test_what_was_meant_by_a_parameter_is_told_at_its_place(
    tmp_path: Path, parameter: dict[str, Any], pointer: str, message: str, hint: str
) -> None:
    read = read_document(one({"parameters": [parameter]}), tmp_path)
    [told] = [each for each in read.diagnostics.warnings if each.code in ("parameter", "style")]
    assert told.pointer == f"/paths/~1pets/get/parameters/0{pointer}"
    assert (told.message, told.hint) == (message, hint)


@pytest.mark.parametrize(
    ("schema", "types"),
    [
        ({}, ["boolean", "number", "string"]),
        ({"description": "d"}, ["boolean", "number", "string"]),
        ({"type": "string"}, "string"),
        ({"type": "array", "items": {}}, "array"),
        ({"enum": ["", "a"]}, None),
    ],
)
def test_an_untyped_value_of_a_path_is_no_array_or_object(
    tmp_path: Path, schema: dict[str, Any], types: Any
) -> None:
    parameters = [{"name": "a", "in": "path", "required": True, "schema": schema}]
    tool = read_document(one({"parameters": parameters}, path="/a/{a}"), tmp_path).tool
    assert tool.input_schema["properties"]["a"].get("type") == types
    assert tool.arguments[0].allow_empty_value is ("enum" in schema)


def test_json_in_a_path_may_be_empty(tmp_path: Path) -> None:
    content = {"application/json": {"schema": {"type": "object"}}}
    parameters = [{"name": "a", "in": "path", "required": True, "content": content}]
    tool = read_document(one({"parameters": parameters}, path="/a/{a}"), tmp_path).tool
    assert tool.input_schema["properties"]["a"] == {"type": "object"}


def test_an_authorization_header_that_no_scheme_sends_is_noted(tmp_path: Path) -> None:
    parameters = [{"name": "Authorization", "in": "header", "schema": TEXT}]
    basic, key = {"type": "http", "scheme": "basic"}, {"type": "apiKey", "in": "query", "name": "k"}
    for schemes, noted in (({"a": key}, 1), ({"a": basic}, 0), ({}, 0)):
        document = one({"parameters": parameters}, components={"securitySchemes": schemes})
        found = read_document(document, tmp_path)
        assert found.tool.arguments == ()
        assert found.pointers("authorization-header") == ["/paths/~1pets/get/parameters/0"] * noted
