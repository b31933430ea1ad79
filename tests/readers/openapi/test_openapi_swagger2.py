"""Swagger 2.0 says the same things in other places."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_reading import OK, argument, read_document
from swagger_reading import swagger, tool_of

from mcpgen.cases.requests import Requests

TEXT = {"type": "string"}


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
