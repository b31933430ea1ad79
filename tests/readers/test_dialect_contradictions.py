"""Schemas that no value fits: they are told, and mended where it is plain what was meant."""

from __future__ import annotations

import json
from typing import Any

import pytest
from schema_documents import PET, PET_KEY, Convert, accepts, one, whole

from mcpgen.readers.dialect import Dialect


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
def test_a_closed_object_that_requires_what_it_inherits_is_reported(
    convert: Convert, keyword: str
) -> None:
    closed = {"type": "object", "required": ["a"], "additionalProperties": False, keyword: [PET]}
    converted = convert({"It": closed, "Pet": {"type": "object"}}, Dialect.OAS30)
    told = {name: value for name, value in closed.items() if name != "required"}
    assert converted.add() == {**told, keyword: [PET_KEY]}
    ((_, message),) = converted.warnings
    about = "`additionalProperties` forbids what is required: no value is good"
    assert message == f"{about}; not required: `a`"


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
    """Where there is a value by the letter, it is read so unless the user asks otherwise."""
    schemas = {"It": schema, "Base": {**KEY, **CLOSED}}
    written = convert(schemas, Dialect.OAS31)
    has_values = "note" in good
    assert accepts(whole(written.add(), written.pool.schemas), good) is not has_values
    assert ["closed_objects" in item.hint for item in written.diagnostics.items] == [has_values]
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
        {"type": "object", **CLOSED, "oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
    ],
)
def test_what_no_part_of_an_object_knows_stays_forbidden(convert: Convert, schema: Any) -> None:
    converted = convert({"It": schema}, Dialect.OAS31, closed_whole=True)
    assert converted.add() == schema
    assert [said.rpartition(": ")[2] for _, said in converted.warnings] == ["no value is good"]
    assert [item.hint for item in converted.diagnostics.items] == [""]


@pytest.mark.parametrize("dialect", list(Dialect))
@pytest.mark.parametrize(
    ("schema", "good", "bad", "names"),
    [
        ({"type": "object", **CLOSED, "required": ["a"]}, {}, {"a": 1}, "`a`"),
        (
            {
                "required": ["Id", "Name"],
                "properties": {"id": {}, "Name": {}},
                "type": "object",
                **CLOSED,
            },
            {"id": 1, "Name": 2},
            {"id": 1},
            "`Id`",
        ),
        (
            {"allOf": [{"$ref": "#/Base"}, {"type": "object", "required": ["gone"]}]},
            {"key": 1},
            {"key": 1, "gone": 2},
            "`gone`",
        ),
        (
            {"type": "array", "items": {**NOTE, **CLOSED, "required": ["x"]}},
            [{"note": 1}],
            [{"x": 1}],
            "`x`",
        ),
    ],
)
def test_what_a_closed_object_forbids_is_not_required(
    convert: Convert, dialect: Dialect, schema: Any, good: Any, bad: Any, names: str
) -> None:
    place = "definitions" if dialect is Dialect.OAS20 else "components/schemas"
    schema = json.loads(json.dumps(schema).replace("#/Base", f"#/{place}/Base"))
    converted = convert({"It": schema, "Base": {**KEY, **CLOSED}}, dialect)
    result = whole(converted.add(), converted.pool.schemas)
    assert accepts(result, good)
    assert not accepts(result, bad)
    [(_, message)] = converted.warnings
    assert message.endswith(f"; not required: {names}")


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
