"""A whole document becomes an Api, or every reason why not is reported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi_bodies import body_of
from openapi_reading import OK, one, read_document, read_text

from mcpgen.api import In
from mcpgen.diagnostics import Diagnostics, GenerationError

PET = {
    "type": "object",
    "required": ["id", "name"],
    "properties": {
        "id": {"type": "integer", "readOnly": True},
        "name": {"type": "string"},
        "tag": {"type": "string", "nullable": True},
    },
}
PETSTORE: dict[str, Any] = {
    "openapi": "3.0.3",
    "info": {"title": "Petstore", "version": "1.2.3", "description": "All about pets."},
    "servers": [{"url": "https://api.example.com/v1"}],
    "tags": [{"name": "pets"}],
    "security": [{"key": []}],
    "paths": {
        "/pets/{petId}": {
            "parameters": [
                {"name": "petId", "in": "path", "required": True, "schema": {"type": "integer"}}
            ],
            "get": {
                "operationId": "getPet",
                "summary": "Get a pet",
                "tags": ["pets"],
                "responses": {
                    "200": {
                        "description": "The pet with its owner.",
                        "content": {
                            "application/json": {
                                "schema": {"$ref": "#/components/schemas/Pet"},
                                "example": {"id": 1, "name": "Rex"},
                            }
                        },
                    },
                    "404": {"description": "No such pet"},
                },
            },
            "put": {
                "operationId": "updatePet",
                "tags": ["pets"],
                "security": [],
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}
                    },
                },
                "responses": {"204": {"description": "Done"}},
            },
        },
    },
    "components": {
        "schemas": {"Pet": PET},
        "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-API-Key"}},
    },
}


@pytest.mark.parametrize(
    ("own", "told"),
    [
        (["https://a.example", "https://b.example"], False),
        (["https://a.example", None], True),
        ([None], True),
    ],
)
def test_a_host_is_missed_where_an_operation_has_none(
    tmp_path: Path, own: list[str | None], told: bool
) -> None:
    paths = {f"/{at}": {"get": {"responses": OK}} for at in range(len(own))}
    for item, url in zip(paths.values(), own, strict=True):
        item |= {"servers": [{"url": url}]} if url else {}
    read = read_document({"paths": paths, "servers": [{"url": "/v1"}]}, tmp_path)
    notes = [note.message for note in read.diagnostics.notes]
    assert ("the document does not say at which host the API is" in notes) is told


def test_a_host_in_a_variable_without_a_value_is_told(tmp_path: Path) -> None:
    servers = [{"url": "{host}/v1", "variables": {"host": {"description": "Yours."}}}]
    notes = read_document(one({}, servers=servers), tmp_path).diagnostics.notes
    assert [note.message for note in notes if note.code == "server"] == [
        "calls go to {host}/v1, and the document gives `host` no value"
    ]


def test_petstore(tmp_path: Path) -> None:
    read = read_document(PETSTORE, tmp_path)
    assert read.codes == []
    api = read.api
    assert (api.title, api.version, api.instructions) == ("Petstore", "1.2.3", "All about pets.")
    assert [s.url for s in api.servers] == ["https://api.example.com/v1"]
    assert api.security == ({"key": ()},)
    get, put = api.tools
    assert (get.name, get.title, get.tag) == ("getPet", "Get a pet", "pets")
    assert get.description == "Get a pet\n\nReturns: The pet with its owner."
    assert get.input_schema == {
        "type": "object",
        "properties": {"petId": {"type": "integer"}},
        "required": ["petId"],
        "additionalProperties": False,
    }
    assert get.arguments[0].location is In.PATH
    assert get.result == {"$ref": "#/$defs/Pet"}
    assert get.result_media_type == "application/json"
    assert [e.value for e in get.examples] == [{"id": 1, "name": "Rex"}]
    assert get.http.statuses == ("200",)
    assert get.http.security is None
    assert put.title == "Update pet"
    assert put.http.security == ()
    assert body_of(put).spread
    assert [a.name for a in put.arguments] == ["petId", "name", "tag"]
    assert put.input_schema["required"] == ["petId", "name"]
    assert put.input_schema["properties"]["tag"]["type"] == ["string", "null"]
    assert put.result is None
    assert put.output_schema is None
    assert set(api.schemas) == {"Pet"}


def test_the_schemas_of_arguments_and_of_results_are_kept_and_no_others(tmp_path: Path) -> None:
    at = {name: {"$ref": f"#/components/schemas/{name}"} for name in ("Given", "Got")}
    content = {name: {"content": {"application/json": {"schema": at[name]}}} for name in at}
    operation = {
        "requestBody": content["Given"],
        "responses": {"200": {"description": "", **content["Got"]}},
    }
    schemas = {"Given": {"items": {"$ref": "#/components/schemas/Inner"}}, "Inner": {}, "Got": {}}
    schemas["Other"] = {}
    document = one(operation, method="post", components={"schemas": schemas})
    assert set(read_document(document, tmp_path).api.schemas) == {"Given", "Inner", "Got"}


def test_every_input_schema_is_valid(tmp_path: Path) -> None:
    for tool in read_document(PETSTORE, tmp_path).api.tools:
        Draft202012Validator.check_schema(dict(tool.input_schema))


def test_all_structural_problems_are_reported_together(tmp_path: Path) -> None:
    found = Diagnostics()
    document = {
        "info": [],
        "paths": {
            "/list": [],
            "/text": {"get": "x"},
            "/parameters": {"get": {"parameters": {"name": "q"}, "responses": None}},
            "/d": {
                "get": {
                    "operationId": {},
                    "parameters": [None, {"in": "query"}, {"name": "q", "in": {}}],
                    "requestBody": [],
                    "responses": [],
                }
            },
        },
        "security": {},
    }
    with pytest.raises(GenerationError) as raised:
        read_document(document, tmp_path, found)
    assert {d.pointer for d in raised.value.diagnostics} == {"/paths/~1list", "/paths/~1text/get"}
    assert {d.pointer for d in found.warnings} >= {
        "/info",
        "/security",
        "/paths/~1parameters/get/parameters",
        "/paths/~1d/get/operationId",
        "/paths/~1d/get/parameters/0",
        "/paths/~1d/get/parameters/1",
        "/paths/~1d/get/parameters/2/in",
        "/paths/~1d/get/requestBody",
        "/paths/~1d/get/responses",
    }
    assert all(d.location is not None for d in found.warnings)


def test_tags_group_tools(tmp_path: Path) -> None:
    def paths(**tags: Any) -> dict[str, Any]:
        return {
            f"/api/v2/{name}/{{id}}": {"get": {"responses": OK, **({"tags": t} if t else {})}}
            for name, t in tags.items()
        }

    tagged = read_document({"paths": paths(a=["One", "Two"], b=None)}, tmp_path)
    assert [t.tag for t in tagged.api.tools] == ["One", "b"]
    untagged = read_document({"paths": paths(cats=None, dogs=None)}, tmp_path)
    assert [t.tag for t in untagged.api.tools] == ["cats", "dogs"]


def test_info(tmp_path: Path) -> None:
    read = read_document(
        {
            **one({}),
            "info": {
                "title": "A\u202e title",
                "version": 2,
                "contact": {"url": "https://example.com/contact"},
                "x-logo": {"url": "https://example.com/logo.svg"},
            },
        },
        tmp_path,
    )
    assert (read.api.title, read.api.version) == ("A title", "2")
    assert read.api.website_url == "https://example.com/contact"
    assert [i.src for i in read.api.icons] == ["https://example.com/logo.svg"]
    for url in ("javascript:alert(1)", "http://[", "https://me@example.com", "https://exämple.de"):
        docs = read_document(one({}, externalDocs={"url": url}), tmp_path)
        assert docs.api.website_url == ""


def test_icons_that_are_said_to_mcp_win_over_the_logo(tmp_path: Path) -> None:
    info = {"title": "T", "version": "1", "x-logo": {"url": "https://example.com/logo.svg"}}
    said = {"icons": [{"src": "https://example.com/icon.png"}]}
    api = read_document({**one({}), "info": info, "x-mcp": said}, tmp_path).api
    assert [icon.src for icon in api.icons] == ["https://example.com/icon.png"]


def test_a_version_is_what_the_document_spells(tmp_path: Path) -> None:
    text = json.dumps({"openapi": "3.1.0", "info": {"title": "T", "version": 0}, **one({})})
    assert read_text(text.replace(": 0}", ": 1.10}"), tmp_path).api.version == "1.10"


@pytest.mark.parametrize("info", ["absent", None, {"$ref": "#/x-info"}])
def test_a_document_that_says_nothing_of_itself(tmp_path: Path, info: Any) -> None:
    """What the extension says is not lost with it."""
    said = {"name": "herd", "title": "Her\nd", "description": "Of cattle."}
    document = {"openapi": "3.1.0", "info": info, "x-mcp": said, **one({})}
    if info == "absent":
        del document["info"]
    read = read_text(json.dumps(document), tmp_path)
    found = read.api
    assert (found.name, found.title, found.version) == ("herd", "Her d", "0")
    assert found.instructions == "Of cattle."
    assert len(read.codes) == 1
    del document["x-mcp"]
    assert read_text(json.dumps(document), tmp_path).api.title == "API"
