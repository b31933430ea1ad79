"""Boolean schemas are spelled as objects, and mean the same."""

from jsonschema import Draft202012Validator
from tables import table

from mcpgen.schemas.booleans import as_objects


@table(
    "schema, expected",
    ({"properties": {"a": False}}, {"properties": {"a": {"not": {}}}}),
    ({"items": True}, {"items": {}}),
    ({"anyOf": [True, {"not": False}]}, {"anyOf": [{}, {"not": {"not": {}}}]}),
    ({"$defs": {"x": {"items": False}}}, {"$defs": {"x": {"items": {"not": {}}}}}),
    ({"prefixItems": [False], "contains": True}, {"prefixItems": [{"not": {}}], "contains": {}}),
)
def test_a_boolean_becomes_an_object(schema, expected):
    assert as_objects(schema) == expected
    for value in ({"a": 1}, {}, [], [1], 1):
        told = [Draft202012Validator(s).is_valid(value) for s in (schema, as_objects(schema))]
        assert told[0] == told[1]


@table(
    "schema",
    {"additionalProperties": False, "unevaluatedProperties": True},
    {"enum": [False], "const": True, "default": False, "properties": {"a": {"type": "null"}}},
)
def test_all_else_is_the_very_same(schema):
    assert as_objects(schema) is schema
