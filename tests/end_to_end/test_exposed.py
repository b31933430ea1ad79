"""GET operations of a document that `mcpgen.toml` exposes as resources."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import run
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CallToolResult,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    ResourceTemplateReference,
    TextContent,
    TextResourceContents,
)
from runtime.issuer import RESOURCE, Issuer
from runtime.serving import asked, in_thread

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
                "security": [{"login": ["lights"]}],
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
    "components": {"securitySchemes": {"login": {"type": "oauth2", "flows": {}}}},
}


def exposing(
    folder: Path, upstream: Upstream, *patterns: str, options: tuple[str, ...] = ()
) -> tuple[Server, list[str]]:
    """The server whose settings name these patterns, and the warnings of making it."""
    document = folder / "lights.json"
    document.write_text(json.dumps(DOCUMENT), encoding="utf-8")
    named = ("--package", f"lights_of_a_test{len(options) or ''}", *options)
    generate(document, folder / "server", upstream, *named)
    settings = folder / "server/mcpgen.toml"
    text = settings.read_text(encoding="utf-8")
    changed = text.replace("# resources = []", f"resources = {json.dumps(list(patterns))}")
    assert changed != text
    changed += '\n[tools.getLight]\nredact = ["$.keeper"]\n'
    settings.write_text(changed, encoding="utf-8")
    made = generate(document, folder / "server", upstream, *named)
    found = made.summary["diagnostics"]
    return made, [each["message"] for each in found if "toml" in each.get("file", "")]


@pytest.fixture(scope="module")
def lights(upstream: Upstream, tmp_path_factory: pytest.TempPathFactory) -> Server:
    folder = tmp_path_factory.mktemp("lights")
    made, warnings = exposing(folder, upstream, "GET /lights/*", "GET /[cs]*", "POST /search")
    assert warnings == [
        "GET /search cannot be a resource: a URI cannot hold its argument `where`",
        "no GET operation is `POST /search`",
    ]
    return made


def test_a_name_that_is_nearly_that_of_an_operation(tmp_path: Path) -> None:
    (tmp_path / "lights.json").write_text(json.dumps(DOCUMENT), encoding="utf-8")
    settings = 'source = "../lights.json"\nresources = ["GET /lights/{light}"]\n'
    server = tmp_path / "server"
    server.mkdir()
    (server / "mcpgen.toml").write_text(settings, encoding="utf-8")
    assert "Did you mean `GET /lights/{id}`?" in run("update", str(server)).stderr


@pytest.fixture(autouse=True)
def credential(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIGHTS_OF_A_TEST_LOGIN_TOKEN", "token-for-the-lights")


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


@pytest.mark.parametrize(
    ("returned", "contents"),
    [
        (TextContent(text="ahoy"), [("application/json", "ahoy")]),
        (
            [ImageContent(data="AAAA", mime_type="image/png"), "lit", b"\xff"],
            [("image/png", "AAAA"), ("application/json", "lit"), ("application/json", "/w==")],
        ),
        (
            CallToolResult(content=[TextContent(text="of Ida")], structured_content={"keeper": 1}),
            [("application/json", '{"keeper":"[redacted]"}')],
        ),
        (
            CallToolResult(content=[TextContent(text='{"keeper": 1}')]),
            [("application/json", '{"keeper":"[redacted]"}')],
        ),
        (CallToolResult(content=[]), []),
        (
            [
                ResourceLink(name="chart", uri="lights:chart"),
                EmbeddedResource(
                    resource=TextResourceContents(uri="a:b", mime_type="text/css", text="c")
                ),
            ],
            [("text/uri-list", "lights:chart"), ("text/css", "c")],
        ),
    ],
)
def test_what_a_tool_returns_for_itself_is_read_as_its_blocks(
    lights: Server,
    monkeypatch: pytest.MonkeyPatch,
    returned: Any,
    contents: list[tuple[str, str]],
) -> None:
    returning(lights, monkeypatch, returned)
    uri = "lights-of-a-test://lights/7"
    found = lights.use(lambda client: client.read_resource(uri)).contents
    texts = [getattr(each, "text", None) or getattr(each, "blob", None) for each in found]
    assert list(zip((each.mime_type for each in found), texts, strict=True)) == contents


def test_an_error_that_a_tool_returns_is_one_of_its_resource(
    lights: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = CallToolResult(content=[TextContent(text="no such light")], is_error=True)
    returning(lights, monkeypatch, failed)

    async def read(client: Client) -> None:
        with pytest.raises(MCPError, match="no such light"):
            await client.read_resource("lights-of-a-test://lights/7")

    lights.use(read)


def returning(server: Server, monkeypatch: pytest.MonkeyPatch, value: Any) -> None:
    """Have the tool's handler, as its author rewrote it, return a value of its own."""

    async def light(ctx: Any, **_: Any) -> Any:
        return value

    handlers = server.module("server").APP.catalogue._handlers
    made = server.module("_runtime.calls.catalogue").Handler(light)
    monkeypatch.setitem(handlers, "getLight", made)


def test_an_error_is_redacted_as_the_tools_is(lights: Server) -> None:
    lights.upstream.answer = Answer.of({"message": "It is dark.", "keeper": "Ida"}, 409)

    async def read(client: Client) -> str:
        with pytest.raises(MCPError) as caught:
            await client.read_resource("lights-of-a-test://lights/7")
        return caught.value.error.message

    said = lights.use(read)
    assert "It is dark." in said
    assert "Ida" not in said


def test_without_an_api_the_operations_sample_is_read(lights: Server) -> None:
    lights.upstream.seen = []
    transport = lights.module("_runtime.app.once").MockTransport(lights.package)
    uris = ("lights-of-a-test://lights/7", "lights-of-a-test://chart")
    for uri in uris:
        (content,) = lights.use(lambda c, uri=uri: c.read_resource(uri), transport).contents
        assert content.uri == uri
        if uri == uris[0]:
            assert json.loads(content.text)["keeper"] == "[redacted]"
        else:
            assert (content.mime_type, content.blob[:8]) == ("image/png", "iVBORw0K")
    assert not lights.upstream.seen


@pytest.mark.parametrize(
    "value",
    ["0", "x", "1.5", "%22", "[" * 20_000, "9" * 5_000, "NaN", "1e400", "12345678901234567890.0"],
)
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


def test_reading_one_counts_as_a_call_of_the_tool(lights: Server) -> None:
    lights.upstream.answer, lights.upstream.seen = Answer.of({"id": 7}), []

    async def read(client: Client) -> MCPError:
        await client.call_tool("getLight", {"id": 7})
        await client.read_resource("lights-of-a-test://chart")
        await client.read_resource("lights-of-a-test://lights/7")
        with pytest.raises(MCPError) as caught:
            await client.read_resource("lights-of-a-test://lights/8")
        return caught.value

    refused = lights.use(read, calls_per_minute_by_tool=(("getLight", 2),))
    assert refused.error.code == 429
    assert "2 calls a minute of `getLight`" in refused.error.message
    assert len(lights.upstream.seen) == 3


def test_enums_complete_them(lights: Server) -> None:
    uri = "lights-of-a-test://lights/{id}{?lit,sector}"
    reference = ResourceTemplateReference(type="ref/resource", uri=uri)
    argument = {"name": "sector", "value": "g"}
    found = lights.use(lambda client: client.complete(reference, argument))
    assert found.completion.values == ["green"]


def test_an_enum_of_numbers_completes_too(tmp_path: Path) -> None:
    """They are written in the URI as they are in JSON, and null by being left out."""
    path = {"name": "deck", "in": "path", "required": True, "schema": {"enum": [1, 12]}}
    query = {"name": "tons", "in": "query", "schema": {"enum": [0.5, None], "type": "number"}}
    responses = {"204": {"description": "Done."}}
    operation = {"operationId": "deck", "parameters": [path, query], "responses": responses}
    document = {**DOCUMENT, "paths": {"/decks/{deck}": {"get": operation}}}
    (tmp_path / "decks.json").write_text(json.dumps(document), encoding="utf-8")
    (tmp_path / "server").mkdir()
    settings = 'source = "../decks.json"\nresources = ["GET /decks/*"]\n'
    (tmp_path / "server/mcpgen.toml").write_text(settings, encoding="utf-8")
    assert run("update", str(tmp_path / "server")).exit_code == 0
    (made,) = tmp_path.glob("server/*/completions.json")
    (found,) = json.loads(made.read_text(encoding="utf-8"))["resources"].values()
    assert found == {"deck": ["1", "12"], "tons": ["0.5"]}


SECTORS = {
    "ref": {"type": "ref/resource", "uri": "lights-of-a-test://lights/{id}{?lit,sector}"},
    "argument": {"name": "sector", "value": "g"},
}


@pytest.mark.parametrize("client", ["keeper", "stranger"])
def test_scopes_of_the_tool_hold(lights: Server, client: str) -> None:
    """Who may not call the tool neither sees, completes nor reads what it reads."""
    uri = "lights-of-a-test://lights/7"
    lights.upstream.answer = Answer.of({"id": 7})
    lights.upstream.seen = []
    issuer = Issuer({"keeper": ["lights"], "stranger": ["other"]})
    with in_thread(issuer.app) as issuer.url:
        settings = lights.module("_runtime").Settings(
            base_url=lights.upstream.url, http_issuer=issuer.url, http_resource=RESOURCE
        )
        with in_thread(lights.module("server").create_app(settings)) as base:
            listed, read, completed = (
                asked(f"{base}/mcp", issuer.token(client), method, **params)
                for method, params in (
                    ("resources/templates/list", {}),
                    ("resources/read", {"uri": uri}),
                    ("completion/complete", SECTORS),
                )
            )
    if client == "keeper":
        assert completed["result"]["completion"]["values"] == ["green"]
        assert len(listed["result"]["resourceTemplates"]) == 1
        assert read["result"]["contents"][0]["text"] == '{"id":7}'
        assert len(lights.upstream.seen) == 1
    else:
        assert listed["result"]["resourceTemplates"] == []
        assert listed["result"]["cacheScope"] == "private"
        assert read["error"]["message"] == "Resource not found"
        assert completed["error"]["code"] == -32602
        assert completed["error"]["message"].startswith("Unknown resource template")
        assert lights.upstream.seen == []


OFF = """
def may_use(tool, headers):
    return tool != "getChart"
"""


def test_a_tool_that_is_off_or_not_for_the_caller_reads_no_resource(
    upstream: Upstream, tmp_path: Path
) -> None:
    made, _ = exposing(tmp_path, upstream, "GET /[lc]*", options=("--list-changed",))
    (made.folder / made.package / "hooks.py").write_text(OFF, encoding="utf-8")
    (tmp_path / "off.toml").write_text('disabled = ["getLight"]', encoding="utf-8")
    upstream.answer, upstream.seen = Answer.of({"id": 7}), []
    scheme = made.package.replace("_", "-")

    async def use(client: Client) -> list[str]:
        resources = await client.list_resources()
        templates = await client.list_resource_templates()
        assert (resources.cache_scope, templates.ttl_ms) == ("private", 0)
        for uri in (f"{scheme}://lights/7", f"{scheme}://chart"):
            with pytest.raises(MCPError, match="Resource not found"):
                await client.read_resource(uri)
        template = f"{scheme}://lights/{{id}}{{?lit,sector}}"
        reference = ResourceTemplateReference(type="ref/resource", uri=template)
        with pytest.raises(MCPError, match="Unknown resource template"):
            await client.complete(reference, {"name": "sector", "value": "g"})
        return [each.name for each in (*resources.resources, *templates.resource_templates)]

    assert made.use(use, tools_file=str(tmp_path / "off.toml")) == []
    assert upstream.seen == []


REPLACED = """
from contextlib import asynccontextmanager

from ._runtime.features.changes import catalogue


@asynccontextmanager
async def lifespan(server):
    tools = catalogue(server)
    schema = {"type": "object", "properties": {"id": {"type": "integer", "maximum": 9}}}
    tools.replace({**tools.get("getLight"), "inputSchema": schema}, from_memory)
    yield


async def from_memory(ctx, *, id):
    return {"remembered": id}
"""


def test_a_tool_that_was_replaced_reads_its_resource_as_it_is_now(
    upstream: Upstream, tmp_path: Path
) -> None:
    options = ("--list-changed", "--package", "lights_of_memory")
    made, _ = exposing(tmp_path, upstream, "GET /lights/*", options=options)
    (made.folder / made.package / "hooks.py").write_text(REPLACED, encoding="utf-8")
    upstream.answer, upstream.seen = Answer.of({"id": 7}), []
    lights = f"{made.package.replace('_', '-')}://lights"

    async def use(client: Client) -> str:
        with pytest.raises(MCPError, match="at most 9"):
            await client.read_resource(f"{lights}/10")
        (content,) = (await client.read_resource(f"{lights}/7")).contents
        assert isinstance(content, TextResourceContents)
        return content.text

    assert json.loads(made.use(use)) == {"remembered": 7}
    assert upstream.seen == []
