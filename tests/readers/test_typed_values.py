"""Values of another type than declared are read as the declared type spells them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from openapi_reading import OK, one, read_document
from schema_documents import Convert

from mcpgen import source
from mcpgen.diagnostics import Diagnostics
from mcpgen.readers.dialect import Dialect
from mcpgen.readers.openapi import read
from mcpgen.readers.typed_values import NOTHING, OF_ITEMS, REFUSED, RESPELLED
from mcpgen.settings import Settings

_HEAD = "openapi: 3.0.3\ninfo: {title: t, version: '1'}\nservers: [{url: 'https://a.test'}]\n"


def _of_yaml(schema: str, folder: Path, more: str = "") -> tuple[Any, Diagnostics]:
    """The schema of an argument that YAML describes, and what is told of it."""
    text = (
        f"{_HEAD}{more}paths:\n  /a:\n    get:\n      responses: {{'200': {{description: ok}}}}\n"
    )
    text += f"      parameters:\n        - {{name: a, in: query, schema: {schema}}}\n"
    path, told = folder / "api.yaml", Diagnostics()
    path.write_text(text)
    api = read(source.load(str(path), diagnostics=told), Settings(), told)
    return api.tools[0].input_schema["properties"]["a"], told


@pytest.mark.parametrize(
    ("written", "values"),
    [
        ("{type: string, enum: [1.0, 1.10, 07, 1e3, 0xF]}", ["1.0", "1.10", "07", "1e3", "0xF"]),
        ("{type: string, enum: [true, False, 2024-01-01]}", ["true", "False", "2024-01-01"]),
        ("{type: string, enum: [1, 22, X]}", ["1", "22", "X"]),
        ('{type: integer, enum: ["0", "-1", "2.0"]}', [0, -1, 2]),
        ('{type: number, enum: ["1.5", "2"]}', [1.5, 2]),
        ('{type: boolean, enum: ["true", "False"]}', [True, False]),
        ("{type: boolean, enum: [yes, off]}", [True, False]),
        ("{type: string, nullable: true, enum: ['', 1]}", ["", "1", None]),
        ('{type: integer, nullable: true, enum: ["1"]}', [1, None]),
        ('{type: string, enum: [a, ~, "null"]}', ["a", "null"]),
        ('{type: integer, enum: ["1", "one", 1]}', [1]),
    ],
)  # fmt: skip
def test_an_enum_is_read_from_the_text_as_its_type_spells_it(
    tmp_path: Path, written: str, values: list[Any]
) -> None:
    schema, told = _of_yaml(written, tmp_path)
    assert json.dumps(schema["enum"]) == json.dumps(values)
    assert {each.message for each in told.warnings} <= {
        RESPELLED.format("enum"), REFUSED.format("enum")
    }  # fmt: skip
    assert told.warnings
    assert all(each.location is not None for each in told.warnings)


@pytest.mark.parametrize(
    ("schema", "meant"),
    [
        ({"type": "string", "default": 10, "example": 12}, {"default": "10", "examples": ["12"]}),
        ({"type": "number", "default": "4", "example": "4.5"}, {"default": 4, "examples": [4.5]}),
        ({"type": "object", "default": '{"a": 1}'}, {"default": {"a": 1}}),
        ({"type": "string", "maxLength": 2, "example": "abc", "default": "ab"}, {"default": "ab"}),
        ({"type": "string", "enum": ["a"], "default": "b"}, {"enum": ["a"]}),
        ({"type": "string", "default": None}, {}),
        ({"type": "string", "default": ["a"]}, {}),
        (
            {
                "type": "object",
                "properties": {"n": {"type": "string"}, "m": {"type": "integer"}},
                "additionalProperties": {"type": "boolean"},
                "example": {"n": 12, "m": "7", "x": "true"},
            },
            {"examples": [{"n": "12", "m": 7, "x": True}]},
        ),
        (
            {"type": "array", "items": {"type": "string"}, "default": [1, "b"]},
            {"default": ["1", "b"]},
        ),
        ({"allOf": [{"$ref": "#/components/schemas/Word"}], "default": 5}, {"default": "5"}),
        ({"oneOf": [{"type": "string"}, {"type": "boolean"}], "default": 5}, {"default": "5"}),
    ],
)
def test_defaults_and_examples_are_read_or_left_out(
    convert: Convert, schema: dict[str, Any], meant: dict[str, Any]
) -> None:
    converted = convert({"It": schema, "Word": {"type": "string"}}, Dialect.OAS30)
    found = converted.add()
    assert isinstance(found, dict)
    values = {key: found[key] for key in ("enum", "default", "examples") if key in found}
    assert values == meant
    is_text = schema.get("default") == '{"a": 1}'
    assert bool(converted.warnings) is not is_text


def test_a_default_is_judged_by_an_enum_that_is_read_too(convert: Convert) -> None:
    schemas = {
        "It": {"type": "string", "enum": [5, 7], "default": 7},
        "Other": {"allOf": [{"$ref": "#/components/schemas/It"}], "default": 5},
    }
    converted = convert(schemas, Dialect.OAS30)
    assert converted.add() == {"type": "string", "enum": ["5", "7"], "default": "7"}
    assert converted.add("Other") == {"allOf": [{"$ref": "#/$defs/It"}], "default": "5"}


@pytest.mark.parametrize(
    ("schema", "left"),
    [
        ({"type": "integer", "enum": ["a", "b"]}, {"type": "integer", "not": {}}),
        ({"maxLength": 1, "const": "ab"}, {"maxLength": 1, "not": {}}),
    ],
)
def test_where_no_value_is_left_nothing_is_taken(
    convert: Convert, schema: dict[str, Any], left: dict[str, Any]
) -> None:
    converted = convert({"It": schema}, Dialect.OAS31)
    assert converted.add() == left
    keyword = "enum" if "enum" in schema else "const"
    assert [message for _, message in converted.warnings] == [NOTHING.format(keyword)]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer", "enum": [1.0]},
        {"type": "number", "const": 1},
        {"enum": ["1", 1, None]},
        {"type": ["integer", "string"], "enum": ["1", 1]},
    ],
)
def test_values_of_the_type_stay_as_they_are(convert: Convert, schema: dict[str, Any]) -> None:
    converted = convert({"It": schema}, Dialect.OAS31)
    assert converted.add() == schema
    assert converted.warnings == []


def test_an_enum_of_single_values_beside_an_array_is_that_of_its_items(convert: Convert) -> None:
    schema = {"type": "array", "items": {"type": "string"}, "enum": ["a", 1]}
    converted = convert({"It": schema}, Dialect.OAS30)
    assert converted.add() == {"type": "array", "items": {"type": "string", "enum": ["a", "1"]}}
    assert [message for _, message in converted.warnings] == [OF_ITEMS]


@pytest.mark.parametrize(
    ("place", "version"),
    [
        ("path", "3.0.3"),
        ("query", "3.0.3"),
        ("query", "3.1.0"),
        ("header", "3.1.0"),
        ("cookie", "3.2.0"),
    ],
)
def test_a_parameters_own_example_goes_before_that_of_its_schema(
    tmp_path: Path, place: str, version: str
) -> None:
    schema = {"type": "string", "example": "of the schema"}
    of_map = {"a": {"value": 8}, "b": {"value": True}}
    parameters = [
        {"name": "one", "in": place, "required": True, "example": 201601, "schema": schema},
        {"name": "two", "in": place, "required": True, "examples": of_map, "schema": schema},
        {"name": "other", "in": place, "required": True, "schema": schema},
    ]
    path = "/a/{one}/{two}/{other}" if place == "path" else "/a"
    document = {"openapi": version, **one({"parameters": parameters}, path=path)}
    found = read_document(document, tmp_path)
    shown = {a.name: found.tool.input_schema["properties"][a.name] for a in found.tool.arguments}
    assert {name: each["examples"] for name, each in shown.items()} == {
        "one": ["201601"], "two": ["8", "true"], "other": ["of the schema"]
    }  # fmt: skip


def test_a_parameter_of_2_0_is_read_alike(tmp_path: Path) -> None:
    shared = {"type": "string", "enum": [1, 2], "default": 1, "x-example": 2}
    places = ("query", "header", "formData")
    parameters = [{"name": place, "in": place, **shared} for place in places]
    document = {
        "swagger": "2.0",
        "host": "a.test",
        **one({"parameters": parameters}, method="post"),
    }
    properties = read_document(document, tmp_path).tool.input_schema["properties"]
    for place in places:
        assert (properties[place]["enum"], properties[place]["default"]) == (["1", "2"], "1")


def test_the_example_of_a_body_and_of_an_answer_is_read_by_their_schemas(tmp_path: Path) -> None:
    schema = {
        "type": "object",
        "required": ["id", "n"],
        "properties": {"id": {"type": "string", "readOnly": True}, "n": {"type": "string"}},
    }
    body = {"content": {"application/json": {"schema": schema, "example": {"n": 12}}}}
    content = {"application/json": {"schema": schema, "example": {"id": 1, "n": 2}}}
    answer = {"description": "", "content": content}
    operation = {"requestBody": body, "responses": {**OK, "200": answer}}
    tool = read_document(one(operation, method="post"), tmp_path).tool
    assert tool.sample_arguments == {"n": "12"}
    assert tool.examples[0].value == {"id": "1", "n": "2"}


def test_one_warning_is_told_of_a_parameter_that_operations_share(tmp_path: Path) -> None:
    shared = {"name": "a", "in": "query", "example": 5, "schema": {"type": "string", "enum": [5]}}
    operation = {"parameters": [{"$ref": "#/components/parameters/A"}], "responses": OK}
    document = {
        "paths": {"/a": {"get": operation}, "/b": {"get": operation}},
        "components": {"parameters": {"A": shared}},
    }
    found = read_document(document, tmp_path)
    told = [d.pointer for d in found.diagnostics.warnings if "spells it" in d.message]
    at = "/components/parameters/A"
    assert sorted(told) == [f"{at}/example", f"{at}/schema/enum"]
