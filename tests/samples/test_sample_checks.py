"""Whether a value fits a schema is judged as servers judge it, or not at all."""

from typing import Any

from tables import table

from mcpgen.runtime.schemas.validation import ArgumentValidator
from mcpgen.samples.checks import Checker

NAMED = {"patternProperties": {"^(?!x)": {}}}
CLOSED = {"additionalProperties": False}
HOLDS_A = {"contains": {"const": "a"}}
BRANCHES = {
    "if": {"properties": {"a": {"type": "integer"}}},
    "then": {"properties": {"b": {}}},
    "else": {"properties": {"a": {}, "c": {}}},
}


@table(
    "schema, value",
    ({"allOf": [{"unevaluatedProperties": True}], "unevaluatedProperties": False}, {"a": 1}),
    ({"allOf": [{"unevaluatedItems": True}], "unevaluatedItems": False}, [1]),
    (
        {
            "properties": {"a": {}},
            "dependentSchemas": {"a": {"properties": {"b": {}}}},
            "unevaluatedProperties": False,
        },
        {"a": 1, "b": 2},
    ),
    ({**HOLDS_A, "unevaluatedItems": False}, ["a", "a"]),
    ({**HOLDS_A, "unevaluatedItems": False}, ["a", "b"]),
    ({**HOLDS_A, "minContains": 0, "unevaluatedItems": False}, ["b"]),
    ({**NAMED, **CLOSED}, {"a": 1}),
    ({**NAMED, "unevaluatedProperties": False}, {"a": 1}),
    ({"patternProperties": {"^(?!x)": {"type": "string"}}}, {"a": 1}),
    ({"patternProperties": {"a": {"type": "string"}}}, {"a": 1}),
    ({"type": "string", "pattern": r"^\w+$"}, "é"),
    ({"type": "string", "pattern": r"^\d+$"}, "٣"),
    ({"patternProperties": {r"^\w+$": {}}, **CLOSED}, {"é": 1}),
    ({"type": "string", "pattern": "a"}, "a\ud800"),
    ({"const": True}, 1),
    ({"enum": [1, 0]}, False),
    ({"uniqueItems": True}, [1, True, [1], [True]]),
    ({"multipleOf": 0}, 1),
    ({"not": {"oneOf": [{"pattern": "^(?!x)"}]}}, "a"),
    ({"multipleOf": 0.01}, 1.15),
    ({"uniqueItems": True}, [{"a": 1}, {"a": 1.0}]),
    ({**BRANCHES, "unevaluatedProperties": False}, {"a": 1, "b": 2}),
    ({**BRANCHES, "unevaluatedProperties": False}, {"a": 1, "c": 2}),
    ({**BRANCHES, "unevaluatedProperties": False}, {"a": "x", "c": 2}),
    ({"anyOf": [{"prefixItems": [{"const": 1}]}, {}], "unevaluatedItems": False}, [1]),
    ({"anyOf": [{"prefixItems": [{"const": 1}]}, {}], "unevaluatedItems": False}, [2]),
)
def test_the_verdict_is_that_of_servers(schema, value):
    fits = ArgumentValidator(schema).fits(value)
    assert Checker({}).valid(value, schema) is fits
    assert Checker({}).refused(value, schema) is not fits


def test_what_a_reference_declares_is_evaluated():
    checker = Checker({"A": {"properties": {"a": {}}}})
    schema = {"$ref": "#/$defs/A", "unevaluatedProperties": False}
    assert checker.valid({"a": 1}, schema)
    assert not checker.valid({"b": 1}, schema)


def test_a_verdict_is_of_the_value_as_it_is_now():
    checker = Checker({})
    value: dict[str, Any] = {}
    schema = {"not": {"required": ["a"]}}
    assert checker.valid(value, schema)
    value["a"] = 1
    assert not checker.valid(value, schema)


@table(
    "schema, value",
    ({"minimum": "1"}, 1),
    ({"multipleOf": None}, 1),
    ({"properties": []}, {}),
    ({"$ref": "#/$defs/gone"}, 1),
    ({"$ref": "other.json"}, 1),
    ({"items": {}}, [0] * 200_000),
)
def test_what_cannot_be_judged_is_neither_right_nor_refused(schema, value):
    assert not Checker({}).valid(value, schema)
    assert not Checker({}).refused(value, schema)
