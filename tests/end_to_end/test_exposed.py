"""GET operations of a document that `mcpgen.toml` exposes as resources."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import ResourceTemplateReference

from .servers import Server, generate
from .upstream import Answer, Upstream

LIGHT = {"type": "object", "properties": {"keeper": {"type": "string"}}}
DOCUMENT: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Lights", "version": "1"},
    "paths": {
        "/lights/{id}": {
            "get": {
                "operationId": "getLight",
                "parameters": [
                    {
                        "name": "id",
                        "in": "path",
                        "required": True,
                        "schema": {"type": "integer", "minimum": 1},
                    },
                    {"name": "lit", "in": "query", "schema": {"type": "boolean"}},
                    {
                        "name": "sector",
                        "in": "query",
                        "schema": {"type": "string", "enum": ["red", "green"]},
                    },
                    {
                        "name": "tags",
                        "in": "query",
                        "schema": {"type": "array", "items": {"type": "string"}},
                    },
                ],
                "responses": {
                    "200": {
                        "description": "A light.",
                        "content": {"application/json": {"schema": LIGHT}},
                    }
                },
            }
        },
        "/chart": {
            "get": {
                "operationId": "getChart",
                "responses": {"200": {"description": "A chart.", "content": {"image/png": {}}}},
            }
        },
        "/search": {
            "get": {
                "operationId": "search",
                "parameters": [
                    {
                        "name": "where",
                        "in": "query",
                        "required": True,
                        "schema": {"type": "array", "items": {"type": "string"}},
                    }
                ],
                "responses": {"204": {"description": "Nothing."}},
            },
            "post": {"operationId": "save", "responses": {"204": {"description": "Done."}}},
        },
    },
}


def exposing(folder: Path, upstream: Upstream, *patterns: str) -> tuple[Server, list[str]]:
    """The server whose settings name these patterns, and the warnings of making it."""
    document = folder / "lights.json"
    document.write_text(json.dumps(DOCUMENT), encoding="utf-8")
    named = ("--package", "lights_of_a_test")
    generate(document, folder / "server", upstream, *named)
    settings = folder / "server/mcpgen.toml"
    text = settings.read_text(encoding="utf-8")
    changed = text.replace("# resources = []", f"resources = {json.dumps(list(patterns))}")
    assert changed != text
    changed += '\n[tools.getLight]\nredact = ["$.keeper"]\n'
    settings.write_text(changed, encoding="utf-8")
    made = generate(document, folder / "server", upstream, *named)
    return made, [item["message"] for item in made.summary["diagnostics"]]


@pytest.fixture(scope="module")
def lights(upstream: Upstream, tmp_path_factory: pytest.TempPathFactory) -> Server:
    folder = tmp_path_factory.mktemp("lights")
    made, warnings = exposing(folder, upstream, "GET /lights/*", "GET /[cs]*", "POST /search")
    assert [text for text in warnings if text.startswith("mcpgen.toml")] == [
        "mcpgen.toml: GET /search cannot be a resource: a URI cannot hold its argument `where`",
        "mcpgen.toml: no GET operation is `POST /search`",
    ]
    return made


def test_operations_are_listed(lights: Server) -> None:
    resources = lights.use(lambda client: client.list_resources()).resources
    assert [(r.uri, r.name, r.mime_type) for r in resources] == [
        ("lights-of-a-test://chart", "getChart", "image/png")
    ]
    templates = lights.use(lambda client: client.list_resource_templates()).resource_templates
    assert [t.uri_template for t in templates] == ["lights-of-a-test://lights/{id}{?lit,sector}"]


def test_reading_one_calls_the_operation(lights: Server) -> None:
    lights.upstream.answer = Answer.of({"id": 7, "keeper": "Ida"})
    lights.upstream.seen = []
    uri = "lights-of-a-test://lights/7?lit=true&sector=red"
    (content,) = lights.use(lambda client: client.read_resource(uri)).contents
    assert lights.upstream.seen[0].target == "/lights/7?lit=true&sector=red"
    assert (content.uri, content.text) == (uri, '{"id":7,"keeper":"[redacted]"}')


@pytest.mark.parametrize("value", ["0", "x", "1.5", "%22"])
def test_its_variables_are_checked_as_arguments(lights: Server, value: str) -> None:
    lights.upstream.seen = []

    async def read(client: Client) -> MCPError:
        with pytest.raises(MCPError) as caught:
            await client.read_resource(f"lights-of-a-test://lights/{value}")
        return caught.value

    error = lights.use(read)
    assert error.error.code == -32602
    assert "`id`" in error.error.message
    assert not lights.upstream.seen


def test_enums_complete_them(lights: Server) -> None:
    uri = "lights-of-a-test://lights/{id}{?lit,sector}"
    reference = ResourceTemplateReference(type="ref/resource", uri=uri)
    argument = {"name": "sector", "value": "g"}
    found = lights.use(lambda client: client.complete(reference, argument))
    assert found.completion.values == ["green"]


def test_scopes_of_the_tool_hold(lights: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who may not call the tool neither sees nor reads what it reads."""
    resources = lights.module("_runtime.resources")
    access, caller = resources.Access, resources.Caller
    monkeypatch.setattr(access, "read", lambda package: access({"getLight": [["lights"]]}))
    settings = lights.module("_runtime").Settings(http_issuer="https://id.example.com")
    app = lights.module("server").APP
    uri = "lights-of-a-test://lights/7"

    async def seen(scopes: set[str]) -> tuple[int, str]:
        who = caller("c", "s", "i", frozenset(scopes))
        monkeypatch.setattr(caller, "of", lambda request: who)
        found = resources.Resources(app.package, app.catalogue, settings, app.api)
        request: Any = SimpleNamespace(request=None, protocol_version="2026-07-28")
        page = found.page("resourceTemplates", found.templates, request, None)
        with pytest.raises((MCPError, AttributeError)) as caught:
            await found._read(request, SimpleNamespace(uri=uri))
        return len(page["resourceTemplates"]), type(caught.value).__name__

    assert anyio.run(seen, set()) == (0, "MCPError")
    assert anyio.run(seen, {"lights"}) == (1, "AttributeError")
