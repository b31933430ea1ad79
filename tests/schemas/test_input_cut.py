"""A cut `inputSchema` accepts all that the whole one does, and says what the arguments are."""

import json
from typing import Any

from fuzz.budget import count
from hypothesis import given, settings
from hypothesis import strategies as st
from schema_documents import accepts, assert_valid
from schema_strategies import VALUES, any_schema

from mcpgen.schemas import shortened

STATE = {"enum": ["open", "shut"], "description": "Whether it lets ships in."}
BERTH = {
    "type": "object",
    "description": "Where a ship lies.",
    "properties": {"quay": {"type": "object", "properties": {"side": {"type": "string"}}}},
}
ROOT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "harbour": {
            "type": "object",
            "properties": {"state": STATE, "berth": {"$ref": "#/$defs/Berth"}},
            "required": ["state"],
        },
        "key": {"oneOf": [{"type": "integer"}, STATE, {"type": "array", "items": STATE}]},
    },
    "required": ["harbour"],
    "additionalProperties": False,
    "$defs": {"Berth": BERTH},
}


def size(value: Any) -> int:
    return len(json.dumps(value, separators=(",", ":")))


def test_what_is_short_enough_stays():
    assert shortened(ROOT, size(ROOT)) is ROOT
    assert shortened(ROOT, 0) is ROOT


def test_what_is_deep_keeps_its_type_and_its_words():
    cut = shortened(ROOT, size(ROOT) - 1)
    assert cut["properties"]["harbour"]["properties"]["berth"] == {"$ref": "#/$defs/Berth"}
    assert cut["$defs"]["Berth"]["properties"] == {"quay": {"type": "object"}}
    least = shortened(ROOT, 416)
    harbour = least["properties"]["harbour"]
    assert harbour["properties"] == {
        "state": STATE,
        "berth": {"type": "object", "description": "Where a ship lies."},
    }
    assert harbour["required"] == ["state"]
    cut = {"type": "array", "items": {}}
    assert least["properties"]["key"] == {"anyOf": [{"type": "integer"}, STATE, cut]}
    assert least["additionalProperties"] is False
    assert "$defs" not in least


def test_steps_down_end_at_names_and_types():
    """Two levels, a sentence, types of optional arguments, a sentence of required ones."""
    long = "What it is. " * 20
    root = {
        "type": "object",
        "properties": {
            "harbour": {"type": "object", "description": long, "properties": {"a": STATE}},
            "key": {"enum": ["x", "y"], "description": long},
        },
        "required": ["harbour"],
    }
    harbour, key = root["properties"]["harbour"], root["properties"]["key"]
    lengths = [size(root), 480, 450, 300]
    steps = [shortened(root, length)["properties"] for length in lengths]
    assert steps[0] == root["properties"]
    assert steps[1] == {"harbour": harbour, "key": {**key, "description": "What it is."}}
    assert steps[2] == {"harbour": harbour, "key": {"type": "string"}}
    brief = {"type": "object", "description": "What it is."}
    assert steps[3] == {"harbour": brief, "key": {"type": "string"}}
    assert shortened(root, 1)["properties"] == steps[3]


@settings(max_examples=count(12), deadline=None)
@given(
    arguments=st.dictionaries(
        st.sampled_from("pqr"), any_schema("#/$defs/A", "#/$defs/B"), max_size=3
    ),
    a=any_schema("#/$defs/B"),
    b=any_schema(),
    values=st.lists(VALUES, min_size=1, max_size=6),
    limit=st.sampled_from([1, 150, 300, 600]),
)
def test_what_the_whole_schema_accepts_is_accepted(arguments, a, b, values, limit):
    root = {"type": "object", "properties": arguments, "$defs": {"A": a, "B": b}}
    cut = shortened(root, limit)
    assert_valid(cut)
    assert cut["properties"].keys() == arguments.keys()
    for value in values:
        given = dict.fromkeys("pqr", value)
        assert accepts(cut, given) or not accepts(root, given), value
