"""Schema objects of every version of OpenAPI become JSON Schema 2020-12."""

from __future__ import annotations

from typing import Any

import pytest
from schema_documents import PET, PET_KEY, Convert, one

from mcpgen.readers.dialect import Dialect

NULL = {"type": "null"}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        ({"type": "string", "nullable": False}, {"type": "string"}),
        (
            {"type": "string", "nullable": True, "enum": ["a"]},
            {"type": ["string", "null"], "enum": ["a", None]},
        ),
        (
            {"type": "string", "nullable": True, "enum": ["a", None]},
            {"type": ["string", "null"], "enum": ["a", None]},
        ),
        ({**PET, "nullable": True}, {"anyOf": [PET_KEY, NULL]}),
        (
            {"allOf": [PET], "nullable": True, "description": "d", "default": None},
            {"description": "d", "default": None, "anyOf": [{"allOf": [PET_KEY]}, NULL]},
        ),
        (
            {"type": "object", "oneOf": [PET, {"type": "object"}], "nullable": True},
            {
                "anyOf": [
                    {"type": "object", "oneOf": [PET_KEY, {"type": "object"}]},
                    NULL,
                ]
            },
        ),
        ({"properties": {"a": {}}, "nullable": True}, {"properties": {"a": {}}}),
        ({"anyOf": [PET, {"nullable": True}]}, {"anyOf": [PET_KEY, NULL]}),
        ({"oneOf": [PET, {"x-nullable": True}]}, {"oneOf": [PET_KEY, NULL]}),
        ({"allOf": [PET, {"nullable": True}]}, {"allOf": [PET_KEY, {}]}),
        ({"oneOf": [PET, {"type": None}]}, {"oneOf": [PET_KEY, NULL]}),
        (
            {"oneOf": [PET, {"nullable": True, "description": "d"}]},
            {"oneOf": [PET_KEY, {**NULL, "description": "d"}]},
        ),
        ({"minimum": 1, "exclusiveMinimum": True}, {"exclusiveMinimum": 1}),
        ({"maximum": 1, "exclusiveMaximum": False}, {"maximum": 1}),
        ({"exclusiveMinimum": True}, {}),
        ({"exclusiveMinimum": 5}, {"exclusiveMinimum": 5}),
        ({"type": "string", "example": "x"}, {"type": "string", "examples": ["x"]}),
        ({"type": "object", "example": '{"a": 1}'}, {"type": "object", "examples": [{"a": 1}]}),
        ({"items": {}, "example": "[1]"}, {"items": {}, "examples": [[1]]}),
        ({"type": "string", "example": "{}"}, {"type": "string", "examples": ["{}"]}),
        ({"example": "[1]"}, {"examples": ["[1]"]}),
        ({"example": None}, {"examples": [None]}),
        ({"type": "string", "example": None}, {"type": "string"}),
        ({"example": 1, "examples": [2]}, {"examples": [2]}),
        (
            {"items": [{"type": "string"}], "additionalItems": False},
            {"prefixItems": [{"type": "string"}], "items": False},
        ),
        ({"items": {}, "additionalItems": False}, {"items": {}}),
        ({"type": "file"}, {"type": "string", "format": "binary"}),
        ({**PET, "type": "string", "minLength": 3}, PET_KEY),
        (
            {**PET, "description": "d", "readOnly": True, "required": ["x"]},
            {**PET_KEY, "description": "d", "readOnly": True},
        ),
        ({"xml": {}, "externalDocs": {}, "x-a": 1, "discriminator": {"propertyName": "p"}}, {}),
        ({"title": None, "description": None, "type": "string"}, {"type": "string"}),
        ({"minLength": 2.0}, {"minLength": 2}),
        ({"enum": [1, 1.0, True, 1]}, {"enum": [1, True]}),
    ],
)
def test_openapi_3_0(convert: Convert, schema: Any, expected: Any) -> None:
    assert one(convert, schema) == expected


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({**PET, "minProperties": 1}, {**PET_KEY, "minProperties": 1}),
        ({"type": ["string", "null"]}, {"type": ["string", "null"]}),
        ({"type": ["string", None]}, {"type": ["string", "null"]}),
        (
            {"oneOf": [PET, {"type": None, "description": "d"}]},
            {"oneOf": [PET_KEY, {"type": "null", "description": "d"}]},
        ),
        (True, True),
        (False, False),
        ({"const": None}, {"const": None}),
        (
            {"type": "string", "contentEncoding": "base64", "contentMediaType": "image/png"},
            {"type": "string", "contentEncoding": "base64", "contentMediaType": "image/png"},
        ),
        (
            {"patternProperties": {"^a": {"type": "integer"}}, "propertyNames": {"maxLength": 3}},
            {"patternProperties": {"^a": {"type": "integer"}}, "propertyNames": {"maxLength": 3}},
        ),
        (
            {"if": {"required": ["a"]}, "then": PET, "else": False, "not": PET},
            {"if": {"required": ["a"]}, "then": PET_KEY, "else": False, "not": PET_KEY},
        ),
        (
            {"dependentRequired": {"a": ["b", "b"], "c": []}},
            {"dependentRequired": {"a": ["b"], "c": []}},
        ),
        (
            {"dependencies": {"a": ["b"], "c": PET}},
            {"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": PET_KEY}},
        ),
        (
            {"contains": PET, "minContains": 0, "unevaluatedItems": False},
            {"contains": PET_KEY, "minContains": 0, "unevaluatedItems": False},
        ),
        ({"$comment": "c", "$id": "urn:x", "$anchor": "a", "$defs": {"x": {}}}, {}),
    ],
)
def test_openapi_3_1(convert: Convert, schema: Any, expected: Any) -> None:
    assert one(convert, schema, Dialect.OAS31) == expected


def test_an_older_keyword_in_3_1_is_read_and_reported_once(convert: Convert) -> None:
    converted = convert(
        {
            "It": {
                "properties": {
                    "a": {"type": "string", "nullable": True},
                    "b": {"type": "string", "nullable": True},
                    "c": {"minimum": 1, "exclusiveMinimum": True},
                    "d": {"items": [{"type": "string"}]},
                    "e": {"oneOf": [{"type": "string"}, {"nullable": True}]},
                }
            }
        }
    )
    assert converted.add() == {
        "properties": {
            "a": {"type": ["string", "null"]},
            "b": {"type": ["string", "null"]},
            "c": {"exclusiveMinimum": 1},
            "d": {"prefixItems": [{"type": "string"}]},
            "e": {"oneOf": [{"type": "string"}, {"type": "null"}]},
        }
    }
    at = "/components/schemas/It/properties"
    assert {pointer for pointer, _ in converted.warnings} == {
        f"{at}/a/nullable",
        f"{at}/c/exclusiveMinimum",
        f"{at}/d/items",
    }


@pytest.mark.parametrize("names", ["ab", "ba"])
def test_what_is_reported_once_is_so_at_the_same_place_in_any_order(
    convert: Convert, names: str
) -> None:
    older = {"type": "string", "nullable": True}
    converted = convert({"It": {"properties": dict.fromkeys(names, older)}})
    converted.add()
    ((pointer, _),) = converted.warnings
    assert pointer == "/components/schemas/It/properties/a/nullable"


@pytest.mark.parametrize(
    "named",
    [
        {"jsonSchemaDialect": "http://json-schema.org/draft-07/schema#"},
        {"schema": "http://json-schema.org/draft-04/schema#"},
    ],
)
def test_older_drafts_ignore_what_stands_beside_a_reference(
    convert: Convert, named: dict[str, str]
) -> None:
    schema: dict[str, Any] = {"items": [{**PET, "minProperties": 1}]}
    if "schema" in named:
        schema["$schema"] = named.pop("schema")
    converted = convert({"It": schema, "Pet": {}}, **named)
    assert converted.add() == {"prefixItems": [PET_KEY]}
    assert converted.warnings == []


def test_a_dialect_that_nobody_knows_is_named_and_read_as_2020_12(convert: Convert) -> None:
    schema = {"$schema": "https://dialect.example/one", "prefixItems": [PET]}
    named = {"jsonSchemaDialect": "https://dialect.example/other"}
    converted = convert({"It": schema, "Pet": {}}, **named)
    assert converted.add() == {"prefixItems": [PET_KEY]}
    (first, of_the_schema), (second, of_the_document) = converted.warnings
    assert (first, second) == ("/components/schemas/It/$schema", "/jsonSchemaDialect")
    assert "'https://dialect.example/other' is not known" in of_the_document
    assert "'https://dialect.example/one' is not known" in of_the_schema


def test_draft_05_has_the_meta_schema_of_draft_04_and_is_read_as_that(convert: Convert) -> None:
    named = {"jsonSchemaDialect": "http://json-schema.org/draft-05/schema#"}
    converted = convert({"It": {"items": [{**PET, "minProperties": 1}]}, "Pet": {}}, **named)
    assert converted.add() == {"prefixItems": [PET_KEY]}
    ((place, message),) = converted.warnings
    assert (place, "read as draft-04" in message) == ("/jsonSchemaDialect", True)


@pytest.mark.parametrize(
    "uri",
    [
        "https://json-schema.org/draft/2020-12/schema",
        "https://spec.openapis.org/oas/3.1/dialect/base",
    ],
)
def test_a_known_dialect_is_not_worth_a_word(convert: Convert, uri: str) -> None:
    converted = convert({"It": {"$schema": uri}}, jsonSchemaDialect=uri)
    assert converted.add() == {}
    assert converted.warnings == []


@pytest.mark.parametrize("uri", [5, None, ["https://json-schema.org/draft/2020-12/schema"]])
def test_what_names_no_dialect_leaves_the_schema_to_its_document(
    convert: Convert, uri: Any
) -> None:
    converted = convert({"It": {"$schema": uri, "items": [{}]}}, Dialect.OAS30)
    assert converted.add() == {"prefixItems": [{}]}
    place = "/components/schemas/It/$schema"
    assert converted.warnings == [(place, "`$schema` must be a string; it is ignored")]


def test_a_2_0_parameter_is_a_schema_but_for_required_and_description(convert: Convert) -> None:
    parameter = {
        "name": "ids",
        "in": "query",
        "required": True,
        "description": "d",
        "type": "array",
        "items": {"type": "integer", "minimum": 0, "exclusiveMinimum": True},
        "collectionFormat": "pipes",
        "x-nullable": True,
    }
    converted = convert({}, Dialect.OAS20, parameters={"ids": parameter})
    node = converted.document.node(converted.document.root.file, "/parameters/ids")
    assert converted.pool.add(node, parameter=True) == {
        "type": ["array", "null"],
        "items": {"type": "integer", "exclusiveMinimum": 0},
    }
    assert converted.warnings == []


def test_values_are_data(convert: Convert) -> None:
    data = {"$ref": "#/nowhere", "nullable": True, "type": 5, "x-a": [10**400, -0.0, 1e308]}
    schema = {
        "enum": [data, 2**53 + 1],
        "const": data,
        "default": data,
        "examples": [data],
        "maximum": 10**400,
    }
    assert one(convert, schema, Dialect.OAS31) == schema
    assert one(convert, {"example": data}, Dialect.OAS20) == {"examples": [data]}


def test_a_property_may_have_any_name(convert: Convert) -> None:
    schema = {
        "properties": {
            "$ref": {"type": "string"},
            "$id": {"type": "string"},
            "x-a": {},
            "nullable": {"type": "boolean"},
            "": {},
        },
        "required": ["$ref"],
    }
    assert one(convert, schema, Dialect.OAS31) == schema


def test_a_deep_schema_is_converted(convert: Convert) -> None:
    schema: Any = {"type": "string", "nullable": True}
    for _ in range(100):
        schema = {"items": schema, "nullable": True}
    found: Any = convert({"It": schema}, Dialect.OAS30).add()
    for _ in range(100):
        found = found["items"]
    assert found == {"type": ["string", "null"]}
