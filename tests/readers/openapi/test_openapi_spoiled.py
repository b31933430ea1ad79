"""Numbers that JSON does not have, and references to themselves, stop only what uses them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_reading import OK, read_document

FINE = {"get": {"operationId": "fine", "responses": OK}}
ODD = float("inf")
"""`json.dumps` writes it as `Infinity`."""
SCHEMAS = "#/components/schemas/"
COMPONENTS: dict[str, Any] = {
    "schemas": {
        "Me": {"$ref": f"{SCHEMAS}Me"},
        "Part": {"allOf": [{"$ref": f"{SCHEMAS}Part"}, {"type": "object"}]},
        "Choice": {"enum": [1, -ODD]},
        "Holder": {"type": "object", "properties": {"c": {"$ref": f"{SCHEMAS}Choice"}}},
    },
    "parameters": {"P": {"$ref": "#/components/parameters/Q"}, "Q": {"$ref": "#/components/x/P"}},
    "x": {"P": {"$ref": "#/components/parameters/P"}},
    "responses": {"R": {"$ref": "#/components/responses/R"}},
}


def query(schema: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"parameters": [{"name": "q", "in": "query", "schema": schema, **more}]}


def body(schema: dict[str, Any]) -> dict[str, Any]:
    return {"requestBody": {"content": {"application/json": {"schema": schema}}}}


def answer(schema: dict[str, Any], **more: Any) -> dict[str, Any]:
    content = {"application/json": {"schema": schema, **more}}
    return {"responses": {"200": {"description": "ok", "content": content}}}


STOPPED = [
    query({"type": "number", "default": ODD}),
    query({"type": "number", "exclusiveMaximum": ODD}),
    query({"$ref": f"{SCHEMAS}Choice"}),
    body({"type": "object", "properties": {"v": {"type": "number", "minimum": -ODD}}}),
    body({"type": "array", "items": {"$ref": f"{SCHEMAS}Holder"}}),
    body({"const": {"a": [ODD]}}),
    query({"$ref": f"{SCHEMAS}Me"}),
    body({"type": "object", "properties": {"p": {"$ref": f"{SCHEMAS}Part"}}}),
    {"parameters": [{"$ref": "#/components/parameters/P"}]},
]
GOOD = [
    query({"type": "number"}, example=ODD),
    query({"type": "number", "examples": [ODD, 2]}),
    query({"example": ODD}),
    query({"examples": [{"a": [ODD]}, 2]}),
    body({"type": "object", "properties": {"v": {"type": ["string", "object"], "example": ODD}}}),
    answer({"type": "number", "default": ODD, "maximum": ODD}, example=ODD),
    answer({"$ref": f"{SCHEMAS}Me"}),
    {"responses": {"200": {"$ref": "#/components/responses/R"}}},
    {"responses": OK, "x-cost": ODD},
]


def tools(tmp_path: Path, operation: dict[str, Any]) -> dict[str, Any]:
    paths = {"/fine": FINE, "/a": {"post": {"operationId": "a", "responses": OK, **operation}}}
    read = read_document({"paths": paths, "components": COMPONENTS}, tmp_path)
    assert read.diagnostics.errors == ()
    skipped = [each.reason for each in read.api.skipped]
    told = [each for each in read.codes if each in ("number-not-finite", "reference-loop")]
    assert told
    return {"tools": {tool.name: tool for tool in read.api.tools}, "skipped": skipped}


@pytest.mark.parametrize("operation", STOPPED)
def test_what_takes_it_is_left_out(tmp_path: Path, operation: dict[str, Any]) -> None:
    left = tools(tmp_path, operation)
    assert [*left["tools"]] == ["fine"]
    [reason] = left["skipped"]
    assert "number that JSON does not have" in reason or "loop" in reason or "lead only" in reason


@pytest.mark.parametrize("operation", GOOD)
def test_what_only_shows_or_answers_it_stays(tmp_path: Path, operation: dict[str, Any]) -> None:
    made = tools(tmp_path, operation)["tools"]
    assert [*made] == ["fine", "a"]
    assert "Infinity" not in str([made["a"].input_schema, made["a"].output_schema])
    assert [each for each in made["a"].examples if each.value == "Infinity"] == []


def test_a_path_that_is_itself_stops_no_other(tmp_path: Path) -> None:
    paths = {"/fine": FINE, "/a": {"$ref": "#/paths/~1b"}, "/b": {"$ref": "#/paths/~1a"}}
    read = read_document({"paths": paths}, tmp_path)
    assert [tool.name for tool in read.api.tools] == ["fine"]
    assert read.diagnostics.errors == ()


def test_a_text_that_spells_such_a_number_is_a_text(tmp_path: Path) -> None:
    operation = query({"type": "string", "enum": ["Infinity", "x"], "default": "Infinity"})
    tool = tools(tmp_path, {**operation, "x-cost": ODD})["tools"]["a"]
    assert tool.input_schema["properties"]["q"]["enum"] == ["Infinity", "x"]
