"""What a document says of the single values of an enum reaches the agent."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from openapi_reading import one, read_document
from tool_file_reading import described, read

from mcpgen.catalogue.tools_json import encoded
from mcpgen.readers.enum_values import with_value_lines

STATES = [0, 1, 2]
NAMES = ["OPEN", "SENT", "LOST"]


@pytest.mark.parametrize(
    ("schema", "description"),
    [
        ({"enum": STATES, "x-enum-varnames": NAMES}, "- 0: OPEN\n- 1: SENT\n- 2: LOST"),
        ({"enum": STATES, "x-enumNames": NAMES}, "- 0: OPEN\n- 1: SENT\n- 2: LOST"),
        ({"enum": STATES, "x-enum-names": NAMES[:1]}, "- 0: OPEN"),
        (
            {
                "enum": STATES,
                "description": "The state.",
                "x-enum-varnames": NAMES,
                "x-enum-descriptions": ["Not sent\n  yet", "", "Lost"],
            },
            "The state.\n\n- 0 (OPEN): Not sent yet\n- 1: SENT\n- 2 (LOST): Lost",
        ),
        (
            {"enum": [True, None], "x-enum-descriptions": {"true": "Now", "null": "Never"}},
            "- true: Now\n- null: Never",
        ),
        (
            {"enum": ["kg", "gas_giant"], "x-enumDescriptions": {"kg": "<b>Kilos</b>", "x": "y"}},
            "- kg: **Kilos**",
        ),
        (
            {
                "enum": STATES,
                "x-ms-enum": {
                    "name": "State",
                    "values": [{"value": 1, "name": "Sent", "description": "Is sent"}, 2],
                },
            },
            "- 1 (Sent): Is sent",
        ),
        (
            {"enum": ["", "a\nb", "c", "c"], "x-enum-descriptions": ["No", "Two", "C!", "D"]},
            '- "": No\n- "a\\nb": Two\n- c: D',
        ),
        # What only repeats the values or the description
        ({"enum": ["gas_giant"], "x-enum-varnames": ["GasGiant"]}, None),
        (
            {"enum": STATES, "description": "0=Open, 1=Sent, 2=Lost", "x-enumNames": NAMES},
            "0=Open, 1=Sent, 2=Lost",
        ),
        # What cannot be matched to the values
        ({"enum": [0], "x-enum-varnames": NAMES}, None),
        ({"enum": STATES, "x-enum-varnames": "OPEN", "x-ms-enum": {"values": 1}}, None),
        ({"enum": STATES, "x-enum-varnames": [1, None, {}]}, None),
        ({"x-enum-varnames": NAMES}, None),
    ],
)
def test_a_value_is_told_with_its_name_and_description(
    tmp_path: Path, schema: dict[str, Any], description: str | None
) -> None:
    parameter = {"name": "state", "in": "query", "schema": schema}
    tool = read_document(one({"parameters": [parameter]}), tmp_path).tool
    assert tool.input_schema["properties"]["state"].get("description") == description


def test_a_parameter_is_told_with_what_its_schema_says_more(tmp_path: Path) -> None:
    def told(parameter: str, schema: str) -> str:
        given = {"name": "state", "in": "query", "description": parameter}
        given["schema"] = {"type": "string", "description": schema}
        return read_document(one({"parameters": [given]}), tmp_path).tool.arguments[0].description

    assert told("State filter.", "`a` is open") == "State filter.\n\n`a` is open"
    assert told("The state filter", "State filter.") == "The state filter"
    assert told("State", "The state: a or b") == "The state: a or b"


def test_values_of_a_parameter_in_2_0_are_told_after_its_description(tmp_path: Path) -> None:
    parameter = {"name": "state", "in": "query", "type": "integer", "description": "The state."}
    given = {**parameter, "enum": STATES, "x-enumNames": NAMES}
    document = {"swagger": "2.0", **one({"parameters": [given]})}
    (argument,) = read_document(document, tmp_path).tool.arguments
    assert argument.description == "The state.\n\n- 0: OPEN\n- 1: SENT\n- 2: LOST"


def test_what_a_tool_file_says_is_advertised_as_it_is(tmp_path: Path) -> None:
    schema = {"type": "integer", "enum": STATES, "x-enum-varnames": NAMES}
    written = {"type": "object", "properties": {"state": schema}}
    api = read(
        tmp_path, {"server": {}, "tools": [described({"name": "a", "inputSchema": written})]}
    )
    (listed,) = json.loads(encoded(api))["tools"]
    assert listed["inputSchema"] == written


def test_many_values_take_little_time() -> None:
    entries = [{"value": number, "name": f"No{number}"} for number in range(10_000)]
    schema = {"enum": list(range(10_000)), "x-ms-enum": {"values": entries}}
    start = time.process_time()
    assert with_value_lines(schema, "").endswith("- 9999: No9999")
    assert time.process_time() - start < 10
