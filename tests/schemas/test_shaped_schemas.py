"""The schema of an answer of which agents see a part: it describes what they see."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from schema_strategies import VALUES, any_schema
from tables import table

from mcpgen.runtime.parts.shaping import Shape, shape_value
from mcpgen.schemas.inlining import inlined
from mcpgen.schemas.shaped import names_a_field, shaped

NUMBERS = {"patternProperties": {"^n": {"type": "integer"}}, "additionalProperties": False}
PAIR = {"prefixItems": [{"type": "object"}, {"properties": {"a": {}}}], "items": False}
MIXED = {"prefixItems": [{"type": "object"}], "items": {"type": "integer"}}


def fits(value: Any, schema: Any, pool: Any = None) -> bool:
    whole = {**schema, "$defs": pool or {}} if isinstance(schema, dict) else schema
    return Draft202012Validator(whole).is_valid(value)


@table(
    "schema, path, value, shown, rest",
    (NUMBERS, "$.n1", {"n1": 1}, {"n1": "[redacted]"}, {}),
    (NUMBERS, "$.*", {"n1": 1}, {"n1": "[redacted]"}, None),
    (NUMBERS, "$[*].a", {"n1": 1}, {"n1": 1}, NUMBERS),
    ({"additionalProperties": {"type": "integer"}}, "$.a", {"a": 1}, {"a": "[redacted]"}, {}),
    (MIXED, "$[*].a", [{"a": 1}, 1], [{"a": "[redacted]"}, 1], MIXED),
    ({"items": {"type": "integer"}}, "$.a", [1], [1], {"items": {"type": "integer"}}),
    (
        {"properties": {"b": {}}, "additionalProperties": False},
        "$.a",
        {"b": 1},
        {"b": 1},
        {"properties": {"b": {}}, "additionalProperties": False},
    ),
)
def test_what_is_masked_where_no_name_is_known(schema, path, value, shown, rest):
    assert shape_value(value, Shape(redact=[path])) == shown
    found, pool = shaped(schema, {}, redact=[path], fields=())
    assert fits(shown, found, pool)
    assert rest is None or found == rest


@table(
    "schema, path, value, shown",
    (NUMBERS, "$.n1", {"n1": 1, "n2": 2}, {"n1": 1}),
    (PAIR, "$[*].a", [{"b": 1}, {"a": 1}], [{}, {"a": 1}]),
    (MIXED, "$[*].a", [{"a": 1}, 1], [{"a": 1}]),
    ({"additionalProperties": {"type": "integer"}}, "$.a", {"a": 1, "b": 1}, {"a": 1}),
    ({"required": ["a", "b"]}, "$.a", {"a": 1, "b": 1}, {"a": 1}),
    ({"anyOf": [{}], "oneOf": [NUMBERS, {"required": ["a"]}]}, "$.b", {"n1": 1}, {}),
)
def test_what_is_kept_where_no_name_is_known(schema, path, value, shown):
    assert shape_value(value, Shape(fields=[path])) == shown
    found, pool = shaped(schema, {}, redact=(), fields=[path])
    assert fits(shown, found, pool)


@table(
    "schema, path, is_there",
    ({"properties": {"a": {}}}, "$.a", True),
    ({"properties": {"a": {}}}, "$.b", False),
    ({"properties": {"a": {}}}, "$.a.b", True),
    ({"properties": {"a": {"type": "string"}}}, "$.a.b", False),
    ({"properties": {"a": {"type": ["object", "null"]}}}, "$.a.b", True),
    ({"properties": {"a": {"items": {"properties": {"b": {}}}}}}, "$.a[*].b", True),
    ({"properties": {"a": {"items": {"properties": {"b": {}}}}}}, "$.a.b", False),
    ({"type": "object"}, "$.a", True),
    (True, "$.a", True),
    (NUMBERS, "$.n1", True),
    ({"additionalProperties": False, "properties": {}}, "$.n1", False),
    (PAIR, "$[*].a", True),
)
def test_whether_a_path_may_lead_to_a_field(schema, path, is_there):
    assert names_a_field(schema, {}, path) is is_there


def test_what_is_shaped_keeps_its_name():
    pool = {"Order": {"properties": {"id": {}, "total": {}}}}
    order = {"$ref": "#/$defs/Order"}
    schema, found = shaped(order, pool, redact=["$.total"], fields=["$.id", "$.total"])
    told = inlined({"anyOf": [schema, {"type": "object"}], "$defs": found})
    assert told["anyOf"][0]["title"] == "Order"


POOL = {"A": {"type": "object", "properties": {"p": {"type": "string"}, "q": {}}}}
STEPS = ["$.p", "$.q", "$[*]", "$.*", "$.p.q", "$[*].p", "$.*.*"]
PATHS = st.lists(st.sampled_from(STEPS), max_size=2)


@given(any_schema("#/$defs/A"), VALUES, PATHS, PATHS)
def test_what_is_shown_of_an_answer_that_fits_fits(schema, value, redact, fields):
    shown = shape_value(value, Shape(redact=redact, fields=fields))
    if (shown is None and value is not None) or not fits(value, schema, POOL):
        return
    found, pool = shaped(schema, POOL, redact=redact, fields=fields)
    assert fits(shown, found, pool)
