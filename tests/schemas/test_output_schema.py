"""`outputSchema` describes an answer and never makes a client reject one."""

import json
from typing import Any

import pytest
from fuzz.budget import count
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from schema_documents import accepts, assert_valid, whole
from schema_strategies import VALUES, any_schema

from mcpgen.schemas import output_schema, types_of

PET = {"$ref": "#/$defs/Pet"}
POOL: dict[str, Any] = {
    "Pet": {
        "type": "object",
        "description": "A pet.",
        "required": ["id", "secret"],
        "properties": {
            "id": {"type": "string", "format": "uuid", "pattern": "^(?<x>a)$", "title": "Id"},
            "secret": {"type": "string", "writeOnly": True},
            "parent": PET,
            "tags": {"type": "array", "items": {"$ref": "#/$defs/Tag"}},
        },
    },
    "Tag": {"type": "object", "properties": {"name": {"type": "string", "description": "Name."}}},
}
CLEAN_PET = {
    "type": "object",
    "description": "A pet.",
    "required": ["id"],
    "properties": {
        "id": {"type": "string", "title": "Id"},
        "parent": PET,
        "tags": {"type": "array", "items": {"$ref": "#/$defs/Tag"}},
    },
}
OBJECT = {"type": "object"}
TEXT = {"type": "string"}


def result(schema: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"result": schema}, "required": ["result"]}


def test_an_object() -> None:
    found = output_schema(PET, POOL)
    assert found == {
        "type": "object",
        "anyOf": [PET, OBJECT],
        "$defs": {"Pet": CLEAN_PET, "Tag": POOL["Tag"]},
    }
    assert output_schema(PET, POOL, "none") is None


def test_strict_has_a_reference_at_its_root_only_beside_constraints() -> None:
    assert output_schema({**PET, "description": "Mine."}, POOL, "strict") == {
        **CLEAN_PET,
        "description": "Mine.",
        "$defs": {"Pet": CLEAN_PET, "Tag": POOL["Tag"]},
    }
    plain = {"type": "object", "properties": {"a": {"$ref": "#/$defs/Tag"}}}
    assert output_schema({"$ref": "#/$defs/A"}, {**POOL, "A": plain}, "strict") == {
        **plain,
        "$defs": {"Tag": POOL["Tag"]},
    }
    held = {"$ref": "#/$defs/Pet", "required": ["owner"]}
    found = output_schema(held, POOL, "strict") or {}
    assert found == found | held | {"type": "object"}


@pytest.mark.parametrize(
    ("schema", "branch"),
    [
        ({"type": "string"}, result({"type": "string"})),
        ({"type": "array", "items": {"type": "integer"}},) * 2,
        (
            {"type": ["object", "null"], "required": ["a"]},
            {
                "anyOf": [
                    {"type": ["object", "null"], "required": ["a"]},
                    result({"type": "null"}),
                ]
            },
        ),
        (
            {"oneOf": [{"type": "object"}, {"type": "array"}]},
            {
                "anyOf": [
                    {"oneOf": [{"type": "object"}, {"type": "array"}]},
                    result({"oneOf": [{"type": "object"}, {"type": "array"}]}),
                ]
            },
        ),
        ({"properties": {"a": {}}}, {"properties": {"a": {}}}),
    ],
)
def test_what_is_no_object_is_called_result(schema: Any, branch: Any) -> None:
    if schema == branch and schema.get("type") == "array":
        branch = result(schema)
    assert output_schema(schema, {}) == {"type": "object", "anyOf": [branch, OBJECT]}


@pytest.mark.parametrize(
    "schema", [None, True, False, {}, {"description": "d"}, {"$ref": "#/$defs/Any"}]
)
@pytest.mark.parametrize("mode", ["open", "strict"])
def test_nothing_is_said_of_an_answer_that_may_be_anything(schema: Any, mode: str) -> None:
    assert output_schema(schema, {"Any": {"title": "t"}}, mode) is None


def test_what_stands_beside_a_reference_to_anything_is_said() -> None:
    schema = {"$ref": "#/$defs/Any", "type": "object", "required": ["a"]}
    found: Any = output_schema(schema, {"Any": {"title": "t"}})
    assert found["anyOf"][0] == schema


@pytest.mark.parametrize(
    ("schema", "clean"),
    [
        ({"not": {"pattern": "a"}, "minLength": 1}, {"minLength": 1}),
        ({"not": {"$ref": "#/$defs/P"}, "minLength": 1}, {"minLength": 1}),
        ({"not": {"$ref": "#/$defs/L"}}, {"not": {"$ref": "#/$defs/L"}}),
        ({"not": {"format": "a", "maxLength": 1}}, {}),
        ({"not": {"maxLength": 1}}, {"not": {"maxLength": 1}}),
        ({"if": {"pattern": "a"}, "then": False, "minLength": 1}, {"minLength": 1}),
        ({"oneOf": [{"pattern": "a"}, {"minLength": 3}]}, {"anyOf": [{}, {"minLength": 3}]}),
        ({"oneOf": [{"format": "date"}, {"format": "time"}]}, {"anyOf": [{}, {}]}),
        (
            {"oneOf": [{"pattern": "a"}], "anyOf": [{"minLength": 3}]},
            {"anyOf": [{"minLength": 3}], "allOf": [{"anyOf": [{}]}]},
        ),
        (
            {"contains": {"pattern": "a"}, "maxContains": 1, "maxItems": 3},
            {"contains": {}, "maxItems": 3},
        ),
        (
            {"patternProperties": {"[": {}}, "additionalProperties": False, "maxProperties": 2},
            {"maxProperties": 2},
        ),
    ],
)
def test_what_is_left_out_never_refuses_more(schema: Any, clean: Any) -> None:
    pool = {"P": {"pattern": "a"}, "L": {"maxLength": 1}}
    found: Any = output_schema({"type": "array", "items": schema}, pool)
    assert found["anyOf"][0]["properties"]["result"]["items"] == clean


def nested(depth: int) -> Any:
    schema: Any = {"type": "string", "description": "leaf"}
    for level in range(depth):
        schema = {
            "type": "object",
            "description": f"level {level}",
            "properties": {"next": schema, "other": {"type": "integer", "maximum": 3}},
            "required": ["next"],
        }
    return schema


def test_it_is_cut_from_the_deepest_level_up() -> None:
    sizes = []
    for limit in (100_000, 2000, 1500, 800, 400, 200, 110, 60):
        found: Any = output_schema(nested(12), {}, max_bytes=limit)
        assert found == output_schema(nested(12), {}, max_bytes=limit)
        text = json.dumps(found, separators=(",", ":"))
        assert found is None or len(text) <= limit
        sizes.append(0 if found is None else text.count("next"))
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == 24
    assert sizes[-1] == 0


def test_no_schema_is_deeper_than_clients_can_follow() -> None:
    found = output_schema(nested(100), {}, max_bytes=1_000_000)
    assert found is not None
    assert 25 < json.dumps(found).count('"properties"') < 40


def test_words_go_before_names_and_a_cut_place_keeps_its_type() -> None:
    whole: Any = output_schema(nested(1), {}, max_bytes=300)
    assert whole["anyOf"][0]["description"] == "level 0"
    plain: Any = output_schema(nested(1), {}, max_bytes=200)
    assert plain["anyOf"][0] == {
        "type": "object",
        "properties": {"next": {"type": "string"}, "other": {"type": "integer", "maximum": 3}},
        "required": ["next"],
    }
    inner = {"type": "object", "properties": {f"a_long_name_{i}": TEXT for i in range(5)}}
    properties = {"next": inner, "other": {"type": "integer", "maximum": 3}}
    outer = {"type": "object", "properties": properties, "required": ["next"]}
    cut: Any = output_schema(outer, {}, max_bytes=160)
    assert cut["anyOf"][0] == {
        "type": "object",
        "properties": {"next": {"type": "object"}, "other": {"type": "integer"}},
        "required": ["next"],
    }


NAMES = {f"name{i}": {"type": "string", "enum": ["some", "words"]} for i in range(8)}


@pytest.mark.parametrize(
    ("schema", "limit", "left"),
    [
        (
            {"type": "object", "required": [*NAMES], "properties": NAMES},
            220,
            {"type": "object", "properties": {name: {} for name in NAMES}},
        ),
        (
            {"properties": {"data": {"items": {"properties": NAMES, "description": "A name."}}}},
            250,
            {"properties": {"data": {"items": {"properties": {name: {} for name in NAMES}}}}},
        ),
        (
            {
                "required": ["a"],
                "properties": {
                    "a": {"type": "array", "items": {"type": "string", "enum": ["a" * 99]}}
                },
            },
            220,
            {"required": ["a"], "properties": {"a": {"type": "array", "items": TEXT}}},
        ),
        ({"properties": NAMES, "description": "Names."}, 120, {"description": "Names."}),
        (
            {
                "required": ["kind"],
                "properties": {
                    "kind": {"$ref": "#/$defs/Kind"},
                    "data": {"type": "array", "items": {"properties": NAMES}},
                    "more": {"type": "boolean"},
                },
            },
            260,
            {
                "properties": {
                    "kind": {},
                    "data": {"type": "array", "items": {"properties": {n: {} for n in NAMES}}},
                    "more": {},
                }
            },
        ),
    ],
)
def test_names_stay_without_their_types_before_a_level_goes(
    schema: Any, limit: int, left: Any
) -> None:
    pool = {"Kind": {"$ref": "#/$defs/Word"}, "Word": {"type": "string", "enum": ["a" * 40]}}
    found = output_schema(schema, pool, max_bytes=limit)
    assert found == {"type": "object", "anyOf": [left, OBJECT]}


@pytest.mark.parametrize(
    ("limit", "left"),
    [
        (95, {"type": "object", "anyOf": [{**OBJECT, "description": "level 8"}, OBJECT]}),
        (65, OBJECT),
    ],
)
def test_the_last_that_is_left_is_what_it_is(limit: int, left: Any) -> None:
    assert output_schema(nested(9), {}, max_bytes=limit) == left


def test_a_cut_recursion_keeps_its_definition() -> None:
    found: Any = output_schema(PET, POOL, max_bytes=230)
    tags = {"type": "array", "items": {}}
    properties = {"id": {"type": "string"}, "parent": PET, "tags": tags}
    assert found["$defs"] == {
        "Pet": {"type": "object", "required": ["id"], "properties": properties}
    }


LONG = {"type": "string", "description": "x" * 1000}
PARTS: dict[str, Any] = {
    "Base": {"type": "object", "required": ["id"], "properties": {"id": LONG, "kind": LONG}},
    "Named": {"allOf": [{"$ref": "#/$defs/Base"}, {"properties": {"name": LONG}}]},
    "Alias": {"$ref": "#/$defs/Named"},
    "Loop": {"allOf": [{"$ref": "#/$defs/Loop"}, {"properties": {"name": LONG}}]},
}


@pytest.mark.parametrize(
    ("schema", "outline"),
    [
        (
            {"allOf": [{"$ref": "#/$defs/Alias"}, {"properties": {"kind": {"enum": ["a"]}}}]},
            {
                "type": "object",
                "required": ["id"],
                "properties": {"id": TEXT, "kind": {"enum": ["a"]}, "name": TEXT},
            },
        ),
        (
            {"type": ["object", "null"], "allOf": [{"$ref": "#/$defs/Named"}]},
            {
                "type": "object",
                "required": ["id"],
                "properties": {"id": TEXT, "kind": TEXT, "name": TEXT},
            },
        ),
        (
            {"properties": {"a": {"allOf": [{"$ref": "#/$defs/Base"}]}, "b": LONG}},
            {
                "properties": {
                    "a": {
                        "type": "object",
                        "required": ["id"],
                        "properties": {"id": TEXT, "kind": TEXT},
                    },
                    "b": TEXT,
                }
            },
        ),
        (
            {"$ref": "#/$defs/Loop"},
            {"properties": {"name": TEXT}, "$ref": "#/$defs/Loop"},
        ),
        (
            {"allOf": [{"properties": {"a": LONG}}, {"anyOf": [{"required": ["a"]}, {}]}]},
            {"properties": {"a": TEXT}, "anyOf": [{"required": ["a"]}, {}]},
        ),
        (
            {
                "properties": {
                    "a": {"allOf": [True, {**LONG, "type": "number"}, {"type": "integer"}]},
                    "b": {"allOf": [{"type": "integer"}, {"type": "number"}]},
                    "c": {"allOf": [{"type": ["integer", "null"]}, {"type": ["null", "string"]}]},
                    "d": {"allOf": [{"type": ["number", "null"]}, {"type": ["null", "number"]}]},
                    "e": {"allOf": [{"type": ["integer", "number", "null"]}, {"type": "null"}]},
                }
            },
            {
                "properties": {
                    "a": {"type": "integer"},
                    "b": {"type": "integer"},
                    "c": {"type": "null"},
                    "d": {"type": ["null", "number"]},
                    "e": {"type": "null"},
                }
            },
        ),
        (
            {"properties": {"a": LONG}, "allOf": [False]},
            {"properties": {"a": TEXT}, "allOf": [False]},
        ),
    ],
)
def test_what_is_joined_is_outlined_as_one(schema: Any, outline: Any) -> None:
    found: Any = output_schema(schema, PARTS)
    branch = found["anyOf"][0]
    key = branch.get("$ref", "").removeprefix("#/$defs/")
    assert (found["$defs"][key] if key else branch) == outline


def test_forms_of_which_nothing_is_left_are_their_types() -> None:
    forms = {"anyOf": [{"type": "object", "properties": {"a": LONG}}, {"type": "array"}]}
    schema = {"type": "object", "properties": {f"p{i}": forms for i in range(9)}}
    found: Any = output_schema(schema, {})
    assert found["anyOf"][0]["properties"]["p0"] == {"type": ["array", "object"], "items": {}}


def test_parts_that_multiply_are_joined_in_no_time() -> None:
    pool: dict[str, Any] = {
        f"S{i}": {
            "allOf": [{"$ref": f"#/$defs/S{i + 1}"}] * 10,
            "properties": {f"p{i}": {"allOf": [{"$ref": f"#/$defs/S{i + 1}"}, LONG]}},
        }
        for i in range(200)
    }
    found = output_schema({"$ref": "#/$defs/S0"}, {**pool, "S200": LONG})
    assert len(json.dumps(found, separators=(",", ":"))) <= 512


def test_many_properties_lose_their_descriptions_before_they_go() -> None:
    schema = {
        "type": "object",
        "properties": {f"p{i}": {"type": "string", "description": "x" * 200} for i in range(30)},
    }
    found: Any = output_schema(schema, {}, max_bytes=2000)
    assert found["anyOf"][0]["properties"]["p29"] == {"type": "string"}


def test_endless_definitions_are_cut_in_no_time() -> None:
    pool: dict[str, Any] = {
        f"S{i}": {
            "type": "object",
            "properties": {
                "a": {"$ref": f"#/$defs/S{i + 1}"},
                "b": {"allOf": [{"$ref": f"#/$defs/S{i + 1}"}]},
            },
        }
        for i in range(2000)
    }
    pool["S2000"] = {"type": "string"}
    found = output_schema({"$ref": "#/$defs/S0"}, pool, max_bytes=8192)
    assert len(json.dumps(found, separators=(",", ":"))) <= 8192


@settings(max_examples=count(8), deadline=None)
@given(
    schema=any_schema("#/$defs/A", "#/$defs/B"),
    a=any_schema("#/$defs/B"),
    b=any_schema(),
    values=st.lists(VALUES, min_size=1, max_size=6),
    limit=st.sampled_from([8192, 600, 300, 200, 150]),
    mode=st.sampled_from(["open", "strict"]),
)
def test_every_answer_that_fits_the_document_fits(
    schema: Any, a: Any, b: Any, values: list[Any], limit: int, mode: str
) -> None:
    pool = {"A": a, "B": b}
    found = output_schema(schema, pool, mode, limit)
    assume(found is not None)
    assert found is not None
    assert len(json.dumps(found, separators=(",", ":"))) <= limit
    assert found["type"] == "object"
    assert_valid(found)
    Draft7Validator.check_schema(found)
    is_open = mode == "open" and found != OBJECT
    checked = {**found, "anyOf": found["anyOf"][:1]} if is_open else found
    types = types_of(schema, pool)
    for value in values:
        assert mode == "strict" or accepts(found, _structured(value))
        if accepts(whole(schema, pool), value) and _type(value) in types:
            assert accepts(checked, _structured(value)), value


def _structured(value: Any) -> Any:
    return value if isinstance(value, dict) else {"result": value}


def _type(value: Any) -> str:
    kinds = {bool: "boolean", str: "string", list: "array", dict: "object", type(None): "null"}
    return kinds.get(type(value), "number")
