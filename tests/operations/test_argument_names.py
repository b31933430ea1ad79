"""Names that models' APIs refuse: agents get others, the API its own."""

import json
from pathlib import Path
from typing import Any

import generated_tests
import pytest
from command_line import run
from openapi_reading import Reading, one, read_document, sent
from tool_file_reading import described, read, taking

from mcpgen.adjusting import overrides
from mcpgen.cases.requests import Requests
from mcpgen.catalogue.tools_json import wire_tool
from mcpgen.diagnostics import Diagnostics
from mcpgen.operations.argument_names import NAME

TEXT = {"type": "string"}
ODD = {
    "StartTime<": "StartTime_lt",
    "StartTime>=": "StartTime_gte",
    "$filter": "filter",
    "filter[status]": "filter_status",
    "uids[]": "uids",
    "[]": "argument",
    "größe": "grosse",
    "a" * 70: "",
}


def query(*names: str, **more: Any) -> list[dict[str, Any]]:
    return [{"name": name, "in": "query", "schema": TEXT, **more} for name in names]


def write(folder: Path, parameters: list[dict[str, Any]]) -> None:
    """The document of an operation with these parameters."""
    whole = one({"parameters": parameters})
    whole |= {"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}}
    whole["servers"] = [{"url": "https://api.example.com"}]
    (folder / "api.json").write_text(json.dumps(whole), encoding="utf-8")


def generated(folder: Path, parameters: list[dict[str, Any]]) -> Path:
    """A server of such a document."""
    write(folder, parameters)
    given = (str(folder / "api.json"), "--runtime", "package", "-o", str(folder / "server"))
    assert run("from-openapi", *given).exit_code == 0
    return folder / "server"


def names(read: Reading) -> dict[str, str]:
    return {argument.wire_name: argument.name for argument in read.tool.arguments}


def test_agents_get_names_that_every_api_of_a_model_takes(tmp_path):
    read = read_document(one({"parameters": query(*ODD)}), tmp_path)
    found = names(read)
    assert all(map(NAME.fullmatch, found.values()))
    assert len(set(found.values())) == len(ODD)
    assert {wire: name for wire, name in found.items() if len(wire) < 64} == {
        wire: name for wire, name in ODD.items() if name
    }
    assert list(read.tool.input_schema["properties"]) == list(found.values())


def test_the_api_gets_its_own_names(tmp_path):
    parameters = [
        *query("$filter", required=True),
        {"name": "X!Trace", "in": "header", "schema": TEXT, "required": True},
        {"name": "sid$", "in": "cookie", "schema": TEXT},
        {"name": "item id", "in": "path", "schema": TEXT, "required": True},
    ]
    read = read_document(one({"parameters": parameters}, path="/pets/{item id}"), tmp_path)
    arguments = {"filter": "a eq 1", "X_Trace": "t", "sid": "s", "item_id": "7"}
    assert set(read.tool.input_schema["required"]) == {"filter", "X_Trace", "item_id"}
    request = Requests(read.api, {}).expected(read.tool, arguments)
    assert request["url"].endswith("/pets/7?$filter=a%20eq%201")
    assert request["headers"]["x!trace"] == "t"
    assert request["headers"]["cookie"] == "sid$=s"


@pytest.mark.parametrize("kind", ["application/json", "multipart/form-data"])
def test_properties_of_a_spread_body_too(kind, tmp_path):
    schema = {
        "type": "object",
        "required": ["@type"],
        "properties": {"@type": TEXT, "note": TEXT},
        "additionalProperties": False,
    }
    operation = {"requestBody": {"content": {kind: {"schema": schema}}}}
    read = read_document(one(operation, method="post"), tmp_path)
    assert names(read) == {"@type": "type", "note": "note"}
    assert read.tool.input_schema["dependentRequired"] == {"note": ["type"]}
    assert read.tool.call.body is not None
    assert read.tool.call.body.needed == ("type",)
    assert b"@type" in sent(read, {"type": "a"})[1]


def test_in_openapi_2_too(tmp_path):
    parameters = [
        {"name": "filter[a]", "in": "query", "type": "string"},
        {"name": "file[]", "in": "formData", "type": "string"},
    ]
    document = {"swagger": "2.0", **one({"parameters": parameters}, method="post")}
    assert names(read_document(document, tmp_path)) == {"filter[a]": "filter_a", "file[]": "file"}


def test_names_that_meet_are_told_apart_whatever_their_order(tmp_path):
    wire = ["filter", "$filter", "filter[]", "sort.by", "sort by", "(a)", "[a]"]
    found = names(read_document(one({"parameters": query(*wire)}), tmp_path))
    assert len(set(found.values())) == len(wire)
    assert found["filter"] == "filter"
    assert found["sort.by"] == "sort.by"
    assert found["(a)"].startswith("a_")
    assert found["[a]"].startswith("a_")
    turned = names(read_document(one({"parameters": query(*reversed(wire))}), tmp_path))
    assert turned == found


def test_a_name_in_two_places(tmp_path):
    parameters = [*query("$id"), {"name": "$id", "in": "header", "schema": TEXT}]
    read = read_document(one({"parameters": parameters}), tmp_path)
    assert [argument.name for argument in read.tool.arguments] == ["id_query", "id_header"]


def test_the_lock_keeps_names(tmp_path):
    server = generated(tmp_path, query("$filter"))
    write(tmp_path, query("filter", "$filter", "filter[]"))
    assert run("update", str(server)).exit_code == 0
    handler = next(server.glob("pets_mcp/handlers/p*.py")).read_text(encoding="utf-8")
    assert '"$filter": filter,' in handler
    tool = json.loads((server / "pets_mcp" / "tools.json").read_bytes())["tools"][0]
    assert list(tool["inputSchema"]["properties"])[1] == "filter"
    assert run("check", "--full", str(server)).exit_code == 0


def test_settings_give_a_name(tmp_path):
    server = generated(tmp_path, query("$filter", "sort", "$top", required=True))
    tables = """
[tools.op.arguments]
"$filter".name = "where"
"$filter".description = "What to look for."
"$top".value = "5"
[tools."*".arguments]
sort.name = "order"
"""
    with (server / "mcpgen.toml").open("a", encoding="utf-8") as file:
        file.write(tables)
    done = run("update", str(server))
    assert done.exit_code == 0, done.output
    assert "warning" not in done.output
    tool = json.loads((server / "pets_mcp" / "tools.json").read_bytes())["tools"][0]
    assert list(tool["inputSchema"]["properties"]) == ["where", "order"]
    assert tool["inputSchema"]["required"] == ["where", "order"]
    assert tool["inputSchema"]["properties"]["where"]["description"] == "What to look for."
    handler = next(server.glob("pets_mcp/handlers/p*.py")).read_text(encoding="utf-8")
    assert '{"$filter": where, "sort": order, "$top": "5"}' in handler
    assert run("check", "--full", str(server)).exit_code == 0
    assert generated_tests.run(server).returncode == 0


@pytest.mark.parametrize("name", ['"$a"', '""', '"sort"'])
def test_a_name_that_cannot_be_is_told(name, tmp_path):
    server = generated(tmp_path, query("$filter", "sort"))
    with (server / "mcpgen.toml").open("a", encoding="utf-8") as file:
        file.write(f'[tools.op.arguments]\n"$filter".name = {name}\n')
    done = run("update", str(server))
    assert done.exit_code in (1, 2)
    assert "argument" in done.output


def test_a_tool_file_is_warned_of_a_name_and_settings_give_another(tmp_path):
    found = Diagnostics()
    asked = [{"message": "Look for {$filter}?"}]
    tool = {"inputSchema": taking("$filter", "sort", required=("$filter",)), "input": asked}
    api = read(tmp_path, {"tools": [described({**tool, "http": "GET /x"})]}, found)
    [warning] = found.warnings
    assert warning.code == "argument-name"
    assert warning.pointer == "/tools/0/inputSchema/properties/$filter"
    table = {"t": {"arguments": {"$filter": {"name": "filter"}}}}
    (changed,) = overrides.apply(api, table, Diagnostics()).tools
    schema = wire_tool(changed)["inputSchema"]
    assert list(schema["properties"]) == ["filter", "sort"]
    assert schema["required"] == ["filter"]
    assert changed.arguments[0].wire_name == "$filter"
    assert changed.questions[0].message == "Look for {filter}?"
