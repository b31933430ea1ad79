"""What schemas refer to: definitions, discriminators, dynamic references, and where that loops."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from openapi_reading import one, read_document
from schema_documents import Convert, Converted, accepts, assert_valid, whole

from mcpgen.readers.dialect import Dialect
from mcpgen.schemas import types_of


@pytest.fixture
def convert(tmp_path: Path) -> Convert:
    return partial(Converted, tmp_path)


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
                        "y": None,
                        "z": "#/nowhere",
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
    assert [pointer.rpartition("/")[2] for pointer, _ in untold.warnings] == ["x", "y", "z"]
    for cat, dog in ((1, 2), ("c", 2), ("c", "c")):
        kept = convert(pets(cat={"const": cat}, dog={"const": dog})).add()
        assert "discriminator" in kept


@pytest.mark.parametrize("named", ["Other", "#/components/schemas/Other", "#o"])
def test_a_discriminator_says_what_other_values_stand_for(convert: Convert, named: str) -> None:
    """OpenAPI 3.2.0, "Optional Discriminating Property"."""

    def pets(default: Any) -> dict[str, Any]:
        rule = {"propertyName": "kind", "defaultMapping": default}
        alternatives = [{"$ref": f"#/components/schemas/{name}"} for name in ("Cat", "Other")]
        return {
            "It": {"oneOf": alternatives, "discriminator": rule},
            "Cat": {"required": ["kind"], "properties": {"kind": {"type": "string"}}},
            "Other": {"$anchor": "o", "properties": {"kind": {"not": {"enum": ["Cat"]}}}},
        }

    rule = convert(pets(named)).add()["discriminator"]
    assert rule["defaultMapping"] == "#/$defs/Other"
    assert set(rule["mapping"].values()) == {"#/$defs/Cat", "#/$defs/Other"}
    wrong = convert(pets("Missing"))
    assert "defaultMapping" not in wrong.add()["discriminator"]
    assert [pointer.rpartition("/")[2] for pointer, _ in wrong.warnings] == ["defaultMapping"]


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


REF = "#/components/schemas/{}".format


@pytest.mark.parametrize("levels", [0, 1, 2])
def test_a_base_that_lists_its_extensions_does_not_loop(convert: Convert, levels: int) -> None:
    """Wherever it lists them: itself, or in a part of its `allOf`."""
    listed: dict[str, Any] = {
        "oneOf": [{"$ref": REF("Cat")}, {"$ref": REF("Dog")}],
        "discriminator": {"propertyName": "kind"},
    }
    for _ in range(levels):
        listed = {"allOf": [{"type": "object"}, listed]}
    converted = convert(
        {
            "It": {"properties": {name: {"$ref": REF(name)} for name in ("Pet", "Cat")}},
            "Pet": {"type": "object", "required": ["kind"], **listed},
            "Cat": {"allOf": [{"$ref": REF("Pet")}, {"properties": {"kind": {"const": "Cat"}}}]},
            "Dog": {
                "allOf": [
                    {"$ref": REF("Pet")},
                    {"$ref": REF("Named")},
                    {"properties": {"kind": {"const": "Dog"}}},
                ]
            },
            "Named": {"properties": {"name": {"type": "string"}}},
        },
        Dialect.OAS30,
    )
    schema = whole(converted.add(), converted.pool.schemas)
    assert_valid(schema)
    assert accepts(schema, {"Pet": {"kind": "Dog"}, "Cat": {"kind": "Cat"}})
    assert not accepts(schema, {"Pet": {"kind": "Dog", "name": 1}})
    assert not accepts(schema, {"Pet": {"kind": "Bird"}})
    assert not accepts(schema, {"Pet": {}})
    assert not accepts(schema, {"Cat": {}})
    assert not accepts(schema, {"Cat": {"kind": "Dog"}})
    [(pointer, message)] = converted.warnings
    assert pointer == "/components/schemas/Cat"
    assert message.endswith(": Cat, Dog, Pet")


def test_a_base_with_two_names_lists_its_extensions_by_both(convert: Convert) -> None:
    listed = {"oneOf": [{"$ref": REF("Cat")}], "discriminator": {"propertyName": "kind"}}
    converted = convert(
        {
            "It": {"properties": {name: {"$ref": REF(name)} for name in ("Pet", "Animal")}},
            "Pet": {"$ref": REF("Animal")},
            "Animal": {"type": "object", "required": ["kind"], **listed},
            "Cat": {"allOf": [{"$ref": REF("Pet")}], "properties": {"kind": {"const": "Cat"}}},
        },
        Dialect.OAS30,
    )
    schema = whole(converted.add(), converted.pool.schemas)
    assert_valid(schema)
    for name in ("Pet", "Animal"):
        assert accepts(schema, {name: {"kind": "Cat"}})
        assert not accepts(schema, {name: {"kind": "Dog"}})
        assert not accepts(schema, {name: {}})


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
    count = 1500
    chain: dict[str, Any] = {
        f"S{i}": {"allOf": [{"$ref": REF(f"S{i + 1}")}, {"$ref": REF(f"S{i + 1}")}]}
        for i in range(count)
    }
    converted = convert({"It": {"$ref": REF("S0")}, **chain, f"S{count}": {"type": "string"}})
    schema = converted.add()
    assert types_of(schema, converted.pool.schemas) == {"string"}
    assert len(converted.pool.schemas) == count + 1


@pytest.mark.parametrize(
    ("dialect", "discriminator"),
    [(Dialect.OAS20, "kind"), (Dialect.OAS30, {"propertyName": "kind", "mapping": {"a": "Other"}})],
)
def test_the_base_of_others_takes_their_properties_too(
    convert: Convert, dialect: Dialect, discriminator: Any
) -> None:
    base = {"properties": {"kind": {"type": "string"}}, "discriminator": discriminator}
    closed = {**base, "additionalProperties": False}
    other = {"allOf": [{"$ref": "#/elsewhere"}], "properties": {"b": {}}}
    found = convert({"It": base, "Other": other}, dialect).add()
    assert found == {"properties": base["properties"], "additionalProperties": True}
    other = {"allOf": [{"$ref": REF("It")}], "properties": {"b": {}}}
    found = convert({"It": closed, "Other": other}, dialect).add()
    assert found == {"properties": base["properties"], "additionalProperties": False}


def extended(ref: Callable[[str], str], **more: Any) -> dict[str, Any]:
    """A base `Pet`, what extends it, and `It`, which has both."""
    return {
        "It": {"properties": {name: {"$ref": ref(name)} for name in ("Pet", "Cat")}},
        "Pet": {"required": ["kind"], "properties": {"kind": {"type": "string"}}, **more},
        "Cat": {"allOf": [{"$ref": ref("Pet")}, {"required": ["claws"]}]},
        "Lion": {"allOf": [{"$ref": ref("Cat")}], "x-ms-discriminator-value": "king"},
        "Dog": {"allOf": [{"$ref": ref("Pet")}], "properties": {"bark": {"type": "string"}}},
    }


@pytest.mark.parametrize(
    ("dialect", "ref", "discriminator", "values"),
    [
        (Dialect.OAS20, "#/definitions/{}".format, "kind", ["Cat", "Dog", "king"]),
        (
            Dialect.OAS30,
            REF,
            {"propertyName": "kind", "mapping": {"cat": "Cat", "lion": REF("Lion")}},
            ["cat", "Dog", "lion"],
        ),
    ],
)
def test_a_base_offers_what_extends_it(
    convert: Convert,
    dialect: Dialect,
    ref: Callable[[str], str],
    discriminator: Any,
    values: list[str],
) -> None:
    converted = convert(extended(ref, discriminator=discriminator), dialect)
    schema = whole(converted.add(), converted.pool.schemas)
    assert_valid(schema)
    pet = converted.pool.schemas["Pet"]
    assert isinstance(pet, dict)
    keys = [f"#/$defs/{name}" for name in ("Cat", "Dog", "Lion")]
    assert [*map(dict, pet["anyOf"])] == [*({"$ref": key} for key in keys), {}]
    mapping = dict(zip(values, keys, strict=True))
    assert pet["discriminator"] == {"propertyName": "kind", "mapping": mapping}
    assert accepts(schema, {"Pet": {"kind": "Cat"}, "Cat": {"kind": "Cat", "claws": 1}})
    assert not accepts(schema, {"Cat": {"claws": 1}})
    assert not accepts(schema, {"Pet": {}})
    assert converted.warnings == []


def test_a_part_that_has_the_discriminator_is_not_extended_by_what_it_is_a_part_of(
    convert: Convert,
) -> None:
    part = {"properties": {"kind": {"type": "string"}}, "discriminator": {"propertyName": "kind"}}
    cat = {"allOf": [{"$ref": REF("Pet")}], "required": ["claws"]}
    choice = {"oneOf": [{"$ref": REF("Cat")}]}
    converted = convert({"It": choice, "Pet": {"allOf": [part]}, "Cat": cat})
    schema = whole(converted.add(), converted.pool.schemas)
    assert not accepts(schema, {"kind": 1, "claws": 1})
    assert accepts(schema, {"kind": "Cat", "claws": 1})
    assert converted.warnings == []


def test_of_extensions_with_one_value_the_first_is_offered(convert: Convert) -> None:
    def extension(value: Any) -> dict[str, Any]:
        return {"allOf": [{"$ref": REF("It")}], "x-ms-discriminator-value": value}

    base = {"type": "object", "discriminator": {"propertyName": "kind"}}
    others = {"A": extension("a"), "B": extension("a"), "C": extension(1), "D": extension("d")}
    nothing = {"E": {"allOf": [{"$ref": REF("Nope")}]}}
    found = convert({"It": base, **others, **nothing}).add()
    assert isinstance(found, dict)
    assert [*map(dict, found["anyOf"])] == [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/D"}, {}]


def test_a_base_of_everything_offers_nothing(convert: Convert) -> None:
    extensions = {f"E{i}": {"allOf": [{"$ref": REF("It")}]} for i in range(41)}
    base = {"type": "object", "discriminator": {"propertyName": "kind"}}
    assert convert({"It": base, **extensions}).add() == {"type": "object"}
    del extensions["E0"]
    assert isinstance(offering := convert({"It": base, **extensions}).add(), dict)
    assert len(offering["anyOf"]) == 41


def test_a_discriminator_of_2_0_is_a_name(convert: Convert) -> None:
    converted = convert({"It": {"type": "object", "discriminator": "kind"}}, Dialect.OAS20)
    assert converted.add() == {"type": "object"}
    assert converted.warnings == []
    wrong = convert({"It": {"type": "object", "discriminator": "kind"}}, Dialect.OAS31)
    assert wrong.add() == {"type": "object"}
    assert [pointer for pointer, _ in wrong.warnings] == ["/components/schemas/It/discriminator"]


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
