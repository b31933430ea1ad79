"""Samples are instances of their schemas, the same on every run, and found in a bounded time."""

import json
import re
import time
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tables import table

from mcpgen.samples.checks import Checker
from mcpgen.samples.instances import Sampler
from mcpgen.samples.scalars import NoSample

TREE: dict[str, Any] = {
    "Node": {
        "type": "object",
        "required": ["value"],
        "properties": {
            "value": {"type": "integer"},
            "next": {"$ref": "#/$defs/Node"},
            "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
        },
    },
    "Endless": {
        "type": "object",
        "required": ["again"],
        "properties": {"again": {"$ref": "#/$defs/Endless"}},
    },
    "a.b": {"type": "string", "const": "dotted"},
}

SCHEMAS: list[Any] = [
    True,
    {},
    {"type": "string"},
    {"type": "string", "minLength": 60},
    {"type": "string", "maxLength": 2},
    {"type": "string", "maxLength": 0},
    {"type": "string", "pattern": r"^[A-Z]{2}-\d{3,5}$"},
    {"type": "string", "pattern": r"^(\w+\.)?\w+@[a-z]+\.(com|org)$", "minLength": 20},
    {"type": "string", "pattern": r"^[^/]+(/[^/]+)*$"},
    {"type": "string", "pattern": r"^\p{Lu}\p{L}*$"},
    {"type": "string", "pattern": r"[A-Za-z]+\x41B"},
    {"type": "string", "pattern": r"^(?:a|b){2}(?:c)?$"},
    {"type": "string", "pattern": "^(a+)+$"},
    {"type": "string", "pattern": "^$"},
    {"type": "integer"},
    {"type": "integer", "minimum": 5, "exclusiveMaximum": 7},
    {"type": "integer", "exclusiveMinimum": 5, "exclusiveMaximum": 7},
    {"type": "integer", "minimum": 0, "maximum": 0},
    {"type": "integer", "minimum": 0, "exclusiveMaximum": 1},
    {"type": "integer", "exclusiveMaximum": 1},
    {"type": "number", "multipleOf": 0.5, "minimum": 0, "maximum": 0.25},
    {"type": "integer", "maximum": -3},
    {"type": "integer", "minimum": 2**53, "multipleOf": 3},
    {"type": "number", "multipleOf": 0.01, "maximum": 0.02, "exclusiveMinimum": 0},
    {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
    {"type": "number", "minimum": 1e300},
    {"type": "integer", "minimum": 10**400},
    {"type": "integer", "multipleOf": 10**400},
    {"type": ["null", "integer"]},
    {"type": "null"},
    {"type": "boolean"},
    {"const": None},
    {"const": {"a": [1]}},
    {"enum": [None, "", "third"]},
    {"type": "string", "enum": ["a", "b"], "examples": ["no member"]},
    {"type": "string", "default": ""},
    {"type": "array", "items": {"type": "string", "enum": ["a", "b", "c"]}, "uniqueItems": True},
    {"type": "array", "items": {"type": "integer"}, "minItems": 5, "uniqueItems": True},
    {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "items": False},
    {"type": "array", "contains": {"const": "x"}, "minContains": 2, "items": {"type": "string"}},
    {"type": "array", "maxItems": 0},
    {"type": "array", "items": {"$ref": "#/$defs/Node"}, "minItems": 1},
    {"type": "object", "additionalProperties": {"type": "integer"}},
    {"type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 3},
    {"type": "object", "propertyNames": {"pattern": "^k[0-9]$"}, "minProperties": 1},
    {
        "type": "object",
        "patternProperties": {"^x-[a-z]+$": {"type": "boolean"}},
        "additionalProperties": False,
        "minProperties": 2,
    },
    {"type": "object", "required": ["undeclared"]},
    {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "dependentRequired": {"a": ["b"]},
        "required": ["a"],
    },
    {
        "type": "object",
        "dependentRequired": {"c": ["d"], "b": ["c"], "a": ["b"]},
        "required": ["a"],
    },
    {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
    },
    {"anyOf": [{"type": "null"}, {"type": "string", "format": "uuid"}]},
    {"oneOf": [{"type": "integer"}, {"type": "number", "exclusiveMinimum": 0.5}]},
    {
        "allOf": [
            {"type": "object", "properties": {"a": {"type": "integer", "minimum": 3}}},
            {"properties": {"a": {"maximum": 3}}, "required": ["a"]},
        ]
    },
    {
        "allOf": [
            {"properties": {"a": {"type": "string"}}, "additionalProperties": False},
            {"properties": {"b": {"type": "string"}}},
        ]
    },
    {"allOf": [{"type": "number"}, {"type": "integer"}]},
    {"allOf": [True, {"not": {"type": "integer"}}, {"type": "number"}]},
    {"type": "string", "contentEncoding": "base64", "maxLength": 4},
    {"not": {"type": "string"}},
    {"type": "object", "properties": {"a": {}}, "not": {"required": ["a"]}},
    {
        "type": "object",
        "properties": {"kind": {"const": "a"}, "extra": {"type": "integer"}},
        "required": ["kind"],
        "if": {"properties": {"kind": {"const": "a"}}},
        "then": {"required": ["extra"]},
    },
    {"$ref": "#/$defs/Node"},
    {"$ref": "#/$defs/a.b", "description": "with siblings"},
    {"minimum": 4},
    {"items": {"type": "boolean"}},
    {"type": "string", "minLength": 3, "pattern": "^[a-z]{0,5}$"},
]


def sample(schema: Any, pool: dict[str, Any], **how: Any) -> Any:
    return Sampler(pool).sample(schema, **how)


def judge(value: Any, schema: Any) -> None:
    whole = {"$defs": TREE, **schema} if isinstance(schema, dict) else schema
    if "\\p{" in json.dumps(schema) or "[[:" in json.dumps(schema):
        assert Checker(TREE).valid(value, schema)
    else:
        Draft202012Validator(whole).validate(value)


@pytest.mark.parametrize("schema", SCHEMAS, ids=json.dumps)
def test_a_sample_is_an_instance(schema):
    for variant in ("full", "required"):
        value = sample(schema, TREE, variant=variant, name="petId")
        judge(value, schema)
        assert value == sample(schema, TREE, variant=variant, name="petId")


@table(
    "schema, reason",
    (False, "not"),
    ({"$ref": "#/$defs/Endless"}, "without end"),
    ({"$ref": "#/$defs/gone"}, "does not fit the whole schema"),
    ({"type": "integer", "minimum": 2, "maximum": 1}, "between"),
    ({"type": "number", "minimum": 10**400, "maximum": 10**401}, "too large"),
    ({"type": "integer", "allOf": [{"multipleOf": 10**2999 + i} for i in (1, 3)]}, "too large"),
    ({"type": "string", "minLength": 10**9}, "too long"),
    ({"type": "string", "minLength": 3, "maxLength": 2}, "minLength 3 is over maxLength 2"),
    (
        {"type": "object", "additionalProperties": False, "minProperties": 1},
        "fewer than 1 properties",
    ),
    (
        {"prefixItems": [{"const": 1}], "contains": {"const": 2}, "maxItems": 1},
        "does not fit the whole schema",
    ),
    ({"type": "array", "minItems": 10**9}, "cannot be made"),
    ({"type": "array", "minItems": 3, "uniqueItems": True, "items": {"const": 1}}, "different"),
    ({"type": "string", "enum": [1, 2]}, "enum"),
    ({"allOf": [{"type": "string"}, {"type": "integer"}]}, "exclude"),
    ({"type": "string", "not": {}}, "not"),
)
def test_what_has_no_sample_says_why(schema, reason):
    with pytest.raises(NoSample, match=reason):
        sample(schema, TREE)


@table(
    "branches",
    [{"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}],
    [{"type": "string", "pattern": "^(?!x)"}, {"type": "string", "pattern": "^(?=x)"}],
    [{"type": "number", "format": "float"}, {"type": "number", "format": "double"}],
)
def test_branches_that_differ_in_what_is_not_enforced_have_samples(branches):
    value = sample({"oneOf": branches}, TREE)
    assert Checker(TREE).valid(value, {"not": {"not": {"oneOf": branches}}})
    assert not Checker(TREE).valid(value, {"oneOf": [*branches, {}, {}]})


@table(
    "format, pattern",
    ("uuid", r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}"),
    ("date", r"2024-0[1-9]-[12]\d"),
    ("date-time", r"2024-0[1-9]-[12]\dT[12]\d:30:00Z"),
    ("time", r"[12]\d:30:00Z"),
    ("email", r"[a-z]+@example\.com"),
    ("uri", r"https://example\.com/\w+"),
    ("ipv4", r"192\.0\.2\.\d+"),
    ("byte", r"[A-Za-z0-9+/]+=*"),
    ("binary", r"[A-Za-z0-9+/]+=*"),
)
def test_formats(format, pattern):
    for name in ("a", "limit", "offset"):
        assert re.fullmatch(pattern, sample({"type": "string", "format": format}, {}, name=name))


def test_values_tell_names_apart():
    for schema in ({"type": "string"}, {"type": "integer"}, {"type": "string", "format": "uuid"}):
        one, other = (sample(schema, {}, name=name) for name in ("from", "to"))
        assert one != other


def test_the_documents_own_values_come_first():
    assert sample({"type": "string", "examples": ["shown"], "default": "usual"}, {}) == "shown"
    assert sample({"type": "string", "default": "usual"}, {}) == "usual"
    assert sample({"type": "integer", "examples": ["wrong"], "default": 7}, {}) == 7
    assert len(sample({"type": "string", "examples": ["x" * 20_000]}, {})) < 100


def test_full_has_what_required_has_not():
    schema = {"$ref": "#/$defs/Node"}
    assert sample(schema, TREE, variant="required").keys() == {"value"}
    assert sample({"type": "object", "properties": {"a": {}, "b": {}}}, {}).keys() == {"a", "b"}
    items = sample({"type": "array", "items": {"type": "integer"}}, {}, name="ids")
    assert len(items) == 2, "one item would not show how several are joined"


@table(
    "schema, value",
    ({"properties": {"a": False, "b": {"const": 1}}}, {"b": 1}),
    (
        {"properties": {"a": False, "b": {"const": 1}}, "minProperties": 2},
        {"b": 1, "key1": "key1-text"},
    ),
    ({"properties": {"a": {"type": "array", "items": False}}}, {"a": []}),
    (
        {
            "properties": {"a1": {"const": 1}, "b": {}},
            "allOf": [{"patternProperties": {"^a": {}}, "additionalProperties": False}],
        },
        {"a1": 1},
    ),
    ({"type": "array", "prefixItems": [{"const": 1}, False]}, [1]),
    ({"allOf": [{"prefixItems": [{"type": "integer"}]}, {"prefixItems": [{"minimum": 99}]}]}, [99]),
)
def test_what_can_never_be_is_left_out_and_nothing_else(schema, value):
    assert sample(schema, {}) == value


def test_what_overlaps_in_full_has_only_what_it_requires():
    one = {"properties": {"a": {"const": 1}, "b": {}}, "required": ["a"]}
    other = {"properties": {"a": {"const": 1}}, "required": ["b"]}
    schema = {"properties": {"choice": {"oneOf": [one, other]}, "more": {"const": "x"}}}
    assert sample(schema, {}) == {"choice": {"a": 1}, "more": "x"}


def test_alternatives_may_be_booleans():
    assert sample({"anyOf": [False, {"const": 1}, True]}, {}) == 1


def test_a_discriminator_chooses_its_branch():
    pool: dict[str, Any] = {
        name: {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}}}
        for name in ("Cat", "Dog")
    }
    branches = [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}]
    tagged = {"anyOf": branches, "discriminator": {"propertyName": "kind"}}
    assert sample(tagged, pool) == {"kind": "Cat"}
    mapped = {"propertyName": "kind", "mapping": {"feline": "#/$defs/Cat"}}
    assert sample({"anyOf": branches, "discriminator": mapped}, pool) == {"kind": "feline"}
    pool["Cat"]["properties"]["kind"] = {"const": "cat"}
    assert sample({"anyOf": branches, "discriminator": mapped}, pool) == {"kind": "cat"}


@pytest.mark.usefixtures("usual_depth")
def test_a_chain_of_alternatives_that_is_too_long_has_no_sample():
    pool = {f"c{n}": {"anyOf": [{"$ref": f"#/$defs/c{n + 1}"}]} for n in range(2000)}
    with pytest.raises(NoSample, match="too deeply"):
        sample({"$ref": "#/$defs/c0"}, {**pool, "c2000": {"type": "integer"}})


def test_hostile_schemas_take_a_bounded_time():
    doubling: dict[str, Any] = {
        f"d{n}": {"anyOf": [{"$ref": f"#/$defs/d{n + 1}"}, {"$ref": f"#/$defs/d{n + 1}"}]}
        for n in range(40)
    }
    wide = {
        f"w{n}": {
            "type": "object",
            "properties": {f"p{i}": {"$ref": f"#/$defs/w{n + 1}"} for i in range(20)},
        }
        for n in range(20)
    }
    start = time.process_time()
    for schema, pool in (
        ({"$ref": "#/$defs/d0"}, {**doubling, "d40": False}),
        ({"$ref": "#/$defs/w0"}, {**wide, "w20": {"type": "integer"}}),
        ({"type": "string", "pattern": "(((a{99}){99}){99}){99}"}, {}),
        ({"type": "string", "pattern": "(" * 5000}, {}),
        ({"patternProperties": {"^(a+)+$": {}}, "properties": {"a" * 40 + "!": {}}}, {}),
        ({"type": "object", "patternProperties": {"\\u{41": {}}}, {}),
        ({"minProperties": 1, "patternProperties": {"a{1,%s}" % ("9" * 5000): {}}}, {}),
        ({"minProperties": 1, "patternProperties": {"a{1,\u00b2}": {}}}, {}),
        ({"enum": list(range(200_000)), "minimum": 10**6}, {}),
    ):
        try:
            value = sample(schema, pool)
        except NoSample:
            continue
        assert len(json.dumps(value)) < 100_000
    assert time.process_time() - start < 5


def test_forms_that_overlap_are_sampled_as_servers_take_them():
    """An API's `oneOf` of which every value fits two forms can be called all the same."""
    overlapping = {"oneOf": [{"type": "string"}, {"minLength": 0}]}
    assert isinstance(Sampler({}).sample(overlapping), str)
    apart = {"oneOf": [{"type": "string", "maxLength": 3}, {"type": "string"}]}
    schema = {"type": "object", "required": ["a"], "properties": {"a": apart}}
    assert len(Sampler({}).sample(schema)["a"]) > 3
