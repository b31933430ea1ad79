"""What JSON Schema does not allow is told and left out, and the rest is read."""

from __future__ import annotations

from typing import Any

import pytest
from schema_documents import Convert

from mcpgen.readers.dialect import Dialect


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


@pytest.mark.parametrize("listed", [{}, {"required": ["b"]}])
@pytest.mark.parametrize("is_first", [True, False])
def test_required_in_a_property_can_mean_one_thing_only(
    convert: Convert, listed: dict[str, Any], is_first: bool
) -> None:
    """As in draft-03; of an object as a whole it says nothing."""
    text = {"type": "string"}
    properties = {"a": {**text, "required": True}, "b": text, "c": {**text, "required": False}}
    own = {"properties": properties}
    converted = convert({"It": {**listed, **own} if is_first else {**own, **listed}})
    schema = converted.add()
    assert schema == {"properties": dict.fromkeys("abc", text), "required": schema["required"]}
    assert {*schema["required"]} == {"a", *listed.get("required", ())}
    assert [pointer.rpartition("/It/")[2] for pointer, _ in converted.warnings] == [
        "properties/a/required",
        "properties/c/required",
    ]
    whole = convert({"It": {"type": "object", "required": True}})
    assert whole.add() == {"type": "object"}
    assert [message for _, message in whole.warnings] == [
        "`required` must be a list of property names; it is ignored"
    ]


@pytest.mark.parametrize(
    ("written", "schema"),
    [
        ("int", {"type": "integer"}),
        ("long", {"type": "integer", "format": "int64"}),
        ("float", {"type": "number", "format": "float"}),
        ("double", {"type": "number", "format": "double"}),
        ("date", {"type": "string", "format": "date"}),
        ("datetime", {"type": "string", "format": "date-time"}),
        ("date-time", {"type": "string", "format": "date-time"}),
        ("uuid", {"type": "string", "format": "uuid"}),
        ("bool", {"type": "boolean"}),
        ("str", {"type": "string"}),
        ("String", {"type": "string"}),
        ("INTEGER", {"type": "integer"}),
        ("Array", {"type": "array", "items": {}}),
        ("File", {"type": "string", "format": "binary"}),
        ("dict", {"type": "object"}),
    ],
)
def test_a_type_of_another_language_is_read_as_meant(
    convert: Convert, written: str, schema: dict[str, Any]
) -> None:
    converted = convert({"It": {"properties": {"a": {"type": written}}}})
    assert converted.add() == {"properties": {"a": schema}}
    assert [m for _, m in converted.warnings if "`items`" not in m] == [
        f"`type` cannot be `{written}`; it is read as `{schema['type']}`"
    ]
    kept = convert({"It": {"format": "int32", "type": "Integer"}})
    assert kept.add() == {"format": "int32", "type": "integer"}


@pytest.mark.parametrize(
    "schema", [{"type": None}, {"anyOf": [{"type": None, "minLength": 1}]}, {"not": {"type": None}}]
)
def test_a_type_that_may_have_been_left_empty_says_nothing(convert: Convert, schema: Any) -> None:
    converted = convert({"It": schema})
    assert "null" not in str(converted.add())
    assert len(converted.warnings) == 1


WRONG = [
    ("type", "string();exec()"),
    ("type", ["x", "null"]),
    ("type", "any"),
    ("type", []),
    ("type", {}),
    ("required", "true"),
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


MEANT = [
    ("maxlength", 5, "Did you mean `maxLength`?"),
    ("Type", "string", "Did you mean `type`?"),
    ("ref", "#/components/schemas/It", "Did you mean `$ref`?"),
    ("schema", {"type": "string"}, "What it holds belongs here, without `schema`."),
    ("$ref", None, "In YAML, `#` after a blank begins a comment: write the reference in quotes."),
    ("type", "integr", "Did you mean `integer`?"),
    ("type", "money", ""),
]


@pytest.mark.parametrize("dialect", list(Dialect))
def test_a_value_that_json_schema_does_not_allow_is_left_out_and_located(
    convert: Convert, dialect: Dialect
) -> None:
    cases = {f"p{at}": case for at, case in enumerate([*WRONG, *(case[:2] for case in MEANT)])}
    properties = {name: {keyword: value, "x-a": 1} for name, (keyword, value) in cases.items()}
    converted = convert({"It": {"properties": properties}}, dialect)
    assert converted.add() == {"properties": {name: {} for name in cases}}
    told = [(pointer.partition("/It/properties/")[2], said) for pointer, said in converted.warnings]
    assert {at for at, _ in told} == {f"{name}/{keyword}" for name, (keyword, _) in cases.items()}
    assert len(told) == len(cases)
    assert not any("exec" in said for _, said in told)
    hints = [told.hint for told in converted.diagnostics.warnings[-len(MEANT) :]]
    assert hints == [hint for *_, hint in MEANT]


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


@pytest.mark.parametrize(
    ("schema", "types"),
    [
        ({"format": "int32"}, "integer"),
        ({"format": "uint64", "pattern": "^[0-9]+$"}, ["integer", "string"]),
        ({"format": "float", "pattern": "^1$", "nullable": True}, ["number", "string", "null"]),
        ({"format": "decimal"}, "number"),
        ({"format": "int64", "type": "string"}, "string"),
        ({"format": "int64", "enum": ["1"]}, None),
        ({"format": "date"}, None),
    ],
)  # fmt: skip
def test_a_format_of_numbers_is_a_type_where_none_is_said(
    convert: Convert, schema: dict[str, Any], types: Any
) -> None:
    """.NET leaves out the type of a number that may be written as text."""
    converted = convert({"It": schema}, Dialect.OAS30)
    found = converted.add()
    assert isinstance(found, dict)
    assert found.get("type") == types
    assert converted.warnings == []
