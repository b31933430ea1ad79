"""What is left out is neutral only where less says less: not in `not`, `if`, `contains`."""

from __future__ import annotations

import json
from typing import Any

import pytest
from schema_documents import Convert, accepts, whole

from mcpgen.readers.dialect import Dialect

WEAK: list[Any] = [
    {"pattern": "^(?!ok).*$"},
    {"pattern": "^(?i)(John|Doe)$"},
    {"pattern": "a++"},
    {"pattern": "["},
    {"format": "uuid"},
    {"maxLength": "3"},
    {"type": "money"},
    {"$ref": "#/components/schemas/Gone"},
    {"$ref": "#/components/schemas/Weak"},
    {"allOf": [{"anyOf": [{"type": "string", "pattern": "^(?!ok).*$"}]}]},
    {"properties": {"a": {"items": {"pattern": "^(?!ok).*$"}}}},
    {"patternProperties": {"^(?!ok)": {"type": "string"}}},
]
HOLDERS: list[tuple[dict[str, Any], str]] = [
    ({"not": "WEAK"}, "not"),
    ({"if": "WEAK", "then": {"required": ["b"]}, "else": False}, "if"),
    ({"if": {"type": "string"}, "then": "WEAK"}, "if"),
    ({"contains": "WEAK", "maxContains": 1}, "contains"),
    ({"dependentSchemas": {"a": "WEAK"}}, "dependentSchemas"),
]
STRONG: list[Any] = [
    {"pattern": "^(a|b)+$"},
    {"type": "integer", "format": "int64"},
    {"type": "int"},
    {"enum": ["a"]},
    {"$ref": "#/components/schemas/Strong"},
]
DEFINITIONS = {
    "Weak": {"type": "string", "pattern": "^(?!ok).*$"},
    "Strong": {
        "type": "string",
        "minLength": 3,
        "properties": {"a": {"$ref": "#/components/schemas/Strong"}},
    },
}


def filled(holder: dict[str, Any], part: Any) -> dict[str, Any]:
    filled: dict[str, Any] = json.loads(json.dumps(holder).replace('"WEAK"', json.dumps(part)))
    return filled


@pytest.mark.parametrize("part", WEAK)
@pytest.mark.parametrize(("holder", "keyword"), HOLDERS)
def test_a_keyword_that_holds_what_is_not_enforced_is_left_out_as_a_whole(
    convert: Convert, holder: dict[str, Any], keyword: str, part: Any
) -> None:
    schema = {"properties": {"x": {"description": "d", **filled(holder, part)}}}
    converted = convert({"It": schema, **DEFINITIONS}, Dialect.OAS31)
    assert converted.add() == {"properties": {"x": {"description": "d"}}}
    [(pointer, message)] = converted.warnings
    assert pointer.endswith(f"/It/properties/x/{keyword}")
    assert message.startswith(f"`{keyword}` holds ")
    assert message.endswith(", which is not enforced; it is left out")


@pytest.mark.parametrize("part", STRONG)
@pytest.mark.parametrize(("holder", "keyword"), HOLDERS)
def test_a_keyword_that_is_enforced_stays(
    convert: Convert, holder: dict[str, Any], keyword: str, part: Any
) -> None:
    converted = convert({"It": filled(holder, part), **DEFINITIONS}, Dialect.OAS31)
    schema = converted.add()
    assert isinstance(schema, dict)
    assert keyword in schema


def test_contains_without_a_maximum_only_loses_its_part(convert: Convert) -> None:
    converted = convert({"It": {"contains": {"pattern": "^(?!x)", "type": "string"}}})
    schema = converted.add()
    assert isinstance(schema, dict)
    assert schema["contains"]["type"] == "string"


@pytest.mark.parametrize("dialect", list(Dialect))
def test_a_value_that_not_forbids_by_another_engine_is_taken(
    convert: Convert, dialect: Dialect
) -> None:
    schema = {"type": "string", "not": {"pattern": "^(?i)(John|Doe)$"}}
    converted = convert({"It": schema}, dialect)
    assert accepts(whole(converted.add(), converted.pool.schemas), "Jane")
