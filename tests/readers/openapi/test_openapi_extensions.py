"""Extensions that speak of MCP, annotations, and filters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_reading import OK, one, read_document

SAFE = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True}


@pytest.mark.parametrize(
    ("method", "expected", "refused"),
    [
        ("delete", (False, True, True, True), 2),
        ("put", (False, False, True, True), 1),
        ("patch", (False, False, True, True), 1),
        ("post", (True, False, True, True), 0),
    ],
)
@pytest.mark.parametrize("key", ["x-mcp", "x-mcp-annotations", "x-speakeasy-mcp"])
def test_what_an_extension_may_change(
    tmp_path: Path, method: str, expected: tuple[bool, ...], refused: int, key: str
) -> None:
    value = {"annotations": SAFE} if key == "x-mcp" else SAFE
    read = read_document(one({key: value}, method=method), tmp_path)
    found = read.tool.annotations
    assert (found.read_only, found.destructive, found.idempotent, found.open_world) == expected
    assert read.codes.count("annotation") == refused


PATHS = {
    "/pets": {
        "get": {"operationId": "listPets", "tags": ["pets"], "responses": OK},
        "post": {"operationId": "createPet", "tags": ["pets", "admin"], "responses": OK},
    },
    "/users/{id}": {"delete": {"operationId": "deleteUser", "tags": ["users"], "responses": OK}},
    "/health": {"get": {"responses": OK}},
}


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ({}, ["listPets", "createPet", "deleteUser", "get_health"]),
        ({"include_tags": ("pets",)}, ["listPets", "createPet"]),
        ({"exclude_tags": ("adm*",)}, ["listPets", "deleteUser", "get_health"]),
        ({"include_tags": ("pets",), "exclude_tags": ("admin",)}, ["listPets"]),
        ({"include_paths": ("/p*", "/health")}, ["listPets", "createPet", "get_health"]),
        ({"exclude_paths": ("/users/*",)}, ["listPets", "createPet", "get_health"]),
        ({"include_operations": ("*Pet",)}, ["createPet"]),
        ({"include_operations": ("get_health", "DELETE *")}, ["deleteUser", "get_health"]),
        ({"exclude_operations": ("list*",)}, ["createPet", "deleteUser", "get_health"]),
        ({"methods": ("get", "DELETE")}, ["listPets", "deleteUser", "get_health"]),
        ({"read_only": True}, ["listPets", "get_health"]),
    ],
)
def test_filters(tmp_path: Path, options: dict[str, Any], kept: list[str]) -> None:
    read = read_document({"paths": PATHS}, tmp_path, **options)
    assert [t.name for t in read.api.tools] == kept
    assert len(read.api.skipped) == 4 - len(kept)
    assert all("--" in s.reason for s in read.api.skipped)


def with_headers(*parameters: dict[str, Any], **properties: Any) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Body"}
    body = {"required": True, "content": {"application/json": {"schema": schema}}}
    document = one({"parameters": list(parameters), "requestBody": body}, method="post")
    schemas = {"Body": {"type": "object", "properties": properties}}
    return {**document, "components": {"schemas": schemas}}


def query(name: str, schema: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"name": name, "in": "query", "schema": schema, **more}


@pytest.mark.parametrize(
    ("name", "schema", "said"),
    [
        ("apiToken", {"type": "string", "x-mcp-header": "T"}, "would show a secret"),
        ("page_access_token", {"type": "string", "x-mcp-header": "T"}, "would show a secret"),
        ("word", {"type": "string", "format": "password", "x-mcp-header": "T"}, "show a secret"),
        (
            "many",
            {"type": "array", "items": {}, "x-mcp-header": "T"},
            "a string, an integer or a boolean",
        ),
        ("maybe", {"type": ["string", "null"], "x-mcp-header": "T"}, "a string, an integer"),
        ("blank", {"type": "string", "x-mcp-header": "T T"}, "must be a header's name"),
        ("twice", {"type": "string", "x-mcp-header": "region"}, "is also that of `region`"),
    ],
)
def test_a_header_that_the_protocol_forbids_is_left_out(
    tmp_path: Path, name: str, schema: dict[str, Any], said: str
) -> None:
    """Clients refuse a tool for it, so that the argument is better without."""
    first = query("region", {"type": "string", "x-mcp-header": "Region"})
    found = read_document(with_headers(first, **{name: schema}), tmp_path)
    properties = found.tool.input_schema["properties"]
    assert "x-mcp-header" not in properties[name]
    assert properties["region"]["x-mcp-header"] == "Region"
    (problem,) = found.diagnostics.warnings
    assert said in problem.message
    assert problem.location is not None
