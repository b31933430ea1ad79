"""What schemas refer to: definitions, files and dynamic references."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from openapi_reading import one, read_document
from schema_documents import Convert, Converted, accepts, assert_valid, whole

from mcpgen.readers.dialect import Dialect


def test_a_property_of_its_own_wins_over_one_of_a_map_that_is_referred_to(
    convert: Convert,
) -> None:
    there = {"a": {"type": "integer"}, "b": {"type": "integer"}}
    own = {"$ref": "#/components/schemas/There/properties", "a": {"type": "string"}}
    converted = convert({"It": {"properties": own}, "There": {"properties": there}}).add()
    assert converted == {"properties": {"a": {"type": "string"}, "b": {"type": "integer"}}}


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


@pytest.mark.parametrize(("inside", "key"), [("", "a_b"), ("/properties/A", "a_b_A")])
@pytest.mark.parametrize("order", [("A", "B"), ("B", "A"), ("B",)])
def test_a_key_does_not_depend_on_what_is_read(
    convert: Convert, order: tuple[str, ...], inside: str, key: str
) -> None:
    schemas = {
        "A": {"$ref": f"#/components/schemas/a b{inside}"},
        "B": {"$ref": f"#/components/schemas/a+b{inside}"},
        "a b": {"properties": {"A": {"type": "string"}}},
        "a+b": {"properties": {"A": {"type": "integer"}}},
        "a_b": {},
    }
    converted = convert(schemas)
    for name in order:
        converted.add(name)
    by_key = dict(converted.pool.schemas)
    assert len(by_key) == len(order)
    assert all(each.startswith(f"{key}_") for each in by_key)
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


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("http://json-schema.org/draft-07/schema#", {"exclusiveMinimum": 1}),
        ("https://json-schema.org/draft/2020-12/schema", {"$ref": "#/$defs/b", "maximum": 5}),
        (None, {"$ref": "#/$defs/b", "maximum": 5}),
    ],
)
def test_a_file_may_have_a_dialect_of_its_own(tmp_path: Path, named: Any, expected: Any) -> None:
    """Of draft 7, keywords beside a reference say nothing; told is what is of no dialect."""
    low = {"minimum": 1, "exclusiveMinimum": True}
    there = {"a": {"$ref": "#/definitions/b", "maximum": 5}, "b": low}
    (tmp_path / "x.json").write_text(json.dumps({"$schema": named, "definitions": there}))
    converted = Converted(tmp_path, {"It": {"$ref": "x.json#/definitions/a"}})
    assert converted.add() == {"$ref": "#/$defs/a"}
    is_old = named is not None and "07" in named
    assert converted.pool.schemas["a"] == ({"$ref": "#/$defs/b"} if is_old else expected)
    assert converted.pool.schemas["b"] == {"exclusiveMinimum": 1}
    assert bool(converted.warnings) is not is_old


def test_references_of_each_kind_beside_each_other_all_count(convert: Convert) -> None:
    beside = {"$dynamicRef": "#b", "$recursiveRef": "#/components/schemas/C"}
    converted = convert(
        {
            "It": {"allOf": [{"minProperties": 1}], "$ref": "#/components/schemas/A", **beside},
            "A": {"type": "object"},
            "B": {"$dynamicAnchor": "b", "required": ["b"]},
            "C": {"required": ["c"]},
        }
    )
    schema = whole(converted.add(), converted.pool.schemas)
    assert accepts(schema, {"b": 1, "c": 2})
    for wrong in ({"b": 1}, {"c": 2}, "text"):
        assert not accepts(schema, wrong)


def test_a_dynamic_reference_that_leads_nowhere_breaks_the_schema(convert: Convert) -> None:
    converted = convert({"It": {"$dynamicRef": "#nothing"}})
    broken = converted.pool.broken(converted.add())
    assert broken is not None
    assert "no $anchor 'nothing'" in broken.message


def test_a_dangling_reference_in_place_of_properties_breaks_the_schema(convert: Convert) -> None:
    converted = convert(
        {
            "It": {
                "allOf": [{"required": ["a"]}],
                "properties": {"a": {"type": "string"}, "$ref": "#/nowhere"},
            },
        }
    )
    schema = converted.add()
    assert isinstance(schema, dict)
    assert schema["properties"] == {"a": {"type": "string"}}
    assert schema["allOf"][0] == {"required": ["a"]}
    broken = converted.pool.broken(schema)
    assert broken is not None
    assert "'#/nowhere' leads nowhere" in broken.message


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
            "Inline": {"properties": {"x": bound("inline", {"type": "boolean"})}},
        }
    )
    pool = converted.pool.schemas
    strings = whole(converted.add("Strings"), pool)
    numbers = whole(converted.add("Numbers"), pool)
    plain = whole(converted.add("Page"), pool)
    inline = whole(converted.add("Inline"), pool)
    assert accepts(strings, {"data": ["a"]})
    assert not accepts(strings, {"data": [1]})
    assert accepts(numbers, {"data": [1]})
    assert not accepts(numbers, {"data": ["a"]})
    assert accepts(inline, {"x": {"data": [True]}})
    assert not accepts(inline, {"x": {"data": ["a"]}})
    assert accepts(plain, {"data": []})
    assert not accepts(plain, {"data": [1]})
    assert sum(schema == {"type": "string"} for schema in pool.values()) == 2


def test_a_recursive_reference_leads_to_the_outermost_schema_that_asks_for_it(
    convert: Convert,
) -> None:
    def tree(name: str, anchor: bool, **more: Any) -> dict[str, Any]:
        return {"$id": f"https://example.com/{name}", "$recursiveAnchor": anchor, **more}

    page = {"properties": {"child": {"$recursiveRef": "#"}}}
    strict = {"unevaluatedProperties": False, "$ref": "https://example.com/open"}
    converted = convert(
        {
            "Open": tree("open", True, **page),
            "Closed": tree("closed", False, **page),
            "Strict": tree("strict", True, **strict),
            "Loose": tree("loose", False, **strict),
            "StrictOfClosed": tree("own", True, **{**strict, "$ref": "https://example.com/closed"}),
        },
        jsonSchemaDialect="https://json-schema.org/draft/2019-09/schema",
    )
    deep = {"child": {"child": {"other": 1}}}
    for name, recursive in (
        ("Open", False),
        ("Strict", True),
        ("Loose", False),
        ("StrictOfClosed", False),
    ):
        schema = whole(converted.add(name), converted.pool.schemas)
        assert accepts(schema, {"child": {"child": {}}})
        assert accepts(schema, deep) is not recursive


def test_a_property_that_is_called_like_data_is_none(convert: Convert) -> None:
    generic = {
        "$id": "https://example.com/page",
        "$defs": {"item": {"$dynamicAnchor": "item", "not": {}}},
        "properties": {"default": {"$dynamicRef": "#item"}, "value": {"$anchor": "v", "const": 1}},
    }
    strings = {
        "$id": "https://example.com/strings",
        "$defs": {"item": {"$dynamicAnchor": "item", "type": "string"}},
        "$ref": "https://example.com/page",
    }
    named = {"$ref": "https://example.com/page#v"}
    converted = convert({"Page": generic, "Strings": strings, "Named": named})
    schema = whole(converted.add("Strings"), converted.pool.schemas)
    assert accepts(schema, {"default": "a"})
    assert not accepts(schema, {"default": 1})
    one = whole(converted.add("Named"), converted.pool.schemas)
    assert accepts(one, 1)
    assert not accepts(one, 2)


def test_the_keys_of_what_dynamic_references_mean_are_those_of_any_machine(tmp_path: Path) -> None:
    page = {
        "$id": "https://example.com/page",
        "$defs": {"item": {"$dynamicAnchor": "item", "not": {}}},
        "type": "object",
        "properties": {"data": {"type": "array", "items": {"$dynamicRef": "#item"}}},
    }
    strings = {
        "$id": "https://example.com/strings",
        "$defs": {"item": {"$dynamicAnchor": "item", "type": "string"}},
        "$ref": "https://example.com/page",
    }
    answer = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Strings"}}}}
    operation = {"responses": {"200": {"description": "A page.", **answer}}}
    document = one(operation, components={"schemas": {"Page": page, "Strings": strings}})
    here, there = tmp_path / "here", tmp_path / "over" / "there"
    here.mkdir()
    there.mkdir(parents=True)
    keys = [list(read_document(document, folder).api.schemas) for folder in (here, there)]
    assert keys[0] == keys[1]
    assert any(key.startswith("Page_") for key in keys[0])


def test_the_way_to_a_dynamic_reference_leads_through_files_that_say_nothing_of_it(
    tmp_path: Path,
) -> None:
    page = {
        "$id": "https://example.com/page",
        "$defs": {"item": {"$dynamicAnchor": "item", "not": {}}},
        "properties": {"data": {"items": {"$dynamicRef": "#item"}}},
    }
    (tmp_path / "middle.json").write_text('{"$ref": "page.json"}', encoding="utf-8")
    (tmp_path / "page.json").write_text(json.dumps(page), encoding="utf-8")
    strings = {
        "$defs": {"item": {"$dynamicAnchor": "item", "type": "string"}},
        "$ref": "middle.json",
    }
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Strings"}}}
    operation = {"requestBody": {"required": True, "content": content}}
    document = one(operation, method="post", components={"schemas": {"Strings": strings}})
    schema = read_document(document, tmp_path).tool.input_schema
    assert accepts(schema, {"data": ["a"]})
    assert not accepts(schema, {"data": [1]})
