"""Headers of answers that agents need: those of a document that another call takes or leads on."""

import json
from typing import Any

import generated_tests
import pytest
from command_line import run
from openapi_reading import OK, Reading, read_document
from tables import table

TEXT = {"type": "string"}
JSON = {"application/json": {"schema": {"type": "object", "properties": {"a": TEXT}}}}


def answering(*names: str, status: str = "200", **more: Any) -> dict[str, Any]:
    headers = {name: {"schema": TEXT} for name in names}
    return {
        "responses": {
            "200": {"description": "ok", "content": JSON},
            status: {"description": "ok", "content": JSON, "headers": headers},
        },
        **more,
    }


def header(name: str) -> dict[str, Any]:
    return {"name": name, "in": "header", "schema": TEXT}


def told(read: Reading) -> dict[str, tuple[str, ...]]:
    return {tool.name: tool.answer_headers for tool in read.api.tools}


@table(
    "names, expected",
    (["ETag", "Upload-Offset", "location"], ("ETag", "Upload-Offset", "location")),
    (["X-Upload-Token", "X-CSRF-Token"], ("X-Upload-Token",)),
    (["Date", "Set-Cookie", "no token", "Content-Type"], ()),
)
def test_what_another_call_takes_and_what_leads_on(names, expected, tmp_path):
    send = {"parameters": [header("x-upload-token"), header("Date")], "responses": OK}
    paths = {"/a": {"get": {"operationId": "a", **answering(*names)}}, "/b": {"put": send}}
    read = read_document({"paths": paths}, tmp_path)
    assert told(read)["a"] == expected
    schema = read.api.tools[0].output_schema
    assert schema is not None
    shown = schema.get("properties", {}).get("_headers", {}).get("properties", {})
    assert tuple(shown) == expected


def test_those_of_errors_and_references_and_of_openapi_2(tmp_path):
    operation = {"operationId": "a", **answering("ETag", status="412")}
    read = read_document({"paths": {"/a": {"get": operation}}}, tmp_path)
    assert told(read) == {"a": ("ETag",)}
    response = {"description": "ok", "headers": {"ETag": {"type": "string"}}}
    operation = {"operationId": "a", "responses": {"200": {"$ref": "#/responses/R"}}}
    document = {"swagger": "2.0", "paths": {"/a": {"get": operation}}, "responses": {"R": response}}
    assert told(read_document(document, tmp_path)) == {"a": ("ETag",)}


@pytest.mark.parametrize("name", ["If-Match", "if-none-match"])
def test_an_entity_tag_is_needed_where_an_operation_of_the_path_takes_one(name, tmp_path):
    put = {"operationId": "put", "parameters": [header(name)], "responses": OK}
    get = {"operationId": "get", "responses": OK}
    paths = {"/a": {"get": get, "put": put}, "/b": {"get": {**get, "operationId": "other"}}}
    read = read_document({"paths": paths}, tmp_path)
    assert told(read) == {"get_a": ("ETag",), "put_a": ("ETag",), "other": ()}


def test_a_server_tells_them_and_those_that_the_settings_ask_for(tmp_path):
    path, server = tmp_path / "api.json", tmp_path / "server"
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Pets", "version": "1"},
        "servers": [{"url": "https://api.example.com"}],
        "paths": {"/a": {"get": {"operationId": "getA", **answering("ETag")}}},
    }
    path.write_text(json.dumps(document), encoding="utf-8")
    made = run("from-openapi", str(path), "--runtime", "package", "-o", str(server))
    assert made.exit_code == 0
    with (server / "mcpgen.toml").open("a", encoding="utf-8") as file:
        file.write('[tools.getA]\nheaders = ["X-Trace"]\nfields = ["$.a"]\n')
    done = run("update", str(server))
    assert done.exit_code == 0, done.output
    handler = next(server.glob("pets_mcp/handlers/a*.py")).read_text(encoding="utf-8")
    assert 'tell=("ETag", "X-Trace")' in handler
    tool = json.loads((server / "pets_mcp" / "tools.json").read_bytes())["tools"][0]
    shown = tool["outputSchema"]["properties"]["_headers"]["properties"]
    assert list(shown) == ["ETag", "X-Trace"]
    assert generated_tests.run(server).returncode == 0
    text = (server / "mcpgen.toml").read_text(encoding="utf-8")
    (server / "mcpgen.toml").write_text(text.replace("X-Trace", "X Trace"), encoding="utf-8")
    done = run("update", str(server))
    assert done.exit_code == 1
    assert "an entry of `tools.\"getA\".headers` cannot be 'X Trace'" in done.output
