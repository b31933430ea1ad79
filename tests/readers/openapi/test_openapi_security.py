"""Security schemes: only what can be used safely, the rest reported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from openapi_reading import OK, one, read_document

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
    assert read.pointers("security-challenge") == ["/components/securitySchemes/hoba"]
    [told] = read.diagnostics.warnings
    assert told.message == "the scheme `hoba` (HOBA) wants an answer to a challenge"


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


def test_a_scheme_named_by_a_uri_is_told(tmp_path: Path) -> None:
    """OpenAPI 3.2 allows it; a component may have such a name, too."""
    other = "./scheme.json"
    document = one({}, components={"securitySchemes": {BASIC: SCHEMES["basic"]}})
    asked = [{other: []}, {BASIC: ["a"]}]
    read = read_document({"openapi": "3.2.0", "security": asked, **document}, tmp_path)
    assert read.api.security == ({BASIC: ("a",)},)
    [told] = [each for each in read.diagnostics.warnings if each.code == "security"]
    assert f"`{other}`, which is not declared" in told.message


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


@pytest.mark.parametrize(
    ("refusing", "asking", "root", "told"),
    [
        (2, 1, {}, True),
        (1, 1, {}, True),
        (2, 1, {"security": []}, True),
        (2, 1, {"security": [{"key": []}]}, False),
    ],
)
def test_operations_that_refuse_callers_and_say_nothing_of_credentials_are_told(
    tmp_path: Path, refusing: int, asking: int, root: Any, told: bool
) -> None:
    refused = {"responses": {**OK, "401": {"description": "Who are you?"}}}
    asked = {**refused, "security": [{"key": []}]}
    paths = {f"/refusing/{n}": {"get": refused} for n in range(refusing)}
    paths |= {f"/asking/{n}": {"get": asked} for n in range(asking)}
    document = {"paths": paths, "components": {"securitySchemes": SCHEMES}, **root}
    read = read_document(document, tmp_path)
    notes = [note.message for note in read.diagnostics.notes if note.code == "security"]
    expected = (
        f"{refusing} of {refusing + asking} operations, such as GET /refusing/0, answer 401 and "
        "ask for no credential, so calls go out without one"
    )
    assert notes == [expected] * told


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
        assert f'`base_url = "{https}"`' in told[0].hint
    chosen = read_document(document, tmp_path, base_url=url).diagnostics.items
    assert not any("travel unencrypted" in each.message for each in chosen)
    elsewhere = {**document, "paths": {}}
    for path, item in document["paths"].items():
        elsewhere["paths"][path] = {**item, "servers": [{"url": "https://own.test"}]}
    others = read_document(elsewhere, tmp_path).diagnostics.items
    assert not any("travel unencrypted" in each.message for each in others)


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
