"""`mcpgen diff`: what two versions of a schema accept, however they say it."""

from __future__ import annotations

from typing import Any

import pytest
from schemas_compared import (
    AB,
    BASE,
    LONG,
    NAMED,
    NEED_A,
    NEED_B,
    NUMBERS,
    B,
    H,
    N,
    R,
    S,
    joined,
    listing,
    mapping,
    of_input,
    record,
    worst,
)

from mcpgen.diff.changes import Risk
from mcpgen.diff.tool_changes import ToolList, compare

PAIR = {"type": "array", "prefixItems": [S, N]}
CLOSED = {"type": "object", "properties": {"a": S}, "additionalProperties": False}
TO_50, TO_100 = {**N, "maximum": 50}, {**N, "maximum": 100}


def tagged(tag: int) -> dict[str, Any]:
    return {**record(tag={"const": tag}), "required": ["tag"]}


@pytest.mark.parametrize(
    ("risk", "old", "new"),
    [
        # Two ways to say that items may be anything
        (B, joined(listing(True), listing({})), joined(listing(S), listing({}))),
        # What a text holds
        (None, S, {**S, "contentSchema": AB}),
        (
            H,
            {**S, "contentSchema": AB},
            {**S, "contentSchema": {**AB, "properties": {"a": S, "b": S, "c": S}}},
        ),
        (B, {**S, "contentSchema": AB}, {**S, "contentSchema": {**AB, "required": ["a"]}}),
        (R, {**S, "format": "binary"}, {**S, "contentMediaType": "application/octet-stream"}),
        (R, {**S, "contentEncoding": "base64"}, {**S, "contentEncoding": "base16"}),
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
        (
            None,
            joined({"dependentRequired": {"a": ["b"]}}, {"dependentRequired": {"b": ["c"]}}),
            {"dependentRequired": {"a": ["b"], "b": ["c"]}},
        ),
        (
            B,
            joined({"patternProperties": {"^a": S}}, {"patternProperties": {"^a": LONG}}),
            joined(
                {"patternProperties": {"^a": S}},
                {"patternProperties": {"^a": {**S, "maxLength": 3}}},
            ),
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
            H,
            {**AB, "anyOf": [NEED_A, NEED_B], "oneOf": [NEED_A, NEED_B]},
            {**AB, "oneOf": [NEED_A, NEED_B]},
        ),
        (None, {"anyOf": [tagged(1), tagged(2)]}, {"oneOf": [tagged(1), tagged(2)]}),
        (
            B,
            {"anyOf": [tagged(1), record(tag={"const": 2})]},
            {"oneOf": [tagged(1), record(tag={"const": 2})]},
        ),
        (
            B,
            {**AB, "anyOf": [NEED_A, NEED_B], "oneOf": [NEED_B, {"required": ["c"]}]},
            {**AB, "anyOf": [NEED_A, NEED_B], "oneOf": [NEED_A, {"required": ["c"]}]},
        ),
        (B, {"anyOf": [S, AB, {"type": "object"}]}, {"anyOf": [S, AB]}),
        (H, {"anyOf": [S, AB]}, {"anyOf": [S, AB, {"type": "object"}]}),
        (None, {"anyOf": [S, AB, {**AB, "maxProperties": 1}]}, {"anyOf": [S, AB]}),
        (B, {"anyOf": [S, N]}, {"anyOf": [S, N], "oneOf": [S, N, {"const": 1}]}),
        (B, {"oneOf": [S, N]}, {"oneOf": [S, N, {"type": "number"}]}),
        (B, {"oneOf": [S, N]}, {"oneOf": [S, {"type": ["integer", "string"]}]}),
        (B, {"oneOf": [S, {"enum": ["a"]}]}, {"oneOf": [S, {"enum": ["a", "b"]}]}),
        (B, {"oneOf": [N, {"const": 1}]}, {"oneOf": [N, {}]}),
        (B, {"oneOf": [{"type": ["string", "null"]}, True]}, {"oneOf": [N, True]}),
        (
            B,
            {"oneOf": [{"enum": ["a", None]}, N]},
            {"oneOf": [{"enum": ["a", None]}, N, {"type": "null"}]},
        ),
        (
            H,
            {"oneOf": [{"enum": ["a"]}, {"enum": ["b"]}]},
            {"oneOf": [{"enum": ["a"]}, {"enum": ["b", "c"]}]},
        ),
        (
            B,
            {"oneOf": [{"enum": ["a"]}, {"enum": ["b"]}]},
            {"oneOf": [{"enum": ["a"]}, {"enum": ["a", "b"]}]},
        ),
        # A list of values as forms, and forms as a list
        (None, {"enum": ["a", "b"]}, {"oneOf": [{"const": "a", "title": "A"}, {"const": "b"}]}),
        (None, {"oneOf": [{"const": "a"}, {"enum": ["b"]}]}, {**S, "enum": ["a", "b"]}),
        (
            None,
            {"oneOf": [joined({"const": "a"}, {"title": "A"}), {"const": "b"}]},
            {"enum": ["a", "b"]},
        ),
        (B, {"enum": ["a", "b", "c"]}, {"oneOf": [{"const": "a"}, {"const": "b"}]}),
        (H, {"enum": ["a"]}, {"oneOf": [{"const": "a"}, {"const": "b"}]}),
        (B, {"enum": ["a", "b", "c"]}, {"oneOf": [{"enum": ["a", "b"]}, {"enum": ["b", "c"]}]}),
        (
            None,
            {"anyOf": [{**S, "enum": ["a"]}, {"type": "null"}]},
            {"type": ["string", "null"], "enum": ["a", None]},
        ),
        (None, {"enum": [True, False, 1]}, {"anyOf": [{"const": 1}, {"type": "boolean"}]}),
        (
            H,
            {"type": ["integer", "null"], "enum": [1, None]},
            {"anyOf": [N, {"type": "null"}]},
        ),
        (
            B,
            {"anyOf": [N, {"type": "null"}]},
            {"type": ["integer", "null"], "enum": [1, None]},
        ),
        # What a keyword holds that nobody knows is no schema
        (B, {**S, "errorMessage": {"minLength": "No"}}, {**S, "errorMessage": {"format": "No"}}),
        (B, {**S, "errorMessage": {"type": {"a": 1}}}, {**S, "errorMessage": {"type": {"a": 2}}}),
        (B, {**AB, "dependentSchemas": {"a": NEED_B}}, {**AB, "dependentSchemas": {"b": NEED_A}}),
        (
            B,
            {**AB, "dependentSchemas": {"a": NEED_B}},
            {**AB, "dependentSchemas": {"a": NEED_B, "b": NEED_A}},
        ),
        (
            None,
            {**AB, "dependentSchemas": {"a": joined(NEED_B)}},
            {**AB, "dependentSchemas": {"a": NEED_B}},
        ),
        # Lists and maps
        (
            B,
            joined(PAIR, {"prefixItems": [{"maxLength": 3}]}),
            joined(PAIR, {"prefixItems": [{"maxLength": 2}]}),
        ),
        (
            None,
            joined(PAIR, {"prefixItems": [{"maxLength": 3}], "items": N}),
            {"type": "array", "prefixItems": [{**S, "maxLength": 3}, N], "items": N},
        ),
        (B, joined(PAIR, {"items": N}), joined(PAIR, {"items": S})),
        (B, joined(CLOSED, NUMBERS), joined(CLOSED, {"patternProperties": {"^n": S}})),
        (None, joined(CLOSED, NUMBERS), joined(NUMBERS, CLOSED)),
        (B, {**CLOSED, **NUMBERS}, joined(CLOSED, NUMBERS)),
        (B, joined(CLOSED, NUMBERS), joined({**CLOSED, "properties": {"a": N}}, NUMBERS)),
        (B, {"type": "object", **NUMBERS}, {"type": "object", "patternProperties": {"^m": N}}),
        (B, {**mapping(S), "properties": {"a": N}}, mapping(S)),
        (R, {**mapping(S), "properties": {"a": S}}, mapping(S)),
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
            {"prefixItems": [S, {"$ref": "#/properties/v/prefixItems/0"}]},
            {"prefixItems": [S, {"$ref": "#/properties/v/prefixItems/9"}, S]},
        ),
        (
            None,
            {"prefixItems": [S, {"$ref": "#/properties/v/prefixItems/9"}]},
            {"prefixItems": [S, {}]},
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
        # Older dialects, as the lists of other servers have them
        (B, {"items": [S, N]}, {"items": [S, S]}),
        (None, {"items": [S, N]}, {"prefixItems": [S, N]}),
        (None, {"items": [S], "additionalItems": N}, {"prefixItems": [S], "items": N}),
        (B, {"items": [S], "additionalItems": N}, {"items": [S], "additionalItems": False}),
        (B, {"items": [S, N]}, {"items": S}),
        (B, {**TO_100, "exclusiveMaximum": True}, {**TO_50, "exclusiveMaximum": True}),
        (H, {**TO_50, "exclusiveMaximum": True}, {**TO_100, "exclusiveMaximum": True}),
        (B, TO_100, {**TO_100, "exclusiveMaximum": True}),
        (H, {**TO_100, "exclusiveMaximum": True}, {**TO_100, "exclusiveMaximum": False}),
        (None, {**TO_100, "exclusiveMaximum": True}, {**N, "exclusiveMaximum": 100}),
        (None, {**AB, "dependencies": {"a": ["b"]}}, {**AB, "dependentRequired": {"a": ["b"]}}),
        (B, {**AB, "dependencies": {"a": ["b"]}}, {**AB, "dependencies": {"a": ["b", "c"]}}),
        (
            None,
            {**AB, "dependencies": {"a": NEED_B}},
            {**AB, "dependentSchemas": {"a": NEED_B}},
        ),
        (B, {**AB, "dependencies": {"a": NEED_B}}, {**AB, "dependencies": {"b": NEED_A}}),
        (H, {**S, "$defs": 7, "prefixItems": 1}, {"$defs": {}, "dependentRequired": [2]}),
        (None, {**S, "extends": 1, "disallow": False}, {**S, "extends": 1, "disallow": False}),
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
        (None, {"const": {"a": 1.0}}, {"const": {"a": 1}}),
        (B, {"enum": [{"a": [1.0]}, {"b": 2}]}, {"enum": [{"a": [1]}]}),
        (None, {**N, "exclusiveMinimum": 0}, {**N, "minimum": 1}),
        (None, {**N, "maximum": 9}, {**N, "exclusiveMaximum": 10}),
        (None, {**N, "minimum": 0.5}, {**N, "minimum": 1}),
        (B, {"type": "number", "exclusiveMinimum": 0}, {"type": "number", "minimum": 1}),
        (H, {"type": "number", "exclusiveMinimum": 0}, {"type": "number", "minimum": 0}),
    ],
)
def test_what_a_schema_says_in_several_places(risk: Risk | None, old: Any, new: Any) -> None:
    assert worst(of_input(old), of_input(new)) is risk


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
        (B, {**AB, "anyOf": [NEED_A, NEED_B]}, AB),
        (H, AB, {**AB, "anyOf": [NEED_A, NEED_B]}),
        (R, {"anyOf": [S, AB]}, {"anyOf": [S, AB, {"type": "object"}]}),
        (R, {**AB, **joined({"not": NEED_A}, {"not": NEED_B})}, {**AB, "not": NEED_A}),
        (H, {**AB, "not": NEED_A}, {**AB, **joined({"not": NEED_A}, {"not": NEED_B})}),
        (R, AB, {**AB, **NUMBERS}),
        (B, {**BASE, "properties": {"x": S}, **NAMED}, {"type": "object", "properties": {"x": S}}),
    ],
)
def test_what_an_answer_says_of_a_map(risk: Risk | None, old: Any, new: Any) -> None:
    assert worst(old, new, "outputSchema") is risk
    wrapped = (
        {"anyOf": [each, {"type": "object"}], "$defs": NAMED["$defs"]} for each in (old, new)
    )
    assert worst(*wrapped, "outputSchema") is risk


@pytest.mark.parametrize(
    ("old", "new", "detail"),
    [
        (["a", "b"], ["a"], 'without "b"'),
        (["a"], ["a", "b"], 'with "b"'),
        (["a"], ["b", 1], 'without "a"; with "b", 1'),
    ],
)
def test_values_that_go_and_come_are_named(old: list[Any], new: list[Any], detail: str) -> None:
    lists = [
        ToolList("", [{"name": "t", "inputSchema": record(v={"enum": enum})}])
        for enum in (old, new)
    ]
    found = compare(*lists).changes
    assert detail in [change.detail for change in found]


def test_words_of_many_values_are_no_more_than_words() -> None:
    """As where each value of a list has its description: as many forms."""

    def named(word: str) -> dict[str, Any]:
        forms = [{"const": n, "title": f"{word} {n}", "description": word} for n in range(80)]
        return of_input({"oneOf": forms})

    assert worst(named("One"), named("Another")) is None


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
        ToolList("", [{"name": "t", "inputSchema": {"properties": {"a": {"multipleOf": step}}}}])
        for step in (old, new)
    ]
    assert [change.code for change in compare(*lists).changes] == [code]
