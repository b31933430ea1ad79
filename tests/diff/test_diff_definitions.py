"""`mcpgen diff`: what a schema refers to is followed, also where it holds itself."""

import json
from typing import Any

import pytest
from schemas_compared import B, H, N, S, listing, record, worst

from mcpgen.diff.schema import Effort
from mcpgen.diff.tool_changes import ToolList, compare

LEAF = "a string, then a number"


def to(key: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{key}"}


def ring(length: int) -> dict[str, Any]:
    """Definitions in a ring, each of which holds the next one."""
    return {
        f"R{length}_{n}": record(next=to(f"R{length}_{(n + 1) % length}"), leaf=LEAF)
        for n in range(length)
    }


CHAIN = {f"C{n}": record(next=to(f"C{n + 1}")) for n in range(1200)}
DIAMOND = {
    f"{side}{n}": {"allOf": [to(f"L{n + 1}"), to(f"R{n + 1}")]} for n in range(30) for side in "LR"
}
CHOICES = {
    f"C{n}": {"anyOf": [record(a=to(f"C{n + 1}")), record(b=to(f"C{n + 1}"))]} for n in range(24)
}
WIDE = {
    f"W{n}": record(
        leaf=LEAF, parts=listing({"oneOf": [record(**{f"k{m}": to(f"W{m}")}) for m in range(20)]})
    )
    for n in range(24)
}
RINGS = [2, 3, 5, 7, 11, 13]


@pytest.mark.parametrize(
    "definitions",
    [
        {
            "T": {"allOf": [to("Node"), record(parent=to("T"))]},
            "Node": record(leaf=LEAF, parent=to("Node")),
        },
        {"T": {"allOf": [to("T"), record(leaf=LEAF)]}},
        {"T": to("U"), "U": {**to("T"), **record(leaf=LEAF)}},
        {
            "T": {"allOf": [to("U"), record(leaf=LEAF, a=to("T"), b=to("U"))]},
            "U": {"allOf": [to("V"), record(a=to("U"), b=to("V"))]},
            "V": {"allOf": [to("T"), record(a=to("V"), b=to("T"))]},
        },
        {"T": to("L0"), **DIAMOND, "L30": record(leaf=LEAF), "R30": record(other=S)},
        {"T": to("C0"), **CHAIN, "C1200": record(leaf=LEAF)},
        {"T": to("C0"), **CHOICES, "C24": record(leaf=LEAF)},
        {"T": to("W0"), **WIDE},
        {
            "T": {"allOf": [to(f"R{n}_0") for n in RINGS]},
            **{key: each for n in RINGS for key, each in ring(n).items()},
        },
    ],
    ids=[
        *("extended", "itself", "each other", "three", "diamond", "chain"),
        *("choices", "wide", "rings"),
    ],
)
def test_definitions_that_hold_each_other_are_compared_to_an_end(definitions, monkeypatch):
    monkeypatch.setattr(Effort, "most", 1600)

    def schema(leaf: Any) -> Any:
        text = json.dumps({**record(v=to("T")), "$defs": definitions})
        return json.loads(text.replace(json.dumps(LEAF), json.dumps(leaf)))

    assert worst(schema(S), schema(S)) is None
    assert worst(schema(S), schema(N)) is B
    assert len(definitions) > 20 or worst(schema(S), schema(N), "outputSchema") is B


def test_forms_that_hold_themselves_are_compared_to_an_end():
    """Each version of the schema refers to itself in a form, and another member changes."""

    def tools(other: Any) -> ToolList:
        forms = [{"$ref": "#/$defs/Shape"}, {"type": "null"}]
        members = {"parts": {"type": "array", "items": {"anyOf": forms}}, "other": other}
        shape = {"type": "object", "properties": members}
        schema = {
            "type": "object",
            "properties": {"shape": {"$ref": "#/$defs/Shape"}},
            "$defs": {"Shape": shape},
        }
        return ToolList("x", [{"name": "t", "inputSchema": schema}])

    (change,) = compare(tools(False), tools({"not": {}})).changes
    assert change.code == "schema-rewritten"
    assert compare(tools({"type": "string"}), tools({"type": "integer"})).changes


def test_what_was_equal_as_far_as_another_was_is_compared_again():
    """A parent is its own successor only together with its child, which gets a narrower one."""

    def pair(name: str, leaf: Any) -> dict[str, Any]:
        return {
            f"Child{name}": record(parent=optional(f"Parent{name}"), leaf=leaf),
            f"Parent{name}": record(child=optional(f"Child{name}")),
        }

    def optional(*names: str) -> dict[str, Any]:
        return {"anyOf": [*map(to, names), {"type": "null"}]}

    old = {**record(v=optional("Child1"), w=optional("Parent1")), "$defs": pair("1", S)}
    wider = {"v": optional("Child2", "Child3"), "w": optional("Parent3")}
    new = {**record(**wider), "$defs": {**pair("2", N), **pair("3", S)}}
    assert worst(old, new) is H
    new["properties"]["w"] = optional("Parent2")
    assert worst(old, new) is B


@pytest.mark.parametrize(("most", "risk"), [(30, None), (3, B)])
def test_more_than_can_be_compared_is_no_sameness(most, risk, monkeypatch):
    monkeypatch.setattr(Effort, "most", most)
    above = record(**{f"a{n}": {**N, "exclusiveMinimum": n} for n in range(9)})
    least = record(**{f"a{n}": {**N, "minimum": n + 1} for n in range(9)})
    assert worst(above, least) is risk
