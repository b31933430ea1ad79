"""What docs/many-apis.md shows: several documents behind one server, servers in one process."""

import importlib
import json
import re
import shutil
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import httpx2
import pytest
import runtime_package
from command_line import run
from runtime.serving import asked, current, in_thread

from .servers import SPECS
from .upstream import Answer

PAGE = (Path(__file__).parents[2] / "docs" / "many-apis.md").read_text("utf-8")
(FRAME,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
WORKSPACE, IDENTITY = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
(MAIN,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
MORE = ("clinic-v2.yaml", "next.yaml")
"""Beside the page's two documents."""
SERVERS = ("bookshop", "desk1", "desk2", "nightbus")
KEYS = {"ada": "key-of-ada", "bob": "key-of-bob"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where commands run; what is imported from it is forgotten afterwards."""
    found = tmp_path_factory.mktemp("city")
    (found / "specs").mkdir()
    for name in ("bookshop.yaml", "nightbus.json", *MORE):
        shutil.copy(SPECS / name, found / "specs")
    before = set(sys.modules)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(found)
        yield found
    for name in set(sys.modules) - before:
        if "_mcp" in name or name.partition(".")[0] == "main":
            del sys.modules[name]


class Gateway:
    """A gateway over HTTP and its two callers: Ada may order, Bob may not."""

    def __init__(self, base: str, tokens: dict[str, str]) -> None:
        self.base = base
        self.tokens = tokens

    def ask(self, who: str, method: str, path: str = "", **params: Any) -> Any:
        return asked(f"{self.base}/mcp{path}", self.tokens[who], method, **params)["result"]

    def call(self, who: str, tool: str, **arguments: Any) -> dict[str, Any]:
        message, headers = current(tool, arguments)
        headers |= {"Authorization": f"Bearer {self.tokens[who]}", "X-Shop-Key": KEYS[who]}
        found: dict[str, Any] = httpx2.post(
            f"{self.base}/mcp", json=message, headers=headers
        ).json()
        return found


@pytest.fixture(scope="module")
def gateway(folder, upstream):
    """The page's gateway, with documents of other versions."""
    Path("gateway.yaml").write_text(FRAME)
    (command,) = re.findall(r"^mcpgen (from-schema .*)$", PAGE, re.MULTILINE)
    assert run(*command.split()).exit_code == 0
    sources = "".join(f'[[with]]\nsource = "../specs/{name}"\n\n' for name in MORE)
    text = IDENTITY.replace("[tools.", f"{sources}[tools.", 1)
    Path("gateway/mcpgen.toml").write_text(f'source = "../gateway.yaml"\nreader = "tools"\n{text}')
    done = run("update", "gateway")
    assert done.exit_code == 0, done.output
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder / "gateway"))
        server = importlib.import_module("city_mcp.server")
        for api in server.APP.apis.values():
            patch.setenv(f"{api.env_prefix}_BASE_URL", upstream.url)
        patch.setenv("BOOKSHOP_SHOP_KEY", "key-of-the-server")
        patch.setenv("CITY_HTTP_TOKENS_FILE", str(folder / "tokens"))
        tokens = {}
        for who, scope in (("ada", "shop orders buses"), ("bob", "shop buses"), ("eve", "shop")):
            with redirect_stdout(StringIO()) as said, redirect_stderr(StringIO()):
                assert server.APP.main(["--new-token", who, "--scopes", scope]) == 0
            tokens[who] = said.getvalue().strip()
        with in_thread(server.create_app()) as base:
            yield Gateway(base, tokens)


def test_what_a_caller_may_not_call_is_in_no_list_of_its_own(gateway, upstream):
    upstream.answer, upstream.seen = Answer(status=201, body=b'{"id": "1"}'), []
    order = {"customer": "a@b.example", "lines": [{"book_id": 7, "copies": 1}]}
    for who, may in (("ada", True), ("bob", False)):
        listed = {tool["name"] for tool in gateway.ask(who, "tools/list", "/tools")["tools"]}
        assert ("shop_placeOrder" in listed) is may
        assert {"shop_getBook", "nextDepartures"} <= listed
        said = json.dumps(gateway.call(who, "find_tools", query="place an order"))
        assert ("shop_placeOrder" in said) is may
        described = json.dumps(gateway.call(who, "describe_tools", names=["shop_placeOrder"]))
        assert ("customer" in described) is may
    refused = gateway.call("bob", "shop_placeOrder", **order)
    assert "error" in refused
    assert not upstream.seen
    assert not gateway.call("ada", "shop_placeOrder", **order)["result"].get("isError")
    assert [(each.method, each.path) for each in upstream.seen] == [("POST", "/orders")]


def test_a_gateway_has_the_name_the_search_and_the_scopes_of_all(gateway):
    discover = gateway.ask("ada", "server/discover")
    info = discover["_meta"]["io.modelcontextprotocol/serverInfo"]
    assert (info["name"], info["title"], info["version"]) == ("city", "City services", "2.1.0")
    for what, tool in (
        ("a book", "shop_getBook"), ("next departures", "nextDepartures"), ("patient", "getPatient")
    ):  # fmt: skip
        assert tool in json.dumps(gateway.call("ada", "find_tools", query=what))
    names = {who: gateway.ask(who, "tools/list", "/tools")["tools"] for who in ("bob", "eve")}
    bob, eve = ({tool["name"] for tool in tools} for tools in names.values())
    document = Path("specs/nightbus.json").read_text()
    assert bob - eve == {*re.findall(r'"operationId": "(\w+)"', document)}


def test_each_caller_s_credential_goes_to_the_one_source_that_it_is_for(gateway, upstream):
    upstream.answer, upstream.seen = Answer(body=b"{}"), []
    for who in KEYS:
        for tool, arguments in (("shop_getBook", {"book_id": 7}), ("listLines", {})):
            found = gateway.call(who, "call_read_tool", name=tool, arguments=arguments)
            assert not found["result"].get("isError"), found
    assert [(seen.path, seen.header("X-Shop-Key")) for seen in upstream.seen] == [
        ("/books/7", "key-of-ada"), ("/lines", None),
        ("/books/7", "key-of-bob"), ("/lines", None),
    ]  # fmt: skip
    message, headers = current("shop_getBook", {"book_id": 7})
    headers |= {"Authorization": f"Bearer {gateway.tokens['ada']}"}
    bare = httpx2.post(f"{gateway.base}/mcp", json=message, headers=headers).json()["result"]
    assert "X-Shop-Key" in bare["content"][0]["text"], "the server's own is of no use"
    assert len(upstream.seen) == 4
    sent = [value for seen in upstream.seen for _, value in seen.headers]
    assert not any(token in value for value in sent for token in gateway.tokens.values())


def desk(name: str) -> str:
    """A document of one operation, called as those of the others."""
    operation = {"operationId": "ring", "responses": {"204": {"description": ""}}}
    info = {"title": name, "version": "1"}
    return json.dumps(
        {"openapi": "3.1.0", "info": info, "paths": {f"/{name}": {"post": operation}}}
    )


@pytest.fixture(scope="module")
def mounted(folder, upstream):
    """The page's workspace with more servers, mounted as in the page's `main.py`.

    They share one runtime.
    """
    for name in SERVERS[1:-1]:
        Path(f"specs/{name}.json").write_text(desk(name))
    Path("mcpgen.workspace.toml").write_text(f'runtime = "package"\n{WORKSPACE}')
    Path("templates").mkdir()
    done = run("init", "servers/", "specs/bookshop.yaml", "specs/desk*", "specs/nightbus.json")
    assert done.exit_code == 0, done.output
    assert done.stdout.count(" generated ") == len(SERVERS)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(runtime_package.folder())
        packages = {
            path.parent.parent.name: path.parent for path in Path("servers").glob("*/*/server.py")
        }
        for name in SERVERS:
            patch.syspath_prepend(str(packages[name].parent))
            server = importlib.import_module(f"{packages[name].name}.server")
            patch.setenv(f"{server.APP.api.env_prefix}_BASE_URL", upstream.url)
            patch.setenv(f"{server.APP.api.env_prefix}_HTTP_TOKEN", f"sixteen-or-more-{name}")
        patch.setenv("BOOKSHOP_SHOP_KEY", "key-of-the-server")
        listed = {f"/{name}": f"{packages[name].name}.server" for name in SERVERS}
        apps = f"{{path: import_module(name).create_app() for path, name in {listed}.items()}}"
        text = re.sub(
            r"APPS = \{.*?\}\n", f"from importlib import import_module\nAPPS = {apps}\n", MAIN
        )
        space: dict[str, Any] = {}
        exec(text, space)
        with in_thread(space["app"]) as base:
            yield base


def test_commands_do_the_page_s_workspace(mounted):
    shown = re.findall(r"^mcpgen (check|diff|inspect|update)$", PAGE, re.MULTILINE)
    assert len(shown) == 4
    for command in shown:
        done = run(command)
        assert done.exit_code == 0, done.output
        rows = done.stdout.splitlines()[-len(SERVERS) :]
        assert [row.split()[0] for row in rows] == [f"servers/{name}" for name in SERVERS]


def test_servers_are_apart_in_one_process(mounted, upstream):
    """Each has its own tools, callers and credentials, while callers take turns."""
    upstream.answer, upstream.seen = Answer(body=b"{}"), []
    calls = {"bookshop": ("getBook", {"book_id": 7}), "desk1": ("ring", {}), "desk2": ("ring", {})}
    for _ in range(2):
        for name, (tool, arguments) in calls.items():
            message, headers = current(tool, arguments)
            headers |= {"Authorization": f"Bearer sixteen-or-more-{name}"}
            for other in SERVERS:
                answer = httpx2.post(f"{mounted}/{other}/mcp", json=message, headers=headers)
                assert answer.status_code == (200 if other == name else 401), other
                assert not answer.json().get("result", {}).get("isError")
    assert [(seen.path, seen.header("X-Shop-Key")) for seen in upstream.seen] == [
        ("/books/7", "key-of-the-server"), ("/desk1", None), ("/desk2", None)
    ] * 2  # fmt: skip
    for name, tool in (("desk1", "ring"), ("nightbus", "listLines")):
        answer = asked(f"{mounted}/{name}/mcp", f"sixteen-or-more-{name}", "tools/list")
        names = [each["name"] for each in answer["result"]["tools"]]
        assert tool in names
        assert ("ring" in names) is (name == "desk1")
