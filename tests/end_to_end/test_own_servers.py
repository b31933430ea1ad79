"""Operations with servers of their own in a document that names no host."""

import json
from typing import Any

import pytest

from .servers import of_document, openapi, packaged
from .upstream import Answer


def at(*urls: str) -> dict[str, Any]:
    """A GET with these servers."""
    return {"get": {"servers": [{"url": url} for url in urls], "responses": {"200": {}}}}


GET = {"get": {"responses": {"200": {}}}}
PATHS = {"/gauges": GET, "/health": at(""), "/old": at("/v1")}
DOCUMENT = openapi("Gauges", PATHS, openapi="3.0.3", servers=[{"url": "/api/v2"}])
gauges = of_document(DOCUMENT)


@pytest.mark.parametrize("before", ["", "/gateway"])
def test_paths_of_their_own_are_on_the_host_that_is_set(gauges, before):
    base = f"{gauges.upstream.url}{before}/api/v2"
    targets = [gauges.call(tool, base_url=base).request.target for tool in gauges.tools]
    assert targets == [f"{before}/api/v2/gauges", f"{before}/health", f"{before}/v1/old"]


def test_the_tests_of_such_a_server_expect_what_it_sends(gauges):
    data = json.loads((gauges.folder / "tests" / "cases.json").read_text())
    host = "https://api.example.com"
    base = data["base_url"].replace(host, gauges.upstream.url)
    full = {
        case["tool"]: case["request"]["url"] for case in data["cases"] if case["kind"] == "full"
    }
    sent = {tool: gauges.call(tool, base_url=base).request.target for tool in gauges.tools}
    assert {tool: f"{host}{target}" for tool, target in sent.items()} == full


def test_a_relative_url_for_tokens_has_the_variables_that_are_set(upstream, tmp_path, monkeypatch):
    """The secret went to the host of their defaults."""
    flows = {"clientCredentials": {"tokenUrl": "/token", "scopes": {}}}
    local = {"url": "http://127.0.0.1:{port}/v1", "variables": {"port": {"default": "1"}}}
    document = {
        **DOCUMENT,
        "servers": [local],
        "security": [{"login": []}],
        "components": {"securitySchemes": {"login": {"type": "oauth2", "flows": flows}}},
    }
    server = packaged(document, tmp_path, upstream, "--package", "gauges_of_tenants")
    scheme = server.api.security_schemes["login"]
    monkeypatch.setenv(scheme.client_id_env, "me")
    monkeypatch.setenv(scheme.client_secret_env, "sentinel-secret")
    port = server.api.servers[0].variables["port"].env
    monkeypatch.setenv(port, upstream.url.rpartition(":")[2])
    token = Answer.of({"access_token": "sentinel-token", "token_type": "Bearer"})
    called = server.call("get_gauges", answer=token, base_url=None)
    asked = [(each.method, each.target) for each in called.requests]
    assert asked == [("POST", "/token"), ("GET", "/v1/gauges")], called.text


@pytest.mark.parametrize("own", [None, "https://gauges.example"])
def test_check_refuses_a_document_that_says_nothing_of_where_its_api_is(
    upstream, tmp_path, capsys, own
):
    """FastAPI's documents have no `servers`; OpenAPI's default for them is the path `/`."""
    document = openapi("Gauges", {"/old": at(own)} if own else {"/gauges": GET})
    package = f"gauges_{'beside' if own else 'nowhere'}"
    server = packaged(document, tmp_path, upstream, "--package", package)
    app = server.module("server").APP
    assert app.main(["--check"]) == (0 if own else 2)
    told = capsys.readouterr()
    prefix = server.api.env_prefix
    assert (f"does not say where the API is. Set {prefix}_BASE_URL" in told.err) == (not own)
    assert ("can be used" in told.out) == bool(own)
