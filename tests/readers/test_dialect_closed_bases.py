"""A closed base with a discriminator stands for what extends it, each closed as a whole."""

from __future__ import annotations

from typing import Any

import pytest
from schema_documents import Convert, accepts, whole

from mcpgen.readers.dialect import Dialect

TEXT: dict[str, Any] = {"type": "string"}
CLOSED: dict[str, Any] = {"type": "object", "additionalProperties": False}


def extending(name: str, dialect: Dialect, **own: Any) -> dict[str, Any]:
    place = "definitions" if dialect is Dialect.OAS20 else "components/schemas"
    return {"allOf": [{"$ref": f"#/{place}/{name}"}, own]}


def zoo(dialect: Dialect, closing: dict[str, Any]) -> dict[str, Any]:
    discriminator: Any = "kind"
    if dialect is not Dialect.OAS20:
        mapping = {"cat": "Cat", "Dog": "#/components/schemas/Dog", "beast": "It"}
        discriminator = {"propertyName": "kind", "mapping": mapping}
    base = {"type": "object", "required": ["kind"], "properties": {"kind": TEXT, "name": TEXT}}
    return {
        "It": {**base, **closing, "discriminator": discriminator},
        "Cat": extending("It", dialect, **CLOSED, required=["purr"], properties={"purr": TEXT}),
        "Dog": extending("It", dialect, type="object", properties={"bark": TEXT}),
        "Hound": extending("Dog", dialect, **CLOSED, properties={"nose": TEXT}),
    }


GOOD = [
    ("It", {"kind": "cat", "purr": "a", "name": "b"}),
    ("It", {"kind": "Dog", "bark": "a"}),
    ("It", {"kind": "Hound", "bark": "a", "nose": "b"}),
    ("It", {"kind": "beast", "name": "a"}),
    ("Cat", {"kind": "cat", "purr": "a", "name": "b"}),
    ("Hound", {"kind": "Hound", "name": "a", "bark": "b", "nose": "c"}),
]
BAD = [
    ("It", {"kind": "cat", "purr": "a", "other": 1}),
    ("It", {"kind": "beast", "other": 1}),
    ("It", {"purr": "a"}),
    ("It", {"kind": "Hound", "purr": "a", "nose": "b"}),
    ("It", {"kind": "cat", "bark": "a"}),
    ("It", {"kind": "Dog", "purr": "a"}),
    ("It", {"kind": "bird", "purr": "a"}),
    ("Cat", {"kind": "Dog", "purr": "a"}),
    ("Cat", {"kind": "cat", "purr": "a", "bark": "b"}),
    ("Cat", {"kind": "cat"}),
    ("Dog", {"kind": "Dog", "nose": "a"}),
]


@pytest.mark.parametrize(
    ("dialect", "closing"),
    [
        *((dialect, {"additionalProperties": False}) for dialect in Dialect),
        (Dialect.OAS31, {"unevaluatedProperties": False}),
    ],
)
def test_a_closed_base_takes_what_extends_it(
    convert: Convert, dialect: Dialect, closing: dict[str, Any]
) -> None:
    for cases, good in ((GOOD, True), (BAD, False)):
        for name, value in cases:
            converted = convert(zoo(dialect, closing), dialect)
            schema = whole(converted.add(name), converted.pool.schemas)
            if dialect is Dialect.OAS20 and value.get("kind") == "cat":
                value = {**value, "kind": "Cat"}  # the name, as there is no mapping
            assert accepts(schema, value) is good, (name, value)
            assert converted.warnings == []


def test_a_closed_base_with_its_own_list_of_alternatives_takes_them(convert: Convert) -> None:
    schemas = zoo(Dialect.OAS30, {"additionalProperties": False})
    refs = [{"$ref": f"#/components/schemas/{name}"} for name in ("Cat", "Dog")]
    converted = convert({**schemas, "It": {**schemas["It"], "oneOf": refs}}, Dialect.OAS30)
    schema = whole(converted.add(), converted.pool.schemas)
    assert accepts(schema, {"kind": "cat", "purr": "a"})
    assert not accepts(schema, {"kind": "cat", "purr": "a", "other": 1})


@pytest.mark.parametrize("keyword", ["oneOf", "anyOf"])
@pytest.mark.parametrize("mapping", [{"a": "A"}, {}])
def test_a_closed_alternative_may_hold_its_value_of_the_discriminator(
    convert: Convert, keyword: str, mapping: dict[str, str]
) -> None:
    """3.0.3, Discriminator Object: the property will hold the discriminator value."""
    schemas = {
        name: {**CLOSED, "required": [name], "properties": {name: TEXT}} for name in ("A", "B")
    }
    refs = [{"$ref": f"#/components/schemas/{name}"} for name in schemas]
    choice = {keyword: refs, "discriminator": {"propertyName": "kind", "mapping": mapping}}
    converted = convert({"It": choice, **schemas}, Dialect.OAS30)
    schema = whole(converted.add(), converted.pool.schemas)
    own = next(iter(mapping), "A")
    assert accepts(schema, {"A": "x", "kind": own})
    assert accepts(schema, {"B": "x", "kind": "B"})
    assert accepts(schema, {"B": "x"})
    assert not accepts(schema, {"B": "x", "kind": own})
    assert not accepts(schema, {"A": "x", "more": 1})
    assert [message for _, message in converted.warnings] == [
        "an alternative forbids `kind`, which is to hold its value; it may"
    ]


def test_a_closed_base_of_too_much_is_open(convert: Convert) -> None:
    schemas = zoo(Dialect.OAS30, {"additionalProperties": False})
    more = {f"X{n}": extending("It", Dialect.OAS30, properties={f"x{n}": {}}) for n in range(60)}
    converted = convert({**schemas, **more}, Dialect.OAS30)
    schema = whole(converted.add(), converted.pool.schemas)
    assert accepts(schema, {"kind": "X59", "x59": 1})
    assert accepts(whole(converted.add("X59"), converted.pool.schemas), {"kind": "X59", "x59": 1})


def test_a_closed_base_that_nothing_extends_stays_closed(convert: Convert) -> None:
    base = zoo(Dialect.OAS30, {"additionalProperties": False})["It"]
    base["discriminator"] = {"propertyName": "kind"}
    converted = convert({"It": base}, Dialect.OAS30)
    assert not accepts(converted.add(), {"kind": "a", "other": 1})


def test_where_no_value_can_fit_the_object_is_closed_as_a_whole(convert: Convert) -> None:
    """`closed_objects` decides only where both readings have values."""
    base = {**CLOSED, "required": ["foo"], "properties": {"foo": TEXT}}
    own = {**CLOSED, "required": ["bar"], "properties": {"bar": TEXT}}
    schemas = {"Base": base, "It": extending("Base", Dialect.OAS30, **own)}
    converted = convert(schemas, Dialect.OAS30)
    schema = whole(converted.add(), converted.pool.schemas)
    assert accepts(schema, {"foo": "a", "bar": "b"})
    assert not accepts(schema, {"foo": "a", "bar": "b", "c": "d"})
    [(pointer, message)] = converted.warnings
    assert pointer == "/components/schemas/It/allOf"
    assert message.endswith("no value is good; the object is read as closed as a whole")
    base["required"] = []
    schemas["It"] = extending("Base", Dialect.OAS30, **{**own, "required": []})
    converted = convert(schemas, Dialect.OAS30)
    assert not accepts(whole(converted.add(), converted.pool.schemas), {"foo": "a", "bar": "b"})
