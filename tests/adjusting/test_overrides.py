"""Settings of single tools: what agents see, and what is sent without them."""

import json
import re
from pathlib import Path
from typing import Any

import generated_tests
import pytest
from command_line import run
from openapi_reading import one, read_document
from tables import table
from tool_file_reading import described, read

from mcpgen.adjusting import overrides, resources
from mcpgen.diagnostics import Diagnostics
from mcpgen.settings.checks import problems

SPEC = Path(__file__).parents[2] / "specs" / "bookshop.yaml"
TEXT = {"type": "string"}
TABLES = """
[tools.listBooks]
name = "find_books"
title = "Find books"
description = "Find books by genre."
annotations = { openWorldHint = false }
[tools.listBooks.arguments]
filter.hidden = true
sort.value = "price"
limit.default = 7
genre.description = "One of the shop's genres."
cursor.env = "BOOK_CURSOR"
[tools.getBook.arguments]
book_id.env = "BOOK_ID"
[tools.getAuthor.arguments]
author_id.description = "Whose page."
[tools.removeBook]
enabled = false
[tools.placeOrder.arguments]
customer.value = "reader@example.org"
message.env = "ORDER_MESSAGE"
[tools.replaceBook]
annotations = { destructiveHint = false }
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("overrides") / "server"
    made = run("from-openapi", str(SPEC), "--runtime", "package", "-o", str(folder))
    assert made.exit_code == 0
    with (folder / "mcpgen.toml").open("a") as file:
        file.write(TABLES)
    done = run("update", str(folder))
    assert done.exit_code == 0, done.output
    assert run("check", "--full", str(folder)).exit_code == 0
    return folder


def tools(server: Path) -> dict[str, Any]:
    listed = json.loads((server / "bookshop_mcp" / "tools.json").read_bytes())["tools"]
    return {tool["name"]: tool for tool in listed}


def test_the_agent_sees_what_the_user_wrote(server):
    found = tools(server)
    tool = found["find_books"]
    assert (tool["title"], tool["description"]) == ("Find books", "Find books by genre.")
    assert tool["annotations"]["openWorldHint"] is False
    properties = tool["inputSchema"]["properties"]
    assert list(properties) == ["genre", "limit"]
    assert properties["limit"]["default"] == 7
    assert properties["genre"]["description"] == "One of the shop's genres."
    assert "$defs" not in tool["inputSchema"]
    assert "removeBook" not in found
    assert "required" not in found["getBook"]["inputSchema"]
    assert found["placeOrder"]["inputSchema"]["required"] == ["lines"]
    assert found["getAuthor"]["inputSchema"]["required"] == ["author_id"]
    author = found["getAuthor"]["inputSchema"]["properties"]["author_id"]
    assert author["description"] == "Whose page."
    assert found["replaceBook"]["annotations"]["destructiveHint"] is False


def test_the_servers_own_tests_see_what_is_sent(server):
    done = generated_tests.run(server, BOOK_ID="99")
    assert done.returncode == 0, done.stdout[-3000:]
    cases = json.loads((server / "tests" / "cases.json").read_bytes())
    assert set(cases["fixed"]) == {"BOOK_CURSOR", "BOOK_ID", "ORDER_MESSAGE"}
    sent = [
        c["request"]["url"] for c in cases["cases"] if c["tool"] == "find_books" and "request" in c
    ]
    assert sent
    for url in sent:
        assert "sort=price" in url
        assert f"cursor={cases['fixed']['BOOK_CURSOR']}" in url
    assert any("limit=7" in url for url in sent)
    assert "| `BOOK_ID` | Sent as book\\_id of getBook |" in (server / "README.md").read_text()
    assert "ORDER_MESSAGE=" in (server / ".env.example").read_text()


def test_a_variable_of_several_apis_is_listed_once(tmp_path):
    """A later, empty line of an env file would hide the first; a name twice is no good JSON."""
    asked = {"name": "tenant", "in": "query", "required": True, "schema": TEXT}
    for title in ("Counter", "Till"):
        document = one({"parameters": [asked], "operationId": f"ask{title}"})
        document |= {"openapi": "3.1.0", "info": {"title": f"Shelf {title}", "version": "1"}}
        document["servers"] = [{"url": "https://shelf.example"}]
        (tmp_path / f"{title}.json").write_text(json.dumps(document))
    server = tmp_path / "server"
    server.mkdir()
    toml = 'source = "../Counter.json"\n[[with]]\nsource = "../Till.json"\n'
    toml += '[tools.askCounter.arguments]\ntenant.env = "SHELF_TENANT"\n'
    (server / "mcpgen.toml").write_text(
        f'{toml}[tools.askTill.arguments]\ntenant.env = "SHELF_TENANT"\n'
    )
    assert run("update", str(server)).exit_code == 0
    lines = (server / ".env.example").read_text().splitlines()
    assert lines.count("SHELF_TENANT=") == 1
    assert "# Sent as tenant of askCounter; Sent as tenant of askTill" in lines
    readme = (server / "README.md").read_text()
    assert readme.count('"SHELF_TENANT": ""') == readme.count("\n| `SHELF_TENANT` |") == 1
    (server / "mcpgen.toml").write_text(
        f'{toml}[tools.askTill.arguments]\ntenant.env = "SHELF_COUNTER_RETRIES"\n'
    )
    assert run("update", str(server)).exit_code == 0
    pages = "".join((server / name).read_text() for name in ("README.md", "DEPLOY.md"))
    assert pages.count("\n| `SHELF_COUNTER_RETRIES` |") == 1
    assert "SHELF_COUNTER_RETRIES=2\n" in (server / ".env.example").read_text()


def test_a_resource_of_a_tool_that_is_left_out_is_told_why(tmp_path):
    path = "/authors/{author_id}"
    for left_out in (f"exclude_paths = ['{path}']", "[tools.getAuthor]\nenabled = false"):
        toml = f"source = '{SPEC}'\nresources = ['GET {path}']\nruntime = 'package'\n"
        (tmp_path / "mcpgen.toml").write_text(f"{toml}{left_out}\n")
        told = run("update", str(tmp_path)).output
        assert f"`GET {path}` cannot be a resource: no tool calls it" in told
        assert f"mcpgen.toml:2:15\n  = help: GET {path}: " in told
        assert f"left out by --exclude-path {path}." in told or "disabled in" in told
    toml = f"source = '{SPEC}'\nresources = ['GET /orders']\nmethods = ['get']\n"
    (tmp_path / "mcpgen.toml").write_text(toml)
    assert "no GET operation matches `GET /orders`" in run("update", str(tmp_path)).output


@table(
    "path, table, told",
    ("/about", {}, "`t` has the same URI"),
    ("/{a}{b}", {}, "two parameters of its path have no text between them"),
    ("/{a}", {"arguments": {"a": {"value": "x"}}}, "has a parameter that no argument fills"),
    ("/{a}/{b}", {}, ""),
)
def test_a_request_that_no_uri_can_ask_for_is_no_resource(tmp_path, path, table, told):
    names = re.findall("{(.)}", path)
    schema = {"type": "object", "properties": dict.fromkeys(names, TEXT), "required": names}
    tool = described({"http": f"GET {path}", "inputSchema": schema})
    about = {"uri": "s://about", "name": "t", "text": "Written."}
    found = Diagnostics()
    api = read(tmp_path, {"tools": [tool], "resources": [about]})
    api = overrides.apply(api, {"t": table}, found)
    # By two patterns an operation is one resource.
    api = resources.apply(api, ["GET /*", f"GET {path}"], "s", found)
    keys = ["s://about"] if told else ["s://about", f"s:/{path}"]
    assert [offer.key for offer in api.resources] == keys
    assert api.resources[0].served == {"text": "Written."}
    said = f"mcpgen.toml: GET {path} cannot be a resource: " if told else ""
    assert all(each.message.startswith(said) and told in each.message for each in found.items)
    assert bool(found.items) is bool(told)


@table(
    "table, task",
    ({"poll": {}}, "optional"),
    ({"poll": {}, "task": "required"}, "required"),
    ({"poll": {}, "task": "forbidden"}, ""),
    ({"task": "forbidden"}, ""),
)
def test_a_tool_that_may_not_run_as_a_task_is_one_like_others(tmp_path, table, task):
    api = read_document(one({}), tmp_path).api
    (tool,) = overrides.apply(api, {"op": table}, Diagnostics()).tools
    assert tool.task == task


def test_whole_seconds_are_seconds():
    tables = {"a": {"poll": {"interval": 5, "timeout": 0.5}}}
    assert not list(problems({"tools": tables}))


def test_what_is_said_of_every_tool_holds_where_its_own_table_says_nothing(tmp_path):
    id_ = {"name": "tenant", "in": "header", "required": True, "schema": TEXT}
    with_tenant = {"parameters": [id_, {"name": "pretty", "in": "query", "schema": TEXT}]}
    paths = {
        f"/{name}": {"get": {"operationId": name, **(with_tenant if name != "c" else {})}}
        for name in "abc"
    }
    api = read_document({"paths": paths}, tmp_path).api
    common = {"tenant": {"env": "TENANT"}, "pretty": {"hidden": True}, "prety": {"hidden": True}}
    own = {"arguments": {"tenant": {"description": "Whose?"}}}
    diagnostics = Diagnostics()
    found = overrides.apply(api, {"*": {"arguments": common}, "b": own}, diagnostics).tools
    shown = {tool.name: tool.input_schema["properties"] for tool in found}
    assert shown == {"a": {}, "b": {"tenant": {**TEXT, "description": "Whose?"}}, "c": {}}
    assert [f.env for tool in found for f in tool.fixed if not f.hidden] == ["TENANT"]
    assert [d.message for d in diagnostics.warnings] == [
        "mcpgen.toml: no tool has an argument `prety`"
    ]


@table(
    "common, own, shown",
    ({"default": "x"}, {"description": "D"}, {**TEXT, "default": "x", "description": "D"}),
    ({"description": "C"}, {"default": "y"}, {**TEXT, "description": "C", "default": "y"}),
    (
        {"description": "C", "default": "x"},
        {"default": "y"},
        {**TEXT, "description": "C", "default": "y"},
    ),
    ({"default": "x"}, {"hidden": True}, None),
    ({"default": "x"}, {"value": "y"}, None),
    ({"env": "LIMIT"}, {"default": "y"}, {**TEXT, "default": "y"}),
    ({"value": "x"}, {"hidden": False}, TEXT),
)
def test_what_a_tool_says_of_an_argument_goes_before_what_is_said_of_every_tool(
    tmp_path, common, own, shown
):
    limit = {"name": "limit", "in": "query", "schema": TEXT}
    api = read_document(one({"operationId": "a", "parameters": [limit]}), tmp_path).api
    tables = {name: {"arguments": {"limit": said}} for name, said in (("*", common), ("a", own))}
    diagnostics = Diagnostics()
    (tool,) = overrides.apply(api, tables, diagnostics).tools
    assert tool.input_schema["properties"].get("limit") == shown
    sent = [fixed.value for fixed in tool.fixed if not fixed.hidden]
    assert sent == ([own["value"]] if "value" in own else [])
    assert not diagnostics.items
