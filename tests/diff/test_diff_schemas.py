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
    NULL,
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
OBJECT, NUMBER = {"type": "object"}, {"type": "number"}


def any_of(*forms: Any) -> dict[str, Any]:
    return {"anyOf": [*forms]}


def one_of(*forms: Any) -> dict[str, Any]:
    return {"oneOf": [*forms]}


def enum(*values: Any) -> dict[str, Any]:
    return {"enum": [*values]}


def matching(pattern: str, schema: Any) -> dict[str, Any]:
    return {"patternProperties": {pattern: schema}}


def needing(**others: Any) -> dict[str, Any]:
    return {"dependentRequired": others}


def implying(**schemas: Any) -> dict[str, Any]:
    return {**AB, "dependentSchemas": schemas}


def tagged(tag: int) -> dict[str, Any]:
    return {**record(tag={"const": tag}), "required": ["tag"]}


@pytest.mark.parametrize(
    ("risk", "part", "old", "new"),
    [
        (B, LONG, {"maxLength": 50}, {"maxLength": 20}),
        (None, LONG, {"maxLength": 200}, {"maxLength": 300}),
        (B, {"minimum": 0}, {"minimum": 1}, {"minimum": 2}),
        (B, {**S, "pattern": "a"}, {"pattern": "b"}, {"pattern": "c"}),
        (B, listing(S), {"items": {"maxLength": 10}}, {"items": {"maxLength": 2}}),
        (B, any_of(S, N), any_of(S, {}), any_of(S, NULL)),
        (B, AB, {"additionalProperties": True}, {"additionalProperties": False}),
        (B, AB, {"properties": {"c": S}}, {"properties": {"c": S}, "additionalProperties": False}),
        (B, mapping(S), mapping({"maxLength": 5}), mapping({"maxLength": 4})),
        (B, {"multipleOf": 2}, {"multipleOf": 3}, {"multipleOf": 5}),
        (B, enum("a", "b"), S, {"const": "a"}),
        (B, {"not": {"const": 1}}, {"not": {"const": 2}}, {"not": {"const": 3}}),
        (B, matching("^a", S), matching("^a", LONG), matching("^a", {**S, "maxLength": 3})),
        (B, PAIR, {"prefixItems": [{"maxLength": 3}]}, {"prefixItems": [{"maxLength": 2}]}),
        (B, PAIR, {"items": N}, {"items": S}),
        (B, CLOSED, NUMBERS, matching("^n", S)),
    ],
)
def test_every_part_of_all_of_counts(risk: Risk | None, part: Any, old: Any, new: Any) -> None:
    assert worst(of_input(joined(part, old)), of_input(joined(part, new))) is risk


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
        (H, joined({**S, "pattern": "a"}, {"pattern": "b"}), joined({**S, "pattern": "b"})),
        (
            None,
            joined({**S, "pattern": "a"}, {"pattern": "b"}),
            joined({**S, "pattern": "b"}, {"pattern": "a"}),
        ),
        (
            H,
            joined(AB, {"additionalProperties": False}),
            joined({**AB, "additionalProperties": False}, {"minProperties": 0}),
        ),
        (None, joined({"multipleOf": 2}, {"multipleOf": 3}), joined({"multipleOf": 6})),
        (None, joined(NUMBER, N), N),
        (None, joined(needing(a=["b"]), needing(a=["c"])), needing(a=["b", "c"])),
        (None, joined(needing(a=["b"]), needing(b=["c"])), needing(a=["b"], b=["c"])),
        # What stands beside a reference is said too
        (
            B,
            {**BASE, "properties": {"x": S}, **NAMED},
            {**BASE, "properties": {"x": S}, "$defs": {"Base": {**AB, "properties": {"a": N}}}},
        ),
        (B, {**BASE, **NAMED}, {**BASE, "required": ["x"], **NAMED}),
        (None, {**BASE, "required": ["b"], **NAMED}, {**AB, "required": ["a", "b"]}),
        # What is required, declared or not
        (B, OBJECT, {"type": "object", "required": ["id"]}),
        (H, {"type": "object", "required": ["id"]}, OBJECT),
        (B, mapping(S), {**mapping(S), "required": ["id"]}),
        (B, {**AB, "anyOf": [NEED_A, NEED_B]}, {**AB, "anyOf": [NEED_A]}),
        (H, {**AB, "anyOf": [NEED_A]}, {**AB, "anyOf": [NEED_A, NEED_B]}),
        (B, {**AB, "oneOf": [NEED_A, NEED_B]}, {**AB, "oneOf": [NEED_A, {"required": ["a", "b"]}]}),
        # Forms of which one or some fit
        (B, any_of(AB, mapping(S)), one_of(AB, mapping(S))),
        (B, any_of(NUMBER, N), one_of(NUMBER, N)),
        (None, any_of(S, N), one_of(S, N)),
        (None, any_of({"const": 1}, {"const": 2}), one_of({"const": 1}, {"const": 2})),
        (
            H,
            {**AB, "anyOf": [NEED_A, NEED_B], "oneOf": [NEED_A, NEED_B]},
            {**AB, "oneOf": [NEED_A, NEED_B]},
        ),
        (None, any_of(tagged(1), tagged(2)), one_of(tagged(1), tagged(2))),
        (
            B,
            any_of(tagged(1), record(tag={"const": 2})),
            one_of(tagged(1), record(tag={"const": 2})),
        ),
        (
            B,
            {**AB, "anyOf": [NEED_A, NEED_B], "oneOf": [NEED_B, {"required": ["c"]}]},
            {**AB, "anyOf": [NEED_A, NEED_B], "oneOf": [NEED_A, {"required": ["c"]}]},
        ),
        (B, any_of(S, AB, OBJECT), any_of(S, AB)),
        (H, any_of(S, AB), any_of(S, AB, OBJECT)),
        (None, any_of(S, AB, {**AB, "maxProperties": 1}), any_of(S, AB)),
        (B, any_of(S, N), {"anyOf": [S, N], "oneOf": [S, N, {"const": 1}]}),
        (B, one_of(S, N), one_of(S, N, NUMBER)),
        (B, one_of(S, N), one_of(S, {"type": ["integer", "string"]})),
        (B, one_of(S, enum("a")), one_of(S, enum("a", "b"))),
        (B, one_of(N, {"const": 1}), one_of(N, {})),
        (B, one_of({"type": ["string", "null"]}, True), one_of(N, True)),
        (B, one_of(enum("a", None), N), one_of(enum("a", None), N, NULL)),
        (H, one_of(enum("a"), enum("b")), one_of(enum("a"), enum("b", "c"))),
        (B, one_of(enum("a"), enum("b")), one_of(enum("a"), enum("a", "b"))),
        # A list of values as forms, and forms as a list
        (None, enum("a", "b"), one_of({"const": "a", "title": "A"}, {"const": "b"})),
        (None, one_of({"const": "a"}, enum("b")), {**S, "enum": ["a", "b"]}),
        (None, one_of(joined({"const": "a"}, {"title": "A"}), {"const": "b"}), enum("a", "b")),
        (B, enum("a", "b", "c"), one_of({"const": "a"}, {"const": "b"})),
        (H, enum("a"), one_of({"const": "a"}, {"const": "b"})),
        (B, enum("a", "b", "c"), one_of(enum("a", "b"), enum("b", "c"))),
        (
            None,
            any_of({**S, "enum": ["a"]}, NULL),
            {"type": ["string", "null"], "enum": ["a", None]},
        ),
        (None, enum(True, False, 1), any_of({"const": 1}, {"type": "boolean"})),
        (H, {"type": ["integer", "null"], "enum": [1, None]}, any_of(N, NULL)),
        (B, any_of(N, NULL), {"type": ["integer", "null"], "enum": [1, None]}),
        # What a keyword holds that nobody knows is no schema
        (B, {**S, "errorMessage": {"minLength": "No"}}, {**S, "errorMessage": {"format": "No"}}),
        (B, {**S, "errorMessage": {"type": {"a": 1}}}, {**S, "errorMessage": {"type": {"a": 2}}}),
        (B, implying(a=NEED_B), implying(b=NEED_A)),
        (B, implying(a=NEED_B), implying(a=NEED_B, b=NEED_A)),
        (None, implying(a=joined(NEED_B)), implying(a=NEED_B)),
        # Lists and maps
        (
            None,
            joined(PAIR, {"prefixItems": [{"maxLength": 3}], "items": N}),
            {"type": "array", "prefixItems": [{**S, "maxLength": 3}, N], "items": N},
        ),
        (None, joined(CLOSED, NUMBERS), joined(NUMBERS, CLOSED)),
        (B, {**CLOSED, **NUMBERS}, joined(CLOSED, NUMBERS)),
        (B, joined(CLOSED, NUMBERS), joined({**CLOSED, "properties": {"a": N}}, NUMBERS)),
        (B, {"type": "object", **NUMBERS}, {"type": "object", "patternProperties": {"^m": N}}),
        (B, {**mapping(S), "properties": {"a": N}}, mapping(S)),
        (R, {**mapping(S), "properties": {"a": S}}, mapping(S)),
        (B, {**listing({}), "contains": S, "minContains": 0}, {**listing({}), "contains": S}),
        (None, {**listing({}), "contains": S, "minContains": 1}, {**listing({}), "contains": S}),
        (B, {**OBJECT, **matching("^a", S)}, {**OBJECT, **matching("^a", N)}),
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
        (None, {**AB, "dependencies": {"a": NEED_B}}, implying(a=NEED_B)),
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
        (None, enum(1, 2), enum(1.0, 2)),
        (B, enum(1, 2), enum(True, 2)),
        (None, {"const": {"a": 1.0}}, {"const": {"a": 1}}),
        (B, enum({"a": [1.0]}, {"b": 2}), enum({"a": [1]})),
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
        (B, mapping(AB), mapping(record(a=S))),
        (H, mapping(record(a=S)), mapping(AB)),
        (B, mapping(listing(AB)), mapping(listing(record(b=S)))),
        (B, {**AB, **mapping(N)}, {**AB, **mapping(False)}),
        (H, {**AB, **mapping(False)}, {**AB, **mapping(N)}),
        (H, AB, {**AB, **mapping(False)}),
        (B, joined(mapping(N), AB), joined(mapping(S), AB)),
        (R, {**mapping(S), "required": ["id"]}, mapping(S)),
        (B, {**AB, "anyOf": [NEED_A, NEED_B]}, AB),
        (H, AB, {**AB, "anyOf": [NEED_A, NEED_B]}),
        (R, any_of(S, AB), any_of(S, AB, OBJECT)),
        (R, {**AB, **joined({"not": NEED_A}, {"not": NEED_B})}, {**AB, "not": NEED_A}),
        (H, {**AB, "not": NEED_A}, {**AB, **joined({"not": NEED_A}, {"not": NEED_B})}),
        (R, AB, {**AB, **NUMBERS}),
        (B, {**BASE, "properties": {"x": S}, **NAMED}, record(x=S)),
    ],
)
def test_what_an_answer_says_of_a_map(risk: Risk | None, old: Any, new: Any) -> None:
    assert worst(old, new, "outputSchema") is risk
    wrapped = ({**any_of(each, OBJECT), **NAMED} for each in (old, new))
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
    schemas = [record(v=enum(*values)) for values in (old, new)]
    lists = [ToolList("", [{"name": "t", "inputSchema": schema}]) for schema in schemas]
    assert detail in [change.detail for change in compare(*lists).changes]


def test_words_of_many_values_are_no_more_than_words() -> None:
    """As where each value of a list has its description: as many forms."""

    def named(word: str) -> dict[str, Any]:
        forms = [{"const": n, "title": f"{word} {n}", "description": word} for n in range(80)]
        return of_input(one_of(*forms))

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


@pytest.mark.parametrize(
    ("risk", "old", "new"),
    [
        (
            B,
            {**AB, "dependentRequired": {"a": 5, "b": [5]}},
            {**AB, "dependentRequired": {"a": ["b"]}},
        ),
        (B, {**AB, "dependentSchemas": {"a": 5}}, {**AB, "dependentRequired": {"a": ["b"]}}),
    ],
)
def test_a_keyword_that_an_older_dialect_lacks_may_hold_anything(
    risk: Risk | None, old: Any, new: Any
) -> None:
    dialect = {"$schema": "http://json-schema.org/draft-04/schema#"}
    assert worst({**of_input(old), **dialect}, of_input(new)) is risk


@pytest.mark.parametrize(
    ("risk", "old", "new"),
    [
        (H, {"A": {**S, "maxLength": 3}}, {"A": {**S, "maxLength": 5}}),
        (B, {"A": {**S, "maxLength": 5}}, {"A": {**S, "maxLength": 3}}),
        (None, {"A": S}, {"A": S, "B": N}),
        (None, {"A": S}, {"A": {**S, "id": "#a"}}),
        (B, {"A": record(again={"$ref": "#/definitions/A"}, leaf=S)}, {"A": record(leaf=N)}),
    ],
)
def test_definitions_of_older_dialects_count_where_they_are_referred_to(
    risk: Risk | None, old: Any, new: Any
) -> None:
    schemas = (
        {**record(v={"$ref": "#/definitions/A"}), "definitions": each} for each in (old, new)
    )
    assert worst(*schemas) is risk
