"""What a folder beside the document's own may give: components, in their places."""

from pathlib import Path
from typing import Any

import pytest
from command_line import run
from documents import load
from tables import table
from written_documents import write

from mcpgen.diagnostics import Diagnostics, GenerationError, render

SECRET = "TOP-SECRET-VALUE"
ENVIRONMENT = {"env": [{"name": "DB_PASSWORD", "value": SECRET}]}
STRING = {"type": "string", "default": SECRET}


def holding(kind: str, reference: str) -> dict[str, Any]:
    """A document in which an object of a kind is the one at `reference`."""
    held = {"$ref": reference}
    parameter: dict[str, Any] = {"name": "q", "in": "query", "schema": {"type": "string"}}
    operation: dict[str, Any] = {"operationId": "list", "responses": {"200": {"description": "k"}}}
    document: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {"title": "T", "version": "1"},
        "servers": [{"url": "http://127.0.0.1"}],
        "paths": {"/a": {"get": operation | {"parameters": [parameter]}}},
    }
    operation = document["paths"]["/a"]["get"]
    if kind == "example":
        parameter["examples"] = {"e": held}
    elif kind == "schema":
        parameter["schema"] = held
    elif kind == "parameter":
        operation["parameters"] = [held]
    elif kind == "response":
        operation["responses"] = {"200": held}
    elif kind == "link":
        operation["responses"]["200"]["links"] = {"l": held}
    elif kind == "operation":
        document["paths"]["/a"]["get"] = held
    elif kind == "path":
        document["paths"]["/a"] = held
    elif kind == "scheme":
        document["components"] = {"securitySchemes": {"s": held}}
    elif kind == "schemas":
        document["components"] = {"schemas": held}
    elif kind in ("tags", "servers"):
        document[kind] = [held]
    else:
        document[kind] = held
    return document


def beside(folder: Path, kind: str, held: Any, fragment: str = "") -> Path:
    write(folder / "near" / "x.json", held)
    return write(folder / "docs" / "api.json", holding(kind, f"../near/x.json{fragment}"))


@table(
    "held, fragment",
    ({"parameters": {"password": {"value": SECRET}}}, "#/parameters/password"),
    ({"password": {"value": SECRET}}, "#/password"),
    (ENVIRONMENT, "#/env/0"),
    ({"name": "DB_PASSWORD", "value": SECRET}, ""),
    ({"type": "string", "value": SECRET, "sensitive": True}, ""),
)
def test_an_example_from_there_is_a_file_or_component_of_its_own(
    tmp_path, monkeypatch, held, fragment
):
    """`value` is a key of many a settings file; the example is left out, and the rest is made."""
    path = beside(tmp_path, "example", held, fragment)
    monkeypatch.chdir(tmp_path)
    done = run("from-openapi", str(path), "-o", "server")
    assert done.exit_code == 0
    assert "the example is left out" in " ".join(done.output.split())
    written = [each.read_text() for each in Path("server").rglob("*") if each.is_file()]
    assert not any(SECRET in text for text in [done.output, *written])
    assert run("from-openapi", str(path), "-o", "other", "--strict").exit_code == 1


@table(
    "kind, held, fragment",
    ("schema", {"variable": {"password": STRING}}, "#/variable/password"),
    ("schema", {"kind": "List", "spec": {"items": [STRING]}}, "#/spec/items/0"),
    ("schema", {"type": "service_account", "title": SECRET}, ""),
    ("schema", {"format": "json", "title": SECRET}, ""),
    ("schema", {"properties": SECRET, "title": SECRET}, ""),
    ("schemas", {"variable": {"password": STRING}}, "#/variable"),
    ("schemas", {"a": STRING, "b": {"title": SECRET}}, ""),
    ("parameter", {"in": SECRET, "name": SECRET}, ""),
    ("parameter", {"values": [{"in": "query", "name": SECRET}]}, "#/values/0"),
    ("response", {"description": SECRET, "value": SECRET}, ""),
    ("link", {"operationId": "list", "password": SECRET}, ""),
    ("operation", {"tags": [SECRET], "description": SECRET}, ""),
    ("path", {"servers": [{"url": f"https://{SECRET}"}]}, ""),
    ("scheme", {"type": "service_account", "description": SECRET}, ""),
    ("scheme", {"type": "http", "scheme": "bearer", "password": SECRET}, ""),
    ("info", {"type": "service_account", "title": SECRET, "version": "1"}, ""),
    ("info", {"title": SECRET, "version": "1"}, ""),
    ("tags", {"type": "default", "name": SECRET}, ""),
    ("servers", {"type": "default", "url": f"https://{SECRET}"}, ""),
)
def test_what_is_not_described_there_is_refused(tmp_path, kind, held, fragment):
    path = beside(tmp_path, kind, held, fragment)
    with pytest.raises(GenerationError) as caught:
        load(path)
    [problem] = caught.value.diagnostics
    assert problem.code == "escaping-reference"
    assert "--reference-root" in problem.hint
    assert SECRET not in render(problem)
    assert len(load(path, root=tmp_path).files) == 2


PET = {"type": "object", "properties": {"id": {"type": "integer"}}}
OPERATION = {"responses": {"200": {"description": "ok"}}}
QUERY = {"name": "q", "in": "query", "schema": {"type": "string"}}


@table(
    "kind, held, fragment",
    ("schema", PET, ""),
    ("schema", PET, "#/properties/id"),
    ("schema", {"Pet": PET}, "#/Pet"),
    ("schema", {"Pet": PET}, "#/Pet/properties/id"),
    ("schema", {"schemas": {"Pet": PET}}, "#/schemas/Pet"),
    ("schema", {"$defs": {"Pet": PET}}, "#/$defs/Pet"),
    ("schema", {"swagger": "2.0", "definitions": {"Pet": PET}}, "#/definitions/Pet"),
    ("schema", {"components": {"schemas": {"Pet": PET}}}, "#/components/schemas/Pet"),
    ("schema", {"oneOf": [PET]}, "#/oneOf/0"),
    ("schema", {"$anchor": "it", "type": ["object", "null"], "x-of": "ours"}, "#it"),
    ("schemas", {"Pet": PET}, ""),
    ("schemas", {"components": {"schemas": {"Pet": PET}}}, "#/components/schemas"),
    ("parameter", {"a": QUERY}, "#/a"),
    ("parameter", {"parameters": {"a": QUERY}}, "#/parameters/a"),
    ("parameter", {"get": OPERATION, "parameters": [QUERY]}, "#/parameters/0"),
    ("response", {"description": "ok", "x-note": "of ours"}, ""),
    ("response", {"200": {"description": "ok"}}, "#/200"),
    ("operation", OPERATION, ""),
    ("path", {"get": OPERATION, "parameters": [QUERY]}, ""),
    ("path", {"/a": {"get": OPERATION}}, "#/~1a"),
    ("path", {"paths": {"/a": {"get": OPERATION}}}, "#/paths/~1a"),
    ("scheme", {"type": "http", "scheme": "bearer"}, ""),
    ("example", {"summary": "One.", "value": 1}, ""),
    ("example", {"components": {"examples": {"a": {"value": 1}}}}, "#/components/examples/a"),
    ("link", {"operationId": "list", "parameters": {"q": "$response.body#/q"}}, ""),
)
def test_what_is_described_there_is_read(tmp_path, kind, held, fragment):
    found = Diagnostics()
    document = load(beside(tmp_path, kind, held, fragment), found)
    assert [item.code for item in found.items] == ["reference-outside-folder"]
    assert {entry[2] for entry in document.entries or ()} == {f"../near/x.json{fragment}"}


def test_a_member_of_what_a_folder_gave_is_no_member_of_the_first_file(tmp_path):
    held = {
        "A": {"$ref": "../near/x.json"},
        "B": {"properties": {"$ref": "#/components/schemas/A/properties"}},
    }
    write(tmp_path / "near" / "x.json", PET)
    document = {"openapi": "3.1.0", "paths": {}, "components": {"schemas": held}}
    found = Diagnostics()
    load(write(tmp_path / "docs" / "api.json", document), found)
    assert [item.code for item in found.items] == ["reference-outside-folder"]
