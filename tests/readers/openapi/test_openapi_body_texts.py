"""Descriptions and examples of request bodies: told of the argument that they are of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_bodies import PLAIN, ROWS, TEXT, body_tool
from openapi_reading import one, read_document


def test_descriptions_of_bodies_are_kept(tmp_path: Path) -> None:
    body = {
        "required": True,
        "description": "The pet to add.",
        "content": {"application/json": {"schema": PLAIN}},
    }
    spread = read_document(one({"requestBody": body}, method="post"), tmp_path).tool
    assert "Request body: The pet to add." in spread.description
    body["content"] = {"application/json": {"schema": {**PLAIN, "minProperties": 1}}}
    whole = read_document(one({"requestBody": body}, method="post"), tmp_path).tool
    assert whole.input_schema["properties"]["body"]["description"] == "The pet to add."
    assert "The pet to add." not in whole.description


@pytest.mark.parametrize(
    "said",
    [
        "Request body",
        "request payload.",
        "The body of the request",
        "Request for POST https://api.example.com/v1/pets",
    ],
)
def test_a_description_that_says_only_that_there_is_a_body_is_not_told(
    tmp_path: Path, said: str
) -> None:
    content = {"application/json": {"schema": PLAIN}}
    body = {"required": True, "description": said, "content": content}
    tool = read_document(
        one({"requestBody": body, "summary": "Add it"}, method="post"), tmp_path
    ).tool
    assert tool.description == "Add it"


def test_a_body_without_words_has_those_of_its_schema(tmp_path: Path) -> None:
    schema = {**PLAIN, "description": "A pet and\nits owner.\n\nMore."}
    tool = body_tool(tmp_path, {"application/json": {"schema": schema}})
    assert "Request body: A pet and its owner." in tool.description
    assert "More." not in tool.description


def test_what_a_bodys_example_has_for_an_argument_is_told(tmp_path: Path) -> None:
    schema = {
        "type": "object",
        "properties": {
            "status": TEXT,
            "lines": ROWS,
            "note": {**TEXT, "examples": ["its own"]},
            "kind": {"enum": ["one", "two"]},
            "of_parts": {"type": "object", "properties": {"a": {**TEXT, "example": "a part's"}}},
            "of_items": {"type": "array", "items": {"enum": ["one", "two"]}},
            "flag": {"type": "boolean"},
            "blank": TEXT,
            "FriendlyName": TEXT,
            "word": TEXT,
            "number": {"type": "number"},
            "other": {"type": "integer"},
            "long": TEXT,
            "any": True,
            "of_any": {"type": "object", "properties": {"a": True}},
        },
    }
    example = {
        "status": "DELETED",
        "lines": [{"a": "x"}],
        "note": "the body's",
        "kind": "one",
        "of_parts": {"a": "the body's"},
        "of_items": ["one"],
        "flag": True,
        "blank": "",
        "FriendlyName": "friendly_name",
        "word": "string",
        "number": 5,
        "other": "a word",
        "long": "x" * 500,
        "any": [1],
        "of_any": {"a": 2},
    }
    tool = body_tool(tmp_path, {"application/json": {"schema": schema, "example": example}})
    told = {name: of.get("examples") for name, of in tool.input_schema["properties"].items()}
    assert {name: examples for name, examples in told.items() if examples} == {
        "status": ["DELETED"],
        "lines": [[{"a": "x"}]],
        "note": ["its own"],
        "number": [5],
        "any": [[1]],
        "of_any": [{"a": 2}],
    }


def test_a_body_as_a_whole_tells_its_example(tmp_path: Path) -> None:
    shown = {"a": "x", "b": 1}
    content = {"application/json": {"schema": {"oneOf": [PLAIN]}, "example": shown}}
    assert body_tool(tmp_path, content).input_schema["properties"]["body"]["examples"] == [shown]
    form = {"multipart/form-data": {"schema": {"oneOf": [PLAIN]}, "example": shown}}
    assert "examples" not in body_tool(tmp_path, form).input_schema["properties"]["body"]
    for length, is_told in ((1900, True), (2000, False)):
        example = {"a": "x" * length}
        content = {"application/json": {"schema": {"oneOf": [PLAIN]}, "example": example}}
        body = body_tool(tmp_path, content).input_schema["properties"]["body"]
        assert ("examples" in body) is is_told


def test_a_bodys_example_tells_no_property_that_is_read_only(tmp_path: Path) -> None:
    row = {
        "type": "object",
        "properties": {"id": {"type": "integer", "readOnly": True}, "a": TEXT},
        "additionalProperties": False,
    }
    rows = {"properties": {"rows": {"type": "array", "items": row}, "one": row}}
    schema = {"allOf": [rows, {**row, "additionalProperties": True}]}
    shown = {"id": 1, "a": "x", "rows": [{"id": 2, "a": "y"}], "one": {"id": 3, "a": "z"}}
    left = {"a": "x", "rows": [{"a": "y"}], "one": {"a": "z"}}
    tool = body_tool(tmp_path, {"application/json": {"schema": schema, "example": shown}})
    assert tool.input_schema["properties"]["body"]["examples"] == [left]
    spread = {"type": "object", "properties": {"one": row}}
    tool = body_tool(tmp_path, {"application/json": {"schema": spread, "example": shown}})
    assert tool.input_schema["properties"]["one"]["examples"] == [{"a": "z"}]
    assert tool.sample_arguments == {"one": {"a": "z"}}


@pytest.mark.parametrize("keyword", ["oneOf", "anyOf"])
def test_a_bodys_example_tells_nothing_read_only_of_an_alternative_or_a_map(
    tmp_path: Path, keyword: str
) -> None:
    key = {"type": "integer", "readOnly": True}
    row = {"type": "object", "properties": {"id": key, "a": TEXT}}
    first = {"type": "object", "properties": {"id": key, "rows": {"type": "array", "items": row}}}
    second = {"type": "object", "properties": {"own": key, "map": {"additionalProperties": row}}}
    third = {"type": "object", "properties": {"own": {"type": "integer"}, "one": {keyword: [row]}}}
    schema = {keyword: [first, second, third]}
    part = {"id": 3, "a": "x"}
    shown = {"id": 1, "own": 2, "rows": [part], "map": {"k": part}, "one": part}
    tool = body_tool(tmp_path, {"application/json": {"schema": schema, "example": shown}})
    left = {"own": 2, "rows": [{"a": "x"}], "map": {"k": {"a": "x"}}, "one": {"a": "x"}}
    assert tool.sample_arguments == {"body": left}


def test_an_example_that_the_server_would_refuse_is_not_told(tmp_path: Path) -> None:
    part = {
        "type": "object",
        "required": ["id", "a"],
        "properties": {"id": {"type": "integer", "readOnly": True}, "a": TEXT},
    }
    code, named = {**TEXT, "pattern": "^[A-Z]{3}$"}, {"$ref": "#/components/schemas/Part"}
    parts = {"code": code, "other": code, "part": named, "parts": {"type": "array", "items": named}}
    schema: dict[str, Any] = {"type": "object", "properties": parts}
    shown = {"code": "ABC", "other": "abcd", "part": {"id": 1, "a": "x"}, "parts": [{"b": "x"}]}

    def told(schema: dict[str, Any], example: dict[str, Any]) -> dict[str, Any]:
        body = {"content": {"application/json": {"schema": schema, "example": example}}}
        components = {"schemas": {"Part": part}}
        document = one({"requestBody": body}, method="post", components=components)
        properties = read_document(document, tmp_path).tool.input_schema["properties"]
        return {name: of["examples"] for name, of in properties.items() if "examples" in of}

    assert told(schema, shown) == {"code": ["ABC"], "part": [{"a": "x"}]}
    assert told({"oneOf": [schema]}, shown) == {}
    fitting = {"code": "ABC", "part": {"id": 1, "a": "x"}}
    assert told({"oneOf": [schema]}, fitting) == {"body": [{"code": "ABC", "part": {"a": "x"}}]}


@pytest.mark.parametrize("beside", [{}, {"title": "Any"}])
def test_examples_of_schemas_have_nothing_that_is_read_only(
    tmp_path: Path, beside: dict[str, Any]
) -> None:
    """Agents copy examples, and APIs refuse what is read-only in a request."""
    shown = {"id": 1, "name": "a", "owner": {"id": 2, "name": "b"}}
    kept = {"name": "a", "owner": {"name": "b"}}
    read_only = {"id": {"type": "integer", "readOnly": True}, "name": TEXT}
    owner = {"type": "object", "properties": read_only}
    file = {"type": "object", "properties": {**read_only, "owner": owner}, "example": shown}
    base = {"$ref": "#/components/schemas/File"}
    properties = {
        "files": {"type": "array", "items": base, "example": [shown, shown]},
        "one": {"allOf": [base, beside], "example": shown},
    }
    document = one(
        {
            "requestBody": {
                "required": True,
                "content": {
                    "application/json": {"schema": {"type": "object", "properties": properties}}
                },
            }
        },
        method="post",
        components={"schemas": {"File": file}},
    )
    schema = read_document({"openapi": "3.0.3", **document}, tmp_path).tool.input_schema
    assert schema["properties"]["files"]["examples"] == [[kept, kept]]
    assert schema["properties"]["one"]["examples"] == [kept]
    assert schema["$defs"]["File"]["examples"] == [kept]


@pytest.mark.parametrize(
    ("schema", "text", "shown"),
    [
        (
            {"type": "object", "properties": {"a": {}}, "minProperties": 1},
            ' {"a": [1]}',
            {"a": [1]},
        ),
        ({"type": "array", "items": {}}, '[{"a": 1}]', [{"a": 1}]),
        ({}, '{"a": 1}', {"a": 1}),
        (TEXT, '{"a": 1}', '{"a": 1}'),
        ({"type": ["string", "object"]}, '{"a": 1}', '{"a": 1}'),
        ({}, "{a}", "{a}"),
    ],
)
def test_an_example_that_is_the_text_of_its_json_is_what_it_spells(
    tmp_path: Path, schema: dict[str, Any], text: str, shown: Any
) -> None:
    """OpenAPI lets a text stand for what is sent; xero.com's documents write most so."""
    entry = {"schema": schema, "examples": {"one": {"value": text}}}
    content = {"application/json": entry}
    responses = {"200": {"description": "ok", "content": content}}
    body = {"required": True, "content": content}
    operation = {"requestBody": body, "responses": responses}
    tool = read_document(one(operation, method="post"), tmp_path).tool
    assert tool.sample_arguments == {"body": shown}
    assert tool.input_schema["properties"]["body"]["examples"] == [shown]
    assert tool.examples[0].value == shown
