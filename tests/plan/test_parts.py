"""Parts of the runtime that only some servers have: who gets which."""

import importlib
import json
from pathlib import Path
from typing import Any

import pytest
from command_line import run
from documents import load_value
from mcp import Client
from msgspec.structs import replace
from openapi_reading import read_document
from tables import table

from mcpgen.api import Shape
from mcpgen.bundled.closure import closure
from mcpgen.diagnostics import Diagnostics
from mcpgen.plan import parts as all_parts
from mcpgen.readers import tool_file
from mcpgen.settings import Settings

NOTHING = {"type": "object", "properties": {}}
HTTP = {"name": "get", "description": "Get.", "inputSchema": NOTHING, "http": "GET /a"}
PYTHON = {"name": "do", "description": "Do.", "inputSchema": NOTHING}
TEXT = {"uri": "a:b", "name": "b", "text": "x"}
OF_AUTHORS = {"asking", "branches", "dialects", "forms", "multipart_answers"}
"""What people who write handlers may need, whatever the document says."""


def of(folder: Path, tool: dict[str, Any], **more: Any) -> tuple[str, ...]:
    """The parts of a server with one tool."""
    given = {key: value for key, value in more.items() if key != "settings"}
    api = tool_file.read(load_value(folder, {"tools": [tool], **given}), Diagnostics())
    return all_parts.of(api, Settings(**more.get("settings", {})))


@table(
    "tool, more, expected",
    (HTTP, {}, ()),
    (PYTHON, {}, ("loglevels",)),
    (HTTP | {"task": "optional"}, {}, ("listening", "tasks")),
    (HTTP | {"input": [{"message": "Sure?"}]}, {}, ("questions",)),
    (HTTP | {"http": {"method": "GET", "path": "/a", "poll": True}}, {}, ("listening", "tasks")),
    (HTTP, {"server": {"listChanged": True}}, ("unevaluated", "listening", "changes")),
    (HTTP, {"settings": {"list_changed": True}}, ("unevaluated", "listening", "changes")),
    (HTTP, {"settings": {"result_links": True}}, ("resources", "links")),
    (HTTP, {"resources": [TEXT]}, ("resources",)),
    (
        HTTP,
        {"resources": [{"uri": "a:b", "name": "b", "file": "b", "subscribe": True}]},
        ("listening", "resources", "updates"),
    ),
    (HTTP, {"prompts": [{"name": "p", "text": "x"}]}, ("prompts",)),
    (HTTP, {"settings": {"skills": True}}, ("skills",)),
    (
        HTTP,
        {
            "prompts": [
                {"name": "p", "text": "{a}", "arguments": [{"name": "a"}], "complete": {"a": ["b"]}}
            ]
        },
        ("prompts", "completion"),
    ),
)
def test_a_server_has_what_it_uses_and_nothing_else(tmp_path, tool, more, expected):
    found = of(tmp_path, tool, **more)
    assert tuple(each for each in found if each not in OF_AUTHORS) == ("http", *expected)


def with_body(media_type: str, schema: Any, **more: Any) -> dict[str, Any]:
    """A document with one operation that has such a body."""
    content = {media_type: {"schema": schema}}
    operation = {"requestBody": {"content": content}, "responses": {"200": {"description": "It."}}}
    info = {"title": "Parts", "version": "1"}
    return {"openapi": "3.1.0", "info": info, "paths": {"/a": {"post": operation}}, **more}


def with_answer(media_type: str) -> dict[str, Any]:
    """A document with one operation that answers so."""
    answer = {"description": "It.", "content": {media_type: {}}}
    info = {"title": "Parts", "version": "1"}
    return {
        "openapi": "3.1.0",
        "info": info,
        "paths": {"/a": {"get": {"responses": {"200": answer}}}},
    }


def with_cookie() -> dict[str, Any]:
    """A document with one operation that has a cookie."""
    document = with_answer("application/json")
    parameter = {"name": "c", "in": "cookie", "schema": {"type": "string"}}
    document["paths"]["/a"]["get"]["parameters"] = [parameter]
    return document


def with_scheme(**scheme: str) -> dict[str, Any]:
    """A document with a security scheme."""
    document = with_answer("application/json")
    return {**document, "components": {"securitySchemes": {"s": scheme}}}


SERVER = {"url": "https://{a}.example", "variables": {"a": {"default": "b"}}}
TEXTS = {"type": "object", "properties": {"a": {"type": "string"}}}


@table(
    "document, parts",
    (with_body("application/json", TEXTS), set()),
    (with_body("application/jsonl", {"type": "array"}), {"forms"}),
    (with_cookie(), {"forms"}),
    (with_answer("multipart/mixed"), {"multipart_answers"}),
    (with_body("text/plain", {"type": "string"}), {"forms"}),
    (with_body("application/x-www-form-urlencoded", TEXTS), {"forms"}),
    (with_body("multipart/form-data", TEXTS), {"forms"}),
    (with_body("image/png", {}), {"forms"}),
    (with_body("application/json", {"anyOf": [TEXTS, {"type": "null"}]}), {"branches"}),
    (
        with_body("application/json", {"allOf": [TEXTS], "unevaluatedProperties": False}),
        {"unevaluated"},
    ),
)
def test_the_document_decides_what_is_left_out(tmp_path, document, parts):
    api = read_document(document, tmp_path).api
    assert {*all_parts.of(api, Settings())} == {"http", *parts}


@table(
    "document, modules",
    ({**with_answer("application/json"), "servers": [SERVER]}, {"servers"}),
    (with_scheme(type="mutualTLS"), {"accounts/certificates"}),
    (with_scheme(type="http", scheme="digest"), {"accounts/digest", "accounts/login"}),
    (with_scheme(type="http", scheme="bearer"), set()),
)
def test_what_api_py_imports_is_there(tmp_path, document, modules, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("api.json").write_text(json.dumps(document), "utf-8")
    assert run("from-openapi", "api.json", "-o", "server").exit_code == 0
    folder = Path("server/parts_mcp/_runtime/parts")
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*.py")}
    of_all = {"__init__.py", "accounts/__init__.py"}
    found = {path.removesuffix(".py") for path in there - of_all if not path.startswith("http/")}
    assert found == modules


@pytest.mark.parametrize("dialect", ["draft-07", None])
def test_older_dialects_come_with_a_tool_that_names_one(tmp_path, dialect):
    named = {"$schema": f"http://json-schema.org/{dialect}/schema#"} if dialect else {}
    found = of(tmp_path, {**HTTP, "inputSchema": {"type": "object", **named}})
    assert ("dialects" in found) is bool(dialect)


def test_what_an_edited_handler_sends_is_added_by_an_update(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("api.json").write_text(json.dumps(with_body("application/json", TEXTS)), "utf-8")
    assert run("from-openapi", "api.json", "-o", "server").exit_code == 0
    forms = Path("server/parts_mcp/_runtime/parts/forms/forms.py")
    assert not forms.exists()
    (handlers,) = (p for p in Path("server").glob("*/handlers/*.py") if p.stem != "__init__")
    handlers.write_text(handlers.read_text("utf-8").replace("json=", "form="), "utf-8")
    assert run("check", "server").exit_code == 3
    assert run("update", "server").exit_code == 0
    assert forms.exists()
    assert run("check", "server").exit_code == 0


@pytest.mark.anyio
async def test_an_edited_handler_asks_nobody_before_an_update_adds_what_asks(tmp_path, monkeypatch):
    """Else the state that the client keeps would be sealed by nothing."""
    monkeypatch.chdir(tmp_path)
    document = with_body("application/json", TEXTS)
    document["info"]["title"] = "Harbour questions"
    Path("api.json").write_text(json.dumps(document), "utf-8")
    assert run("from-openapi", "api.json", "-o", "server").exit_code == 0
    asking = Path("server/harbour_questions_mcp/_runtime/parts/asking.py")
    (handlers,) = (p for p in Path("server").glob("*/handlers/*.py") if p.stem != "__init__")
    text = handlers.read_text("utf-8")
    line = next(line for line in text.splitlines() if "ctx.api.send(" in line)
    handlers.write_text(text.replace(line, f'    await ctx.ask("Sure?", {{}})\n{line}'), "utf-8")
    assert not asking.exists()
    monkeypatch.syspath_prepend(tmp_path / "server")
    monkeypatch.setenv("HARBOUR_QUESTIONS_BASE_URL", "https://api.example")
    server = importlib.import_module("harbour_questions_mcp.server").create_server()
    async with Client(server) as client:
        tool = (await client.list_tools()).tools[0].name
        result = await client.call_tool(tool, {})
    assert result.is_error
    assert "generated without the part `asking`" in str(result.content)
    assert run("update", "server").exit_code == 0
    assert asking.exists()
    assert run("check", "server").exit_code == 0


def test_only_a_server_that_shapes_answers_has_the_code_for_it(tmp_path):
    api = tool_file.read(load_value(tmp_path, {"tools": [HTTP]}), Diagnostics())
    shaped = (replace(api.tools[0], shape=Shape(redact=("$.a",))),)
    assert all_parts.of(replace(api, tools=shaped), Settings()) == ("http",)
    assert "parts/shaping.py" in closure(["from ._runtime import Api, Shape"])
    assert "parts/shaping.py" not in closure(["from ._runtime import Api"])


def test_functions_are_served_beside_a_completion_that_is_gone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    prompt = {"name": "graft", "description": "Graft.", "arguments": [{"name": "tree"}]}
    whole = {"server": {"name": "pear-yard"}, "tools": [PYTHON]}
    source, module = Path("tools.json"), Path("server/pear_yard_mcp/prompts.py")
    source.write_text(
        json.dumps({**whole, "prompts": [{**prompt, "complete": {"tree": "python"}}]})
    )
    assert run("from-schema", "tools.json", "-o", "server").exit_code == 0
    module.write_text(module.read_text().replace("    raise ToolError(", "    raise ValueError("))
    source.write_text(json.dumps({**whole, "prompts": [prompt]}))
    done = run("update", "server")
    assert (
        "def complete_graft_tree is not generated any more; it was edited and stays" in done.output
    )
    monkeypatch.syspath_prepend("server")
    served = importlib.import_module("pear_yard_mcp.prompts")
    assert served.graft.mcp_tool[0] == "graft"
