"""Tools of several APIs in one server: each asks its own, and no credential changes sides."""

import asyncio
import re
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from runtime.support import api_on_socket, raw

from mcpgen.plan.environment import named, specs
from mcpgen.runtime.values.settings import Group

from .following import task_of
from .servers import PACKAGE, Server, generate
from .three_sources import TOOL_FILE, write, write_all
from .upstream import Answer

SETTINGS = """resources = ["GET /items", "GET /count"]
[tools.shop_createItem]
redact = ["$.price"]
"""


@pytest.fixture(scope="module")
def made(upstream, tmp_path_factory):
    """The server of all three."""
    folder = tmp_path_factory.mktemp("mixed")
    (folder / "server").mkdir()
    (folder / "server/mcpgen.toml").write_text(SETTINGS)
    options = ("--with", "shop.json", "--with", "tally.json", "--package", "mixed_mcp", "--force")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        write_all()
        return generate(Path("garden.json"), folder / "server", upstream, *options, *PACKAGE)


@pytest.fixture
def mixed(made, monkeypatch):
    """Its APIs are one host here, each below a path of its own."""
    url = made.upstream.url
    for name, value in {
        "MIXED_KEY": "of the garden",
        "SHOP_KEY": "of the shop",
        "SHOP_BASE_URL": f"{url}/shop",
        "TALLY_BASE_URL": f"{url}/tally",
    }.items():
        monkeypatch.setenv(name, value)
    return made


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


@pytest.mark.usefixtures("sources")
def test_progress_of_a_further_api_is_that_of_the_task(upstream):
    """The request of the call is over: nobody hears what is told there."""
    tool = {**TOOL_FILE["tools"][0], "http": {"method": "GET", "path": "/count", "poll": True}}
    write("long.json", {"server": TOOL_FILE["server"], "tools": [tool]})
    options = ("--with", "long.json", "--package", "long_mcp", *PACKAGE)
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
    "audit", "audit_values", "calls_at_once", "calls_at_once_in_all", "calls_per_minute",
    "calls_per_minute_by_tool", "calls_per_minute_in_all", "http_anonymous", "http_audience",
    "http_implied_scopes", "http_issuer", "http_jwks_url", "http_resource", "http_scopes",
    "http_token", "http_tokens_file", "metrics", "sign_in_client_id", "sign_in_client_secret",
    "sign_in_clients", "sign_in_groups", "sign_in_issuer", "sign_in_provider", "sign_in_scopes",
    "store", "store_failure", "trace_upstream", "max_result_bytes", "max_path_value_bytes",
    "max_url_bytes", "max_header_bytes", "max_body_bytes", "max_file_bytes", "file_root",
    "log_level", "log_format", "page_size", "public_hosts", "allow_origins",
    "max_request_bytes", "request_timeout", "shutdown_timeout", "http_stateless", "tools_file",
    "result_text", "surface", "result_tokens", "each_timeout", "http_session_timeout",
    "http_json", "http_max_sessions", "http_path", "ignored_arguments", "task_ttl", "max_tasks",
    "state_keys", "only_tools", "read_only", "dry_run",
}  # fmt: skip


def test_every_setting_is_either_of_each_api_or_of_the_server() -> None:
    """A new one that carries a credential must not slip from the first API to the others."""
    assert {each.name for _, each in specs()} - {*named(Group.OWN, Group.API)} == SHARED


def test_a_setting_of_a_further_api_that_cannot_be_used(
    mixed: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SHOP_TIMEOUT", "soon")
    assert mixed.module("server").APP.main(["--check"]) == 2
    assert "SHOP_TIMEOUT" in capsys.readouterr().err


def test_the_types_of_two_documents_are_two(mixed: Server) -> None:
    models = (mixed.folder / "mixed_mcp" / "models.py").read_text()
    assert "class Item(TypedDict):\n    colour: NotRequired[str]\n" in models
    assert "class ShopItem(TypedDict):\n    price: NotRequired[int]\n" in models
    assert "parts: NotRequired[list[ShopItem]]" in models


def test_the_pages_list_every_variable(mixed: Server) -> None:
    pages = [(mixed.folder / name).read_text() for name in ("README.md", "DEPLOY.md")]
    needed = re.findall("(?m)^([A-Z_]+)=", (mixed.folder / ".env.example").read_text())
    assert needed == ["MIXED_KEY", "SHOP_KEY"]
    for variable in (*needed, "SHOP_BASE_URL", "TALLY_BASE_URL", "SHOP_PROXY"):
        assert "".join(pages).count(f"\n| `{variable}` |") == 1
    assert "| `POST /items` of shop |" in pages[0]


def test_what_is_redacted_of_a_tool_is_redacted_whichever_api_it_asks(mixed: Server) -> None:
    answer = Answer.of({"price": 4711})
    assert mixed.call("shop_createItem", {"price": 1}, answer).data == {"price": "[redacted]"}
    refused = mixed.call("shop_createItem", {"price": 1}, Answer.of({"price": 4711}, status=409))
    assert "4711" not in refused.failed


def read(server: Server, uri: str, answer: Answer) -> tuple[str, str, Any, Any]:
    """What a resource holds, where it is asked for and the two keys that the request carries."""
    server.upstream.answer, server.upstream.seen = answer, []
    (content,) = server.use(lambda client: client.read_resource(uri)).contents
    (seen,) = server.upstream.seen
    return content.text, seen.path, seen.header("X-Garden"), seen.header("X-Shop")


def test_resources_of_every_source_are_read_with_its_own_credential(mixed: Server) -> None:
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
