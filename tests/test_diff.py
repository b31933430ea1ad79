"""`mcpgen diff`: more than a hundred labelled changes, each of the class its label says."""

from __future__ import annotations

import copy
import json
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest
from command_line import run

from mcpgen.diff.changes import RULES, Risk
from mcpgen.diff.schema import Effort
from mcpgen.diff.tools import ToolList, compare

B, R, H = Risk.BREAKING, Risk.RISKY, Risk.HARMLESS
GONE = object()
NOTES = {"order-changed", "schema-rewritten"}
"""Codes that say of a change that it is none."""

INPUT = {
    "type": "object",
    "properties": {
        "id": {"type": "integer", "minimum": 1, "maximum": 100, "description": "The number."},
        "name": {"type": "string", "minLength": 1, "maxLength": 20},
        "mail": {"type": "string", "format": "email"},
        "code": {"type": "string", "pattern": "^[a-z]+$"},
        "sort": {"type": "string", "enum": ["new", "old"], "default": "new"},
        "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 5},
        "size": {"type": "number", "multipleOf": 0.5},
        "note": {"type": ["string", "null"]},
        "kind": {"const": "a"},
        "either": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        "shape": {"oneOf": [{"$ref": "#/$defs/Round"}, {"$ref": "#/$defs/Square"}]},
        "one": {"oneOf": [{"type": "object", "properties": {"a": {"type": "string"}}}]},
        "any": {},
        "pair": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]},
        "part": {"$ref": "#/$defs/Part"},
        "joined": {"allOf": [{"$ref": "#/$defs/Part"}, {"required": ["y"]}]},
        "map": {"type": "object", "additionalProperties": {"type": "integer"}},
        "open": {"type": "object", "properties": {"p": {"type": "string"}}},
        "closed": {
            "type": "object",
            "properties": {"p": {"type": "string"}, "q": {"type": "string"}},
            "required": ["p"],
            "additionalProperties": False,
        },
    },
    "required": ["id", "name"],
    "additionalProperties": False,
    "$defs": {
        "Part": {
            "type": "object",
            "properties": {"x": {"type": "integer"}, "y": {"type": "string"}},
            "required": ["x"],
        },
        "Round": {
            "type": "object",
            "properties": {"kind": {"const": "round"}, "width": {"type": "integer"}},
        },
        "Square": {
            "type": "object",
            "properties": {"kind": {"const": "square"}, "side": {"type": "integer"}},
        },
    },
}
OUTPUT = {
    "type": "object",
    "anyOf": [
        {
            "type": "object",
            "properties": {
                "id": {"type": "integer"},
                "state": {"type": "string", "enum": ["on", "off"]},
                "items": {"type": "array", "items": {"$ref": "#/$defs/Item"}},
                "maybe": {"type": ["string", "null"]},
                "text": {"type": "string", "maxLength": 10, "description": "A text."},
                "form": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
            },
            "required": ["id", "state"],
        },
        {"type": "object"},
    ],
    "$defs": {
        "Item": {"type": "object", "properties": {"sku": {"type": "string"}}},
        "Other": {"type": "object", "properties": {"name": {"type": "string"}}},
    },
}
TOOL = {
    "name": "get",
    "title": "Get",
    "description": "Get it.",
    "inputSchema": INPUT,
    "outputSchema": OUTPUT,
    "annotations": {
        "readOnlyHint": True,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": True,
    },
}
I = "inputSchema properties "  # noqa: E741
O = "outputSchema anyOf 0 properties "  # noqa: E741

LABELLED: list[tuple[Risk | None, str, Any]] = [
    # Types of arguments
    (B, I + "id type", "string"),
    (H, I + "id type", "number"),
    (H, I + "id type", ["integer", "null"]),
    (B, I + "size type", "integer"),
    (B, I + "note type", "string"),
    (B, I + "note type", "null"),
    (H, I + "note type", ["string", "null", "integer"]),
    (H, I + "note type", GONE),
    (B, I + "any", {"type": "string"}),
    (B, I + "any", {"enum": ["a"]}),
    (H, I + "name type", ["string", "integer"]),
    (B, I + "tags type", "string"),
    (B, I + "part", {"type": "string"}),
    (B, I + "name", False),
    # Values
    (B, I + "sort enum", ["new"]),
    (H, I + "sort enum", ["new", "old", "best"]),
    (B, I + "sort enum", ["new", "best"]),
    (H, I + "sort enum", GONE),
    (B, I + "name enum", ["a", "b"]),
    (B, I + "kind const", "b"),
    (H, I + "kind", {"enum": ["a", "b"]}),
    (None, I + "kind", {"enum": ["a"]}),
    (None, I + "sort enum", ["old", "new"]),
    (R, I + "sort default", "old"),
    (R, I + "sort default", GONE),
    (R, I + "name default", "x"),
    # Limits
    (B, I + "id minimum", 2),
    (H, I + "id minimum", 0),
    (H, I + "id minimum", GONE),
    (B, I + "id maximum", 99),
    (H, I + "id maximum", 101),
    (H, I + "id maximum", GONE),
    (B, I + "id exclusiveMaximum", 100),
    (B, I + "id exclusiveMinimum", 1),
    (B, I + "id multipleOf", 2),
    (B, I + "name minLength", 2),
    (H, I + "name minLength", 0),
    (B, I + "name maxLength", 19),
    (H, I + "name maxLength", GONE),
    (B, I + "mail maxLength", 100),
    (B, I + "name pattern", "^a"),
    (B, I + "code pattern", "^[a-c]+$"),
    (H, I + "code pattern", GONE),
    (R, I + "mail format", "idn-email"),
    (R, I + "mail format", GONE),
    (R, I + "name format", "uri"),
    (B, I + "tags minItems", 2),
    (H, I + "tags minItems", GONE),
    (B, I + "tags maxItems", 4),
    (H, I + "tags maxItems", 6),
    (B, I + "tags uniqueItems", True),
    (None, I + "tags uniqueItems", False),
    (B, I + "size multipleOf", 1),
    (H, I + "size multipleOf", 0.25),
    (H, I + "size multipleOf", GONE),
    (B, I + "map minProperties", 1),
    (B, I + "map maxProperties", 3),
    # Below arguments
    (B, I + "tags items type", "integer"),
    (B, I + "tags items", {"type": "string", "enum": ["a"]}),
    (H, I + "tags items", {}),
    (B, I + "tags items maxLength", 3),
    (B, I + "pair prefixItems 0 type", "integer"),
    (B, I + "pair prefixItems", [{"type": "string"}]),
    (B, "inputSchema $defs Part properties x type", "string"),
    (B, "inputSchema $defs Part required", ["x", "y"]),
    (H, "inputSchema $defs Part required", []),
    (H, "inputSchema $defs Part properties z", {"type": "string"}),
    (R, "inputSchema $defs Part properties y", GONE),
    (B, "inputSchema $defs Part additionalProperties", False),
    (B, I + "map additionalProperties type", "string"),
    (H, I + "map additionalProperties", True),
    (B, I + "map additionalProperties", False),
    (R, I + "open properties p", GONE),
    (B, I + "open additionalProperties", False),
    (B, I + "closed properties q", GONE),
    (H, I + "closed properties r", {"type": "string"}),
    (H, I + "closed additionalProperties", GONE),
    (B, I + "closed required", ["p", "q"]),
    (H, I + "closed required", GONE),
    (B, I + "either anyOf", [{"type": "string"}]),
    (H, I + "either anyOf", [{"type": "string"}, {"type": "integer"}, {"type": "boolean"}]),
    (None, I + "either anyOf", [{"type": "integer"}, {"type": "string"}]),
    (B, I + "either anyOf", [{"type": "string"}, {"type": "boolean"}]),
    (H, I + "either", {}),
    (B, I + "either", {"type": "string"}),
    (B, I + "either", {"type": "object"}),
    (None, I + "note", {"anyOf": [{"type": "string"}, {"type": "null"}]}),
    (B, I + "note", {"anyOf": [{"type": "string", "maxLength": 9}, {"type": "null"}]}),
    (H, I + "note", {"oneOf": [{"type": "string"}, {"type": "null"}, {"type": "array"}]}),
    (H, I + "either", {"type": ["string", "integer", "null"]}),
    (H, I + "name", {"anyOf": [{"type": "string"}, {"type": "null"}]}),
    (
        H,
        I + "sort",
        {"anyOf": [{"enum": ["new", "old", "best"]}, {"type": "integer"}], "default": "new"},
    ),
    (B, I + "sort", {"anyOf": [{"enum": ["new"]}, {"type": "null"}], "default": "new"}),
    (B, I + "closed", {"oneOf": [{"$ref": "#/$defs/Part"}, {"type": "null"}]}),
    (H, I + "shape oneOf 2", {"$ref": "#/$defs/Part"}),
    (B, I + "shape oneOf 1", GONE),
    (B, I + "shape oneOf 1", {"$ref": "#/$defs/Part"}),
    (B, I + "shape", {"$ref": "#/$defs/Square"}),
    (H, I + "part", {"oneOf": [{"$ref": "#/$defs/Round"}, {"$ref": "#/$defs/Part"}]}),
    (B, "inputSchema $defs Round properties width type", "string"),
    (H, "inputSchema $defs Round properties height", {"type": "integer"}),
    (B, I + "one oneOf 0 properties a type", "integer"),
    (B, I + "one oneOf 0 required", ["a"]),
    (B, I + "name not", {"const": "x"}),
    (B, I + "name if", {"minLength": 3}),
    (B, I + "tags contains", {"const": "x"}),
    (B, I + "joined allOf 1", {"required": ["y"], "properties": {"y": {"enum": ["a"]}}}),
    (B, I + "joined allOf 1", {"required": ["y"], "properties": {"y": {"type": "null"}}}),
    (None, I + "joined allOf 1", {"required": ["y"], "properties": {"y": {"type": "string"}}}),
    (None, I + "part", {**INPUT["$defs"]["Part"]}),  # type: ignore[index,dict-item]
    (None, I + "joined", {**INPUT["$defs"]["Part"], "required": ["x", "y"]}),  # type: ignore[index,dict-item]
    # Arguments themselves
    (B, I + "mail", GONE),
    (H, I + "extra", {"type": "string"}),
    (B, "inputSchema required", ["id", "name", "mail"]),
    (H, "inputSchema required", ["id"]),
    (B, "inputSchema dependentRequired", {"mail": ["code"]}),
    (None, "inputSchema dependentRequired", {"mail": ["name"]}),
    (B, I + "closed dependentRequired", {"p": ["q"]}),
    (H, "inputSchema additionalProperties", True),
    (H, I + "id description", "Its number."),
    (H, I + "name description", "A name."),
    # Answers
    (B, O + "id", GONE),
    (B, O + "id type", "string"),
    (B, O + "id type", ["integer", "string"]),
    (R, O + "id type", ["integer", "null"]),
    (H, O + "maybe type", "string"),
    (B, O + "text", GONE),
    (H, O + "more", {"type": "string"}),
    (R, O + "state enum", ["on", "off", "idle"]),
    (H, O + "state enum", ["on"]),
    (R, O + "state enum", GONE),
    (H, O + "text enum", ["a"]),
    (R, "outputSchema anyOf 0 required", ["id"]),
    (H, "outputSchema anyOf 0 required", ["id", "state", "text"]),
    (H, "outputSchema anyOf 0 dependentRequired", {"text": ["maybe"]}),
    (B, "outputSchema $defs Item properties sku type", "integer"),
    (B, "outputSchema $defs Item properties sku", GONE),
    (H, "outputSchema $defs Item properties price", {"type": "integer"}),
    (B, O + "items type", "object"),
    (R, O + "items items", GONE),
    (R, "outputSchema $defs Item", {"type": "object"}),
    (None, O + "text description", GONE),
    (B, O + "form anyOf", [{"type": "string"}, {"type": "boolean"}]),
    (H, O + "form anyOf", [{"type": "string"}]),
    (R, O + "text", {"anyOf": [{"type": "string"}, {"type": "null"}], "description": "A text."}),
    (B, O + "maybe", {"anyOf": [{"enum": ["a"]}, {"type": "null"}, {"type": "object"}]}),
    (H, O + "maybe", {"anyOf": [{"enum": ["a"]}, {"type": "null"}]}),
    (H, O + "form", {"type": "integer"}),
    (None, O + "form anyOf", [{"type": "string"}, {"type": "integer"}, {"enum": [1]}]),
    (R, O + "items items", {"oneOf": [{"$ref": "#/$defs/Item"}, {"$ref": "#/$defs/Other"}]}),
    (H, O + "text description", "Text."),
    (None, O + "text maxLength", 20),
    (R, "outputSchema", GONE),
    # The tool
    (R, "description", "Get that."),
    (H, "title", "Get it"),
    (R, "annotations readOnlyHint", False),
    (R, "annotations destructiveHint", True),
    (R, "annotations idempotentHint", False),
    (R, "annotations openWorldHint", False),
]


def changed(path: str, value: Any) -> dict[str, Any]:
    tool: Any = copy.deepcopy(TOOL)
    *steps, last = path.split()
    at = tool
    for step in steps:
        at = at[int(step) if isinstance(at, list) else step]
    if value is GONE:
        del at[int(last) if isinstance(at, list) else last]
    elif isinstance(at, list):
        at[int(last) : int(last) + 1] = [value]
    else:
        at[last] = value
    return json.loads(json.dumps(tool))  # type: ignore[no-any-return]


@pytest.mark.parametrize(("risk", "path", "value"), LABELLED)
def test_a_labelled_change(risk: Risk | None, path: str, value: Any) -> None:
    result = compare(ToolList("old", [TOOL]), ToolList("new", [changed(path, value)]))
    found = max((c.risk for c in result.changes if c.code not in NOTES), default=None)
    assert found is risk, result.changes
    assert result.changes


def test_there_are_enough_of_them() -> None:
    assert len(LABELLED) >= 100
    assert sum(risk is B for risk, _, _ in LABELLED) >= 50


@pytest.mark.parametrize(("risk", "path", "value"), [each for each in LABELLED if each[0]])
def test_a_tool_is_the_same_as_itself(risk: Risk, path: str, value: Any) -> None:
    tool = changed(path, value)
    assert compare(ToolList("a", [tool]), ToolList("b", [tool])).changes == ()


S: dict[str, Any] = {"type": "string"}
N = {"type": "integer"}
AB = {"type": "object", "properties": {"a": S, "b": S}}
NAMED = {"$defs": {"Long": {**S, "maxLength": 100}, "Base": {**AB, "required": ["a"]}}}
LONG, BASE = {"$ref": "#/$defs/Long"}, {"$ref": "#/$defs/Base"}
NEED_A, NEED_B = {"required": ["a"]}, {"required": ["b"]}


def joined(*parts: Any) -> dict[str, Any]:
    return {"allOf": [*parts], **NAMED}


def listing(schema: Any) -> dict[str, Any]:
    return {"type": "array", "items": schema}


def mapping(schema: Any) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": schema}


@pytest.mark.parametrize(
    ("risk", "old", "new"),
    [
        # Every part of allOf counts
        (B, joined(LONG, {"maxLength": 50}), joined(LONG, {"maxLength": 20})),
        (None, joined(LONG, {"maxLength": 200}), joined(LONG, {"maxLength": 300})),
        (B, joined({"minimum": 0}, {"minimum": 1}), joined({"minimum": 0}, {"minimum": 2})),
        (
            B,
            joined({**S, "pattern": "a"}, {"pattern": "b"}),
            joined({**S, "pattern": "a"}, {"pattern": "c"}),
        ),
        (H, joined({**S, "pattern": "a"}, {"pattern": "b"}), joined({**S, "pattern": "b"})),
        (
            None,
            joined({**S, "pattern": "a"}, {"pattern": "b"}),
            joined({**S, "pattern": "b"}, {"pattern": "a"}),
        ),
        (
            B,
            joined(listing(S), {"items": {"maxLength": 10}}),
            joined(listing(S), {"items": {"maxLength": 2}}),
        ),
        (
            B,
            joined({"anyOf": [S, N]}, {"anyOf": [S, {}]}),
            joined({"anyOf": [S, N]}, {"anyOf": [S, {"type": "null"}]}),
        ),
        (
            B,
            joined(AB, {"additionalProperties": True}),
            joined(AB, {"additionalProperties": False}),
        ),
        (
            B,
            joined(AB, {"properties": {"c": S}}),
            joined(AB, {"properties": {"c": S}, "additionalProperties": False}),
        ),
        (
            B,
            joined(mapping(S), mapping({"maxLength": 5})),
            joined(mapping(S), mapping({"maxLength": 4})),
        ),
        (
            H,
            joined(AB, {"additionalProperties": False}),
            joined({**AB, "additionalProperties": False}, {"minProperties": 0}),
        ),
        (
            B,
            joined({"multipleOf": 2}, {"multipleOf": 3}),
            joined({"multipleOf": 2}, {"multipleOf": 5}),
        ),
        (None, joined({"multipleOf": 2}, {"multipleOf": 3}), joined({"multipleOf": 6})),
        (B, joined({"enum": ["a", "b"]}, S), joined({"enum": ["a", "b"]}, {"const": "a"})),
        (
            B,
            joined({"not": {"const": 1}}, {"not": {"const": 2}}),
            joined({"not": {"const": 1}}, {"not": {"const": 3}}),
        ),
        (None, joined({"type": "number"}, N), N),
        (
            None,
            joined({"dependentRequired": {"a": ["b"]}}, {"dependentRequired": {"a": ["c"]}}),
            {"dependentRequired": {"a": ["b", "c"]}},
        ),
        # What stands beside a reference is said too
        (
            B,
            {**BASE, "properties": {"x": S}, **NAMED},
            {**BASE, "properties": {"x": S}, "$defs": {"Base": {**AB, "properties": {"a": N}}}},
        ),
        (B, {**BASE, **NAMED}, {**BASE, "required": ["x"], **NAMED}),
        (None, {**BASE, "required": ["b"], **NAMED}, {**AB, "required": ["a", "b"]}),
        # What is required, declared or not
        (B, {"type": "object"}, {"type": "object", "required": ["id"]}),
        (H, {"type": "object", "required": ["id"]}, {"type": "object"}),
        (B, mapping(S), {**mapping(S), "required": ["id"]}),
        (B, {**AB, "anyOf": [NEED_A, NEED_B]}, {**AB, "anyOf": [NEED_A]}),
        (H, {**AB, "anyOf": [NEED_A]}, {**AB, "anyOf": [NEED_A, NEED_B]}),
        (B, {**AB, "oneOf": [NEED_A, NEED_B]}, {**AB, "oneOf": [NEED_A, {"required": ["a", "b"]}]}),
        # Forms of which one or some fit
        (B, {"anyOf": [AB, mapping(S)]}, {"oneOf": [AB, mapping(S)]}),
        (B, {"anyOf": [{"type": "number"}, N]}, {"oneOf": [{"type": "number"}, N]}),
        (None, {"anyOf": [S, N]}, {"oneOf": [S, N]}),
        (None, {"anyOf": [{"const": 1}, {"const": 2}]}, {"oneOf": [{"const": 1}, {"const": 2}]}),
        (
            B,
            {**AB, "anyOf": [NEED_A, NEED_B], "oneOf": [NEED_B, {"required": ["c"]}]},
            {**AB, "anyOf": [NEED_A, NEED_B], "oneOf": [NEED_A, {"required": ["c"]}]},
        ),
        (B, {"anyOf": [S, N]}, {"anyOf": [S, N], "oneOf": [S, N, {"const": 1}]}),
        (B, {"oneOf": [S, N]}, {"oneOf": [S, N, {"type": "number"}]}),
        (B, {"oneOf": [S, N]}, {"oneOf": [S, {"type": ["integer", "string"]}]}),
        # Lists and maps
        (B, {**listing({}), "contains": S, "minContains": 0}, {**listing({}), "contains": S}),
        (None, {**listing({}), "contains": S, "minContains": 1}, {**listing({}), "contains": S}),
        (
            B,
            {"type": "object", "patternProperties": {"^a": S}},
            {"type": "object", "patternProperties": {"^a": N}},
        ),
        (B, {"not": LONG, **NAMED}, {"not": LONG, "$defs": {"Long": S}}),
        (B, {**mapping(S), "properties": {"a": S}}, {**mapping(S), "properties": {"a": S, "b": N}}),
        (
            B,
            {"$ref": "#/$defs/A/items", "$defs": {"A": listing(S)}},
            {"$ref": "#/$defs/A/items", "$defs": {"A": listing(N)}},
        ),
        (
            B,
            {"$ref": "#/$defs/A", "$defs": {"A": True}},
            {"$ref": "#/$defs/A", "$defs": {"A": False}},
        ),
        (
            B,
            {**AB, "unevaluatedProperties": False},
            {"type": "object", "properties": {"a": S}, "unevaluatedProperties": False},
        ),
        # The same in other words
        (
            R,
            {"type": ["integer", "boolean"], "default": 0},
            {"type": ["integer", "boolean"], "default": False},
        ),
        (R, {"default": [1]}, {"default": [True]}),
        (None, {**N, "default": 1}, {**N, "default": 1.0}),
        (None, {"enum": [1, 2]}, {"enum": [1.0, 2]}),
        (B, {"enum": [1, 2]}, {"enum": [True, 2]}),
        (None, {**N, "exclusiveMinimum": 0}, {**N, "minimum": 1}),
        (None, {**N, "maximum": 9}, {**N, "exclusiveMaximum": 10}),
        (None, {**N, "minimum": 0.5}, {**N, "minimum": 1}),
        (B, {"type": "number", "exclusiveMinimum": 0}, {"type": "number", "minimum": 1}),
        (H, {"type": "number", "exclusiveMinimum": 0}, {"type": "number", "minimum": 0}),
    ],
)
def test_what_a_schema_says_in_several_places(risk: Risk | None, old: Any, new: Any) -> None:
    assert worst(of_input(old), of_input(new)) is risk


def of_input(schema: Any) -> dict[str, Any]:
    definitions = schema.get("$defs", {})
    return {"type": "object", "properties": {"v": schema}, "$defs": definitions}


def worst(old: Any, new: Any, key: str = "inputSchema") -> Risk | None:
    tools = ({"name": "t", "inputSchema": {}, key: schema} for schema in (old, new))
    changes = compare(*(ToolList("", [tool]) for tool in tools)).changes
    assert bool(changes) == (old != new or json.dumps(old) != json.dumps(new))
    return max((change.risk for change in changes if change.code not in NOTES), default=None)


@pytest.mark.parametrize(
    ("risk", "old", "new"),
    [
        (B, mapping(N), mapping(S)),
        (B, mapping(AB), mapping({"type": "object", "properties": {"a": S}})),
        (H, mapping({"type": "object", "properties": {"a": S}}), mapping(AB)),
        (B, mapping(listing(AB)), mapping(listing({"type": "object", "properties": {"b": S}}))),
        (B, {**AB, **mapping(N)}, {**AB, **mapping(False)}),
        (H, {**AB, **mapping(False)}, {**AB, **mapping(N)}),
        (H, AB, {**AB, **mapping(False)}),
        (B, joined(mapping(N), AB), joined(mapping(S), AB)),
        (R, {**mapping(S), "required": ["id"]}, mapping(S)),
        (B, {**BASE, "properties": {"x": S}, **NAMED}, {"type": "object", "properties": {"x": S}}),
    ],
)
def test_what_an_answer_says_of_a_map(risk: Risk | None, old: Any, new: Any) -> None:
    assert worst(old, new, "outputSchema") is risk
    wrapped = (
        {"anyOf": [each, {"type": "object"}], "$defs": NAMED["$defs"]} for each in (old, new)
    )
    assert worst(*wrapped, "outputSchema") is risk


def test_words_of_many_values_are_no_more_than_words() -> None:
    """As where each value of a list has its description: as many forms."""

    def named(word: str) -> dict[str, Any]:
        forms = [{"const": n, "title": f"{word} {n}", "description": word} for n in range(80)]
        return of_input({"oneOf": forms})

    assert worst(named("One"), named("Another")) is None


LEAF = "a string, then a number"


def to(key: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{key}"}


def record(**members: Any) -> dict[str, Any]:
    return {"type": "object", "properties": members}


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
    f"C{n}": {"anyOf": [record(a=to(f"C{n + 1}")), record(b=to(f"C{n + 1}"))]} for n in range(60)
}
WIDE = {
    f"W{n}": record(
        leaf=LEAF, parts=listing({"oneOf": [record(**{f"k{m}": to(f"W{m}")}) for m in range(20)]})
    )
    for n in range(20)
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
        {"T": to("C0"), **CHOICES, "C60": record(leaf=LEAF)},
        {"T": to("W0"), **WIDE},
        {
            "T": {"allOf": [to(f"R{n}_0") for n in RINGS]},
            **{key: each for n in RINGS for key, each in ring(n).items()},
        },
    ],
    ids=[
        "extended",
        "itself",
        "each other",
        "three",
        "diamond",
        "chain",
        "choices",
        "wide",
        "rings",
    ],
)
@pytest.mark.parametrize("key", ["inputSchema", "outputSchema"])
def test_definitions_that_hold_each_other_are_compared_to_an_end(
    definitions: Any, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Effort, "most", 1600)

    def schema(leaf: Any) -> Any:
        text = json.dumps({**record(v=to("T")), "$defs": definitions})
        return json.loads(text.replace(json.dumps(LEAF), json.dumps(leaf)))

    assert worst(schema(S), schema(S), key) is None
    assert worst(schema(S), schema(N), key) is B


BOOK = {"type": "object", "properties": {"title": {"type": "string"}}}
PAGE = {"type": "object", "properties": {"number": {"type": "integer"}}}
OF_A_BODY = {"a": ["b"], "b": ["c"], "c": ["b"]}


@pytest.mark.parametrize(
    ("old", "new", "codes"),
    [
        # A body that may be left out and needs b and c, with a property more or less
        (OF_A_BODY, {**OF_A_BODY, "d": ["b"]}, {("argument-added", "d")}),
        ({**OF_A_BODY, "d": ["b"]}, OF_A_BODY, {("argument-removed", "d")}),
        # The same said otherwise
        (OF_A_BODY, {"a": ["c"], "b": ["c"], "c": ["b"]}, {("schema-rewritten", "")}),
        (OF_A_BODY, {"a": ["c", "b"], "b": ["c"], "c": ["b"]}, {("schema-rewritten", "")}),
        # One more that it needs, one less
        ({"a": ["b"], "c": ["b"]}, OF_A_BODY, {("argument-required", "c")}),
        (OF_A_BODY, {"a": ["b"], "c": ["b"]}, {("argument-optional", "c")}),
        # A body that may be left out and needs nothing, or one that is required
        ({}, {"a": ["b"], "c": ["b"]}, {("argument-required", "b")}),
        ({"a": ["b"], "c": ["b"]}, {}, {("argument-optional", "b")}),
        (["b", "c"], OF_A_BODY, {("argument-optional", "b"), ("argument-optional", "c")}),
        (OF_A_BODY, ["b", "c"], {("argument-required", "b"), ("argument-required", "c")}),
    ],
)
def test_what_arguments_need_beside_them(
    old: dict[str, list[str]] | list[str],
    new: dict[str, list[str]] | list[str],
    codes: set[tuple[str, str]],
) -> None:
    def tools(rules: dict[str, list[str]] | list[str]) -> ToolList:
        key = "required" if isinstance(rules, list) else "dependentRequired"
        names = dict.fromkeys(["a", "b", "c", *rules], True)
        closed = {"type": "object", "properties": names, "additionalProperties": False}
        return ToolList("", [{"name": "t", "inputSchema": {**closed, key: rules}}])

    changes = compare(tools(old), tools(new)).changes
    assert {(change.code, change.where) for change in changes} == codes


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        (0.01, 0.001, "input-widened"),
        (0.3, 0.1, "input-widened"),
        (0.1, 0.3, "input-narrowed"),
        (0.3, 0.2, "input-narrowed"),
    ],
)
def test_a_step_divides_another_as_it_is_written(old: float, new: float, code: str) -> None:
    lists = [
        ToolList("", [{**TOOL, "inputSchema": {"properties": {"a": {"multipleOf": step}}}}])
        for step in (old, new)
    ]
    assert [change.code for change in compare(*lists).changes] == [code]


def test_forms_that_hold_themselves_are_compared_to_an_end() -> None:
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


def document(**operations: Any) -> dict[str, Any]:
    answer = {"200": {"description": "ok"}}
    paths = {
        f"/{key}": {"get": {"operationId": key, "responses": answer, **given}}
        for key, given in operations.items()
    }
    scheme = {"type": "http", "scheme": "bearer"}
    return {
        "openapi": "3.1.0",
        "info": {"title": "T", "version": "1"},
        "paths": paths,
        "components": {"securitySchemes": {"one": scheme, "two": scheme}},
    }


def diff(folder: Path, old: Any, new: Any, *options: str) -> tuple[int, dict[str, Any]]:
    for name, value in (("old.json", old), ("new.json", new)):
        (folder / name).write_text(json.dumps(value))
    names = [str(folder / "old.json"), str(folder / "new.json")]
    done = run("diff", *names, "--json", *options)
    return done.exit_code, json.loads(done.stdout)


def codes(found: dict[str, Any]) -> dict[str, str]:
    return {change["code"]: change["risk"] for change in found["changes"]}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ([], [{"one": []}], {"security-required": "breaking"}),
        ([{"one": []}], [{"two": []}], {"security-required": "breaking"}),
        ([{"one": []}], [{"one": [], "two": []}], {"security-required": "breaking"}),
        ([{"one": []}, {"two": []}], [{"one": []}], {"security-required": "breaking"}),
        ([{"one": ["a"]}], [{"one": ["a", "b"]}], {"security-scopes": "risky"}),
        ([{"one": []}], [], {"security-relaxed": "harmless"}),
        ([{"one": [], "two": []}], [{"one": []}], {"security-relaxed": "harmless"}),
        ([{"one": []}], [{"one": []}], {}),
    ],
)
def test_security(tmp_path: Path, old: Any, new: Any, expected: dict[str, str]) -> None:
    _, found = diff(tmp_path, document(a={"security": old}), document(a={"security": new}))
    assert codes(found) == expected


def test_what_agents_are_told_of_the_whole(tmp_path: Path) -> None:
    old, new = document(a={}), document(a={})
    new["info"] = {**new["info"], "description": "Ask for consent. " * 8}
    _, found = diff(tmp_path, old, new)
    change = {"code": "instructions-changed", "risk": "risky", "tool": "", "where": ""}
    assert found["changes"] == [{**change, "detail": "about 0 -> 34 tokens"}]


def test_tools_come_go_and_get_other_names(tmp_path: Path) -> None:
    old = document(a={}, b={}, c={})
    new = document(a={}, c={}, d={})
    new["paths"]["/c"]["get"]["operationId"] = "sea"
    code, found = diff(tmp_path, old, new, "--fail-on", "breaking")
    assert code == 3
    assert [(c["code"], c["tool"]) for c in found["changes"] if c["risk"] == "breaking"] == [
        ("tool-removed", "b"),
        ("tool-renamed", "c"),
    ]
    assert ("tool-added", "d") in [(c["code"], c["tool"]) for c in found["changes"]]


def removing(**operations: str) -> dict[str, Any]:
    """Operations that look alike, by path."""
    answer = {"204": {"description": "ok"}}
    paths = {
        f"/{path}": {"delete": {"operationId": name, "summary": "Delete.", "responses": answer}}
        for path, name in operations.items()
    }
    return {**document(), "paths": paths}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            {"accounts": "purge", "sessions": "drop"},
            {"accounts": "drop", "sessions": "purge"},
            {("tool-replaced", "drop"), ("tool-replaced", "purge"), ("order-changed", "")},
        ),
        (
            {"accounts": "purge", "sessions": "drop"},
            {"sessions": "purge"},
            {("tool-replaced", "purge"), ("tool-removed", "drop")},
        ),
        (
            {"accounts": "purge"},
            {"accounts": "drop", "sessions": "purge"},
            {("tool-replaced", "purge"), ("tool-added", "drop")},
        ),
        ({"v1/accounts": "purge"}, {"v2/accounts": "purge"}, set()),
    ],
)
def test_a_name_stands_for_another_operation(
    tmp_path: Path, old: Any, new: Any, expected: set[tuple[str, str]]
) -> None:
    _, found = diff(tmp_path, removing(**old), removing(**new))
    assert {(change["code"], change["tool"]) for change in found["changes"]} == expected


def test_an_update_tells_that_names_were_exchanged(tmp_path: Path) -> None:
    """Though each tool is listed with the same words as before."""
    source, server = tmp_path / "api.json", tmp_path / "server"
    source.write_text(json.dumps(removing(accounts="purge", sessions="drop")))
    assert run("from-openapi", str(source), "-o", str(server)).exit_code == 0
    source.write_text(json.dumps(removing(accounts="drop", sessions="purge")))
    done = run("update", str(server))
    assert done.output.count("breaking: ") == done.output.count("tool-replaced: ") == 2


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"_meta": {"a": 1}}, "tool-changed"),
        ({"annotations": {"title": "Get"}}, "title-changed"),
        ({"annotations": {"other": True}}, "annotation-changed"),
        ({"inputSchema": {"type": "object", "title": "Given"}}, "schema-rewritten"),
    ],
)
def test_nothing_of_a_tool_changes_untold(more: dict[str, Any], code: str) -> None:
    tool = {"name": "t", "inputSchema": {"type": "object"}}
    (change,) = compare(ToolList("", [tool]), ToolList("", [{**tool, **more}])).changes
    assert change.code == code


def test_nothing_changed(tmp_path: Path) -> None:
    code, found = diff(tmp_path, document(a={}), document(a={}), "--fail-on", "any")
    assert (code, found["changes"]) == (0, [])
    listed = run("inspect", str(tmp_path / "old.json"), "--json")
    tokens = json.loads(listed.stdout)["tokens"]
    assert found["old"]["tokens"] == found["new"]["tokens"] == tokens > 0


@pytest.mark.parametrize(
    ("before", "now"), [((0, 8), (0, 40)), ((10, 4), (12, 4)), ((13, 4), (15, 4))]
)
def test_an_answer_that_outgrew_its_outline_lost_nothing(
    before: tuple[int, int], now: tuple[int, int], tmp_path: Path
) -> None:
    """Documents are compared as a whole, servers by what they advertise."""

    def shop(outer: int, inner: int) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": "object"}
        for fields in (inner, outer):
            names = {f"field_{n}": {"type": "string", "description": "A"} for n in range(fields)}
            schema = {"type": "object", "properties": {**names, "inner": schema}}
        answer = {"description": "ok", "content": {"application/json": {"schema": schema}}}
        operation = {"operationId": "a", "responses": {"200": answer}}
        return {**document(), "paths": {"/a": {"get": operation}}}

    code, found = diff(tmp_path, shop(*before), shop(*now))
    assert (code, codes(found)) == (0, {"output-added": "harmless"})
    servers = []
    for name, sizes in (("before", before), ("now", now)):
        source = tmp_path / f"{name}.json"
        source.write_text(json.dumps(shop(*sizes)))
        servers.append(str(tmp_path / name))
        done = run("from-openapi", str(source), "-o", servers[-1])
        assert done.exit_code == 0, done.output
    done = run("diff", *servers, "--json")
    found = codes(json.loads(done.stdout))
    assert found.pop("output-shortened") == "risky"
    assert found.keys() <= {"output-added"}


def test_a_large_answer_is_compared_to_its_depth(tmp_path: Path) -> None:
    def order(*names: str) -> dict[str, Any]:
        schema = {"type": "object", "properties": {name: {"type": "string"} for name in names}}
        for _ in range(6):
            beside = {f"field_{n}": {"type": "string"} for n in range(80)}
            schema = {"type": "object", "properties": {"inner": schema, **beside}}
        answer = {"description": "ok", "content": {"application/json": {"schema": schema}}}
        return document(a={"responses": {"200": answer}})

    code, found = diff(tmp_path, order("kept", "lost"), order("kept"), "--fail-on", "breaking")
    assert (code, codes(found)) == (3, {"output-removed": "breaking"})


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ({"type": "string"}, {"output-type-changed": "breaking"}),
        ({"type": "null"}, {"output-optional": "risky"}),
        (PAGE, {"output-widened": "risky"}),
    ],
)
def test_an_answer_that_may_be_something_else_lost_nothing(
    tmp_path: Path, other: Any, expected: dict[str, str]
) -> None:
    def answering(schema: Any) -> dict[str, Any]:
        answer = {"description": "ok", "content": {"application/json": {"schema": schema}}}
        return document(a={"responses": {"200": answer}})

    code, found = diff(tmp_path, answering(BOOK), answering({"oneOf": [BOOK, other]}))
    assert (code, codes(found)) == (0, expected)


def test_fields_that_are_split_among_forms_are_not_gone(tmp_path: Path) -> None:
    def answering(schema: Any) -> dict[str, Any]:
        answer = {"description": "ok", "content": {"application/json": {"schema": schema}}}
        return document(a={"responses": {"200": answer}})

    def places(*names: str) -> dict[str, Any]:
        members = {name: {"type": "string"} for name in names}
        return {"type": "object", "properties": members, "additionalProperties": False}

    old = places("pod", "cloud", "lost")
    new = {"oneOf": [{**places(name), "required": [name]} for name in ("pod", "cloud")]}
    _, found = diff(
        tmp_path, answering({"properties": {"at": old}}), answering({"properties": {"at": new}})
    )
    told = [(each["code"], each["where"]) for each in found["changes"]]
    assert told == [("output-removed", "at.lost"), ("output-narrowed", "at.pod")]


def test_revisions_and_servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "api").mkdir()
    part = {"get": {"operationId": "a", "responses": {"200": {"description": "ok"}}}}
    whole = {**document(), "paths": {"/a": {"$ref": "part.json"}}}
    (tmp_path / "api/part.json").write_text(json.dumps(part))
    (tmp_path / "api/api.json").write_text(json.dumps(whole))
    done = run("from-openapi", "api/api.json", "-o", "server")
    assert done.exit_code == 0, done.output
    for command in ("init -q", "add .", "-c user.name=a -c user.email=a@b.example commit -qm 1"):
        subprocess.run(["git", *command.split()], check=True)
    part["get"]["operationId"] = "z"  # type: ignore[index]
    (tmp_path / "api/part.json").write_text(json.dumps(part))
    for old in ("HEAD:api/api.json", "HEAD:server", "server"):
        done = run("diff", old, "api/api.json", "--json")
        assert "tool-renamed" in codes(json.loads(done.stdout)), old
    done = run("diff", "HEAD:api/api.json", "server")
    assert done.exit_code == 0
    assert "breaking" not in done.stdout
    for wrong in ("HEAD:none.json", "NONE:api/api.json", "api"):
        assert run("diff", wrong, "server").exit_code == 1


@pytest.mark.parametrize("knows_links", [True, False])
def test_a_revision_is_named_from_any_folder_of_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, knows_links: bool
) -> None:
    """And what a link in it leads to outside is not of the revision, on any Python 3.11."""
    if not knows_links:
        monkeypatch.delattr(tarfile, "data_filter", raising=False)
    folder = tmp_path / "the docs"
    folder.mkdir()
    (folder / "api.json").write_text(json.dumps(document(a={}, b={})))
    (folder / "away").symlink_to("/etc/hostname")
    who = ["-c", "user.name=a", "-c", "user.email=a@b.example"]
    for command in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "1"]):
        subprocess.run(["git", "-C", str(tmp_path), *command], check=True)
    (folder / "api.json").write_text(json.dumps(document(a={})))
    for place, path in ((folder, "api.json"), (tmp_path, "the docs/api.json")):
        monkeypatch.chdir(place)
        done = run("diff", f"HEAD:{path}", path, "--json")
        assert codes(json.loads(done.stdout)) == {"tool-removed": "breaking"}


def test_a_document_of_a_revision_is_called_by_its_name_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "api").mkdir()
    part = {"get": {"operationId": "a", "responses": {"200": {"description": "ok"}}}}
    whole = {**document(b={"requestBody": 1}), "paths": {"/a": {"$ref": "part.json"}, "//b": {}}}
    (tmp_path / "api/part.json").write_text(json.dumps(part))
    (tmp_path / "api/bad.json").write_text(json.dumps(whole))
    (tmp_path / "api/api.json").write_text(json.dumps(document(a={})))
    who = ["-c", "user.name=a", "-c", "user.email=a@b.example"]
    for command in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "1"]):
        subprocess.run(["git", *command], check=True)
    for command in (["inspect", "HEAD:api/bad.json"], ["diff", "HEAD:api/bad.json", "api"]):
        done = run(*command)
        assert done.exit_code == 1
        assert done.stderr.count("--> HEAD:api/bad.json:1:") == 1, done.stderr
    done = run("inspect", "HEAD:api/api.json")
    assert "  HEAD:api/api.json:1:" in done.stdout


def test_what_happens_to_many_tools_alike_is_told_once(tmp_path: Path) -> None:
    operation = {"responses": {"200": {"description": "ok"}}}
    added = {**operation, "parameters": [{"name": "q", "in": "query", "schema": {}}]}
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text(json.dumps(document(**dict.fromkeys("abcde", operation))))
    new.write_text(json.dumps(document(**dict.fromkeys("abcde", added))))
    command = ["diff", str(old), str(new)]
    shown = run(*command).stdout
    assert "  a, b, c and 2 more: argument-added `q`" in shown.splitlines()
    table = run(*command, "--format", "markdown").stdout
    assert "| `a`, `b`, `c` and 2 more | `q` | there is a new optional argument |" in table
    found = json.loads(run(*command, "--json").stdout)["changes"]
    assert [(each["tool"], each["where"]) for each in found] == [(name, "q") for name in "abcde"]


def test_markdown_shows_text_of_a_document_as_text(tmp_path: Path) -> None:
    old = [{**TOOL, "inputSchema": {"type": "object", "properties": {"a|<b>": {}}}}]
    new = [{**TOOL, "inputSchema": {"type": "object", "additionalProperties": False}}]
    for name, tools in (("old.json", old), ("new.json", new)):
        (tmp_path / name).write_text(json.dumps({"tools": tools}))
    names = [str(tmp_path / "old.json"), str(tmp_path / "new.json")]
    done = run("diff", *names, "--format", "markdown")
    assert "| a\\|\\<b\\> |" in done.stdout, done.output
    assert "#### 🔴 Breaking" in done.stdout


def test_lines_show_text_of_a_document_and_obey_none(tmp_path: Path) -> None:
    """Neither a terminal, nor what looks for commands in the log of a CI job."""
    name = "a\x1b[31m\u202e\n::stop-commands::x##[add-mask]y##vso[task.setvariable]"
    parameter = {"name": name, "in": "query", "schema": {"type": "string"}}
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text(json.dumps(document(a={"parameters": [parameter]})))
    new.write_text(json.dumps(document(a={})))
    lines = run("diff", str(old), str(new)).stdout.splitlines()
    shown = r"a\x1b[31m\u202e\n::stop-commands::x##\x5badd-mask]y##vso\x5btask.setvariable]"
    assert f"  a: argument-removed `{shown}`" in lines


def test_the_documentation_lists_the_rules() -> None:
    text = (Path(__file__).parent.parent / "docs" / "diff.md").read_text()
    for code, rule in RULES.items():
        assert f"| `{code}` | {rule.risk.name.lower()} | {rule.meaning} |" in text


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ({"$ref": "#/$defs/Square"}, "with `Square`"),
        ({"title": "Flat", "properties": {"depth": {"type": "integer"}}}, "with `Flat`"),
        ({"properties": {"kind": {"const": "flat"}}}, 'with `kind` "flat"'),
        ({"enum": ["none", "any"]}, 'with "any" or "none"'),
        ({"properties": {"radius": {}, "angle": {}}}, "with object of `radius`, `angle`"),
        ({"type": "object", "required": ["width", "height"]}, "with what has `width`, `height`"),
        ({"type": "array"}, "with array"),
    ],
)
def test_a_form_is_named(form: Any, told: str) -> None:
    any_string = {"type": "string", "pattern": "^[0-9]+$"}
    choices = [{"$ref": "#/$defs/Round"}, any_string, {"type": "array", "maxItems": 1}]
    tools = (changed(I + "shape oneOf", [*choices, *more]) for more in ([], [form]))
    (change,) = compare(*(ToolList("", [tool]) for tool in tools)).changes
    assert (change.code, change.where, change.detail) == ("input-widened", "shape", told)


@pytest.mark.parametrize(
    ("limit", "told"),
    [
        ({"maxLength": 7}, "maxLength none -> 7"),
        ({"type": "array", "uniqueItems": True}, "uniqueItems none -> true"),
        ({"pattern": "^a+$"}, "pattern none -> ^a+$"),
        ({"minimum": 0.5, "exclusiveMaximum": 9}, "minimum none -> 0.5"),
    ],
)
def test_a_limit_is_told_as_it_is_written(limit: dict[str, Any], told: str) -> None:
    kind = {"type": "number" if "minimum" in limit else limit.get("type", "string")}
    schemas = (
        {**TOOL["inputSchema"], "properties": {"a": {**kind, **more}}} for more in ({}, limit)
    )
    tools = (ToolList("", [{**TOOL, "inputSchema": schema}]) for schema in schemas)
    assert compare(*tools).changes[0].detail == told
