"""Security schemes: only what can be used safely, the rest reported."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_reading import one, read_document

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
