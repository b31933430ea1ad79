"""Schema objects of every version of OpenAPI become JSON Schema 2020-12."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from schema_documents import Convert, Converted, accepts, assert_valid, whole

from mcpgen.readers.dialect import Dialect


@pytest.fixture
def convert(tmp_path: Path) -> Convert:
    return partial(Converted, tmp_path)


def one(convert: Convert, schema: Any, dialect: Dialect = Dialect.OAS30) -> Any:
    converted = convert({"It": schema, "Pet": {"type": "object"}}, dialect)
    result = converted.add()
    assert_valid(whole(result, converted.pool.schemas))
    assert converted.warnings == []
    return result


PET = {"$ref": "#/components/schemas/Pet"}
PET_KEY = {"$ref": "#/$defs/Pet"}
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
        ({"type": "object", "example": "{a}"}, {"type": "object", "examples": ["{a}"]}),
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


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
def test_a_closed_object_that_requires_what_it_inherits_is_reported(
    convert: Convert, keyword: str
) -> None:
    closed = {"type": "object", "required": ["a"], "additionalProperties": False, keyword: [PET]}
    converted = convert({"It": closed, "Pet": {"type": "object"}}, Dialect.OAS30)
    assert converted.add() == {**closed, keyword: [PET_KEY]}
    ((_, message),) = converted.warnings
    assert message == "`additionalProperties` forbids what is required: no value is good"


KEY = {"type": "object", "required": ["key"], "properties": {"key": {}}}
EMAIL = {"type": "object", "required": ["email"], "properties": {"email": {}}}
CLOSED = {"additionalProperties": False}
NOTE, PLACE = ({"type": "object", "properties": {name: {}}} for name in ("note", "place"))
REQUIRED_A, REQUIRED_B = ({"required": [name], "properties": {name: {}}} for name in "ab")


@pytest.mark.parametrize(
    ("schema", "is_told"),
    [
        ({"allOf": [KEY, {**EMAIL, **CLOSED}]}, True),
        ({"allOf": [{"$ref": "#/components/schemas/Base"}, EMAIL]}, True),
        ({"allOf": [{"allOf": [KEY]}], **CLOSED}, True),
        ({"type": "object", **CLOSED, "oneOf": [REQUIRED_A, REQUIRED_B]}, True),
        ({"allOf": [KEY, {"properties": {"email": {}, "key": {}}, **CLOSED}]}, False),
        ({"allOf": [KEY, EMAIL], "unevaluatedProperties": False}, False),
        ({"type": "object", **CLOSED, "anyOf": [REQUIRED_A, {"required": []}]}, False),
        ({"allOf": [{"$ref": "#/components/schemas/It"}, {**EMAIL, **CLOSED}]}, False),
        ({"properties": {"a": {**EMAIL, **CLOSED}}, **KEY}, False),
        ({"type": "object", **CLOSED, "properties": 3, "required": ["a"]}, True),
        ({"allOf": [NOTE, {**PLACE, **CLOSED}]}, True),
        ({"type": "object", "allOf": [NOTE], **CLOSED}, True),
        ({"allOf": [NOTE, {**CLOSED, "properties": {"note": {}, "place": {}}}]}, False),
        ({"allOf": [{"properties": {"note": {}, "more": {}}}, {**NOTE, **CLOSED}]}, False),
    ],
)
def test_what_one_part_of_an_object_has_and_another_forbids_is_reported(
    convert: Convert, schema: Any, is_told: bool
) -> None:
    """`additionalProperties` does not see the properties of other schemas in `allOf`.

    A part that has only some of another's properties makes it narrower, and may mean to.
    """
    converted = convert({"It": schema, "Base": {**KEY, **CLOSED}}, Dialect.OAS31)
    converted.add()
    told = [message for _, message in converted.warnings if "forbids" in message]
    assert len(told) == is_told


BASE = {"$ref": "#/components/schemas/Base"}
BASE_OPEN = {"$ref": "#/$defs/Base_open"}
ONE, BOTH = {"key": 1}, {"key": 1, "email": 2}


@pytest.mark.parametrize(
    ("schema", "read", "good"),
    [
        ({"allOf": [KEY, {**EMAIL, **CLOSED}]}, {"allOf": [KEY, EMAIL]}, BOTH),
        ({"allOf": [BASE, EMAIL]}, {"allOf": [BASE_OPEN, EMAIL]}, BOTH),
        ({"type": "object", **CLOSED, "allOf": [KEY]}, {"type": "object", "allOf": [KEY]}, ONE),
        (
            {"allOf": [NOTE, {**PLACE, **CLOSED}]},
            {"allOf": [NOTE, PLACE]},
            {"note": 1, "place": 2},
        ),
        (
            {**EMAIL, **CLOSED, "allOf": [{"allOf": [BASE]}]},
            {**EMAIL, "allOf": [{"allOf": [BASE_OPEN]}]},
            BOTH,
        ),
        ({**EMAIL, **BASE}, {**EMAIL, **BASE_OPEN}, BOTH),
        (
            {"type": "object", **CLOSED, "oneOf": [REQUIRED_A, REQUIRED_B]},
            {"type": "object", "oneOf": [REQUIRED_A, REQUIRED_B]},
            {"a": 1},
        ),
        (
            {**EMAIL, **CLOSED, "allOf": [BASE, {"patternProperties": {"^x": {}}, **CLOSED}]},
            {**EMAIL, "allOf": [BASE_OPEN, {"patternProperties": {"^x": {}}}]},
            {**BOTH, "x-1": 1},
        ),
    ],
)
def test_an_object_closed_against_itself_can_be_closed_as_a_whole(
    convert: Convert, schema: Any, read: Any, good: Any
) -> None:
    """By the letter there is no value, and it is read so unless the user asks otherwise."""
    schemas = {"It": schema, "Base": {**KEY, **CLOSED}}
    written = convert(schemas, Dialect.OAS31)
    assert not accepts(whole(written.add(), written.pool.schemas), good)
    assert ["closed_objects" in item.hint for item in written.diagnostics.items] == [True]
    converted = convert(schemas, Dialect.OAS31, closed_whole=True)
    result = converted.add()
    assert converted.warnings == []
    assert result == {**read, "unevaluatedProperties": False}
    assert converted.pool.schemas.get("Base_open", KEY) == KEY
    assert accepts(whole(result, converted.pool.schemas), good)
    assert not accepts(whole(result, converted.pool.schemas), {**good, "more": 1})


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", **CLOSED, "required": ["a"]},
        {"allOf": [KEY, {"type": "object", "required": ["b"], **CLOSED}]},
        {"type": "object", **CLOSED, "oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
    ],
)
def test_what_no_part_of_an_object_knows_stays_forbidden(convert: Convert, schema: Any) -> None:
    converted = convert({"It": schema}, Dialect.OAS31, closed_whole=True)
    assert converted.add() == schema
    assert [said.rpartition(": ")[2] for _, said in converted.warnings] == ["no value is good"]
    assert [item.hint for item in converted.diagnostics.items] == [""]


def test_what_is_inside_a_property_of_an_object_closed_as_a_whole_stays_closed(
    convert: Convert,
) -> None:
    inner = {"type": "object", "properties": {"x": {}}, **CLOSED}
    schema = {"properties": {"c": inner}, "allOf": [KEY, {**EMAIL, **CLOSED}]}
    converted = convert({"It": schema}, Dialect.OAS31, closed_whole=True).add()
    assert isinstance(converted, dict)
    assert converted["unevaluatedProperties"] is False
    assert converted["properties"]["c"] == inner


def test_what_extends_a_mended_object_refers_to_it(convert: Convert) -> None:
    """Only where it adds something is the object opened once more."""
    schemas = {
        "Base": {"allOf": [KEY, {**EMAIL, **CLOSED}]},
        "It": {"allOf": [BASE], "description": "The same."},
        "More": {"allOf": [BASE, {"required": ["a"], "properties": {"a": {}}}]},
    }
    converted = convert(schemas, Dialect.OAS31, closed_whole=True)
    key = {"$ref": "#/$defs/Base"}
    assert converted.add("It") == {"allOf": [key], "description": "The same."}
    more = converted.add("More")
    assert more["allOf"][0] == BASE_OPEN
    assert more["unevaluatedProperties"] is False
    assert accepts(whole(more, converted.pool.schemas), {**BOTH, "a": 1})
    assert converted.warnings == []


def test_a_contradiction_is_told_where_it_is_and_not_where_it_is_used(convert: Convert) -> None:
    schemas = {
        "It": {"allOf": [{"$ref": "#/components/schemas/Base"}, {"title": "more"}]},
        "Base": {"allOf": [KEY, {**EMAIL, **CLOSED}]},
    }
    converted = convert(schemas, Dialect.OAS30)
    converted.add()
    assert [place for place, _ in converted.warnings] == ["/components/schemas/Base/allOf"]


@pytest.mark.parametrize(
    ("schema", "is_told"),
    [
        ({"type": "integer", "enum": ["1", "2"]}, True),
        ({"enum": [True, False], "type": "string"}, True),
        ({"type": ["boolean", "null"], "const": "yes"}, True),
        ({"type": "integer", "enum": ["1", 2]}, False),
        ({"type": "integer", "enum": [1.0]}, False),
        ({"type": "number", "const": 1}, False),
        ({"enum": ["1"]}, False),
    ],
)
def test_values_that_are_all_of_another_type_are_reported(
    convert: Convert, schema: Any, is_told: bool
) -> None:
    converted = convert({"It": schema}, Dialect.OAS31)
    assert converted.add() == schema
    assert ["no value of the `type`" in said for _, said in converted.warnings] == [True] * is_told


@pytest.mark.parametrize(("value", "told"), [(None, 0), ("1", 1)])
def test_null_is_of_the_type_of_what_is_nullable(
    convert: Convert, value: str | None, told: int
) -> None:
    schema = {"type": "integer", "nullable": True, "enum": [value]}
    converted = convert({"It": schema}, Dialect.OAS30)
    assert converted.add()["type"] == ["integer", "null"]
    assert len(converted.warnings) == told


@pytest.mark.parametrize(
    "own",
    [
        {"properties": {"a": {}}},
        {"patternProperties": {"a": {}}},
        {"required": []},
        {"type": "string"},
        {"allOf": [{"required": ["a"]}], "properties": {"a": {}}},
        {"type": ["object", "null"]},
    ],
)
def test_a_closed_object_that_can_be_met_is_not_worth_a_word(convert: Convert, own: Any) -> None:
    closed = {
        "type": "object",
        "required": ["a"],
        "additionalProperties": False,
        "allOf": [PET],
        **own,
    }
    assert one(convert, closed, Dialect.OAS31)["additionalProperties"] is False


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


@pytest.mark.parametrize("dialect", list(Dialect))
def test_a_type_of_null_is_not_known_and_accepts_anything(
    convert: Convert, dialect: Dialect
) -> None:
    """Who writes documents by program writes null for what is not there."""
    schema = {"properties": {"a": {"type": None, "description": "Any."}}}
    converted = convert({"It": schema}, dialect)
    assert converted.add() == {"properties": {"a": {"description": "Any."}}}
    [(_, message)] = converted.warnings
    assert message.endswith('null is "null", in quotes; it is ignored')


def test_a_required_that_is_no_list_is_told_and_ignored(convert: Convert) -> None:
    """Outside draft-03 it says nothing: the API takes an object without such a property."""
    properties = {"a": {"type": "string", "required": True}}
    converted = convert({"It": {"type": "object", "properties": properties, "required": True}})
    assert converted.add() == {"type": "object", "properties": {"a": {"type": "string"}}}
    assert [message for _, message in converted.warnings] == [
        "`required` must be a list of property names; it is ignored"
    ] * 2


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


@pytest.mark.parametrize(
    "schema", [{"type": None}, {"anyOf": [{"type": None, "minLength": 1}]}, {"not": {"type": None}}]
)
def test_a_type_that_may_have_been_left_empty_says_nothing(convert: Convert, schema: Any) -> None:
    converted = convert({"It": schema})
    assert "null" not in str(converted.add())
    assert len(converted.warnings) == 1


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


WRONG = [
    ("type", "string();exec()"),
    ("type", ["x", "null"]),
    ("type", "any"),
    ("type", []),
    ("type", {}),
    ("required", True),
    ("required", [1]),
    ("minimum", "5"),
    ("multipleOf", 0),
    ("maxLength", -1),
    ("maxItems", 1.5),
    ("minItems", True),
    ("uniqueItems", "true"),
    ("enum", "a"),
    ("enum", []),
    ("pattern", 5),
    ("format", 5),
    ("additionalProperties", "true"),
    ("properties", []),
    ("properties", "x"),
    ("patternProperties", []),
    ("items", "string"),
    ("items", []),
    ("allOf", {}),
    ("allOf", []),
    ("anyOf", [1, {"type": "string"}]),
    ("oneOf", [None]),
    ("not", []),
    ("description", 5),
    ("title", []),
    ("readOnly", "yes"),
    ("examples", {"a": 1}),
    ("dependentRequired", ["a"]),
    ("dependencies", []),
    ("$ref", 5),
    ("exclusiveMinimum", "true"),
]


@pytest.mark.parametrize(("keyword", "value"), WRONG)
@pytest.mark.parametrize("dialect", list(Dialect))
def test_a_value_that_json_schema_does_not_allow_is_left_out_and_located(
    convert: Convert, dialect: Dialect, keyword: str, value: Any
) -> None:
    converted = convert({"It": {"properties": {"a": {keyword: value, "x-a": 1}}}}, dialect)
    assert converted.add() == {"properties": {"a": {}}}
    [(pointer, message)] = converted.warnings
    assert pointer.endswith(f"/It/properties/a/{keyword}")
    assert "exec" not in message


@pytest.mark.parametrize(
    ("keyword", "value", "hint"),
    [
        ("maxlength", 5, "Did you mean `maxLength`?"),
        ("Type", "string", "Did you mean `type`?"),
        ("ref", "#/components/schemas/It", "Did you mean `$ref`?"),
        ("schema", {"type": "string"}, "What it holds belongs here, without `schema`."),
        (
            "$ref",
            None,
            "In YAML, `#` after a blank begins a comment: write the reference in quotes.",
        ),
        ("type", "int", "Did you mean `integer`?"),
        ("type", "String", "Did you mean `string`?"),
        ("type", "date", "Write `type: string` and `format: date`."),
        ("type", "money", ""),
    ],
)
@pytest.mark.parametrize("dialect", list(Dialect))
def test_what_was_meant_by_what_says_nothing_is_told(
    convert: Convert, dialect: Dialect, keyword: str, value: Any, hint: str
) -> None:
    converted = convert({"It": {"properties": {"a": {keyword: value}}}}, dialect)
    assert converted.add() == {"properties": {"a": {}}}
    [told] = converted.diagnostics.warnings
    assert told.pointer.endswith(f"/It/properties/a/{keyword}")
    assert told.hint == hint


@pytest.mark.parametrize("keyword", ["dependencies", "nullable", "xml", "externalDocs", "optional"])
def test_keywords_of_others_are_not_taken_for_misspelled_ones(
    convert: Convert, keyword: str
) -> None:
    converted = convert({"It": {keyword: {}}})
    converted.add()
    assert not [message for _, message in converted.warnings if "is no keyword" in message]


def test_what_is_no_schema_accepts_anything(convert: Convert) -> None:
    converted = convert(
        {"It": {"properties": {"a": None, "b": "string"}, "allOf": [5, {"type": "object"}]}}
    )
    assert converted.add() == {"properties": {"a": {}, "b": {}}, "allOf": [{"type": "object"}]}
    assert [pointer.rpartition("/It/")[2] for pointer, _ in converted.warnings] == [
        "properties/a",
        "properties/b",
        "allOf",
    ]


def test_a_dependency_that_is_none_leaves_the_others(convert: Convert) -> None:
    schema = {"dependencies": {"a": ["b"], "c": {"minProperties": 2}, "d": None, "e": ["f", 1]}}
    converted = convert({"It": schema})
    assert converted.add() == {
        "dependentRequired": {"a": ["b"]},
        "dependentSchemas": {"c": {"minProperties": 2}},
    }
    told = [pointer.rpartition("/It/")[2] for pointer, _ in converted.warnings]
    assert told == ["dependencies/d", "dependencies/e"]


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
