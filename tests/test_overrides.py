"""Settings of single tools: what agents see, and what is sent without them."""

from __future__ import annotations

import json
import math
import re
from datetime import date
from pathlib import Path
from typing import Any

import generated_tests
import pytest
from command_line import run
from openapi_reading import one, read_document
from tool_file_reading import described, read

from mcpgen.contract import wire_tool
from mcpgen.diagnostics import Diagnostics
from mcpgen.plan.calls import send_arguments
from mcpgen.settings import overrides, resources
from mcpgen.settings import tools as settings_tools
from mcpgen.settings.tools import SettingProblem

SPEC = Path(__file__).parents[1] / "specs" / "bookshop.yaml"
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
    assert run("from-openapi", str(SPEC), "-o", str(folder)).exit_code == 0
    with (folder / "mcpgen.toml").open("a") as file:
        file.write(TABLES)
    done = run("update", str(folder))
    assert done.exit_code == 0, done.output
    assert run("check", "--full", str(folder)).exit_code == 0
    return folder


def tools(server: Path) -> dict[str, Any]:
    listed = json.loads((server / "bookshop_mcp" / "tools.json").read_bytes())["tools"]
    return {tool["name"]: tool for tool in listed}


def test_the_agent_sees_what_the_user_wrote(server: Path) -> None:
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


def test_the_servers_own_tests_see_what_is_sent(server: Path) -> None:
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
    assert "| `BOOK_ID` |  | Sent as book\\_id of getBook |" in (server / "README.md").read_text()
    assert "ORDER_MESSAGE=" in (server / ".env.example").read_text()


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"a": {"enable": True}}, 'unknown setting `enable` of tools."a"'),
        ({"a": {"enabled": "no"}}, "must be true or false"),
        ({"a": {"name": "two words"}}, "is no tool's name"),
        ({"a": {"annotations": {"readonlyHint": True}}}, "unknown setting `readonlyHint`"),
        ({"a": {"annotations": {"readOnlyHint": 1}}}, "must be true or false"),
        ({"a": {"arguments": {"b": {"env": "lower"}}}}, "is no environment variable"),
        ({"a": {"arguments": {"b": {"value": 1, "env": "B"}}}}, "exclude each other"),
        ({"a": {"arguments": {"b": {"value": False, "env": "B"}}}}, "`value` and `env` of"),
        ({"a": {"arguments": {"b": {"default": False, "hidden": True}}}}, "exclude each other"),
        ({"a": {"arguments": {"b": 1}}}, "must be a table"),
        ({"a": {"scopes": ["one two"]}}, '`tools."a".scopes` must be a list of OAuth scopes'),
        ({"a": {"scopes": [1]}}, "must be a list of OAuth scopes"),
        ({"a": {"arguments": {"b": {"value": date(2024, 1, 1)}}}}, "holds 2024-01-01"),
        ({"a": {"arguments": {"b": {"default": [{"c": math.inf}]}}}}, "holds inf"),
        ({"a": {"poll": {"timeout": math.inf}}}, "holds inf"),
        ({"a": {"poll": {"timeout": -1.0}}}, "poll.timeout` cannot be -1.0"),
        ({"a": {"poll": {"running": [1]}}}, "poll.running` cannot be [1]"),
        ({"a": {"poll": {"status": "state"}}}, "poll.status` cannot be 'state'"),
        ({"a": {"poll": {"interval": True}}}, "poll.interval` cannot be True"),
        ({"*": {"enabled": False}}, 'unknown setting `enabled` of tools."*"'),
        ({"*": {"arguments": {"b": {"nme": 1}}}}, "unknown setting `nme`"),
        ([], "must be a table"),
    ],
)
def test_what_is_wrong_is_named(tables: Any, message: str) -> None:
    with pytest.raises(SettingProblem) as caught:
        settings_tools.check(tables)
    assert message in caught.value.message


def test_a_variable_of_several_apis_is_listed_once(tmp_path: Path) -> None:
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
    rows = re.findall("(?m)^.*SHELF_COUNTER_RETRIES\\b.*$", (server / ".env.example").read_text())
    assert rows == ["SHELF_COUNTER_RETRIES=2", "# `SHELF_COUNTER_RETRIES` for `shelf_till` alone."]


def test_a_resource_of_a_tool_that_is_left_out_is_told_why(tmp_path: Path) -> None:
    path = "/authors/{author_id}"
    for left_out in (f"exclude_paths = ['{path}']", "[tools.getAuthor]\nenabled = false"):
        toml = f"source = '{SPEC}'\nresources = ['GET {path}']\n{left_out}\n"
        (tmp_path / "mcpgen.toml").write_text(toml)
        told = run("update", str(tmp_path)).output
        assert f"`GET {path}` cannot be a resource: it is no tool" in told
        assert f"mcpgen.toml:2:15\n  = help: GET {path}: " in told
        assert f"left out by --exclude-path {path}." in told or "disabled in" in told
    toml = f"source = '{SPEC}'\nresources = ['GET /orders']\nmethods = ['get']\n"
    (tmp_path / "mcpgen.toml").write_text(toml)
    assert "no GET operation is `GET /orders`" in run("update", str(tmp_path)).output


@pytest.mark.parametrize(
    ("path", "table", "told"),
    [
        ("/about", {}, "`t` has the same URI"),
        ("/{a}{b}", {}, "nothing stands between two of its path's parameters"),
        ("/{a}", {"arguments": {"a": {"value": "x"}}}, "has a parameter that no argument fills"),
        ("/{a}/{b}", {}, ""),
    ],
)
def test_a_request_that_no_uri_can_ask_for_is_no_resource(
    tmp_path: Path, path: str, table: dict[str, Any], told: str
) -> None:
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


@pytest.mark.parametrize(
    ("table", "task"),
    [
        ({"poll": {}}, "optional"),
        ({"poll": {}, "task": "required"}, "required"),
        ({"poll": {}, "task": "forbidden"}, ""),
        ({"task": "forbidden"}, ""),
    ],
)
def test_a_tool_that_may_not_run_as_a_task_is_one_like_others(
    tmp_path: Path, table: dict[str, Any], task: str
) -> None:
    api = read_document(one({}), tmp_path).api
    (tool,) = overrides.apply(api, {"op": table}, Diagnostics()).tools
    assert tool.task == task


def test_whole_seconds_are_seconds() -> None:
    tables = {"a": {"poll": {"interval": 5, "timeout": 0.5}}}
    assert settings_tools.check(tables) == tables


def test_unknown_names_are_warnings_with_the_nearest(tmp_path: Path) -> None:
    folder = tmp_path / "server"
    folder.mkdir()
    toml = '[tools.listBook]\nname = "x"\n[tools.getBook.arguments]\nbook.hidden = true\n'
    toml += '[tools.getBok]\n# name = "what --write-settings wrote of a tool that is left out"\n'
    (folder / "mcpgen.toml").write_text(toml)
    done = run("from-openapi", str(SPEC), "-o", str(folder), "--force")
    assert done.exit_code == 0, done.output
    line = (folder / "mcpgen.toml").read_text().split("\n").index("[tools.listBook]") + 1
    place = f"{folder / 'mcpgen.toml'}:{line}:8"
    assert f"there is no tool `listBook`\n  --> {place}\n" in done.output
    assert "Did you mean `listBooks`?" in done.output
    assert "there is no argument `book` of `getBook`" in done.output
    assert "getBok`" not in done.output


def test_what_is_said_of_every_tool_holds_where_its_own_table_says_nothing(tmp_path: Path) -> None:
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
    assert [f.env for tool in found for f in tool.fixed] == ["TENANT"]
    assert [d.message for d in diagnostics.warnings] == [
        "mcpgen.toml: no tool has an argument `prety`"
    ]


@pytest.mark.parametrize(
    ("common", "own", "shown"),
    [
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
    ],
)
def test_what_a_tool_says_of_an_argument_goes_before_what_is_said_of_every_tool(
    tmp_path: Path, common: Any, own: Any, shown: Any
) -> None:
    limit = {"name": "limit", "in": "query", "schema": TEXT}
    api = read_document(one({"operationId": "a", "parameters": [limit]}), tmp_path).api
    tables = {name: {"arguments": {"limit": said}} for name, said in (("*", common), ("a", own))}
    diagnostics = Diagnostics()
    (tool,) = overrides.apply(api, tables, diagnostics).tools
    assert tool.input_schema["properties"].get("limit") == shown
    assert [fixed.value for fixed in tool.fixed] == ([own["value"]] if "value" in own else [])
    assert not diagnostics.items


def test_a_value_that_does_not_fit_is_a_warning(tmp_path: Path) -> None:
    folder = tmp_path / "server"
    folder.mkdir()
    (folder / "mcpgen.toml").write_text(
        '[tools.getBook.arguments]\nbook_id.value = "x"\n'
        "[tools.getCover.arguments]\nbook_id.value = 3\nwidth.default = 4\n"
    )
    done = run("from-openapi", str(SPEC), "-o", str(folder))
    assert done.exit_code == 0, done.output
    told = [line for line in done.stderr.splitlines() if "does not fit its schema" in line]
    assert ["the value of `book_id` of `getBook`" in told[0], len(told)] == [True, 2]
    assert "the default of `width` of `getCover`" in told[1]


@pytest.mark.parametrize(
    ("wrong", "place", "told"),
    [
        ("book_id.hidden = true", "book_id", "`book_id` of `getBook` is hidden, and every call"),
        ("book_id.value = 'x'", "book_id", "`book_id` of `getBook` does not fit its schema"),
        ("bok_id.hidden = true", "bok_id", "there is no argument `bok_id` of `getBook`"),
        ("[tools.getBook]\nredact = ['$.nope']", "$.nope", "`$.nope` of `getBook` is in no answer"),
        ("[tools.getBook]\nname = 'getOrder'", "getOrder", "two tools are called `getOrder`"),
    ],
)
def test_what_is_wrong_is_told_where_it_is(
    tmp_path: Path, wrong: str, place: str, told: str
) -> None:
    """Another table before it names the same argument."""
    table = "" if wrong.startswith("[") else "[tools.getBook.arguments]\n"
    toml = tmp_path / "mcpgen.toml"
    before = "[tools.getCover]\narguments.book_id.description = 'Whose?'\n"
    toml.write_text(f"source = '{SPEC}'\n{before}{table}{wrong}\n")
    done = run("update", str(tmp_path))
    line = toml.read_text().splitlines()[-1]
    assert told in done.output
    located = f"{toml}:5:{line.index(place) + 1}\n"
    assert located in done.output


@pytest.mark.parametrize(
    ("wrong", "place", "told"),
    [
        ("exclude_paths = ['/books', '/boks']", "/boks", "meant by --exclude-path /boks"),
        ("methods = ['get', 'fetch']", "fetch", "meant by --methods FETCH"),
        ("base_url = 'books.example'", "books", "`base_url`: 'books.example' names no host"),
        ("auth = {headers = {shop_key = 'X-Key'}}", "auth", "`auth` is not turned on"),
        ("resources = ['GET /*', 'GET /boks']", "GET /boks", "no GET operation is `GET /boks`"),
        ("[auth]\nsource = 'caller'\nheaders.ky = 'X-Key'", "ky", "no security scheme `ky`"),
        ("[[with]]\nsource = '{spec}'\nexclude_tags = ['boks']", "boks", "--exclude-tag boks"),
    ],
)
def test_what_the_document_does_not_have_is_told_where_the_settings_name_it(
    tmp_path: Path, wrong: str, place: str, told: str
) -> None:
    """Of many servers the place alone says whose settings these are."""
    toml = tmp_path / "mcpgen.toml"
    before = "# exclude_paths = ['/boks']\nexclude_tags = ['authors']\n"
    toml.write_text(f"source = '{SPEC}'\n{before}{wrong.replace('{spec}', str(SPEC))}\n")
    done = run("update", str(tmp_path))
    lines = toml.read_text().splitlines()
    said = done.output.split(told)[1].splitlines()
    assert said[1] == f"  --> {toml}:{len(lines)}:{lines[-1].index(place) + 1}"


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("instructions = 'Ask.'", "unknown setting `instructions` of [[with]]"),
        ("methods = 'get'", "`methods` of `[[with]]` must be a list"),
        ("prefix = '?'", "`prefix` of `[[with]]` cannot begin a tool's name"),
    ],
)
def test_what_is_wrong_of_a_further_source_is_told_where_it_is(
    tmp_path: Path, wrong: str, told: str
) -> None:
    """The server itself has such settings too, and tools follow."""
    toml = tmp_path / "mcpgen.toml"
    own = "instructions = 'Ask.'\nprefix = 'a_'\nmethods = ['get']\n"
    further = f"[[with]]\nsource = '{SPEC}'\n{wrong}\n"
    toml.write_text(f"source = '{SPEC}'\n{own}{further}[tools.getBook]\nenabled = true\n")
    done = run("update", str(tmp_path))
    assert told in done.output
    assert f"{toml}:7:1\n" in done.output


def with_optional_body(tmp_path: Path, **arguments: Any) -> tuple[dict[str, Any], str, list[str]]:
    """The input schema, the request and the problems where a body of `a`, `b`, `c` is optional."""
    schema = {"type": "object", "required": ["a", "b"], "properties": dict.fromkeys("abc", TEXT)}
    body = {"content": {"application/json": {"schema": schema}}}
    api = read_document(one({"requestBody": body}, method="post"), tmp_path).api
    problems = Diagnostics()
    (tool,) = overrides.apply(api, {"op": {"arguments": arguments}}, problems).tools
    words = {argument.name: argument.name for argument in tool.arguments}
    request = ", ".join(send_arguments(tool, words, None, {}))
    kept = {k: v for k, v in tool.input_schema.items() if k in ("required", "dependentRequired")}
    kept["properties"] = list(tool.input_schema["properties"])
    told = "Required with any part" in wire_tool(tool)["description"]
    assert told is ("dependentRequired" in kept)
    return kept, request.partition("accept")[0], [item.message for item in problems.items]


@pytest.mark.parametrize(
    ("schema", "parsed"),
    [
        ({"type": "integer"}, True),
        ({"type": ["integer", "null"]}, True),
        ({"$ref": "#/components/schemas/Shelf"}, True),
        ({"enum": [1, 2]}, True),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, True),
        ({"properties": {"a": TEXT}}, True),
        (TEXT, False),
        ({"type": ["string", "integer"]}, False),
        ({"enum": ["1", 2]}, False),
        ({}, False),
    ],
)
def test_a_variable_holds_json_where_no_text_fits(
    tmp_path: Path, schema: dict[str, Any], *, parsed: bool
) -> None:
    body = {"type": "object", "properties": {"shelf": schema, "row": TEXT}}
    asked = {"requestBody": {"content": {"application/json": {"schema": body}}}}
    shared = {"schemas": {"Shelf": {"type": "integer"}}}
    api = read_document(one(asked, method="post", components=shared), tmp_path).api
    tables = {"op": {"arguments": {"shelf": {"env": "SHELF"}}}}
    (tool,) = overrides.apply(api, tables, Diagnostics()).tools
    assert [fixed.parsed for fixed in tool.fixed] == [parsed]
    sent = "from_env('SHELF', parsed=True)" if parsed else "from_env('SHELF')"
    assert f"'shelf': {sent}" in ", ".join(send_arguments(tool, {"row": "row"}, None, {}))


def test_a_parameter_that_is_always_sent_makes_no_body_required(tmp_path: Path) -> None:
    size = {"name": "size", "in": "query", "schema": TEXT}
    schema = {"type": "object", "required": ["a", "b"], "properties": dict.fromkeys("ab", TEXT)}
    body = {"content": {"application/json": {"schema": schema}}}
    document = one({"parameters": [size], "requestBody": body}, method="post")
    api = read_document(document, tmp_path).api
    table = {"op": {"arguments": {"size": {"value": "x"}}}}
    (tool,) = overrides.apply(api, table, Diagnostics()).tools
    assert "required" not in tool.input_schema
    assert tool.input_schema["dependentRequired"] == ALL_OR_NONE


def test_what_chooses_the_media_type_goes_with_its_body_alone(tmp_path: Path) -> None:
    size = {"name": "size", "in": "query", "schema": TEXT}
    file = {"type": "string", "format": "binary"}
    kinds = {
        "application/json": {"schema": {"type": "object", "properties": {"a": TEXT}}},
        "multipart/form-data": {"schema": {"type": "object", "properties": {"f": file}}},
    }
    document = one({"parameters": [size], "requestBody": {"content": kinds}}, method="post")
    api = read_document(document, tmp_path).api
    assert len(api.tools[0].arguments) == 3
    table = {"op": {"arguments": {"body": {"hidden": True}}}}
    (tool,) = overrides.apply(api, table, Diagnostics()).tools
    assert list(tool.input_schema["properties"]) == ["size"]


ALL_OR_NONE = {"a": ["b"], "b": ["a"]}


@pytest.mark.parametrize(
    ("arguments", "schema", "request_"),
    [
        (
            {"c": {"hidden": True}},
            {"properties": ["a", "b"], "dependentRequired": ALL_OR_NONE},
            "json=if_given({'a': a, 'b': b})",
        ),
        (
            {"c": {"description": "See."}},
            {"properties": ["a", "b", "c"], "dependentRequired": {**ALL_OR_NONE, "c": ["a"]}},
            "json=if_given({'a': a, 'b': b, 'c': c})",
        ),
        (
            {"c": {"value": "x"}},
            {"properties": ["a", "b"], "required": ["a", "b"]},
            "json={'a': a, 'b': b, 'c': 'x'}",
        ),
        (
            {"a": {"env": "A"}},
            {"properties": ["b", "c"], "required": ["b"]},
            "json={'b': b, 'c': c, 'a': from_env('A', required=True)}",
        ),
        (
            {"c": {"hidden": True}, "b": {"default": "x"}},
            {"properties": ["a", "b"], "required": ["a"]},
            "json={'a': a, 'b': 'x' if b is UNSET else b}",
        ),
        (
            {"a": {"value": "x"}, "b": {"value": "y"}},
            {"properties": ["c"]},
            "json={'c': c, 'a': 'x', 'b': 'y'}",
        ),
        ({key: {"hidden": True} for key in "abc"}, {"properties": []}, ""),
    ],
)
def test_settings_of_a_body_that_may_be_left_out(
    tmp_path: Path, arguments: dict[str, Any], schema: dict[str, Any], request_: str
) -> None:
    """What is always sent makes the body one that always is: then it has to be whole."""
    found, sent, problems = with_optional_body(tmp_path, **arguments)
    assert found == schema
    assert sent.removeprefix("'POST', '/pets', ").rstrip(", ") == request_.rstrip(", ")
    assert not problems


@pytest.mark.parametrize(
    "arguments",
    [
        {"a": {"hidden": True}},
        {"a": {"hidden": True}, "c": {"value": "x"}},
        {"c": {"value": "x"}, "a": {"hidden": True}},
    ],
)
def test_what_a_body_needs_is_not_hidden(tmp_path: Path, arguments: dict[str, Any]) -> None:
    assert with_optional_body(tmp_path, **arguments)[2] == [
        "mcpgen.toml: `a` of `op` is hidden, and every call needs it"
    ]


@pytest.mark.parametrize("schema", [{"type": "object"}, {"minLength": 1}])
def test_a_whole_body_that_may_be_left_out_can_be_hidden(tmp_path: Path, schema: Any) -> None:
    """Of the second an argument says which media type is meant: it goes with the body."""
    content = {"application/json": {"schema": schema}, "text/plain": {"schema": TEXT}}
    document = one({"requestBody": {"content": content}}, method="post")
    api = read_document(document, tmp_path).api
    hidden = {"op": {"arguments": {"body": {"hidden": True}}}}
    (tool,) = overrides.apply(api, hidden, Diagnostics()).tools
    assert (tool.arguments, tool.call.body) == ((), None)


BEDS = {"Bed": TEXT, "Row": {"type": "array", "items": {"$ref": "#/$defs/Bed"}}}
BED, ROW = {"$ref": "#/$defs/Bed"}, {"$ref": "#/$defs/Row"}
DRAFT_7 = {"$schema": "http://json-schema.org/draft-07/schema#"}
HIDDEN = {"arguments": {"a": {"hidden": True}}}


@pytest.mark.parametrize(
    ("schema", "table", "expected"),
    [
        # Words that no other dialect has, at the root and below
        (
            {"nullable": True, "properties": {"a": {"nullable": True}}, "x-a": 1},
            {"title": "T"},
            {},
        ),
        (
            {"properties": {"a": {"$ref": "#/definitions/a"}}, "definitions": {"a": TEXT}},
            {"name": "u", "annotations": {"readOnlyHint": False}},
            {},
        ),
        (
            {"properties": {"a": {"nullable": True}}, "required": ["a"]},
            {"arguments": {"a": {"default": "x", "description": "A."}}},
            {"properties": {"a": {"nullable": True, "default": "x", "description": "A."}}},
        ),
        (
            {"properties": {"a": ROW, "b": BED, "c": {"nullable": True}}, "$defs": BEDS},
            HIDDEN,
            {"properties": {"b": BED, "c": {"nullable": True}}, "$defs": {"Bed": TEXT}},
        ),
        (
            {**DRAFT_7, "properties": {"a": TEXT, "b": {"items": [TEXT]}}},
            {"arguments": {"b": {"description": "B."}}},
            {**DRAFT_7, "properties": {"a": TEXT, "b": {"items": [TEXT], "description": "B."}}},
        ),
        (
            {**DRAFT_7, "properties": {"a": TEXT, "b": {"items": [TEXT]}}},
            HIDDEN,
            {"properties": {"b": {"prefixItems": [TEXT]}}},
        ),
        (
            {"properties": {"a": TEXT, "b": {"$ref": "#/properties/a"}}, "nullable": True},
            HIDDEN,
            {"properties": {"b": {"$ref": "#/$defs/t_a"}}, "$defs": {"t_a": TEXT}},
        ),
    ],
)
def test_a_table_leaves_the_rest_of_a_hand_written_schema_as_it_is(
    tmp_path: Path, schema: dict[str, Any], table: dict[str, Any], expected: dict[str, Any]
) -> None:
    whole = {"type": "object", **schema}
    api = read(tmp_path, {"tools": [described({"inputSchema": whole})]})
    (tool,) = overrides.apply(api, {"t": table}, Diagnostics()).tools
    found = wire_tool(tool)["inputSchema"]
    left = {k: v for k, v in whole.items() if k not in ("required", "nullable", "$schema")}
    assert found == ({**left, **expected} if expected else whole)


def test_a_hint_of_a_hand_written_tool_is_advertised_even_where_its_method_means_it(
    tmp_path: Path,
) -> None:
    api = read(tmp_path, {"tools": [described({"http": "GET /x"})]})
    table = {"t": {"annotations": {"readOnlyHint": True}}}
    (tool,) = overrides.apply(api, table, Diagnostics()).tools
    assert wire_tool(tool)["annotations"] == {"readOnlyHint": True}


@pytest.mark.parametrize(
    ("table", "place", "told"),
    [
        (
            "poll = {}",
            "5:1",
            "`poll` of `name` is followed by nothing: no request serves that tool",
        ),
        ("enabled = false", None, "mcpgen.toml disables every tool"),
    ],
)
def test_a_table_that_leaves_nothing_to_do(
    tmp_path: Path, table: str, place: str | None, told: str
) -> None:
    (tmp_path / "tools.json").write_text(json.dumps({"tools": [described({"name": "name"})]}))
    toml = "source = '../tools.json'\nreader = 'tools'\nname = 'fixed'\n[tools.name]\n"
    (tmp_path / "server").mkdir()
    (tmp_path / "server" / "mcpgen.toml").write_text(toml + table)
    done = run("update", str(tmp_path / "server"))
    assert done.exit_code == 1
    assert told in done.output
    assert place is None or f"mcpgen.toml:{place}\n" in done.output


@pytest.mark.parametrize(("key", "value"), [("value", "x"), ("env", "BED"), ("default", "x")])
def test_a_tool_in_python_is_sent_nothing_and_that_is_said(
    tmp_path: Path, key: str, value: str
) -> None:
    schema = {"type": "object", "properties": {"bed": TEXT}, "required": ["bed"]}
    tool = {"name": "dig", "description": "Dig.", "inputSchema": schema}
    (tmp_path / "tools.json").write_text(
        json.dumps({"server": {"name": "fixed-beds"}, "tools": [tool]})
    )
    server = tmp_path / "server"

    def update(table: str) -> tuple[int, str]:
        said = f"{key} = {json.dumps(value)}" if table else "hidden = true"
        asked = f"[tools.{table or 'dig'}.arguments.bed]\n{said}\n"
        (server / "mcpgen.toml").write_text(f"{settings}\n{asked}")
        done = run("update", str(server))
        return done.exit_code, done.output

    assert run("from-schema", str(tmp_path / "tools.json"), "-o", str(server)).exit_code == 0
    settings = (server / "mcpgen.toml").read_text()
    told = f"the {key} of `bed` of `dig` is not sent: no request serves that tool"
    code, output = update("dig")
    assert code == 1
    assert f"error[settings-unsent]: {told}" in output
    assert "`hidden = true`" in output
    code, output = update('"*"')
    assert code == 0, output
    assert f"warning[settings-unsent]: {told}" in output
    assert update("")[0] == 0
    assert (
        "async def dig(ctx: Context) ->"
        in (server / "fixed_beds_mcp/handlers/tools.py").read_text()
    )
    assert run("check", str(server), "--full").exit_code == 0
