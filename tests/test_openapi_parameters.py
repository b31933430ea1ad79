"""Parameters become arguments under their own names, with everything the wire needs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from openapi_reading import OK, argument, one, read_document, read_text

from mcpgen.api import Encoding, In
from mcpgen.cases.requests import Requests
from mcpgen.samples.checks import Checker

TEXT = {"type": "string"}


def param(place: str, name: str, **rest: Any) -> dict[str, Any]:
    """A parameter with a string schema."""
    return {"name": name, "in": place, **({"required": True} if place == "path" else {}), **rest}


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
        ("3.1.0", "formdata", None),
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
        ("$top", "$top", "query"),
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


def test_flags_content_description_and_examples(tmp_path: Path) -> None:
    parameters = [
        param(
            "query",
            "a",
            allowReserved=True,
            allowEmptyValue=True,
            deprecated=True,
            description="What\u200b it is.",
            example="x",
            schema={"$ref": "#/components/schemas/A"},
        ),
        param(
            "query",
            "b",
            content={
                "application/json": {
                    "schema": {"type": "object"},
                    "examples": {"e": {"value": {"c": 1}}},
                }
            },
        ),
        param("query", "c", schema=TEXT),
    ]
    document = one(
        {"parameters": parameters},
        components={"schemas": {"A": {"type": "string", "default": "d"}}},
    )
    tool = read_document(document, tmp_path).tool
    a, b, c = tool.arguments
    assert (a.allow_reserved, a.allow_empty_value, a.deprecated) == (True, True, True)
    assert (c.allow_reserved, c.allow_empty_value, c.deprecated) == (False, False, False)
    assert tool.input_schema["properties"]["a"] == {
        "$ref": "#/$defs/A",
        "description": "What it is.",
        "deprecated": True,
        "examples": ["x"],
    }
    assert b.media_type == "application/json"
    assert tool.sample_arguments == {"a": "x", "b": {"c": 1}}


def test_an_example_that_stands_there_often_is_shown_once(tmp_path: Path) -> None:
    values = ["+15550100", True, "+15550100", 1, {"a": [1]}, {"a": [1]}]
    examples = {f"case {n}": {"value": value} for n, value in enumerate(values)}
    parameter = {"name": "to", "in": "query", "schema": {}, "examples": examples}
    tool = read_document(one({"parameters": [parameter]}), tmp_path).tool
    shown = tool.input_schema["properties"]["to"]["examples"]
    assert [repr(each) for each in shown] == ["'+15550100'", "True", "1", "{'a': [1]}"]


@pytest.mark.parametrize(
    ("example", "shown"),
    [
        (["a", "b"], None),
        (["b", "a"], None),
        (["b"], [["b"]]),
        (["a", "b", "c"], [["a", "b", "c"]]),
    ],
)
@pytest.mark.parametrize("values", [{"enum": ["a", "b"]}, {"$ref": "#/components/schemas/Field"}])
def test_an_example_of_all_values_of_an_enum_only_repeats_it(
    tmp_path: Path, values: dict[str, Any], example: list[str], shown: list[Any] | None
) -> None:
    schema = {"type": "array", "items": values}
    parameter = {"name": "fields", "in": "query", "schema": schema, "example": example}
    components = {"schemas": {"Field": {"type": "string", "enum": ["a", "b"]}}}
    tool = read_document(one({"parameters": [parameter]}, components=components), tmp_path).tool
    assert tool.input_schema["properties"]["fields"].get("examples") == shown
    assert tool.sample_arguments == {"fields": example}


def test_examples_are_what_can_be_sent(tmp_path: Path) -> None:
    spans = "a=1,\n  b=2\n"
    parameters = [
        param("header", "Signed", example=spans, schema=TEXT),
        param("header", "Sealed", schema={"type": "string", "example": spans}),
        param("query", "said", example=spans, schema=TEXT),
        param("query", "none", example=None, schema=TEXT),
    ]
    tool = read_document(one({"parameters": parameters}), tmp_path).tool
    shown = {name: of.get("examples") for name, of in tool.input_schema["properties"].items()}
    assert shown == {"Signed": ["a=1, b=2"], "Sealed": ["a=1, b=2"], "said": [spans], "none": None}
    assert tool.sample_arguments == {"Signed": "a=1, b=2", "said": spans}


@pytest.mark.parametrize(
    ("location", "more", "example", "shown"),
    [
        ("query", {}, "a%20b/%C3%A9", "a b/é"),
        ("path", {}, "group%2Fproject", "group/project"),
        ("query", {}, "100% of a b%20c", "100% of a b%20c"),
        ("query", {}, "%", "%"),
        ("query", {}, "%ff", "%ff"),
        ("query", {"allowReserved": True}, "a%2Fb", "a%2Fb"),
        ("query", {"x-ms-skip-url-encoding": True}, "a%2Fb", "a%2Fb"),
        ("header", {}, "a%20b", "a%20b"),
        ("path", {}, "a%1Fb", None),
    ],
)
def test_an_example_that_is_written_as_in_a_url_is_told_as_its_value(
    tmp_path: Path, location: str, more: dict[str, Any], example: str, shown: str | None
) -> None:
    """An agent that passes it on as it is written would have it escaped twice."""
    for given in ({"example": example}, {"examples": {"e": {"value": example}}}):
        parameters = [param(location, "a", schema=TEXT, **given, **more)]
        document = one({"parameters": parameters}, path="/{a}" if location == "path" else "/b")
        tool = read_document(document, tmp_path).tool
        told = tool.input_schema["properties"]["a"].get("examples")
        assert told == (None if shown is None else [shown])
        assert tool.sample_arguments == ({} if shown is None else {"a": shown})
    data = {"examples": {"e": {"dataValue": example}}}
    document = one({"parameters": [param("query", "a", schema=TEXT, **data)]}, openapi="3.2.0")
    tool = read_document(document, tmp_path).tool
    assert tool.input_schema["properties"]["a"]["examples"] == [example]


@pytest.mark.parametrize(
    ("schema", "example"),
    [
        ({"enum": ["a%20b", "c"]}, "a%20b"),
        ({"$ref": "#/components/schemas/Escaped"}, "a%2Fb"),
        ({"type": "string"}, "https://e.test/a%20b?to=%26"),
    ],
)
def test_an_example_whose_escapes_are_its_own_keeps_them(
    tmp_path: Path, schema: dict[str, Any], example: str
) -> None:
    pool = {"schemas": {"Escaped": {"type": "string", "pattern": "^[a-z%0-9A-F]+$"}}}
    parameters = [param("query", "a", schema=schema, example=example)]
    document = one({"parameters": parameters}, components=pool)
    tool = read_document(document, tmp_path).tool
    assert tool.input_schema["properties"]["a"]["examples"] == [example]
    assert tool.sample_arguments == {"a": example}


@pytest.mark.parametrize(
    ("schema", "example", "shown"),
    [
        ({"type": "array", "items": TEXT}, "a,b", False),
        ({"type": "array", "items": TEXT}, ["a", "b"], True),
        ({"type": "object"}, "R,100", False),
        ({"type": ["integer", "null"]}, "7", False),
        ({"type": "number"}, 7, True),
        (TEXT, 7, True),
        (TEXT, ["a"], False),
        ({}, "a,b", True),
        ({"$ref": "#/components/schemas/Words"}, "a b", False),
    ],
)
def test_an_example_that_is_written_as_it_is_sent_is_no_value(
    tmp_path: Path, schema: Any, example: Any, shown: bool
) -> None:
    """OpenAPI 3.2.0, "JSON-Compatible and `value`-Safe Examples"."""
    words = {"Words": {"type": "array", "items": TEXT}}
    for given in ({"example": example}, {"examples": {"e": {"value": example}}}):
        parameters = [param("query", "a", schema=schema, **given)]
        document = one({"parameters": parameters}, components={"schemas": words})
        tool = read_document(document, tmp_path).tool
        assert tool.input_schema["properties"]["a"].get("examples") == (
            [example] if shown else None
        )
        assert tool.sample_arguments == ({"a": example} if shown else {})


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
    ("schemas", "default"),
    [
        ([{"default": "v2"}, {"default": "v2"}], "v2"),
        ([{"enum": ["v2"]}], "v2"),
        ([{"default": "v2", "enum": ["v1", "v2"]}], "v2"),
        ([{"default": "v2"}, {"default": "v3"}], None),
        ([{"default": "v3", "enum": ["v1", "v2"]}], None),
        ([{"default": "?a"}], None),
        ([{"default": 2.0}], "2.0"),
        ([TEXT], None),
        ([{"$ref": "#/nowhere"}], None),
    ],
)
def test_a_path_parameter_of_the_servers_url(
    tmp_path: Path, schemas: list[dict[str, Any]], default: str | None
) -> None:
    paths = {
        f"/x{at}": {"get": {"parameters": [param("path", "version", schema=s)], "responses": OK}}
        for at, s in enumerate(schemas)
    }
    servers = [{"url": "https://api.example/{version}"}]
    read = read_document({"paths": paths, "servers": servers}, tmp_path)
    assert [v.default for v in read.api.servers[0].variables] == [default]
    assert read.codes.count("path-parameter") == len(schemas)
    assert "that of the server's URL" in read.diagnostics.warnings[0].message


def test_a_path_parameter_that_is_the_paths_own_says_nothing_of_the_server(tmp_path: Path) -> None:
    own = {"parameters": [param("path", "version", schema={"default": "v2"})], "responses": OK}
    servers = [{"url": "https://api.example/{version}"}]
    found = {"paths": {"/x/{version}": {"get": own}}, "servers": servers}
    read = read_document(found, tmp_path)
    assert [v.default for v in read.api.servers[0].variables] == [None]
    assert read.codes == []


def test_path_and_parameters_are_made_to_agree(tmp_path: Path) -> None:
    parameters = [
        param("path", "gone", schema=TEXT),
        param("path", "a", schema={"type": "integer"}),
    ]
    read = read_document(one({"parameters": parameters}, path="/x/{a}.{b}"), tmp_path)
    assert [(a.name, a.required) for a in read.tool.arguments] == [("a", True), ("b", True)]
    assert argument(read.tool, "b").schema == {"type": "string"}
    assert read.codes.count("path-parameter") == 2


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


@pytest.mark.parametrize("declared", ["petId", "PETID", "pet-id"])
def test_a_path_parameter_that_is_spelled_otherwise(tmp_path: Path, declared: str) -> None:
    parameters = [param("path", declared, schema={"type": "integer"}), param("path", "Petid")]
    read = read_document(one({"parameters": parameters}, path="/x/{pet_id}"), tmp_path)
    [found] = read.tool.arguments
    assert (found.name, found.wire_name, found.schema) == ("pet_id", "pet_id", {"type": "integer"})
    assert [d.message for d in read.diagnostics.items if d.code == "path-parameter"] == [
        f"the path has no `{{{declared}}}`; this path parameter is taken for `{{pet_id}}`",
        "the path has no `{Petid}`; this path parameter is left out",
    ]


@pytest.mark.parametrize(
    ("path", "names", "taken"),
    [
        ("/x/{petId}", ["id"], "petId"),
        ("/x/{id}", ["pet_id"], "id"),
        ("/x/{a}/{petId}", ["a", "id"], "petId"),
        ("/x/{petId}", ["version"], None),
        ("/x/{petId}", ["-"], None),
        ("/x/{petId}/{boxId}", ["id"], None),
        ("/x/{petId}", ["id", "Id_"], None),
    ],
)
def test_a_path_parameter_whose_name_is_shorter_than_in_its_path(
    tmp_path: Path, path: str, names: list[str], taken: str | None
) -> None:
    number = {"type": "integer"}
    parameters = [param("path", name, schema=number) for name in names]
    tool = read_document(one({"parameters": parameters}, path=path), tmp_path).tool
    given = [a.name for a in tool.arguments if a.schema == number and a.name not in names]
    assert given == ([taken] if taken else [])


@pytest.mark.parametrize("path", ["/x/{p", "/x/p}", "/x/{{{p}}}", "/x/{}", "/x/{?p}", "/x/{#p}"])
def test_braces_that_are_no_template(tmp_path: Path, path: str) -> None:
    paths = {path: {"get": {"responses": OK}}, "/fine": {"get": {"responses": OK}}}
    read = read_document({"paths": paths}, tmp_path)
    assert [s.path for s in read.api.skipped] == [path]


@pytest.mark.parametrize("name", ["+p", "p*", ";p", "p:.*", " p "])
def test_other_template_languages_are_plain_names(tmp_path: Path, name: str) -> None:
    read = read_document(one({}, path=f"/x/{{{name}}}"), tmp_path)
    assert [(a.wire_name, a.schema) for a in read.tool.arguments] == [(name, {"type": "string"})]


@pytest.mark.parametrize(
    "template", ["+p", ".p", ";p", "p*", ";p*", "p+", "*p", "**p", "p:.*", "p=x/*"]
)
def test_a_declared_name_in_another_template_language(tmp_path: Path, template: str) -> None:
    for declared in ("p", template):
        parameters = [param("path", declared, schema={"type": "integer"})]
        read = read_document(one({"parameters": parameters}, path=f"/x/{{{template}}}:y"), tmp_path)
        assert (read.tool.http.path, read.codes) == (f"/x/{{{declared}}}:y", [])
        assert [(a.name, a.schema) for a in read.tool.arguments] == [
            (declared, {"type": "integer"})
        ]


@pytest.mark.parametrize(
    "template", ["+p", "p+", "**p", "p:.*", "p:.+", "p=a/*", "p=**", "p=a/*/b/**"]
)
def test_a_template_of_several_segments_keeps_the_slashes(tmp_path: Path, template: str) -> None:
    parameters = [param("path", "p", schema=TEXT)]
    read = read_document(one({"parameters": parameters}, path=f"/x/{{{template}}}:y"), tmp_path)
    url = Requests(read.api, {}).expected(read.tool, {"p": "a/b c:d?e%2F"})["url"]
    assert url.endswith("/x/a/b%20c%3Ad%3Fe%252F:y")


@pytest.mark.parametrize("template", ["p", "p*", "*p", "p=*", "p:[^/]+", "p:[0-9]+", ".p", "+q"])
def test_any_other_template_is_one_segment(tmp_path: Path, template: str) -> None:
    parameters = [param("path", "p", schema=TEXT)]
    read = read_document(one({"parameters": parameters}, path=f"/{{p}}/{{{template}}}"), tmp_path)
    given = {a.name: "a/b" for a in read.tool.arguments}
    url = Requests(read.api, {}).expected(read.tool, given)["url"]
    assert url.endswith("/a%2Fb/a%2Fb")


def test_a_style_wins_over_a_template_of_several_segments(tmp_path: Path) -> None:
    parameters = [param("path", "p", schema=TEXT, style="label")]
    read = read_document(one({"parameters": parameters}, path="/x/{+p}"), tmp_path)
    assert argument(read.tool, "p").style == "label"


@pytest.mark.parametrize("version", [{"swagger": "2.0"}, {"openapi": "3.0.3"}])
def test_what_azure_says_is_encoded_already(tmp_path: Path, version: dict[str, str]) -> None:
    plain = TEXT if "swagger" in version else {"schema": TEXT}
    said = {**plain, "x-ms-skip-url-encoding": True}
    parameters = [param("path", "scope", **said), param("query", "filter", **said)]
    document = one({"parameters": parameters}, path="/{scope}/x", **version)
    read = read_document(document, tmp_path)
    url = Requests(read.api, {}).expected(
        read.tool, {"scope": "groups/a b/c%2Fd", "filter": "a/b,c&d"}
    )["url"]
    assert url.endswith("/groups/a%20b/c%2Fd/x?filter=a/b,c%26d")
    assert argument(read.tool, "filter").style is None


def test_double_braces_are_a_template_too(tmp_path: Path) -> None:
    parameters = [param("path", "id", schema=TEXT)]
    read = read_document(one({"parameters": parameters}, path="/x/{{id}}"), tmp_path)
    assert (read.tool.http.path, [a.name for a in read.tool.arguments]) == ("/x/{id}", ["id"])


def test_a_colon_before_a_declared_name_is_a_template_too(tmp_path: Path) -> None:
    parameters = [
        param("path", "id", schema={"type": "integer"}),
        param("query", "search", schema=TEXT),
    ]
    path = "/x/:id/:other/y:id/:search"
    read = read_document(one({"parameters": parameters}, path=path), tmp_path)
    assert (read.tool.http.path, read.codes) == ("/x/{id}/:other/y:id/:search", [])
    assert [(a.name, a.schema) for a in read.tool.arguments] == [
        ("id", {"type": "integer"}),
        ("search", TEXT),
    ]


@pytest.mark.parametrize(
    ("path", "sent", "said"),
    [
        ("/pets/:id", "/pets/{id}", "taken for `{id}`"),
        ("/pets/:pet_id/:id", "/pets/{pet_id}/:id", "taken for `{pet_id}`"),
        ("/pets/:search", "/pets/:search", "left out"),
    ],
)
def test_a_colon_before_a_declared_name_that_is_spelled_otherwise(
    tmp_path: Path, path: str, sent: str, said: str
) -> None:
    parameters = [param("path", "petId", schema=TEXT)]
    read = read_document(one({"parameters": parameters}, path=path), tmp_path)
    assert read.tool.http.path == sent
    assert [d.message for d in read.diagnostics.items if d.code == "path-parameter"] == [
        f"the path has no `{{petId}}`; this path parameter is {said}"
    ]


def test_a_query_and_a_fragment_in_a_path_key(tmp_path: Path) -> None:
    parameters = [
        param("path", "kind", schema={"enum": ["a"]}),
        param("query", "action", schema=TEXT),
        param("query", "free", schema=TEXT),
    ]
    path = "/x?action=list&kind={kind}&plain&empty=&other={undeclared}#second"
    read = read_document(one({"parameters": parameters}, path=path), tmp_path)
    http = read.tool.http
    carried = (("action", "list"), ("plain", None), ("empty", ""))
    assert (http.path, http.fixed_query) == ("/x", carried)
    assert [(a.wire_name, a.location.value, a.required) for a in read.tool.arguments] == [
        ("kind", "query", True),
        ("free", "query", False),
        ("other", "query", True),
    ]


@pytest.mark.parametrize("template", ["limit", "some"])
@pytest.mark.parametrize("declared", [["some", "limit"], ["limit", "some"], ["limit"]])
def test_a_query_in_a_path_key_whose_own_name_is_declared(
    tmp_path: Path, template: str, declared: list[str]
) -> None:
    parameters = [param("query", name, schema={"type": "integer"}) for name in declared]
    path = f"/x?limit={{{template}}}"
    read = read_document(one({"parameters": parameters}, path=path), tmp_path)
    found = [a for a in read.tool.arguments if a.wire_name == "limit"]
    assert [(a.schema, a.required) for a in found] == [({"type": "integer"}, True)]
    assert "path-parameter" not in read.codes


@pytest.mark.parametrize("where", ["query", "path"])
@pytest.mark.parametrize("path", ["/x{?q,page*}", "/x?fixed=1{&q,page:3}", "/x{?q}{&page}"])
def test_a_query_expansion_of_declared_names(tmp_path: Path, path: str, where: str) -> None:
    """RFC 6570, 3.2.8 and 3.2.9."""
    parameters = [param(where, "q", schema=TEXT), param("query", "page", schema=TEXT)]
    read = read_document(one({"parameters": parameters}, path=path), tmp_path)
    url = Requests(read.api, {}).expected(read.tool, {"q": "a b", "page": "2"})["url"]
    fixed = "fixed=1&" if "fixed" in path else ""
    assert url.endswith(f"/x?{fixed}q=a%20b&page=2")
    assert (read.tool.http.path, "path-parameter" in read.codes) == ("/x", False)


@pytest.mark.parametrize("query", ["{q}=1&{page}=2", "{q}&{page}", "{q}=1&page={page}"])
@pytest.mark.parametrize("where", ["query", "path"])
def test_a_query_in_a_path_key_that_has_braces_around_a_name(
    tmp_path: Path, query: str, where: str
) -> None:
    parameters = [param(where, name, schema=TEXT) for name in ("q", "page")]
    read = read_document(one({"parameters": parameters}, path=f"/x?{query}"), tmp_path)
    url = Requests(read.api, {}).expected(read.tool, {"q": "a b", "page": "2"})["url"]
    assert url.endswith("/x?q=a%20b&page=2")
    assert "path-parameter" not in read.codes


def test_a_query_in_a_path_key_that_is_more_than_a_name(tmp_path: Path) -> None:
    paths = {"/x?between={a}-{b}": {"get": {"responses": OK}}, "/x": {"get": {"responses": OK}}}
    read = read_document({"paths": paths}, tmp_path)
    [skipped] = read.api.skipped
    assert skipped.reason == "the query `between={a}-{b}` in its path is more than a value"
    assert read.pointers("skipped") == ["/paths/~1x?between={a}-{b}/get"]


def test_paths_that_differ_in_their_fragment_are_two_tools(tmp_path: Path) -> None:
    paths = {f"/x#{name}": {"post": {"responses": OK}} for name in ("one", "two")}
    read = read_document({"paths": paths}, tmp_path)
    assert [t.name for t in read.api.tools] == ["post_x_one", "post_x_two"]
    assert {t.http.path for t in read.api.tools} == {"/x"}


def test_invisible_characters_of_a_path_are_not_sent(tmp_path: Path) -> None:
    paths = {f"/x/{{a\u200b}}{end}": {"get": {"responses": OK}} for end in ("", "\u200e", "\u2800")}
    read = read_document({"paths": paths}, tmp_path)
    assert [t.http.path for t in read.api.tools] == ["/x/{a\u200b}"] * 3
    assert len({t.name for t in read.api.tools}) == 3
    told = [d.message for d in read.diagnostics.warnings if d.code == "hidden-characters"]
    assert [message for message in told if "not sent" in message] == [
        "this path holds invisible characters, which are not sent"
    ] * 2


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
            {"name": "p", "in": "body"},
            "/in",
            "a parameter cannot be in `body`; left out",
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
