"""Several sources in one server: their tools, their names, and that no credential changes sides."""

from __future__ import annotations

import asyncio
import io
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from command_line import run
from mcp import Client
from runtime.support import api_on_socket, raw

from mcpgen import lock, reading
from mcpgen import settings as generation
from mcpgen.diagnostics import Diagnostics
from mcpgen.runtime.settings import PER_API, Settings
from mcpgen.settings.sources import Source

from .following import task_of
from .servers import Server, generate
from .upstream import Answer, Upstream


def document(title: str, schema: dict[str, Any], **scheme: str) -> dict[str, Any]:
    """A document whose operation, tag, schema and scheme are called as everybody's are."""
    answer = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Item"}}}}
    operation = {
        "operationId": "createItem",
        "tags": ["items"],
        "requestBody": {"required": True, **answer},
        "responses": {"200": {"description": "The item.", **answer}},
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": "1"},
        "servers": [{"url": f"https://{title.lower()}.example"}],
        "security": [{"key": []}],
        "paths": {
            "/items": {"post": operation, "get": {"responses": {"200": {"description": ""}}}}
        },
        "components": {
            "schemas": {"Item": schema},
            "securitySchemes": {"key": {"type": "apiKey", "in": "header", **scheme}},
        },
    }


def item(name: str, kind: str) -> dict[str, Any]:
    child = {"type": "array", "items": {"$ref": "#/components/schemas/Item"}}
    return {"type": "object", "properties": {name: {"type": kind}, "parts": child}}


TOOL_FILE = {
    "server": {"name": "tally", "baseUrl": "https://tally.example/api"},
    "tools": [
        {
            "name": "count",
            "description": "Count them.",
            "inputSchema": {"type": "object", "properties": {"of": {"type": "string"}}},
            "http": "GET /count",
        },
        {"name": "add", "description": "Add them.", "inputSchema": {"type": "object"}},
    ],
    "resources": [
        {"uri": "tally://sum", "name": "sum", "http": "GET /sum"},
        {"uri": "tally://about", "name": "about", "text": "Counts."},
    ],
    "prompts": [{"name": "audit", "text": "Count again."}],
}


@pytest.fixture(autouse=True)
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("garden.json", document("Garden", item("colour", "string"), name="X-Garden"))
    write("shop.json", document("Shop", item("price", "integer"), name="X-Shop"))
    write("tally.json", TOOL_FILE)


def write(name: str, value: Any) -> None:
    Path(name).write_text(json.dumps(value, indent=1), encoding="utf-8")


@pytest.fixture
def mixed(upstream: Upstream, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """The server of all three, whose APIs are one host here, each below a path of its own."""
    options = ("--with", "shop.json", "--with", "tally.json", "--package", "mixed_mcp")
    before = list(sys.path)
    made = generate(Path("garden.json"), Path("server"), upstream, *options)
    for name, value in {
        "MIXED_KEY": "of the garden",
        "SHOP_KEY": "of the shop",
        "SHOP_BASE_URL": f"{upstream.url}/shop",
        "TALLY_BASE_URL": f"{upstream.url}/tally",
    }.items():
        monkeypatch.setenv(name, value)
    yield made
    sys.path[:] = before
    for name in [name for name in sys.modules if name.partition(".")[0] == "mixed_mcp"]:
        del sys.modules[name]


def keys(server: Server, tool: str, arguments: dict[str, Any]) -> tuple[str, Any, Any]:
    """Where a call goes and the two keys that it carries."""
    call = server.call(tool, arguments, Answer.of({}))
    return call.request.path, call.request.header("X-Garden"), call.request.header("X-Shop")


def test_each_tool_calls_its_own_api_with_its_own_credential(mixed: Server) -> None:
    """The hosts are the same: what keeps the credentials apart is whose operation it is."""
    assert list(mixed.tools) == [
        "createItem", "get_items", "shop_createItem", "shop_get_items", "count", "add",
    ]  # fmt: skip
    flower, goods = {"colour": "red"}, {"price": 7}
    assert keys(mixed, "createItem", flower) == ("/items", "of the garden", None)
    assert keys(mixed, "shop_createItem", goods) == ("/shop/items", None, "of the shop")
    assert keys(mixed, "count", {"of": "x"}) == ("/tally/count", None, None)
    assert "colour" in mixed.arguments("createItem")
    assert "price" in mixed.arguments("shop_createItem")
    assert mixed.call("shop_createItem", {"price": "dear"}).refused


def test_a_missing_credential_is_not_lent(mixed: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SHOP_KEY")
    assert "SHOP_KEY" in mixed.call("shop_get_items").refused


def test_what_a_hook_signs_goes_to_no_api_that_asks_for_nothing(
    mixed: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of several APIs the hook cannot be meant for one whose document does not speak of signing."""

    def authenticate(request: Any) -> bool:
        request.headers["X-Signature"] = "s"
        return False

    monkeypatch.setattr(mixed.module("hooks"), "authenticate", authenticate)
    tools = {"get_items": "s", "shop_get_items": "s", "count": None}
    assert {t: mixed.call(t).request.header("X-Signature") for t in tools} == tools


def test_what_is_set_for_the_first_api_is_not_sent_to_others(
    mixed: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    extra = {"extra_headers": (("X-Tenant", "garden"),)}
    assert mixed.call("get_items", **extra).request.header("X-Tenant") == "garden"
    assert mixed.call("shop_get_items", **extra).request.header("X-Tenant") is None
    monkeypatch.setenv("SHOP_EXTRA_HEADERS", "X-Tenant: shop")
    assert mixed.call("shop_get_items").request.header("X-Tenant") == "shop"


def test_each_api_has_its_own_limit_of_calls_at_once(
    mixed: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Further calls wait; one API's never wait for another's."""
    running = dict.fromkeys(("/items", "/shop/items"), 0)
    most = dict(running)

    async def main() -> None:
        full = anyio.Event()

        async def reply(writer: asyncio.StreamWriter, head: bytes) -> None:
            path = head.split(b" ")[1].decode()
            running[path] += 1
            most[path] = max(most[path], running[path])
            if sum(running.values()) == 3:
                full.set()
            await full.wait()
            running[path] -= 1
            writer.write(raw(b"{}", "200 OK", "Content-Type: application/json"))

        async with api_on_socket(reply) as api:
            monkeypatch.setenv("SHOP_BASE_URL", f"{api.url}/shop")
            monkeypatch.setenv("SHOP_MAX_CONNECTIONS", "1")
            made = mixed.module("_runtime").Settings(base_url=api.url, max_connections=2)
            async with Client(mixed.module("server").create_server(made)) as client:
                with anyio.fail_after(20):
                    tools = ("get_items", "shop_get_items") * 5
                    results = await asyncio.gather(*(client.call_tool(t, {}) for t in tools))
        assert not any(result.is_error for result in results)
        assert len(api.heads) == 10

    anyio.run(main)
    assert most == {"/items": 2, "/shop/items": 1}


def test_progress_of_a_further_api_is_that_of_the_task(upstream: Upstream) -> None:
    """The request of the call is over: nobody hears what is told there."""
    tool = {**TOOL_FILE["tools"][0], "http": {"method": "GET", "path": "/count", "poll": True}}
    write("long.json", {"server": TOOL_FILE["server"], "tools": [tool]})
    options = ("--with", "long.json", "--package", "long_mcp")
    made = generate(Path("garden.json"), Path("server"), upstream, *options)

    async def main() -> None:
        async def api(request: httpx2.Request) -> httpx2.Response:
            if request.url.path == "/api/count":
                return httpx2.Response(202, headers={"Location": "/ops/7", "Retry-After": "0"})
            body = {"status": "running", "percentComplete": 40}
            return httpx2.Response(200, json=body, headers={"Retry-After": "0"})

        transport = httpx2.MockTransport(api)
        server = made.module("server").create_server(transport=transport)
        async with task_of(server, "count") as task:
            with anyio.fail_after(20):
                while "statusMessage" not in (found := await task.ask("get")):
                    await anyio.sleep(0)
            assert (found["status"], found["statusMessage"]) == ("working", "running")

    anyio.run(main)


SHARED = {
    "audit",
    "audit_values",
    "calls_at_once",
    "calls_at_once_in_all",
    "calls_per_minute",
    "calls_per_minute_by_tool",
    "calls_per_minute_in_all",
    "http_audience",
    "http_implied_scopes",
    "http_issuer",
    "http_jwks_url",
    "http_resource",
    "http_scopes",
    "http_token",
    "trace_upstream",
    "max_result_bytes", "max_path_value_bytes", "max_url_bytes", "max_header_bytes",
    "max_body_bytes", "max_file_bytes", "file_root", "log_level", "page_size", "public_hosts",
    "allow_origins", "max_request_bytes", "request_timeout", "shutdown_timeout", "http_stateless",
    "tools_file",
    "task_ttl", "max_tasks", "state_keys",
}  # fmt: skip


def test_every_setting_is_either_of_each_api_or_of_the_server() -> None:
    """A new one that carries a credential must not slip from the first API to the others."""
    assert {each.name for each in fields(Settings)} - set(PER_API) == SHARED


def test_a_setting_of_a_further_api_that_cannot_be_used(
    mixed: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_TIMEOUT", "soon")
    with pytest.raises(mixed.module("_runtime.settings").ConfigurationError, match="SHOP_TIMEOUT"):
        mixed.module("server").create_server()


def test_the_types_of_two_documents_are_two(mixed: Server) -> None:
    models = (mixed.folder / "mixed_mcp" / "models.py").read_text()
    assert "class Item(TypedDict):\n    colour: NotRequired[str]\n" in models
    assert "class ShopItem(TypedDict):\n    price: NotRequired[int]\n" in models
    assert "parts: NotRequired[list[ShopItem]]" in models


def test_the_readme_lists_every_variable(mixed: Server) -> None:
    for name in ("README.md", ".env.example"):
        text = (mixed.folder / name).read_text()
        for variable in ("MIXED_KEY", "SHOP_KEY", "SHOP_BASE_URL", "TALLY_BASE_URL", "SHOP_PROXY"):
            assert variable in text
    assert "| `POST /items` of shop |" in (mixed.folder / "README.md").read_text()


def test_check_and_update_see_every_source() -> None:
    asked = ("from-openapi", "garden.json", "--with", "tally.json", "-o", "server")
    assert run(*asked).exit_code == 0
    known = lock.read(Path("server"))
    assert known is not None
    assert set(known.sources) == {"garden.json", "tally.json"}
    assert run("check", "server").exit_code == 0
    write("tally.json", {**TOOL_FILE, "tools": TOOL_FILE["tools"][:1]})
    assert run("check", "server").exit_code == 3
    assert run("update", "server").exit_code == 0
    assert run("check", "server", "--full").exit_code == 0
    listed = json.loads(Path("server/garden_mcp/tools.json").read_text())["tools"]
    assert [tool["name"] for tool in listed] == ["createItem", "get_items", "count"]
    assert "count" in run("diff", "garden.json", "server").stdout
    assert "count" in run("inspect", "server").stdout


def test_files_are_known_by_the_same_paths_wherever_a_command_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside a first source that is no file: `check` found another lock in another folder."""
    garden = document("Garden", {"$ref": "parts/item.json"}, name="X-Garden")
    write("garden.json", garden)
    (tmp_path / "parts").mkdir()
    write("parts/item.json", item("colour", "string"))
    (tmp_path / "elsewhere").mkdir()
    found = []
    for folder in (tmp_path, tmp_path / "elsewhere"):
        monkeypatch.chdir(folder)
        stdin = io.BytesIO((tmp_path / "garden.json").read_bytes())
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stdin))
        others = [os.path.relpath(tmp_path / name) for name in ("shop.json", "tally.json")]
        asked = generation.Settings(
            source="-",
            with_=tuple(map(Source, others)),
            reference_root=os.path.relpath(tmp_path),
        )
        found.append(reading.load(asked, Diagnostics(), lambda _: None).hashes)
    assert found[0] == found[1]
    assert set(found[0]) == {"-", "- parts/item.json", "shop.json", "tally.json"}


def test_a_source_of_python_handlers_alone_has_no_api() -> None:
    tool = {**TOOL_FILE["tools"][1], "task": "optional"}
    write("own.json", {"server": {"name": "own"}, "tools": [tool]})
    asked = ("from-openapi", "garden.json", "--with", "own.json", "-o", "server")
    assert run(*asked).exit_code == 0
    assert "`OWN_" not in Path("server/README.md").read_text()
    assert "APIS" not in Path("server/garden_mcp/api.py").read_text()
    assert run(*asked, "--with", "tally.json").exit_code == 0
    assert "`OWN_" not in Path("server/README.md").read_text()
    assert '"own"' not in Path("server/garden_mcp/api.py").read_text()
    assert "GARDEN_TASK_TTL" in Path("server/README.md").read_text()


def test_a_table_says_what_a_source_is_called_and_which_tools_are_wanted() -> None:
    asked = ("from-schema", "tally.json", "--with", "shop.json", "-o", "server")
    assert run(*asked).exit_code == 0
    settings = Path("server/mcpgen.toml")
    table = '[[with]]\nsource = "../shop.json"\n'
    assert table in settings.read_text()
    more = table + 'name = "stall"\nprefix = "stall."\nread_only = true\n'
    settings.write_text(settings.read_text().replace(table, more))
    assert run("update", "server").exit_code == 0
    assert run(*asked).exit_code == 0, "the flag names the source, the table stays"
    assert "STALL_KEY" in Path("server/.env.example").read_text()
    listed = json.loads(Path("server/tally_mcp/tools.json").read_text())["tools"]
    assert [tool["name"] for tool in listed] == ["count", "add", "stall.get_items"]
    assert run(*asked, "--with", "garden.json").exit_code == 0
    assert 'source = "../garden.json"' in settings.read_text()


def test_a_source_keeps_its_name_when_its_title_changes() -> None:
    """Its variables and `ctx.apis` stay what they were, as the first source's do."""
    asked = ("from-openapi", "garden.json", "--with", "shop.json", "--with", "tally.json")
    assert run(*asked, "-o", "server").exit_code == 0
    write("garden.json", document("Beds", item("colour", "string"), name="X-Garden"))
    stall = document("Stall", item("price", "integer"), name="X-Shop")
    stall["paths"] = {"/v2/items": stall["paths"]["/items"]}
    write("shop.json", stall)
    assert run("update", "server").exit_code == 0
    api = Path("server/garden_mcp/api.py")
    assert '"shop": Api(\n        env_prefix="SHOP"' in api.read_text()
    assert Path("server/garden_mcp/handlers/shop_items.py").exists()
    stall["paths"] = {"/goods": stall["paths"]["/v2/items"]}
    write("shop.json", stall)
    assert run("update", "server").exit_code == 0
    assert '"stall": Api(' in api.read_text(), "this is another API"


@pytest.mark.parametrize("titles", [("Users", "Stall"), ("Stall", "Users"), ("Users", "Users")])
def test_sources_of_one_title_keep_their_names_when_it_changes(titles: tuple[str, str]) -> None:
    """No API is sent what was meant for another."""

    def sources(one: str, other: str) -> None:
        for name, title in (("shop", one), ("tally", other)):
            stall = document(title, item("price", "integer"), name="X-Stall")
            write(f"{name}.json", {**stall, "paths": {f"/{name}": stall["paths"]["/items"]}})

    sources("Stall", "Stall")
    asked = ("from-openapi", "garden.json", "--with", "shop.json", "--with", "tally.json")
    assert run(*asked, "-o", "server").exit_code == 0
    operations = json.loads(Path("server/mcpgen.lock").read_text())["tools"].keys()
    assert {"stall GET /shop", "stall2 GET /tally"} <= operations
    sources(*titles)
    assert run("update", "server").exit_code == 0
    assert json.loads(Path("server/mcpgen.lock").read_text())["tools"].keys() == operations


def test_a_tool_keeps_its_name_when_another_source_comes_to_use_it() -> None:
    """The newcomer is told apart, whichever source it is of."""
    paths = document("Garden", item("a", "string"), name="X")
    own = paths["paths"].pop("/items")
    paths["paths"]["/beds"] = {"get": own["get"]}
    write("garden.json", paths)
    assert run("from-openapi", "garden.json", "--with", "shop.json", "-o", "server").exit_code == 0
    paths["paths"]["/items"] = own
    write("garden.json", paths)
    assert run("update", "server").exit_code == 0
    tools = json.loads(Path("server/mcpgen.lock").read_text())["tools"]
    assert tools["shop POST /items"] == "createItem"
    assert tools["POST /items"] == "garden_createItem"


def test_every_source_that_is_broken_is_named_and_nothing_is_written() -> None:
    write("garden.json", {"openapi": "3.1.0", "info": {"title": "Garden", "version": "1"}})
    write("tally.json", {"tools": [{"name": "count", "inputSchema": {"type": "string"}}]})
    asked = ("--with", "shop.json", "--with", "tally.json", "-o", "server")
    done = run("from-openapi", "garden.json", *asked)
    assert done.exit_code == 1
    assert "garden.json:1:1" in done.output
    assert "tally.json:6:" in done.output
    assert not Path("server").exists()


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ('prefix = "a"', "a `[[with]]` has no `source`"),
        ('source = "shop.json"\nprefx = "a"', "Did you mean `prefix`?"),
        ('source = "shop.json"\nprefix = "a b"', "cannot begin a tool's name"),
        ('source = "shop.json"\nmethods = "GET"', "must be a list of strings"),
        ('source = "shop.json"\n[[with]]\nsource = "./shop.json"', "names shop.json twice"),
        (
            'source = "../shop.json"\nname = "a"\n[[with]]\nsource = "../tally.json"\nname = "a"',
            "two `[[with]]` have the name `a`",
        ),
        (
            'source = "shop.json"\nname = "A-b"\n[[with]]\nsource = "shop.json"\nname = "a_b"',
            "two `[[with]]` have the name `a_b`",
        ),
    ],
)
def test_a_table_that_is_wrong(table: str, said: str) -> None:
    assert run("from-openapi", "garden.json", "-o", "server").exit_code == 0
    with Path("server/mcpgen.toml").open("a") as file:
        file.write(f"\n[[with]]\n{table}\n")
    done = run("update", "server")
    assert done.exit_code == 1
    assert said in done.output


def test_one_document_for_two_environments() -> None:
    assert run("from-openapi", "garden.json", "-o", "server").exit_code == 0
    with Path("server/mcpgen.toml").open("a") as file:
        for name in ("live", "staging"):
            table = f'source = "../shop.json"\nname = "{name}"\nprefix = "{name}_"'
            file.write(f"\n[[with]]\n{table}\n")
    done = run("update", "server")
    assert done.exit_code == 0, done.output
    tools = json.loads(Path("server/garden_mcp/tools.json").read_text())["tools"]
    assert {"live_createItem", "staging_createItem"} < {tool["name"] for tool in tools}
    api = Path("server/garden_mcp/api.py").read_text()
    assert all(f'"{name}_KEY"' in api for name in ("LIVE", "STAGING"))
    assert run("check", "server").exit_code == 0


def test_variables_of_two_apis_never_meet() -> None:
    """`A` with a scheme `b_key` and `A_B` with `key` would both read `A_B_KEY`."""
    first = document("Garden", item("a", "string"), name="X")
    schemes = first["components"]["securitySchemes"]
    schemes["shop_key"] = schemes.pop("key")
    first["security"] = [{"shop_key": []}]
    write("garden.json", first)
    write("shop.json", document("Garden Shop", item("b", "string"), name="Y"))
    assert run("from-openapi", "garden.json", "--with", "shop.json", "-o", "server").exit_code == 0
    api = Path("server/garden_mcp/api.py").read_text()
    assert "GARDEN_SHOP_KEY" in api
    assert "GARDENSHOP_KEY" in api


def test_what_is_redacted_of_a_tool_is_redacted_whichever_api_it_asks(mixed: Server) -> None:
    settings = mixed.folder / "mcpgen.toml"
    settings.write_text(settings.read_text() + '\n[tools.shop_createItem]\nredact = ["$.price"]\n')
    assert run("update", str(mixed.folder)).exit_code == 0
    answer = Answer.of({"price": 4711})
    assert mixed.call("shop_createItem", {"price": 1}, answer).data == {"price": "[redacted]"}
    refused = mixed.call("shop_createItem", {"price": 1}, Answer.of({"price": 4711}, status=409))
    assert "4711" not in refused.failed


def test_an_edited_handler_of_a_further_source_follows_its_document() -> None:
    asked = ("from-openapi", "garden.json", "--with", "shop.json", "-o", "server")
    assert run(*asked).exit_code == 0
    handlers = Path("server/garden_mcp/handlers/shop_items.py")
    call = '    return await ctx.apis["shop"].send("POST"'
    assert call in handlers.read_text()
    note = '    await ctx.log("info", "sold")\n'
    handlers.write_text(handlers.read_text().replace(call, note + call))
    changed = document("Shop", item("price", "integer"), name="X-Shop")
    parameter = {"name": "till", "in": "query", "schema": {"type": "string"}}
    changed["paths"]["/items"]["post"]["parameters"] = [parameter]
    write("shop.json", changed)
    assert run("update", "server").exit_code == 0
    text = handlers.read_text()
    assert note in text
    assert 'query={"till": till}' in text


def read(server: Server, uri: str, answer: Answer) -> tuple[str, str, Any, Any]:
    """What a resource holds, where it is asked for and the two keys that the request carries."""
    server.upstream.answer, server.upstream.seen = answer, []
    (content,) = server.use(lambda client: client.read_resource(uri)).contents
    (seen,) = server.upstream.seen
    return content.text, seen.path, seen.header("X-Garden"), seen.header("X-Shop")


def test_resources_of_every_source_are_read_with_its_own_credential(mixed: Server) -> None:
    settings = mixed.folder / "mcpgen.toml"
    exposing = 'resources = ["GET /items", "GET /count"]'
    settings.write_text(settings.read_text().replace("# resources = []", exposing))
    assert run("update", str(mixed.folder)).exit_code == 0
    listed = mixed.use(lambda client: client.list_resources()).resources
    assert [entry.uri for entry in listed] == [
        "tally://sum", "tally://about", "mixed://items", "shop://items"
    ]  # fmt: skip
    templates = mixed.use(lambda client: client.list_resource_templates()).resource_templates
    assert [entry.uri_template for entry in templates] == ["tally://count{?of}"]
    garden, shop = Answer.of({"of": "garden"}), Answer.of({"of": "shop"})
    assert read(mixed, "mixed://items", garden) == (
        '{"of":"garden"}', "/items", "of the garden", None
    )  # fmt: skip
    assert read(mixed, "shop://items", shop) == (
        '{"of":"shop"}', "/shop/items", None, "of the shop"
    )  # fmt: skip
    total = Answer.of({"sum": 7})
    assert read(mixed, "tally://sum", total) == ('{"sum":7}', "/tally/sum", None, None)
    assert read(mixed, "tally://count?of=x", total)[1:] == ("/tally/count", None, None)


def test_prompts_are_told_apart_and_resources_keep_their_uris() -> None:
    others = [{"name": "audit", "text": "Ask a friend."}, {"name": "close", "text": "Good night."}]
    more = {"server": {"name": "till", "listChanged": True}, "prompts": others}
    same = {"uri": "tally://about", "name": "other", "text": "Not this."}
    tool = {"name": "ring", "description": "Ring.", "inputSchema": {"type": "object"}}
    write("till.json", {**more, "tools": [tool], "resources": [same]})
    asked = ("from-schema", "tally.json", "--with", "till.json", "-o", "server")
    done = run(*asked)
    assert done.exit_code == 0
    assert "two sources have `tally://about`; that of `till` is left out" in done.output
    assert "two sources have a prompt `audit`; that of `till` is now `till_audit`" in done.output
    package = Path("server/tally_mcp")

    def prompts() -> list[str]:
        found = json.loads((package / "prompts.json").read_text())
        assert list(found["served"]) == [entry["name"] for entry in found["prompts"]]
        return list(found["served"])

    assert prompts() == ["audit", "till_audit", "close"]
    assert "Not this." not in (package / "resources.json").read_text()
    assert (package / "_runtime/changes.py").exists(), "any source may have tools that change"
    settings = Path("server/mcpgen.toml")
    table = 'source = "../till.json"\n'
    settings.write_text(settings.read_text().replace(table, table + 'prefix = "at_"\n'))
    assert run("update", "server").exit_code == 0
    assert prompts() == ["audit", "at_audit", "at_close"]
    served = json.loads((package / "prompts.json").read_text())["served"]
    assert served["at_audit"] == {"text": "Ask a friend."}
