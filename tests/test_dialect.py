"""Schema objects of every version of OpenAPI become JSON Schema 2020-12."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from schema_documents import Converted, accepts, assert_valid, whole

from mcpgen.readers.dialect import Dialect
from mcpgen.schemas import types_of

Convert = Callable[..., Converted]


@pytest.fixture
def convert(tmp_path: Path) -> Convert:
    def build(schemas: dict[str, Any], dialect: Dialect = Dialect.OAS31, **more: Any) -> Converted:
        return Converted(tmp_path, schemas, dialect, **more)

    return build


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
        ({"minimum": 1, "exclusiveMinimum": True}, {"exclusiveMinimum": 1}),
        ({"maximum": 1, "exclusiveMaximum": False}, {"maximum": 1}),
        ({"exclusiveMinimum": True}, {}),
        ({"exclusiveMinimum": 5}, {"exclusiveMinimum": 5}),
        ({"type": "string", "example": "x"}, {"type": "string", "examples": ["x"]}),
        ({"example": None}, {"examples": [None]}),
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
        }
    }
    assert len(converted.warnings) == 3


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
    (first, of_the_document), (second, of_the_schema) = converted.warnings
    assert (first, second) == ("/jsonSchemaDialect", "/components/schemas/It/$schema")
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


@pytest.mark.parametrize(
    ("dialect", "discriminator"),
    [(Dialect.OAS20, "kind"), (Dialect.OAS30, {"propertyName": "kind", "mapping": {"a": "Other"}})],
)
def test_the_base_of_others_takes_their_properties_too(
    convert: Convert, dialect: Dialect, discriminator: Any
) -> None:
    base = {"properties": {"kind": {"type": "string"}}, "discriminator": discriminator}
    closed = {**base, "additionalProperties": False}
    other = {"allOf": [{"$ref": "#/definitions/It"}], "properties": {"b": {}}}
    found = convert({"It": base, "Other": other}, dialect).add()
    assert found == {"properties": base["properties"], "additionalProperties": True}
    assert convert({"It": closed, "Other": other}, dialect).add()["additionalProperties"] is False


def test_a_discriminator_of_2_0_is_a_name(convert: Convert) -> None:
    converted = convert({"It": {"type": "object", "discriminator": "kind"}}, Dialect.OAS20)
    assert converted.add() == {"type": "object"}
    assert converted.warnings == []
    wrong = convert({"It": {"type": "object", "discriminator": "kind"}}, Dialect.OAS31)
    assert wrong.add() == {"type": "object"}
    assert [pointer for pointer, _ in wrong.warnings] == ["/components/schemas/It/discriminator"]


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


def test_what_is_no_schema_accepts_anything(convert: Convert) -> None:
    converted = convert(
        {"It": {"properties": {"a": None, "b": "string"}, "allOf": [5, {"type": "object"}]}}
    )
    assert converted.add() == {"properties": {"a": {}, "b": {}}, "allOf": [{"type": "object"}]}
    assert [pointer.rpartition("/It/")[2] for pointer, _ in converted.warnings] == [
        "allOf",
        "properties/b",
        "properties/a",
    ]


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


def test_references_become_definitions(convert: Convert) -> None:
    names = (
        "/components/schemas/Odd~1name%20x",
        "/components/schemas/Order/properties/item",
        "/components/responses/Found/content/application~1json/schema",
        "anchored",
        "/components/schemas/Box/$defs/Inner",
    )
    response = {"content": {"application/json": {"schema": {"type": "number"}}}}
    converted = convert(
        {},
        components={
            "schemas": {
                "It": {"prefixItems": [{"$ref": f"#{name}"} for name in names]},
                "Odd/name x": {"type": "string"},
                "Order": {"properties": {"item": {"$ref": "#/components/schemas/Order"}}},
                "Anchored": {"$anchor": "anchored", "type": "null"},
                "Box": {"$defs": {"Inner": {"type": "integer"}}},
            },
            "responses": {"Found": {"description": "", **response}},
        },
    )
    schema = converted.add()
    assert isinstance(schema, dict)
    assert [part["$ref"] for part in schema["prefixItems"]] == [
        "#/$defs/Odd_name_x",
        "#/$defs/Order_item",
        "#/$defs/Found_application_json",
        "#/$defs/Anchored",
        "#/$defs/Box_Inner",
    ]
    assert dict(converted.pool.schemas) == {
        "Anchored": {"type": "null"},
        "Box_Inner": {"type": "integer"},
        "Found_application_json": {"type": "number"},
        "Odd_name_x": {"type": "string"},
        "Order": {"properties": {"item": {"$ref": "#/$defs/Order"}}},
        "Order_item": {"$ref": "#/$defs/Order"},
    }
    assert converted.warnings == []


@pytest.mark.parametrize("order", [("A", "B"), ("B", "A"), ("B",)])
def test_a_key_does_not_depend_on_what_is_read(convert: Convert, order: tuple[str, ...]) -> None:
    schemas = {
        "A": {"$ref": "#/components/schemas/a b"},
        "B": {"$ref": "#/components/schemas/a+b"},
        "a b": {"type": "string"},
        "a+b": {"type": "integer"},
        "a_b": {},
    }
    converted = convert(schemas)
    for name in order:
        converted.add(name)
    by_key = dict(converted.pool.schemas)
    assert "a_b" not in by_key
    assert all(key.startswith("a_b_") for key in by_key)
    assert converted.add("B") == convert(schemas).add("B")


def test_files_have_keys_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / "Pet.json").write_text(
        json.dumps({"properties": {"owner": {"$ref": "people.json#/definitions/Owner"}}})
    )
    (tmp_path / "schemas" / "people.json").write_text(
        json.dumps({"definitions": {"Owner": {"type": "string", "nullable": True}}})
    )
    converted = Converted(
        tmp_path,
        {"It": {"$ref": "schemas/Pet.json"}, "Owner": {"type": "integer"}},
        Dialect.OAS30,
    )
    assert converted.add() == {"$ref": "#/$defs/Pet"}
    pool = dict(converted.pool.schemas)
    [owner] = [key for key in pool if key.startswith("Owner_")]
    assert pool == {
        "Pet": {"properties": {"owner": {"$ref": f"#/$defs/{owner}"}}},
        owner: {"type": ["string", "null"]},
    }


def test_a_dangling_reference_is_found_through_definitions(convert: Convert) -> None:
    converted = convert(
        {
            "It": {"properties": {"a": {"$ref": "#/components/schemas/Middle"}}},
            "Middle": {"items": {"$ref": "#/components/schemas/Missing"}},
            "Fine": {"type": "string"},
        }
    )
    schema = converted.add()
    problem = converted.pool.broken(schema)
    assert problem is not None
    assert problem.pointer.startswith("/components/schemas/Middle/items")
    assert [pointer for pointer, _ in converted.warnings] == [problem.pointer]
    assert converted.pool.broken(converted.add("Fine")) is None
    assert_valid(whole(schema, converted.pool.schemas))


def test_a_discriminator_stays_only_where_validation_does_not_tell(convert: Convert) -> None:
    def pets(**kinds: Any) -> dict[str, Any]:
        return {
            "It": {
                "oneOf": [
                    {"$ref": "#/components/schemas/Cat"},
                    {"$ref": "#/components/schemas/Dog"},
                ],
                "discriminator": {
                    "propertyName": "kind",
                    "mapping": {
                        "c": "Cat",
                        "d": "#/components/schemas/Dog",
                        "x": "Missing",
                        "e": "Else",
                    },
                },
            },
            "Cat": {"properties": {"kind": kinds["cat"]}},
            "Dog": {"allOf": [{"properties": {"kind": kinds["dog"]}}]},
            "Else": {},
        }

    told = convert(pets(cat={"const": "c"}, dog={"enum": ["d", "D"]}))
    assert told.add() == {"oneOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}]}
    untold = convert(pets(cat={"type": "string"}, dog={"type": "string"}))
    assert untold.add() == {
        "oneOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}],
        "discriminator": {
            "propertyName": "kind",
            "mapping": {"c": "#/$defs/Cat", "d": "#/$defs/Dog"},
        },
    }
    assert [pointer.rpartition("/")[2] for pointer, _ in untold.warnings] == ["x"]


def test_a_dynamic_reference_means_what_the_way_to_it_says(convert: Convert) -> None:
    def bound(name: str, schema: Any) -> dict[str, Any]:
        return {
            "$id": f"https://example.com/{name}",
            "$defs": {"item": {"$dynamicAnchor": "item", **schema}},
            "$ref": "https://example.com/page",
        }

    converted = convert(
        {
            "Strings": bound("strings", {"type": "string"}),
            "Numbers": bound("numbers", {"type": "number"}),
            "Page": {
                "$id": "https://example.com/page",
                "$defs": {"item": {"$dynamicAnchor": "item", "not": {}}},
                "properties": {
                    "data": {"items": {"$dynamicRef": "#item"}},
                    "next": {"$ref": "https://example.com/link"},
                },
            },
            "Link": {"$id": "https://example.com/link", "type": "string"},
        }
    )
    pool = converted.pool.schemas
    strings = whole(converted.add("Strings"), pool)
    numbers = whole(converted.add("Numbers"), pool)
    plain = whole(converted.add("Page"), pool)
    assert accepts(strings, {"data": ["a"]})
    assert not accepts(strings, {"data": [1]})
    assert accepts(numbers, {"data": [1]})
    assert not accepts(numbers, {"data": ["a"]})
    assert accepts(plain, {"data": []})
    assert not accepts(plain, {"data": [1]})
    assert sum(schema == {"type": "string"} for schema in pool.values()) == 2


REF = "#/components/schemas/{}".format


def test_a_base_that_lists_its_extensions_does_not_loop(convert: Convert) -> None:
    converted = convert(
        {
            "It": {"properties": {name: {"$ref": REF(name)} for name in ("Pet", "Cat")}},
            "Pet": {
                "type": "object",
                "required": ["kind"],
                "oneOf": [{"$ref": REF("Cat")}, {"$ref": REF("Dog")}],
                "discriminator": {"propertyName": "kind"},
            },
            "Cat": {"allOf": [{"$ref": REF("Pet")}, {"properties": {"kind": {"const": "Cat"}}}]},
            "Dog": {"allOf": [{"$ref": REF("Pet")}, {"properties": {"kind": {"const": "Dog"}}}]},
        },
        Dialect.OAS30,
    )
    schema = whole(converted.add(), converted.pool.schemas)
    assert_valid(schema)
    assert accepts(schema, {"Pet": {"kind": "Dog"}, "Cat": {"kind": "Cat"}})
    assert not accepts(schema, {"Pet": {"kind": "Bird"}})
    assert not accepts(schema, {"Pet": {}})
    assert not accepts(schema, {"Cat": {}})
    assert not accepts(schema, {"Cat": {"kind": "Dog"}})
    [(pointer, message)] = converted.warnings
    assert pointer == "/components/schemas/Cat"
    assert message.endswith(": Cat, Dog, Pet")


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"oneOf": [{"$ref": REF("A")}, {"type": "string"}]}, "x", 1),
        ({"anyOf": [{"type": "string"}, {"allOf": [{"$ref": REF("A")}]}]}, "x", 1),
        ({"type": "string", "not": {"$ref": REF("A")}}, "x", 1),
        ({"type": "string", "if": True, "then": {"$ref": REF("A")}}, "x", 1),
        ({"type": "string", "dependentSchemas": {"a": {"$ref": REF("A")}}}, "x", 1),
    ],
)
def test_an_alternative_that_leads_back_is_left_out(
    convert: Convert, schema: Any, good: Any, bad: Any
) -> None:
    converted = convert({"It": {"$ref": REF("A")}, "A": schema})
    found = whole(converted.add(), converted.pool.schemas)
    assert accepts(found, good)
    assert not accepts(found, bad)
    assert len(converted.warnings) == 1


def test_a_loop_of_allof_alone_is_an_error(convert: Convert) -> None:
    converted = convert(
        {
            "It": {"items": {"$ref": REF("A")}},
            "A": {"allOf": [{"$ref": REF("B")}]},
            "B": {"$ref": REF("A"), "title": "b"},
        }
    )
    found = whole(converted.add(), converted.pool.schemas)
    [error] = converted.diagnostics.errors
    assert error.code == "reference-loop"
    assert error.message.endswith(": A, B")
    assert accepts(found, [1])


def test_recursion_through_values_is_no_loop(convert: Convert) -> None:
    schema = {"properties": {"children": {"items": {"$ref": REF("Tree")}}}}
    converted = convert({"It": {"$ref": REF("Tree")}, "Tree": schema})
    found = whole(converted.add(), converted.pool.schemas)
    assert dict(converted.pool.schemas) == {
        "Tree": {"properties": {"children": {"items": {"$ref": "#/$defs/Tree"}}}}
    }
    assert accepts(found, {"children": [{"children": []}]})
    assert converted.warnings == []


def test_long_chains_take_little_time(convert: Convert) -> None:
    count = 3000
    chain: dict[str, Any] = {
        f"S{i}": {"allOf": [{"$ref": REF(f"S{i + 1}")}, {"$ref": REF(f"S{i + 1}")}]}
        for i in range(count)
    }
    converted = convert({"It": {"$ref": REF("S0")}, **chain, f"S{count}": {"type": "string"}})
    schema = converted.add()
    assert types_of(schema, converted.pool.schemas) == {"string"}
    assert len(converted.pool.schemas) == count + 1


def test_a_deep_schema_is_converted(convert: Convert) -> None:
    schema: Any = {"type": "string", "nullable": True}
    for _ in range(100):
        schema = {"items": schema, "nullable": True}
    found: Any = convert({"It": schema}, Dialect.OAS30).add()
    for _ in range(100):
        found = found["items"]
    assert found == {"type": ["string", "null"]}
