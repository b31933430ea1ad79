"""`mcpgen diff`: what schemas say in the words of older dialects."""

from __future__ import annotations

from typing import Any

import pytest
from schemas_compared import AB, NULL, B, H, N, S, of_input, record, worst

from mcpgen.diff.changes import Risk


@pytest.mark.parametrize(
    ("risk", "old", "new"),
    [
        (B, {**AB, "dependencies": {"a": "b"}}, {**AB, "dependentRequired": {"a": ["b", "c"]}}),
        (None, {**AB, "dependencies": {"a": "b"}}, {**AB, "dependentRequired": {"a": ["b"]}}),
        (None, record(a={**S, "required": True}), {**record(a=S), "required": ["a"]}),
        (B, record(a={**S, "required": False}), {**record(a=S), "required": ["a"]}),
        (None, {"type": ["null", {**S, "maxLength": 3}]}, {"anyOf": [NULL, {**S, "maxLength": 3}]}),
        (B, {"type": ["null", {"type": "any"}]}, {"anyOf": [NULL, N]}),
        (H, {"type": ["null", N]}, {"type": ["null", "string", "integer"]}),
        (None, {**S, "extends": {"maxLength": 3}}, {**S, "maxLength": 3}),
        (B, {"extends": [AB, {"properties": {"c": S}}]}, {"allOf": [AB, record(c=N)]}),
        (None, {**N, "divisibleBy": 2}, {**N, "multipleOf": 2}),
        (None, {"disallow": ["string", "integer"]}, {"not": {"type": ["string", "integer"]}}),
        (H, {**S, "anyOf": 1, "minProperties": "x", "allOf": 2, "enum": ["a"]}, S),
        (
            B,
            {**AB, "dependentRequired": {"a": 5, "b": [5]}},
            {**AB, "dependentRequired": {"a": ["b"]}},
        ),
        (B, {**AB, "dependentSchemas": {"a": 5}}, {**AB, "dependentRequired": {"a": ["b"]}}),
    ],
)
def test_what_draft_3_says_in_its_own_words(risk: Risk | None, old: Any, new: Any) -> None:
    dialect = {"$schema": "http://json-schema.org/draft-03/schema#"}
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
