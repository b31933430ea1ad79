"""Definitions that one reference names stand in its place, and nothing else changes."""

from typing import Any

import pytest
from fuzz.budget import count
from hypothesis import given, settings
from hypothesis import strategies as st
from schema_documents import accepts, assert_valid
from schema_strategies import VALUES, any_schema
from tables import table

from mcpgen.schemas.inlining import inlined

SHIP = {"type": "object", "properties": {"name": {"type": "string"}}}


def refer(key: str, **beside: Any) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{key}", **beside}


FLEET = {"type": "array", "items": refer("Ship")}


@pytest.mark.parametrize(
    ("properties", "pool", "expected"),
    [
        ({"a": refer("Ship")}, {"Ship": SHIP}, {"a": SHIP}),
        ({"a": refer("Ship"), "b": refer("No")}, {"Ship": SHIP}, {"a": SHIP, "b": refer("No")}),
        ({"a": refer("Fleet")}, {"Fleet": FLEET, "Ship": SHIP}, {"a": {**FLEET, "items": SHIP}}),
    ],
    ids=["one reference", "a reference to nothing", "one inside another"],
)
def test_a_definition_with_one_reference_stands_in_its_place(properties, pool, expected):
    assert inlined({"properties": properties, "$defs": pool}) == {"properties": expected}


@pytest.mark.parametrize(
    ("properties", "definition"),
    [
        ({"a": refer("It"), "b": refer("It")}, SHIP),
        ({"a": refer("It")}, {"type": "object", "properties": {"next": refer("It")}}),
    ],
    ids=["two references", "it holds itself"],
)
def test_a_definition_that_stays(properties, definition):
    root = {"properties": properties, "$defs": {"It": definition}}
    assert inlined(root) is root


@pytest.mark.parametrize("order", [("Fleet", "Ship"), ("Ship", "Fleet")])
def test_one_inside_a_definition_that_stays(order):
    pool: dict[str, Any] = {"Fleet": {"type": "array", "items": refer("Ship")}, "Ship": SHIP}
    root = {
        "properties": {"a": refer("Fleet"), "b": refer("Fleet")},
        "$defs": {key: pool[key] for key in order},
    }
    assert inlined(root)["$defs"] == {"Fleet": {"type": "array", "items": SHIP}}


def test_what_is_said_beside_the_reference_comes_first():
    root = {
        "properties": {"ship": refer("Ship", description="The one that left.")},
        "$defs": {"Ship": SHIP},
    }
    found = inlined(root)["properties"]["ship"]
    assert found == {**SHIP, "description": "The one that left."}
    assert next(iter(found)) == "description"


@table(
    "own, whole",
    ("A ship: one word.", "The one that left.\n\nA ship: one word."),
    ("The one that left.", "The one that left."),
    ("The one that left. A ship.", "The one that left. A ship."),
    ("that left", "The one that left."),
)
def test_two_descriptions_become_one(own, whole):
    root = {"properties": {"ship": refer("Ship", description="The one that left.")}}
    found = inlined({**root, "$defs": {"Ship": {**SHIP, "description": own}}})
    assert found["properties"]["ship"] == {**SHIP, "description": whole}


@pytest.mark.parametrize(("word", "beside", "own"), [("default", True, 1), ("title", "A", "B")])
def test_a_definition_that_says_otherwise_than_its_reference_stays(word, beside, own):
    """In one schema only one of the two would be told."""
    root = {"properties": {"ship": refer("Ship", **{word: beside})}}
    root["$defs"] = {"Ship": {**SHIP, word: own}}
    assert inlined(root) == root
    assert "$defs" not in inlined({**root, "$defs": {"Ship": {**SHIP, word: beside}}})


def test_rules_beside_the_reference_keep_it():
    """`additionalProperties` is about the properties beside it, not about those of the target."""
    root = {"properties": {"ship": refer("Ship", additionalProperties=False)}}
    root["$defs"] = {"Ship": SHIP}
    assert inlined(root) == root


def test_a_circle_keeps_one_definition():
    pool = {"A": {"properties": {"b": refer("B")}}, "B": {"properties": {"a": refer("A")}}}
    found = inlined({"properties": {"first": refer("A")}, "$defs": pool})
    assert found["$defs"] == {"A": {"properties": {"b": {"properties": {"a": refer("A")}}}}}


def test_the_forms_of_a_choice_keep_their_names():
    pool = {"Ship": SHIP, "Buoy": {"type": "string", "title": "A buoy"}}
    found = inlined({"oneOf": [refer("Ship"), refer("Buoy")], "$defs": pool})
    assert [form["title"] for form in found["oneOf"]] == ["Ship", "A buoy"]
    assert "$defs" not in found


def test_what_a_discriminator_maps_to_stays():
    told = {"propertyName": "kind", "mapping": {"ship": "#/$defs/Ship"}}
    root = {"oneOf": [refer("Ship"), refer("Buoy")], "discriminator": told}
    found = inlined({**root, "$defs": {"Ship": SHIP, "Buoy": {"type": "string"}}})
    assert found["$defs"] == {"Ship": SHIP}
    assert found["oneOf"][0] == refer("Ship")


@pytest.mark.parametrize("nested", [1, 8])
def test_a_long_chain_is_not_written_in_one_piece(nested):
    """Those who read JSON refuse more than 64, 128 or 200 levels."""
    pool: dict[str, Any] = {f"S{n}": _within(nested, refer(f"S{n + 1}")) for n in range(99)}
    found = inlined({"properties": {"in": refer("S0")}, "$defs": {**pool, "S99": SHIP}})
    assert _depth(found) < 64
    assert len(found["$defs"]) < 99
    assert_valid(found)


def _within(levels: int, schema: Any) -> Any:
    return {"properties": {"in": _within(levels - 1, schema)}} if levels else schema


def _depth(value: Any) -> int:
    return 1 + max(map(_depth, value.values()), default=0) if isinstance(value, dict) else 0


@settings(max_examples=count(8), deadline=None)
@given(
    arguments=st.dictionaries(
        st.sampled_from("pqr"), any_schema(*(f"#/$defs/{key}" for key in "ABCD")), max_size=3
    ),
    a=any_schema("#/$defs/B", "#/$defs/C"),
    b=any_schema("#/$defs/C", "#/$defs/D"),
    c=any_schema("#/$defs/D"),
    d=any_schema() | st.booleans(),
    values=st.lists(VALUES, min_size=1, max_size=6),
)
def test_the_same_values_are_accepted(arguments, a, b, c, d, values):
    pool = {"A": a, "B": b, "C": c, "D": d}
    root = {"type": "object", "properties": arguments, "$defs": pool}
    found = inlined(root)
    assert_valid(found)
    for value in values:
        given = dict.fromkeys("pqr", value)
        assert accepts(found, given) == accepts(root, given), value
