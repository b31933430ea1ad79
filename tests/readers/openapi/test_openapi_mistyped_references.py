"""References to what is no schema, parameter or body are told where they stand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_reading import OK, read_document

TITLE = {"$ref": "#/info/title"}
LIST = {"$ref": "#/servers"}
SCHEMA = "/requestBody/content/application~1json/schema"


def body(schema: dict[str, Any]) -> dict[str, Any]:
    return {"requestBody": {"content": {"application/json": {"schema": schema}}}}


KEPT: list[tuple[dict[str, Any], str, str]] = [
    (body({"properties": {"x": TITLE}}), f"{SCHEMA}/properties/x", "a string, and a schema"),
    (body({"type": "array", "items": LIST}), f"{SCHEMA}/items", "an array, and a schema"),
    ({"responses": {"200": LIST}}, "/responses/200", "an array, and a response"),
    (
        {"responses": {"200": {"description": "ok", "headers": {"ETag": TITLE}}}},
        "/responses/200/headers/ETag",
        "a string, and a header",
    ),
]
LEFT = [
    ({"requestBody": LIST}, "/requestBody", "an array, and a request body"),
    ({"parameters": [TITLE]}, "/parameters/0", "a string, and a parameter"),
]


def read(tmp_path: Path, operation: dict[str, Any]) -> tuple[list[str], list[Any]]:
    fine = {"get": {"operationId": "fine", "responses": OK}}
    made = {"operationId": "op", "responses": OK, **operation}
    servers = [{"url": "https://api.example.com"}]
    paths = {"/fine": fine, "/a": {"post": made}}
    found = read_document({"servers": servers, "paths": paths}, tmp_path)
    assert found.diagnostics.errors == ()
    told = [each for each in found.diagnostics.warnings if each.code == "reference-kind"]
    return [tool.name for tool in found.api.tools], told


@pytest.mark.parametrize(("operation", "place", "what"), KEPT)
def test_what_is_open_then_stays(
    tmp_path: Path, operation: dict[str, Any], place: str, what: str
) -> None:
    names, [told] = read(tmp_path, operation)
    assert (names, told.pointer) == (["fine", "op"], f"/paths/~1a/post{place}/$ref")
    assert what in told.message


@pytest.mark.parametrize(("operation", "place", "what"), LEFT)
def test_what_a_call_needs_is_not_left_out_alone(
    tmp_path: Path, operation: dict[str, Any], place: str, what: str
) -> None:
    names, [told] = read(tmp_path, operation)
    assert (names, told.pointer) == (["fine"], f"/paths/~1a/post{place}/$ref")
    assert what in told.message


@pytest.mark.parametrize(("version", "is_told"), [("3.2.0", True), ("3.1.0", False)])
def test_a_name_twice_in_a_path_is_told_in_3_2(tmp_path: Path, version: str, is_told: bool) -> None:
    place = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
    operation = {"operationId": "op", "parameters": [place], "responses": OK}
    document = {"openapi": version, "paths": {"/c/{id}/d/{id}": {"get": operation}}}
    found = read_document(document, tmp_path)
    assert found.tool.call.path == "/c/{id}/d/{id}"
    assert [each for each in found.codes if each == "path-parameter"] == is_told * [
        "path-parameter"
    ]
