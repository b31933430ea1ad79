"""GET operations of a document that `mcpgen.toml` exposes as resources."""

import json
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
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
from runtime.issuer import Issuer
from runtime.serving import asked
from tables import table

from .offered import error_of
from .servers import PACKAGE, Server, packaged
from .upstream import Answer, Upstream


def exposing(
    folder: Path, upstream: Upstream, package: str, *patterns: str, options: tuple[str, ...] = ()
) -> Server:
    """The server whose settings name these patterns."""
    settings = f'resources = {json.dumps(patterns)}\n[tools.getLight]\nredact = ["$.keeper"]\n'
    named = ("--package", package, *options)
    return packaged("exposed", folder, upstream, *named, settings=settings)


@pytest.fixture(scope="module")
def lights(upstream, tmp_path_factory):
    patterns = ("GET /lights/*", "GET /[csd]*", "POST /search", "GET /lights/{light}")
    return exposing(tmp_path_factory.mktemp("lights"), upstream, "lights_of_a_test", *patterns)


@pytest.fixture(scope="module")
def changing(upstream, tmp_path_factory):
    """One whose tools change."""
    folder, options = tmp_path_factory.mktemp("lights"), (*PACKAGE, "--list-changed")
    return exposing(folder, upstream, "lights_of_a_test1", "GET /[lc]*", options=options)


def test_what_cannot_be_exposed_is_told(lights):
    told = [each for each in lights.summary["diagnostics"] if "toml" in each.get("file", "")]
    assert [each["message"] for each in told] == [
        "GET /search cannot be a resource: a URI cannot hold its argument `where`",
        "no GET operation matches `POST /search`",
        "no GET operation matches `GET /lights/{light}`",
    ]
    assert told[2]["hint"] == "Did you mean `GET /lights/{id}`?"


@pytest.fixture(autouse=True)
def credential(monkeypatch):
    monkeypatch.setenv("LIGHTS_OF_A_TEST_LOGIN_TOKEN", "token-for-the-lights")


@table(
    "returned, contents",
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
)
def test_what_a_tool_returns_for_itself_is_read_as_its_blocks(
    lights, monkeypatch, returned, contents
):
    returning(lights, monkeypatch, returned)
    uri = "lights-of-a-test://lights/7"
    found = lights.use(lambda client: client.read_resource(uri)).contents
    texts = [getattr(each, "text", None) or getattr(each, "blob", None) for each in found]
    assert list(zip((each.mime_type for each in found), texts, strict=True)) == contents


def test_an_error_that_a_tool_returns_is_one_of_its_resource(lights, monkeypatch):
    failed = CallToolResult(content=[TextContent(text="no such light")], is_error=True)
    returning(lights, monkeypatch, failed)
    assert "no such light" in refused(lights, "lights/7").message


def refused(lights: Server, place: str) -> Any:
    """The error in which it ends to read a light."""
    uri = f"lights-of-a-test://{place}"
    return error_of(lights, "auto", lambda client: client.read_resource(uri))


def returning(server: Server, monkeypatch: pytest.MonkeyPatch, value: Any) -> None:
    """Have the tool's handler, as its author rewrote it, return a value of its own."""

    async def light(ctx: Any, **_: Any) -> Any:
        return value

    handlers = server.module("server").APP.catalogue._handlers
    made = server.module("_runtime.calls.catalogue").Handler(light)
    monkeypatch.setitem(handlers, "getLight", made)


def test_operations_are_listed_and_read(lights):
    resources = lights.use(lambda client: client.list_resources()).resources
    assert [(r.uri, r.name, r.mime_type) for r in resources] == [
        ("lights-of-a-test://chart", "getChart", "image/png")
    ]
    templates = lights.use(lambda client: client.list_resource_templates()).resource_templates
    assert [t.uri_template for t in templates] == [
        "lights-of-a-test://lights/{id}{?lit,sector}",
        "lights-of-a-test://decks/{deck}{?tons}",
    ]
    lights.upstream.answer = Answer.of({"id": 7, "keeper": "Ida"})
    lights.upstream.seen = []
    uri = "lights-of-a-test://lights/7?lit=true&sector=red"
    (content,) = lights.use(lambda client: client.read_resource(uri)).contents
    assert lights.upstream.seen[0].target == "/lights/7?lit=true&sector=red"
    assert (content.uri, content.text) == (uri, '{"id":7,"keeper":"[redacted]"}')
    lights.upstream.answer = Answer.of({"message": "It is dark.", "keeper": "Ida"}, 409)
    said = refused(lights, "lights/7").message
    assert "It is dark." in said
    assert "Ida" not in said


def test_without_an_api_the_operations_sample_is_read(lights):
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


@table(
    "value",
    *["0", "x", "1.5", "%22", "[" * 20_000, "9" * 5_000, "NaN", "1e400", "12345678901234567890.0"],
)
def test_its_variables_are_checked_as_arguments(lights, value):
    lights.upstream.seen = []
    error = refused(lights, f"lights/{value}")
    assert error.code == -32602
    assert "`id`" in error.message
    assert not lights.upstream.seen


def test_reading_one_counts_as_a_call_of_the_tool(lights):
    lights.upstream.answer, lights.upstream.seen = Answer.of({"id": 7}), []

    async def read(client):
        await client.call_tool("getLight", {"id": 7})
        await client.read_resource("lights-of-a-test://chart")
        await client.read_resource("lights-of-a-test://lights/7")
        with pytest.raises(MCPError) as caught:
            await client.read_resource("lights-of-a-test://lights/8")
        return caught.value

    limited = lights.use(read, calls_per_minute_by_tool=(("getLight", 2),))
    assert limited.error.code == 429
    assert "2 calls a minute of `getLight`" in limited.error.message
    assert len(lights.upstream.seen) == 3


@table(
    "of, name, value, completed",
    ("lights/{id}{?lit,sector}", "sector", "g", ["green"]),
    ("decks/{deck}{?tons}", "deck", "1", ["1", "12"]),
    ("decks/{deck}{?tons}", "tons", "", ["0.5"]),
)
def test_enums_complete_them(lights, of, name, value, completed):
    """Numbers are written in the URI as they are in JSON, and null by being left out."""
    reference = ResourceTemplateReference(type="ref/resource", uri=f"lights-of-a-test://{of}")
    argument = {"name": name, "value": value}
    found = lights.use(lambda client: client.complete(reference, argument))
    assert found.completion.values == completed


SECTORS = {
    "ref": {"type": "ref/resource", "uri": "lights-of-a-test://lights/{id}{?lit,sector}"},
    "argument": {"name": "sector", "value": "g"},
}


def test_scopes_of_the_tool_hold(lights):
    """Who may not call the tool neither sees, completes nor reads what it reads."""
    uri = "lights-of-a-test://lights/7"
    lights.upstream.answer = Answer.of({"id": 7})
    issuer = Issuer({"keeper": ["lights"], "stranger": ["other"]})
    found = {}
    asks = (
        ("resources/templates/list", {}),
        ("resources/read", {"uri": uri}),
        ("completion/complete", SECTORS),
    )
    with lights.behind(issuer) as base:
        for client in ("keeper", "stranger"):
            lights.upstream.seen = []
            token = issuer.token(client)
            said = [asked(f"{base}/mcp", token, ask, **params) for ask, params in asks]
            found[client] = (*said, len(lights.upstream.seen))
    listed, read, completed, requests = found["keeper"]
    assert completed["result"]["completion"]["values"] == ["green"]
    assert [each["name"] for each in listed["result"]["resourceTemplates"]] == ["getLight", "deck"]
    assert read["result"]["contents"][0]["text"] == '{"id":7}'
    assert requests == 1
    listed, read, completed, requests = found["stranger"]
    assert [each["name"] for each in listed["result"]["resourceTemplates"]] == ["deck"]
    assert listed["result"]["cacheScope"] == "private"
    assert read["error"]["message"] == "Resource not found"
    assert completed["error"]["code"] == -32602
    assert completed["error"]["message"].startswith("Unknown resource template")
    assert requests == 0


def test_a_tool_that_is_off_or_not_for_the_caller_reads_no_resource(
    changing, tmp_path, monkeypatch
):
    def may_use(tool, headers):
        return tool != "getChart"

    monkeypatch.setattr(changing.module("hooks"), "may_use", may_use, raising=False)
    (tmp_path / "off.toml").write_text('disabled = ["getLight"]', encoding="utf-8")
    changing.upstream.answer, changing.upstream.seen = Answer.of({"id": 7}), []
    scheme = changing.package.replace("_", "-")

    async def use(client):
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

    assert changing.use(use, tools_file=str(tmp_path / "off.toml")) == []
    assert changing.upstream.seen == []


def test_a_tool_that_was_replaced_reads_its_resource_as_it_is_now(changing, monkeypatch):
    async def from_memory(ctx, *, id):
        return {"remembered": id}

    @asynccontextmanager
    async def lifespan(server):
        tools = changing.module("_runtime").catalogue(server)
        schema = {"type": "object", "properties": {"id": {"type": "integer", "maximum": 9}}}
        tools.replace({**tools.get("getLight"), "inputSchema": schema}, from_memory)
        yield

    monkeypatch.setattr(changing.module("hooks"), "lifespan", lifespan)
    changing.upstream.answer, changing.upstream.seen = Answer.of({"id": 7}), []
    lights = f"{changing.package.replace('_', '-')}://lights"

    async def use(client):
        with pytest.raises(MCPError, match="at most 9"):
            await client.read_resource(f"{lights}/10")
        (content,) = (await client.read_resource(f"{lights}/7")).contents
        assert isinstance(content, TextResourceContents)
        return content.text

    assert json.loads(changing.use(use)) == {"remembered": 7}
    assert changing.upstream.seen == []
