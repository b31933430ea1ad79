"""Where tokens are asked for: only where that is safe, and relative URLs start from the API's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_reading import one, read_document

from mcpgen.operations.token_urls import token_url


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
