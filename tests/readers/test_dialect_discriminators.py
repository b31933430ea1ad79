"""Bases and what extends them: discriminators, lists of alternatives, and where they loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from schema_documents import Convert, accepts, assert_valid, whole

from mcpgen.readers.dialect import Dialect
from mcpgen.schemas import types_of


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


def test_a_loop_of_allof_alone_makes_what_uses_it_unusable(convert: Convert) -> None:
    converted = convert(
        {
            "It": {"items": {"$ref": REF("A")}},
            "A": {"allOf": [{"$ref": REF("B")}]},
            "B": {"$ref": REF("A"), "title": "b"},
        }
    )
    found = whole(converted.add(), converted.pool.schemas)
    [loop] = converted.diagnostics.warnings
    assert loop.code == "reference-loop"
    assert loop.message.endswith(": A, B")
    assert converted.pool.unusable({"$ref": "#/$defs/A"}) == "a loop of references: A, B"
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
    count = 150
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
