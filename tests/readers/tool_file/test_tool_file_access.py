"""Ways to sign in and headers in tool files: what cannot be meant is told at its place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tool_file_reading import ANY, described, of_tool, one, read

from mcpgen.catalogue.tools_json import wire_tool
from mcpgen.diagnostics import Diagnostics, GenerationError
from mcpgen.operations import shared_security


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
    ("of_tool_b", "of_resource", "own"),
    [
        ([{"k": []}], [{"k": []}], [None, None, None]),
        ([{"k": []}], [], [None, None, ()]),
        ([{"k": []}, {}], [{"k": []}], [None, ({"k": ()}, {}), None]),
        (None, [{"k": []}], [None, (), None]),
        ([{"k": []}, {}], [], None),
    ],
)
def test_what_most_requests_need_is_said_once_as_the_api_s(
    tmp_path: Path, of_tool_b: Any, of_resource: Any, own: Any
) -> None:
    def get(security: Any) -> dict[str, Any]:
        said = {} if security is None else {"security": security}
        return {"method": "GET", "path": "/x", **said}

    both = {"a": get([{"k": []}]), "b": get(of_tool_b)}
    tools = [described({"name": name, "http": http}) for name, http in both.items()]
    tools.append(described({"name": "by_hand"}))
    resource = {"uri": "x://y", "name": "y", "http": get(of_resource)}
    server = {"securitySchemes": {"k": {"type": "http", "scheme": "bearer"}}}
    file = {"server": server, "tools": tools, "resources": [resource]}
    api = shared_security.lifted(read(tmp_path, file))
    functions = [*api.tools, *(offer.function for offer in api.resources)]
    calls = [each.http for each in functions if each is not None and each.http is not None]
    assert api.security == (() if own is None else ({"k": ()},))
    if own is not None:
        assert [call.security for call in calls] == own


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
