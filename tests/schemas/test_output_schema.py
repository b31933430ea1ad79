"""`outputSchema` describes an answer and never makes a client reject one."""

import json
from typing import Any

from fuzz.budget import count
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from schema_documents import accepts, assert_valid, whole
from schema_strategies import VALUES, any_schema

from mcpgen.schemas import output_schema, types_of

OBJECT = {"type": "object"}


def result(schema: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"result": schema}, "required": ["result"]}


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


LONG = {"type": "string", "description": "x" * 1000}


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
