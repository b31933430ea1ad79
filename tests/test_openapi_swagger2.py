"""Swagger 2.0 says the same things in other places."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi_reading import OK, argument, one, read_document, sent, sent_parts

from mcpgen.api import Encoding, In, Tool
from mcpgen.cases.requests import Requests

TEXT = {"type": "string"}


def swagger(operation: dict[str, Any], *, method: str = "post", **root: Any) -> dict[str, Any]:
    """A 2.0 document with one operation."""
    path = root.pop("path", "/pets")
    return {"swagger": "2.0", **one(operation, method=method, path=path), **root}


def tool_of(tmp_path: Path, operation: dict[str, Any], **root: Any) -> Tool:
    """Its tool."""
    return read_document(swagger(operation, **root), tmp_path).tool


@pytest.mark.parametrize(
    ("place", "collection", "expected"),
    [
        ("query", "csv", (None, False)),
        ("query", None, (None, False)),
        ("query", "ssv", ("spaceDelimited", False)),
        ("query", "tsv", ("tabDelimited", False)),
        ("query", "pipes", ("pipeDelimited", False)),
        ("query", "multi", (None, None)),
        ("query", "Multi", (None, None)),
        ("query", "PIPES", ("pipeDelimited", False)),
        ("query", "comma", (None, False)),
        ("path", "csv", (None, None)),
        ("header", "csv", (None, None)),
    ],
)
def test_collection_formats(
    tmp_path: Path, place: str, collection: str | None, expected: tuple[Any, Any]
) -> None:
    parameter = {
        "name": "p",
        "in": place,
        "required": True,
        "type": "array",
        "items": {"type": "integer"},
        **({"collectionFormat": collection} if collection else {}),
    }
    path = "/x/{p}" if place == "path" else "/x"
    read = read_document(swagger({"parameters": [parameter]}, path=path), tmp_path)
    assert ("style" in read.codes) == (collection == "comma")
    found = argument(read.tool, "p")
    style, explode = expected
    assert (found.style, found.explode) == (style, explode)
    assert isinstance(found.schema, dict)
    assert found.schema["items"] == {"type": "integer"}


@pytest.mark.parametrize(
    ("outer", "inner", "query"),
    [
        ("pipes", "csv", "p=1%2C2%7C3"),
        ("pipes", None, "p=1%2C2%7C3"),
        ("multi", "csv", "p=1%2C2&p=3"),
        (None, "pipes", "p=1%7C2,3"),
        ("csv", "TSV", "p=1%092,3"),
        ("multi", "ssv", "p=1%202&p=3"),
        ("csv", None, "p=%5B%5B1%2C2%5D%2C%5B3%5D%5D"),
    ],
)
def test_arrays_within_an_array(
    tmp_path: Path, outer: str | None, inner: str | None, query: str
) -> None:
    items = {"type": "array", "items": {"type": "integer"}, "collectionFormat": inner}
    whole = {"name": "p", "in": "query", "type": "array", "items": items}
    read = read_document(swagger({"parameters": [{**whole, "collectionFormat": outer}]}), tmp_path)
    found = Requests(read.api, {}).expected(read.tool, {"p": [[1, 2], [3]]})
    assert found["url"].partition("?")[2] == query


@pytest.mark.parametrize(
    ("outer", "inner", "form"),
    [
        ("pipes", "csv", b"p=1%2C2%7C3"),
        ("multi", "csv", b"p=1%2C2&p=3"),
        (None, "pipes", b"p=1%7C2,3"),
        ("multi", "ssv", b"p=1+2&p=3"),
        ("csv", None, b"p=%5B%5B1%2C2%5D%2C%5B3%5D%5D"),
    ],
)
def test_arrays_within_an_array_of_a_form(
    tmp_path: Path, outer: str | None, inner: str | None, form: bytes
) -> None:
    items = {"type": "array", "items": {"type": "integer"}, "collectionFormat": inner}
    whole = {"name": "p", "in": "formData", "type": "array", "items": items}
    read = read_document(swagger({"parameters": [{**whole, "collectionFormat": outer}]}), tmp_path)
    assert sent(read, {"p": [[1, 2], [3]]}) == ("application/x-www-form-urlencoded", form)


def test_a_parameter_is_its_own_schema(tmp_path: Path) -> None:
    parameter = {
        "name": "p",
        "in": "query",
        "required": True,
        "description": "About p.",
        "type": "string",
        "enum": ["a", "b"],
        "default": "a",
        "x-example": "b",
    }
    read = read_document(swagger({"parameters": [parameter]}), tmp_path)
    assert read.codes == []
    assert read.tool.input_schema["properties"]["p"] == {
        "type": "string",
        "enum": ["a", "b"],
        "default": "a",
        "description": "About p.",
        "examples": ["b"],
    }


def test_a_part_of_json_may_be_anything_where_its_schema_dangles(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"a": {"$ref": "#/definitions/Nope"}}}
    body = {"name": "pet", "in": "body", "required": True, "schema": schema}
    tool = tool_of(tmp_path, {"parameters": [body]}, consumes=["text/plain", "application/json"])
    assert tool.http.body is not None
    assert tool.http.body.media_type == "application/json"
    assert [a.name for a in tool.arguments] == ["a"]


def test_a_body_parameter(tmp_path: Path) -> None:
    body = {
        "name": "pet",
        "in": "body",
        "required": True,
        "schema": {"type": "object", "required": ["a"], "properties": {"a": TEXT}},
    }
    tool = tool_of(tmp_path, {"parameters": [body], "consumes": ["text/xml", "application/json"]})
    assert [(a.name, a.location) for a in tool.arguments] == [("a", In.PROPERTY)]
    assert tool.http.body is not None
    assert tool.http.body.media_type == "application/json"
    optional = tool_of(tmp_path, {"parameters": [{**body, "required": False}]})
    assert [(a.name, a.required) for a in optional.arguments] == [("a", False)]


@pytest.mark.parametrize(
    ("said", "media_type", "value", "body"),
    [
        ({"schema": {"type": "string", "format": "binary"}}, "image/png", "aGk=", b"hi"),
        ({"schema": {"$ref": "#/definitions/Photo"}}, "image/png", "aGk=", b"hi"),
        ({"schema": {"$ref": "#/definitions/Name"}}, "application/json", "aGk=", b'"aGk="'),
        ({}, "application/json", {"a": [1]}, b'{"a":[1]}'),
    ],
)
def test_the_schema_of_a_body_says_whether_it_is_bytes(
    tmp_path: Path, said: dict[str, Any], media_type: str, value: Any, body: bytes
) -> None:
    parameter = {"name": "photo", "in": "body", **said}
    consumes = ["application/json", "image/png"]
    definitions = {"Photo": {"type": "string", "format": "binary"}, "Name": TEXT}
    document = swagger({"parameters": [parameter]}, consumes=consumes, definitions=definitions)
    read = read_document(document, tmp_path)
    assert Draft202012Validator(read.tool.input_schema).is_valid({"body": value})
    assert sent(read, {"body": value}) == (media_type, body)


def test_an_operations_body_wins_over_its_path_items_whatever_their_names(tmp_path: Path) -> None:
    def body(name: str) -> dict[str, Any]:
        schema = {"type": "object", "properties": {name: TEXT}}
        return {"name": name, "in": "body", "required": True, "schema": schema}

    document = swagger({"parameters": [body("own")]})
    document["paths"]["/pets"]["parameters"] = [body("shared")]
    assert [a.name for a in read_document(document, tmp_path).tool.arguments] == ["own"]
    twice = read_document(swagger({"parameters": [body("a"), body("b")]}), tmp_path)
    assert [a.name for a in twice.tool.arguments] == ["a"]
    assert twice.codes == ["duplicate-parameter"]


def test_an_array_of_files_needs_a_multipart_form(tmp_path: Path) -> None:
    files = {"name": "f", "in": "formData", "type": "array", "items": {"type": "file"}}
    read = read_document(swagger({"parameters": [files]}), tmp_path)
    part = ("f", "f", "application/octet-stream", b"hi")
    assert sent_parts(read, {"f": ["aGk=", "aGk="]}) == [part, part]


def test_form_fields_are_parameters(tmp_path: Path) -> None:
    fields = [
        {"name": "a", "in": "formData", "type": "string", "description": "About a."},
        {
            "name": "l",
            "in": "formData",
            "type": "array",
            "items": TEXT,
            "collectionFormat": "pipes",
        },
        {
            "name": "m",
            "in": "formData",
            "type": "array",
            "items": TEXT,
            "collectionFormat": "multi",
        },
    ]
    tool = tool_of(tmp_path, {"parameters": fields})
    body = tool.http.body
    assert body is not None
    assert (body.media_type, body.required) == ("application/x-www-form-urlencoded", True)
    assert body.spread
    assert body.encoding["l"] == Encoding(style="pipeDelimited", explode=False)
    assert [(a.name, a.required) for a in tool.arguments] == [
        ("a", False),
        ("l", False),
        ("m", False),
    ]
    assert argument(tool, "a").description == "About a."


def test_a_file_makes_the_form_multipart(tmp_path: Path) -> None:
    fields = [
        {"name": "f", "in": "formData", "type": "file", "required": True},
        {"name": "a", "in": "formData", "type": "string"},
    ]
    consumes = ["application/x-www-form-urlencoded"]
    tool = tool_of(tmp_path, {"parameters": fields, "consumes": consumes})
    body = tool.http.body
    assert body is not None
    assert (body.media_type, body.required) == ("multipart/form-data", True)
    assert body.encoding["f"].binary
    assert argument(tool, "f").required


@pytest.mark.parametrize(
    ("produces", "schema", "accept", "has_result"),
    [
        (["application/json"], TEXT, ("application/json",), True),
        (["text/csv", "application/json"], TEXT, ("application/json",), True),
        (["text/csv"], TEXT, ("text/csv",), False),
        (["image/png"], {"type": "file"}, ("image/png",), False),
        (["application/json"], {"type": "file"}, ("*/*",), False),
        ([], {"type": "file"}, ("*/*",), False),
        (["application/json"], {"type": "string", "format": "binary"}, ("*/*",), False),
        (["application/json", "a/b"], {"$ref": "#/definitions/File"}, ("a/b",), False),
        ([], TEXT, ("application/json",), True),
    ],
)
def test_produces(
    tmp_path: Path, produces: list[str], schema: Any, accept: tuple[str, ...], has_result: bool
) -> None:
    responses = {"200": {"description": "", "schema": schema}}
    definitions = {"File": {"type": "string", "format": "binary"}}
    root: Any = {"produces": produces, "definitions": definitions}
    tool = tool_of(tmp_path, {"responses": responses}, **root)
    assert tool.http.accept == accept
    assert (tool.result is not None) == has_result


def test_examples_of_a_response(tmp_path: Path) -> None:
    response = {"description": "", "schema": {}, "examples": {"application/json": {"a": 1}}}
    tool = tool_of(tmp_path, {"responses": {"200": response}})
    assert [e.value for e in tool.examples] == [{"a": 1}]


@pytest.mark.parametrize(
    ("root", "urls"),
    [
        ({"host": "h.test", "basePath": "/v1/", "schemes": ["http", "https", "ws"]},
         ["https://h.test/v1", "http://h.test/v1"]),
        ({"host": "h.test:8080"}, ["https://h.test:8080"]),
        ({"basePath": "/v1"}, ["/v1"]),
        ({}, ["/"]),
        ({"host": "evil.test/?x=#"}, []),
        ({"host": "h.test", "schemes": ["HTTP"]}, ["http://h.test"]),
        ({"host": "http://h.test/", "basePath": "/v1"}, ["http://h.test/v1"]),
        ({"host": "http://h.test", "schemes": ["https"]}, ["https://h.test"]),
        ({"host": "ftp://h.test"}, []),
        ({"host": "{region}.h.test", "basePath": "/{tenant}/v1"},
         ["https://{region}.h.test/{tenant}/v1"]),
    ],
)  # fmt: skip
def test_servers(tmp_path: Path, root: dict[str, Any], urls: list[str]) -> None:
    read = read_document(swagger({}, **root), tmp_path)
    assert [s.url for s in read.api.servers] == urls


@pytest.mark.parametrize(
    ("root", "said", "urls", "own"),
    [
        (["https", "http"], [["http"], ["https"]],
         ["https://h.test/v1", "http://h.test/v1"], [["http://h.test/v1"], []]),
        (["http"], [["HTTPS"], None],
         ["http://h.test/v1", "https://h.test/v1"], [["https://h.test/v1"], []]),
        (["http"], [["http", "https"], ["http"]], ["http://h.test/v1", "https://h.test/v1"],
         [["https://h.test/v1", "http://h.test/v1"], []]),
        (["https"], [["http", "https"], ["wss"]], ["https://h.test/v1", "http://h.test/v1"],
         [[], []]),
        (None, [["http"], ["http"]], ["http://h.test/v1"], [[], []]),
        (None, [["http"], ["https"]],
         ["https://h.test/v1", "http://h.test/v1"], [["http://h.test/v1"], []]),
        (None, [["http"], None],
         ["https://h.test/v1", "http://h.test/v1"], [["http://h.test/v1"], []]),
    ],
)  # fmt: skip
def test_an_operation_may_have_schemes_of_its_own(
    tmp_path: Path,
    root: list[str] | None,
    said: list[list[str] | None],
    urls: list[str],
    own: list[list[str]],
) -> None:
    """2.0, Operation Object: they override the document's (Goa writes them nowhere else)."""
    paths = {
        f"/{at}": {"get": {"operationId": f"o{at}", "responses": OK, "schemes": each}}
        for at, each in enumerate(said)
    }
    for item in paths.values():
        if item["get"]["schemes"] is None:
            del item["get"]["schemes"]
    whole = {"swagger": "2.0", "host": "h.test", "basePath": "/v1", "paths": paths}
    read = read_document({**whole, **({"schemes": root} if root else {})}, tmp_path)
    assert [server.url for server in read.api.servers] == urls
    assert [[s.url for s in tool.call.servers] for tool in read.api.tools] == own
    read = read_document(whole, tmp_path, base_url="http://other.test")
    assert [server.url for server in read.api.servers] == ["http://other.test"]
    assert not any(tool.call.servers for tool in read.api.tools)


@pytest.mark.parametrize("odd", [5, {"http": True}, "http", None])
def test_schemes_that_are_no_list_say_nothing(tmp_path: Path, odd: Any) -> None:
    read = read_document(swagger({"schemes": odd}, host="h.test"), tmp_path)
    assert [server.url for server in read.api.servers] == ["https://h.test"]
    assert read.tool.call.servers == ()


def test_schemes_of_an_operation_without_a_host_say_nothing(tmp_path: Path) -> None:
    read = read_document(swagger({"schemes": ["http"]}, basePath="/v1"), tmp_path)
    assert [server.url for server in read.api.servers] == ["/v1"]
    assert read.tool.call.servers == ()


def test_a_host_with_parameters_of_its_own(tmp_path: Path) -> None:
    """What Azure's documents have in the place of `host`."""
    version = {"in": "path", "name": "ver", "type": "string", "enum": ["v1"]}
    template = {
        "hostTemplate": "{account}.{suffix}:{port}/{ver}",
        "parameters": [
            {"in": "path", "name": "port", "type": "integer", "default": 8443, "enum": [443, 8443]},
            {"in": "path", "name": "account", "type": "string", "description": "Whose."},
            {"$ref": "#/parameters/suffix"},
            version,
        ],
    }
    suffix = {"in": "path", "name": "suffix", "type": "string", "default": "az.test"}
    suffix |= {"required": True}
    root = {"basePath": "/a", "host": "ignored.test", "parameters": {"suffix": suffix}}
    read = read_document(swagger({}, **root, **{"x-ms-parameterized-host": template}), tmp_path)
    (server,) = read.api.servers
    assert server.url == "https://{account}.{suffix}:{port}/{ver}/a"
    assert server.variables[2].enum == ("443", "8443")
    assert [(v.name, v.default, v.description) for v in server.variables] == [
        ("account", None, "Whose."),
        ("suffix", "az.test", ""),
        ("port", "8443", ""),
        ("ver", "v1", ""),
    ]
    assert read.codes == []


@pytest.mark.parametrize(
    ("template", "urls"),
    [
        ({"hostTemplate": "{endpoint}", "useSchemePrefix": False}, ["{endpoint}/a"]),
        ({"hostTemplate": "{endpoint}/v2", "useSchemePrefix": False}, ["{endpoint}/v2/a"]),
        ({"hostTemplate": "http://{h}", "useSchemePrefix": False}, ["http://{h}/a"]),
        ({"hostTemplate": "https://{h}"}, ["https://{h}/a", "http://{h}/a"]),
        ({"hostTemplate": "x.test"}, ["https://x.test/a", "http://x.test/a"]),
        ({"hostTemplate": "me@x.test"}, []),
        ({"hostTemplate": 5}, ["/a"]),
        ([], ["https://h.test/a", "http://h.test/a"]),
    ],
)
def test_other_such_hosts(tmp_path: Path, template: Any, urls: list[str]) -> None:
    root = {"basePath": "/a", "host": "h.test", "schemes": ["http", "https"]}
    read = read_document(swagger({}, **root, **{"x-ms-parameterized-host": template}), tmp_path)
    assert [server.url for server in read.api.servers] == urls


def test_a_text_whose_schema_dangles_is_not_sent(tmp_path: Path) -> None:
    """How it is written is not known, as it is of JSON."""
    body = {"name": "pet", "in": "body", "schema": {"$ref": "#/definitions/Nope"}}
    document = swagger({"parameters": [body]}, consumes=["text/plain"])
    document["paths"]["/b"] = {"get": {"responses": OK}}
    [skipped] = read_document(document, tmp_path).api.skipped
    assert "leads nowhere" in skipped.reason


def test_security_definitions(tmp_path: Path) -> None:
    definitions = {
        "b": {"type": "basic"},
        "k": {"type": "apiKey", "in": "query", "name": "key"},
        "o": {
            "type": "oauth2",
            "flow": "accessCode",
            "authorizationUrl": "https://a.test",
            "tokenUrl": "https://t.test",
            "scopes": {"read": "Read"},
        },
        "p": {"type": "oauth2", "flow": "own"},
    }
    root = {"securityDefinitions": definitions, "security": [{"o": ["read"]}, {"b": []}]}
    parameters = [{"name": "key", "in": "query", "type": "string"}]
    read = read_document(swagger({"parameters": parameters}, **root), tmp_path)
    assert read.tool.arguments == ()
    assert [(s.key, s.type, s.scheme) for s in read.api.security_schemes] == [
        ("b", "http", "basic"),
        ("k", "apiKey", ""),
        ("o", "oauth2", ""),
        ("p", "oauth2", ""),
    ]
    assert read.api.security_schemes[2].flows == {
        "authorizationCode": {
            "scopes": {"read": "Read"},
            "authorizationUrl": "https://a.test",
            "tokenUrl": "https://t.test",
        }
    }
    assert read.api.security_schemes[3].flows == {}
    assert read.api.security == ({"o": ("read",)}, {"b": ()})


def test_a_body_beside_a_form(tmp_path: Path) -> None:
    parameters = [
        {"name": "a", "in": "formData", "type": "string"},
        {"name": "b", "in": "body", "schema": TEXT},
    ]
    read = read_document(swagger({"parameters": parameters, "responses": OK}), tmp_path)
    assert read.codes[0] == "body"
    assert [a.name for a in read.tool.arguments] == ["a"]


def test_an_example_that_is_the_text_of_its_json_is_what_it_spells(tmp_path: Path) -> None:
    answer = {
        "description": "ok",
        "schema": {"type": "object"},
        "examples": {"application/json": '{"a": 1}'},
    }
    tool = tool_of(tmp_path, {"responses": {"200": answer}})
    assert tool.examples[0].value == {"a": 1}
