"""Security schemes and servers: only what can be used safely, the rest reported."""

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
from mcpgen.token_urls import token_url

SCHEMES: dict[str, Any] = {
    "key": {"type": "apiKey", "in": "cookie", "name": "sid"},
    "basic": {"type": "http", "scheme": "Basic"},
    "hoba": {"type": "http", "scheme": "HOBA"},
    "oauth": {
        "type": "oauth2",
        "flows": {"clientCredentials": {"tokenUrl": "https://t.test", "scopes": {}}},
    },
    "oidc": {"type": "openIdConnect", "openIdConnectUrl": "https://o.test"},
    "mtls": {"type": "mutualTLS"},
}
BASIC = "#/components/securitySchemes/basic"


def test_schemes_and_requirements(tmp_path: Path) -> None:
    document = one(
        {"security": [{"key": [], "oauth": ["a", "b"]}, {}, {"mtls": []}]},
        components={"securitySchemes": SCHEMES},
        security=[{"basic": []}],
    )
    read = read_document(document, tmp_path)
    assert [(s.key, s.type, s.scheme, s.location, s.name) for s in read.api.security_schemes] == [
        ("key", "apiKey", "", "cookie", "sid"),
        ("basic", "http", "basic", "", ""),
        ("hoba", "http", "HOBA", "", ""),
        ("oauth", "oauth2", "", "", ""),
        ("oidc", "openIdConnect", "", "", ""),
        ("mtls", "mutualTLS", "", "", ""),
    ]
    assert read.api.security == ({"basic": ()},)
    assert read.tool.http.security == ({"key": (), "oauth": ("a", "b")}, {}, {"mtls": ()})
    assert read.codes == []


@pytest.mark.parametrize(
    ("given", "expected"), [(None, None), ([], ()), ([{}], ({},)), ("absent", None)]
)
def test_the_operations_own_choice(tmp_path: Path, given: Any, expected: Any) -> None:
    operation = {} if given == "absent" else {"security": given}
    assert read_document(one(operation), tmp_path).tool.http.security == expected


@pytest.mark.parametrize(
    ("scheme", "why"),
    [
        ({}, "it must say its `type`, one of apiKey, "),
        ({"type": "http"}, "it must say its `scheme`, such as bearer or basic"),
        ({"type": "apiKey", "name": "k"}, "an API key must say with `in` where it travels: "),
    ],
)
def test_what_a_scheme_lacks_is_named(tmp_path: Path, scheme: Any, why: str) -> None:
    document = one({}, components={"securitySchemes": {"k": scheme}}, security=[{"k": []}])
    read = read_document(document, tmp_path)
    [told] = [each for each in read.diagnostics.warnings if each.code == "security-scheme"]
    assert f"the scheme `k` is not usable: {why}" in told.message


@pytest.mark.parametrize(
    "scheme",
    [
        {"type": "magic"},
        {"type": "http", "scheme": "x\r\nX-Evil: 1"},
        {"type": "http"},
        {"type": "apiKey", "in": "body", "name": "k"},
        {"type": "apiKey", "in": "header", "name": "X\r\nY: z"},
        {"type": "apiKey", "in": "header", "name": "Host"},
        {"type": "apiKey", "in": "query"},
        {"$ref": "#/components/securitySchemes/none"},
        [],
    ],
)
def test_schemes_that_cannot_be_used(tmp_path: Path, scheme: Any) -> None:
    document = one(
        {},
        components={"securitySchemes": {"bad": scheme, "basic": SCHEMES["basic"]}},
        security=[{"bad": []}, {"nope": []}, {"basic": [], "bad": []}, {"basic": []}],
    )
    read = read_document(document, tmp_path)
    assert [s.key for s in read.api.security_schemes] == ["basic"]
    assert read.api.security == ({"basic": ()},)
    assert "security-scheme" in read.codes
    assert read.codes.count("security") == 3


@pytest.mark.parametrize("version", ["2.0", "3.1"])
def test_a_scheme_may_be_called_like_an_extension(tmp_path: Path, version: str) -> None:
    """Only Paths, Responses and the like have extensions among names; `x-api-key` is a name."""
    key = {"type": "apiKey", "in": "header", "name": "X-API-Key"}
    held = {"x-api-key": key, "x-note": "of the gateway"}
    asked = [{"x-api-key": [], "x-note": "as well"}, {"x-lost": []}]
    holder = {"swagger": "2.0", "securityDefinitions": held}
    if version != "2.0":
        holder = {"components": {"securitySchemes": held}}
    read = read_document(one({}, security=asked, **holder), tmp_path)
    assert [scheme.name for scheme in read.api.security_schemes] == ["X-API-Key"]
    assert read.api.security == ({"x-api-key": ()},)
    assert read.pointers("security") == ["/security/1"]
    assert "security-scheme" not in read.codes


@pytest.mark.parametrize(
    ("scheme", "kind"),
    [
        ({"type": "HTTP", "scheme": "Bearer"}, "http"),
        ({"type": "ApiKey", "in": "Header", "name": "X-Key"}, "apiKey"),
        ({"type": "OAuth2", "flows": {}}, "oauth2"),
        ({"type": "basic"}, "http"),
    ],
)
def test_a_type_in_another_case_or_of_another_version_is_that_type(
    tmp_path: Path, scheme: Any, kind: str
) -> None:
    document = one({}, components={"securitySchemes": {"s": scheme}}, security=[{"s": []}])
    read = read_document(document, tmp_path)
    [found] = read.api.security_schemes
    assert (found.type, found.location) == (kind, "header" if kind == "apiKey" else "")
    assert read.api.security == ({"s": ()},)
    assert not {"security", "security-scheme"} & set(read.codes)


@pytest.mark.parametrize("listed", ["key", None, ["key"]])
def test_a_requirement_that_is_no_object_is_told(tmp_path: Path, listed: Any) -> None:
    document = one({"security": [listed, {"key": []}]}, components={"securitySchemes": SCHEMES})
    read = read_document(document, tmp_path)
    assert read.tool.call.security == ({"key": ()},)
    assert read.pointers("wrong-type") == ["/paths/~1pets/get/security/0"]


@pytest.mark.parametrize(
    ("named", "hint"), [("baisc", "Did you mean `basic`?"), ("other", "Usable: basic.")]
)
def test_what_can_be_used_is_named(tmp_path: Path, named: str, hint: str) -> None:
    schemes = {"basic": SCHEMES["basic"], "other": {"type": "bearer"}}
    document = one({}, components={"securitySchemes": schemes}, security=[{named: []}])
    scheme, _, unknown = read_document(document, tmp_path).diagnostics.warnings
    assert "http (with `scheme: bearer`" in scheme.message
    assert unknown.hint == hint


@pytest.mark.parametrize(
    ("version", "name", "expected"),
    [
        ("3.2.0", "#/components/securitySchemes/key", ({"key": ("a",)},)),
        ("3.2.0", "https://api.test/d.json#/components/securitySchemes/same", ({"same": ("a",)},)),
        ("3.2.0", BASIC, ({BASIC: ("a",)},)),
        ("3.2.0", "#/components/securitySchemes/none", ({},)),
        ("3.2.0", "https://elsewhere.test/d.json#/k", ({},)),
        ("3.1.1", "#/components/securitySchemes/key", ({},)),
    ],
)
def test_a_scheme_named_by_a_uri(tmp_path: Path, version: str, name: str, expected: Any) -> None:
    same = {"$ref": "#/components/securitySchemes/key"}
    schemes = {"key": SCHEMES["key"], "same": same, BASIC: SCHEMES["basic"]}
    document = one({}, components={"securitySchemes": schemes}, security=[{name: ["a"]}])
    whole = {"openapi": version, "$self": "https://api.test/d.json", **document}
    assert read_document(whole, tmp_path).api.security == expected


def test_schemes_of_other_documents_named_by_uris(tmp_path: Path) -> None:
    """OpenAPI 3.2.0, Security Requirement Object."""
    shared = {"Shared": {"type": "apiKey", "in": "header", "name": "X-Shared"}, "bad": {}}
    for name in ("one", "two"):
        whole = {"openapi": "3.2.0", "components": {"securitySchemes": shared}}
        (tmp_path / f"{name}.json").write_text(json.dumps(whole), encoding="utf-8")
    (tmp_path / "scheme.json").write_text('{"type": "http", "scheme": "bearer"}', encoding="utf-8")
    place = "#/components/securitySchemes/"
    asked = {
        "/a": [{f"one.json{place}Shared": []}, {"mine": []}],
        "/b": [{f"two.json{place}Shared": ["x"], f"one.json{place}Shared": []}],
        "/c": [{"scheme.json#": []}],
        "/d": [{f"one.json{place}bad": []}],
    }
    document = {
        "openapi": "3.2.0",
        "security": [{f"one{place}Shared": []}],
        "paths": {path: {"get": {"security": each}} for path, each in asked.items()},
        "components": {"securitySchemes": {"mine": {"type": "http", "scheme": "basic"}}},
    }
    read = read_document(document, tmp_path)
    schemes = {scheme.key: scheme for scheme in read.api.security_schemes}
    assert [*schemes] == ["mine", "Shared", "scheme", "Shared_2"]
    assert schemes["Shared_2"].name == "X-Shared"
    assert schemes["scheme"].scheme == "bearer"
    assert read.api.security == ({"Shared": ()},)
    assert [tool.call.security for tool in read.api.tools] == [
        ({"Shared": ()}, {"mine": ()}),
        ({"Shared_2": ("x",), "Shared": ()},),
        ({"scheme": ()},),
        ({},),
    ]
    assert read.codes == ["security", "security", "security-scheme"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("./scheme.json", "bearer"),
        ("scheme.json", "basic"),
        ("scheme.json#", "bearer"),
        ("./other", None),
        ("scheme", None),
        ("", None),
    ],
)
def test_a_file_that_is_a_scheme_is_named_without_a_fragment_too(
    tmp_path: Path, name: str, expected: str | None
) -> None:
    """A component of that name comes first: `./` tells them apart."""
    (tmp_path / "scheme.json").write_text('{"type": "http", "scheme": "bearer"}', encoding="utf-8")
    declared = {"scheme.json": {"type": "http", "scheme": "basic"}}
    document = one({}, components={"securitySchemes": declared}, security=[{name: []}])
    api = read_document({"openapi": "3.2.0", **document}, tmp_path).api
    kinds = {scheme.key: scheme.scheme for scheme in api.security_schemes}
    assert ("bearer" in kinds.values()) == (expected == "bearer")
    assert [kinds[key] for each in api.security for key in each] == [expected] * bool(expected)


@pytest.mark.parametrize(
    ("operation", "root", "who"),
    [
        ({}, {"security": [{"nope": []}]}, "calls without `security` of their own"),
        ({"security": [{"nope": []}]}, {}, "its calls"),
    ],
)
def test_no_way_to_sign_in_is_left(tmp_path: Path, operation: Any, root: Any, who: str) -> None:
    read = read_document(one(operation, **root), tmp_path)
    assert ({},) in (read.api.security, read.api.tools[0].call.security)
    without, unknown = read.diagnostics.warnings
    assert without.message.endswith(f": {who} go out without credentials")
    assert unknown.hint == "Usable: none."


@pytest.mark.parametrize(
    ("operation", "root", "told"),
    [({}, {}, True), ({"security": []}, {}, False), ({}, {"security": []}, False)],
)
def test_a_scheme_that_nothing_asks_for_is_told(
    tmp_path: Path, operation: Any, root: Any, told: bool
) -> None:
    document = one(operation, components={"securitySchemes": SCHEMES}, **root)
    notes = [note.message for note in read_document(document, tmp_path).diagnostics.notes]
    assert any("no operation asks for that" in note for note in notes) == told


def credential(name: str, location: str = "header", **more: Any) -> dict[str, Any]:
    return {"name": name, "in": location, "schema": {"type": "string"}, **more}


KEYS: dict[str, Any] = {
    "app": {"type": "apiKey", "in": "header", "name": "X-App"},
    "key": {"type": "apiKey", "in": "query", "name": "key"},
    "token": {"type": "http", "scheme": "bearer"},
}
REQUIRED = credential("x-app", required=True)


@pytest.mark.parametrize(
    ("operation", "root", "expected"),
    [
        ({"parameters": [REQUIRED]}, None, ({"app": ()},)),
        ({"parameters": [REQUIRED], "security": []}, None, ({"app": ()},)),
        (
            {"parameters": [REQUIRED], "security": [{"key": []}, {"token": ["a"]}]},
            None,
            ({"key": (), "app": ()}, {"token": ("a",), "app": ()}),
        ),
        ({"parameters": [REQUIRED]}, [{"key": []}], ({"key": (), "app": ()},)),
        ({"parameters": [REQUIRED]}, [{"key": []}, {"app": []}], None),
        ({"parameters": [credential("key", "query")]}, None, ({"key": ()}, {})),
        ({"parameters": [credential("key", "query")]}, [{"token": []}], None),
        ({"parameters": [credential("Key", "query", required=True)]}, None, None),
        ({"parameters": [credential("authorization")]}, None, ({"token": ()}, {})),
    ],
)
def test_a_credential_that_is_declared_as_a_parameter_is_asked_for(
    tmp_path: Path, operation: Any, root: Any, expected: Any
) -> None:
    more = {} if root is None else {"security": root}
    read = read_document(one(operation, components={"securitySchemes": KEYS}, **more), tmp_path)
    assert read.tool.http.security == expected
    assert "security" not in read.codes
    if expected is not None:
        assert read.tool.arguments == ()


def test_an_authorization_that_only_parameters_speak_of(tmp_path: Path) -> None:
    header = credential("authorization", required=True, description="Bearer and the token")
    read = read_document(one({"parameters": [header]}), tmp_path)
    assert read.tool.http.security == ({"Authorization": ()},)
    [scheme] = read.api.security_schemes
    assert (scheme.type, scheme.location, scheme.name) == ("apiKey", "header", "Authorization")
    assert scheme.description == "Bearer and the token"


def test_token_urls_that_are_not_https_are_reported(tmp_path: Path) -> None:
    none: dict[str, Any] = {"scopes": {}}
    schemes = {
        "e": {"type": "openIdConnect", "openIdConnectUrl": "http://169.254.169.254/"},
        "f": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "http://evil.test/t"}}},
        "g": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "/token"}}},
        "h": {
            "type": "oauth2",
            "flows": {"password": {"tokenUrl": "http://localhost:80/t", **none}},
        },
    }
    read = read_document(one({}, components={"securitySchemes": schemes}), tmp_path)
    assert read.pointers("security-url") == [
        "/components/securitySchemes/e",
        "/components/securitySchemes/f",
        "/components/securitySchemes/g",
    ]
    assert "no server names the host" in read.diagnostics.warnings[-1].message


@pytest.mark.parametrize("url", ["https://[", 5, None, {"a": 1}, ["https://x.test"]])
def test_a_token_url_that_is_no_url_is_none(tmp_path: Path, url: Any) -> None:
    flows = {"clientCredentials": {"tokenUrl": url, "refreshUrl": url}, "password": None}
    schemes = {"o": {"type": "oauth2", "flows": flows}}
    document = one({}, components={"securitySchemes": schemes}, servers=[{"url": "https://a.test"}])
    read = read_document(document, tmp_path)
    assert token_url(read.api.security_schemes[0]) == ""
    assert read.codes


@pytest.mark.parametrize("url", ["{idRoot}/oauth2/token", "https://{tenant}.id.test/token"])
def test_a_token_url_with_a_placeholder_is_none(tmp_path: Path, url: str) -> None:
    schemes = {"o": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": url}}}}
    servers = [{"url": "https://api.test/v1"}]
    document = one({}, components={"securitySchemes": schemes}, servers=servers)
    read = read_document(document, tmp_path)
    assert token_url(read.api.security_schemes[0]) == ""
    (warning,) = read.diagnostics.warnings
    assert warning.code == "security-url"
    assert url in warning.message
    assert "ready token" in warning.hint


def test_a_placeholder_of_a_token_url_is_no_variable_of_a_server(tmp_path: Path) -> None:
    """The secret went to the host of the variable's default."""
    url = "https://{tenant}.id.test/token"
    flows = {"clientCredentials": {"tokenUrl": url, "refreshUrl": "/refresh", "scopes": {}}}
    schemes = {"o": {"type": "oauth2", "flows": flows}}
    variables = {"tenant": {"default": "demo"}}
    servers = [{"url": "https://{tenant}.api.test", "variables": variables}]
    document = one({}, components={"securitySchemes": schemes}, servers=servers)
    read = read_document(document, tmp_path)
    (scheme,) = read.api.security_schemes
    assert token_url(scheme) == ""
    assert scheme.flows["clientCredentials"]["refreshUrl"] == "https://demo.api.test/refresh"
    (warning,) = read.diagnostics.warnings
    assert "left open" in warning.message


@pytest.mark.parametrize(
    ("base", "default", "wanted"),
    [
        ("https://api.test/{base}", "v1/x", "https://api.test/v1/token"),
        ("https://api.test/{base}", "v1", "https://api.test/token"),
        ("https://{base}/v1/", "api.test", "https://{base}/v1/token"),
    ],
)
def test_a_relative_token_url_starts_from_the_server_with_its_variables_filled_in(
    tmp_path: Path, base: str, default: str, wanted: str
) -> None:
    """A variable of several segments was one for the URL: the token was asked for elsewhere."""
    schemes = {"o": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "token"}}}}
    servers = [{"url": base, "variables": {"base": {"default": default}}}]
    document = one({}, components={"securitySchemes": schemes}, servers=servers)
    (scheme,) = read_document(document, tmp_path).api.security_schemes
    assert token_url(scheme) == wanted


def test_relative_token_urls_are_those_of_the_first_server_with_a_host(tmp_path: Path) -> None:
    urls = {"tokenUrl": "oauth/token", "refreshUrl": "//id.test/r"}
    flows = {"clientCredentials": {**urls, "scopes": {}}}
    schemes = {
        "o": {"type": "oauth2", "flows": flows},
        "i": {"type": "openIdConnect", "openIdConnectUrl": "/.well-known/openid-configuration"},
    }
    variables = {"region": {"default": "eu"}}
    servers = [
        {"url": "/v1"},
        {"url": "https://{tenant}.test/v1"},
        {"url": "https://{region}.api.test/v1", "variables": variables},
    ]
    document = one({}, components={"securitySchemes": schemes}, servers=servers)
    read = read_document(document, tmp_path)
    oauth, openid = read.api.security_schemes
    assert oauth.flows == {
        "clientCredentials": {
            "tokenUrl": "https://{region}.api.test/oauth/token",
            "refreshUrl": "https://id.test/r",
            "scopes": {},
        }
    }
    assert openid.openid_connect_url == "https://{region}.api.test/.well-known/openid-configuration"
    assert {each.name for scheme in (oauth, openid) for each in scheme.variables} == {"region"}
    assert read.codes == []


def test_relative_token_urls_of_swagger(tmp_path: Path) -> None:
    scheme = {"type": "oauth2", "flow": "application", "tokenUrl": "/token", "scopes": {}}
    document = one({}, securityDefinitions={"o": scheme}, host="api.test", basePath="/v1")
    (found,) = read_document({"swagger": "2.0", **document}, tmp_path).api.security_schemes
    assert found.flows["clientCredentials"]["tokenUrl"] == "https://api.test/token"


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


@pytest.mark.parametrize(
    ("url", "security", "https"),
    [
        ("http://api.test:81/v1", [{"basic": []}], "https://api.test:81/v1"),
        ("http://api.test:80/v1/", [{"basic": []}], "https://api.test/v1/"),
        ("http://api.test/v1", [], ""),
        ("http://api.test/v1", [{}], ""),
        ("https://api.test/v1", [{"basic": []}], ""),
        ("http://shop/v1", [{"basic": []}], ""),
        ("http://10.1.2.3/v1", [{"basic": []}], ""),
        ("http://shop.internal/v1", [{"basic": []}], ""),
    ],
)
def test_credentials_that_would_travel_unencrypted_are_told(
    tmp_path: Path, url: str, security: list[Any], https: str
) -> None:
    """With an address that reaches the same paths."""
    components = {"securitySchemes": {"basic": SCHEMES["basic"]}}
    document = one({}, servers=[{"url": url}], security=security, components=components)
    items = read_document(document, tmp_path).diagnostics.items
    told = [each for each in items if "travel unencrypted" in each.message]
    assert len(told) == bool(https)
    if https:
        assert told[0].hint.endswith(f"--base-url {https}")
    chosen = read_document(document, tmp_path, base_url=url).diagnostics.items
    assert not any("travel unencrypted" in each.message for each in chosen)
    elsewhere = {**document, "paths": {}}
    for path, item in document["paths"].items():
        elsewhere["paths"][path] = {**item, "servers": [{"url": "https://own.test"}]}
    others = read_document(elsewhere, tmp_path).diagnostics.items
    assert not any("travel unencrypted" in each.message for each in others)


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


@pytest.mark.parametrize("place", ["document", "operation"])
@pytest.mark.parametrize("form", ["whole", "each"])
def test_servers_and_requirements_behind_references(tmp_path: Path, place: str, form: str) -> None:
    """Tools that join files follow a reference wherever it stands."""
    parts = {"servers": [{"url": "https://there.test"}], "security": [{"key": []}]}
    (tmp_path / "parts.json").write_text(json.dumps(parts), encoding="utf-8")
    end = "" if form == "whole" else "/0"
    given = {name: {"$ref": f"parts.json#/{name}{end}"} for name in parts}
    fields = given if form == "whole" else {name: [each] for name, each in given.items()}
    inside, around = ({}, fields) if place == "document" else (fields, {})
    read = read_document(
        one(inside, components={"securitySchemes": {"key": SCHEMES["key"]}}, **around), tmp_path
    )
    call = read.tool.call
    assert [server.url for server in call.servers or read.api.servers] == ["https://there.test"]
    assert read.api.security_of(call) == ({"key": ()},)


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
