"""Servers and their variables: only what can be reached safely, the rest reported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from openapi_reading import OK, one, read_document, read_text

from mcpgen import source
from mcpgen.api import Server
from mcpgen.diagnostics import GenerationError
from mcpgen.readers.openapi.servers import servers_of


@pytest.mark.parametrize(
    "url",
    [
        "https://api.example.com/v1",
        "http://localhost:8080",
        "https://[::1]:8080/x",
        "https://api.example.com:443/",
        "/api/v3",
        "/",
        "v1",
        "https://example.com/a.b",
    ],
)
def test_servers_that_are_kept(tmp_path: Path, url: str) -> None:
    read = read_document(one({}, servers=[{"url": url, "description": "d"}]), tmp_path)
    assert [(s.url, s.description) for s in read.api.servers] == [(url, "d")]


@pytest.mark.parametrize("holder", ["document", "operation"])
def test_a_server_without_a_scheme_is_reached_by_https(tmp_path: Path, holder: str) -> None:
    given = [{"url": "//{region}.test/v1", "variables": {"region": {"default": "eu"}}}]
    operation, root = (
        ({"servers": given}, {}) if holder == "operation" else ({}, {"servers": given})
    )
    read = read_document(one(operation, **root), tmp_path)
    (server,) = read.tool.http.servers or read.api.servers
    assert server.url == "https://{region}.test/v1"
    assert read.codes == []


def test_of_a_server_that_http_and_https_reach_https_comes_first(tmp_path: Path) -> None:
    """As converters from 2.0 write them, in the order of its schemes."""
    urls = ["http://a.test/v1", "http://b.test", "https://a.test/v1", "https://c.test"]
    read = read_document(one({}, servers=[{"url": url} for url in urls]), tmp_path)
    assert [s.url for s in read.api.servers] == [urls[2], urls[0], urls[1], urls[3]]


def test_an_empty_url_is_where_the_document_is_served(tmp_path: Path) -> None:
    read = read_document(one({}, servers=[{"url": ""}]), tmp_path)
    assert [s.url for s in read.api.servers] == ["/"]
    assert read.codes == []


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "javascript:alert(1)",
        "ftp://example.com",
        "https://user:secret@example.com",
        "https://",
        "https://a b.test",
        "https://example.com/?key=1",
        "https://example.com/#x",
        "https://example.com/../x",
        "https://example.com\\x",
        "https://exa\u200bmple.com",
        "https://example.com:99999",
        "<local-address>",
        5,
    ],
)
def test_servers_that_are_left_out(tmp_path: Path, url: Any) -> None:
    read = read_document(one({}, servers=[{"url": url}, {"url": "https://ok.test"}]), tmp_path)
    assert [s.url for s in read.api.servers] == ["https://ok.test"]
    assert "server" in read.codes


def test_server_variables(tmp_path: Path) -> None:
    server = {
        "url": "{scheme}://{region}.example.com/v{version}",
        "variables": {
            "scheme": {"default": "https"},
            "region": {"default": "eu", "enum": ["eu", "us"], "description": "Where."},
            "version": {"$ref": "#/x-variables/version"},
            "unused": {"default": "x"},
        },
    }
    shared = {"version": {"default": 2}}
    document = {**one({}, servers=[server]), "x-variables": shared}
    found = read_document(document, tmp_path).api.servers[0]
    assert [(v.name, v.default, v.enum) for v in found.variables] == [
        ("scheme", "https", ()),
        ("region", "eu", ("eu", "us")),
        ("version", "2", ()),
    ]


@pytest.mark.parametrize(
    ("variable", "default", "enum"),
    [
        ('{"default": 2026.10}', "2026.10", ()),
        ('{"default": 1.0, "enum": [1.0, 1.10]}', "1.0", ("1.0", "1.10")),
        ('{"default": "2", "enum": ["1"]}', "2", ("2", "1")),
        ('{"enum": ["1", "2"], "description": "Which."}', None, ("1", "2")),
        ('{"enum": ["1"]}', "1", ("1",)),
        ('{"enum": [null, "1", []]}', "1", ("1",)),
        ('{"default": true}', None, ()),
        ('"1"', None, ()),
    ],
)
def test_a_variable_is_what_the_document_spells(
    tmp_path: Path, variable: str, default: str | None, enum: tuple[str, ...]
) -> None:
    """A number is written as it stands there: `/v2026.1` would be another version."""
    document = one({}, servers=[{"url": "https://x.test/v{v}", "variables": {"v": "V"}}])
    text = json.dumps({"openapi": "3.1.0", **document}).replace('"V"', variable)
    read = read_text(text, tmp_path)
    [found] = read.api.servers[0].variables
    assert (found.default, found.enum) == (default, enum)
    assert read.codes


@pytest.mark.parametrize("servers", ["https://x.test", {"url": "https://x.test"}, {"$ref": "#/no"}])
def test_servers_that_are_no_array_are_told(tmp_path: Path, servers: Any) -> None:
    read = read_document(one({}, servers=servers), tmp_path)
    assert read.api.servers == ()
    assert read.pointers("wrong-type") == ["/servers"]


def test_a_variable_must_not_move_the_server(tmp_path: Path) -> None:
    server = {
        "url": "https://{tenant}.example.com/{base}",
        "variables": {"tenant": {"default": "evil.test/#"}, "base": {"default": "v1"}},
    }
    read = read_document(one({}, servers=[server]), tmp_path)
    assert [v.default for v in read.api.servers[0].variables] == [None, None]
    assert "server" in read.codes


def test_a_variable_without_a_default_is_for_the_environment(tmp_path: Path) -> None:
    urls = ["https://{tenant}.example.com", "https://x.test:{port}/v1", "https://demo.example.com"]
    servers = [{"url": url} for url in urls]
    read = read_document(one({}, servers=servers), tmp_path)
    assert [s.url for s in read.api.servers] == [
        "https://demo.example.com",
        "https://{tenant}.example.com",
        "https://x.test:{port}/v1",
    ]
    assert [v.default for v in read.api.servers[1].variables] == [None]


@pytest.mark.parametrize("url", ["{protocol}://{host}/v1", "{endpoint}/v1", "{endpoint}"])
def test_even_the_scheme_may_be_for_the_environment(tmp_path: Path, url: str) -> None:
    read = read_document(one({}, servers=[{"url": url}]), tmp_path)
    assert ([s.url for s in read.api.servers], read.codes) == ([url], [])
    document = source.load(str(tmp_path / "api.json"), diagnostics=read.diagnostics)
    from_afar = servers_of(
        document.root.get("servers"), "https://docs.test/api.json", read.diagnostics
    )
    assert [s.url for s in from_afar] == [url]


@pytest.mark.parametrize(
    ("name", "told"),
    [("region", []), ("regoin", ["Did you mean `region`?"])],
)
def test_a_misspelt_variable_of_a_server_is_told(
    tmp_path: Path, name: str, told: list[str]
) -> None:
    url = f"https://{{{name}}}.example.com"
    server = {"url": url, "variables": {"region": {"default": "eu"}}}
    read = read_document(one({}, servers=[server]), tmp_path)
    found = [each for each in read.diagnostics.warnings if each.code == "server"]
    assert [each.hint for each in found] == told
    assert all(each.pointer == "/servers/0/url" for each in found)


def test_servers_of_a_path_and_an_operation(tmp_path: Path) -> None:
    path_level, own = [{"url": "https://path.test"}], [{"url": "https://own.test"}]
    item = {
        "servers": path_level,
        "get": {"responses": OK, "operationId": "a"},
        "put": {"responses": OK, "operationId": "b", "servers": own},
    }
    read = read_document(
        {"paths": {"/a": item}, "servers": [{"url": "https://all.test"}]}, tmp_path
    )
    assert [[s.url for s in t.http.servers] for t in read.api.tools] == [
        ["https://path.test"],
        ["https://own.test"],
    ]


def test_a_relative_server_of_an_operation_starts_from_the_apis_host(tmp_path: Path) -> None:
    region = {"default": "eu", "enum": ["eu", "us"]}
    api = {"url": "https://{region}.api.test/v1/", "variables": {"region": region}}
    version = {"url": "../v3/{x}", "variables": {"x": {"default": "x"}}}
    item = {
        "servers": [{"url": "/v2"}],
        "get": {"responses": OK, "operationId": "a"},
        "put": {"responses": OK, "operationId": "b", "servers": [version]},
    }
    read = read_document({"paths": {"/a": item}, "servers": [api]}, tmp_path)
    first, second = (tool.call.servers[0] for tool in read.api.tools)
    assert (first.url, [v.enum for v in first.variables]) == (
        "https://{region}.api.test/v2",
        [("eu", "us")],
    )
    assert second.url == "https://{region}.api.test/v3/{x}"
    assert read.codes == []


@pytest.mark.parametrize(
    ("relative", "expected"),
    [
        ({"url": "/v2"}, "/v2"),
        ({"url": "a/{x}/b"}, "/v1/a/{x}/b"),
        ({"url": "{x}/b", "variables": {"x": {"default": "y"}}}, "/v1/y/b"),
        ({"url": "/{region}/b", "variables": {"region": {"default": "us"}}}, "/us/b"),
        ({"url": "../../../b"}, "/b"),
        ({"url": "{base}/v2"}, None),
        ({"url": "{base}/v2", "variables": {"base": {"default": "//other.test"}}}, None),
    ],
)
def test_a_relative_server_of_an_operation_keeps_the_variables_of_the_host(
    relative: dict[str, Any], expected: str | None, tmp_path: Path
) -> None:
    variables = {"proto": {"default": "https"}, "region": {"default": "eu"}}
    api = {"url": "{proto}://{region}.api.test/v1/", "variables": variables}
    document = one({"servers": [relative]}, servers=[api])
    read = read_document(document, tmp_path)
    found = read.tool.call.servers
    if expected is None:
        assert (found, read.codes) == ((), ["server"])
        return
    start = "{proto}://{region}.api.test"
    assert [each.url for each in found] == [start + expected]
    assert [v.default for v in found[0].variables[:2]] == ["https", "eu"]
    assert read.codes == []


@pytest.mark.parametrize(
    ("own", "expected"),
    [("", "/"), ("/v2", "/v2"), ("v2", "/api/v2"), ("../v2/{x}", "/v2/y"), ("/v2/{x}", "/v2/{x}")],
)
def test_a_relative_server_of_an_operation_without_any_host_is_a_path(
    own: str, expected: str, tmp_path: Path
) -> None:
    server = {"url": own, "variables": {"x": {"default": "y"}}}
    read = read_document(one({"servers": [server]}, servers=[{"url": "/api/v1"}]), tmp_path)
    [found] = read.tool.call.servers
    assert found.url == expected
    assert [v.name for v in found.variables] == (["x"] if "{x}" in expected else [])
    assert read.codes == []
    assert read.diagnostics.items[0].code == "server"  # nothing says at which host the API is


def test_a_relative_server_of_an_operation_beside_a_host_that_is_not_known(tmp_path: Path) -> None:
    unknown = {"url": "https://{host}/v1"}
    read = read_document(one({"servers": [{"url": "/v2"}]}, servers=[unknown]), tmp_path)
    assert read.tool.call.servers == ()
    assert read.codes == ["server"]


def test_a_base_url_stands_in_place_of_every_server(tmp_path: Path) -> None:
    document = one({"servers": [{"url": "https://own.test"}]}, servers=[{"url": "/v1"}])
    read = read_document(document, tmp_path, base_url="http://asked.test:81/v2")
    assert read.api.servers == (Server("http://asked.test:81/v2"),)
    assert read.tool.http.servers == ()
    assert read.codes == []


@pytest.mark.parametrize("url", ["v1", "api.test", "ftp://api.test", "https://u:p@api.test", "//"])
def test_a_base_url_that_names_no_host_is_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises(GenerationError) as raised:
        read_document(one({}), tmp_path, base_url=url)
    assert "`base_url`" in str(raised.value)
