"""`tools.json`, compared as text."""

from __future__ import annotations

import json
from itertools import permutations
from typing import Any

import pytest
from api_building import api, tool
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from mcpgen.contract import differing, tools_json, wire_tool
from mcpgen.literals import json_data

TOOL: st.SearchStrategy[dict[str, Any]] = st.builds(
    lambda name, schema: {"name": name, "inputSchema": schema},
    st.sampled_from("abcd"),
    st.sampled_from([{}, {"type": "object"}, {"a": {"b": {}}, "c": [{}, {"}": "},\n    {"}]}]),
)
TOOLS = st.lists(TOOL, min_size=1, max_size=6, unique_by=lambda tool: tool["name"])
A, B, C = ({"name": name} for name in "abc")


@given(TOOLS, TOOLS)
@example([A, B, C], [A, C])
@example([A, C], [A, B, C])
@example([A, B], [B, A])
@example([A], [B, A])
def test_tools_that_differ_are_those_that_are_not_in_both(
    one: list[dict[str, Any]], other: list[dict[str, Any]]
) -> None:
    found = differing(json_data({"tools": one}), json_data({"tools": other}))
    assert found[0] == [tool for tool in one if tool not in other]
    assert found[1] == [tool for tool in other if tool not in one]


LONG, SMALL, PLAIN = (
    replace(tool(name), input_schema={"type": "object", "properties": {"a": {"default": value}}})
    for name, value in (("long", 1 << 70), ("small", 0.00001), ("plain", 1))
)


@pytest.mark.parametrize("tools", list(permutations((LONG, SMALL, PLAIN))))
def test_how_a_tool_is_written_depends_on_no_other(tools: Any) -> None:
    """Encoders of JSON differ in how they write floats, and few write long integers."""
    before = api(*tools)
    for left in (tools[:2], tools[1:], tools[::2]):
        now = api(*left)
        assert tools_json(now, (before, tools_json(before))) == tools_json(now)
    assert tools_json(before, (api(*tools[:2]), tools_json(api(*tools[:2])))) == tools_json(before)


AUTHORED = replace(tool("authored"), written={"description": "First.", "name": "authored"})


@pytest.mark.parametrize("now", [(), (PLAIN,), (PLAIN, AUTHORED), (AUTHORED, PLAIN, SMALL)])
@pytest.mark.parametrize("then", [(), (AUTHORED,), (SMALL, AUTHORED, PLAIN)])
@pytest.mark.parametrize("text", [None, b"", b'{"tools": []}\n'])
def test_what_is_copied_from_an_earlier_text_is_what_would_be_written(
    now: Any, then: Any, text: bytes | None
) -> None:
    """Whatever an author's tool begins with, and whatever the earlier text is."""
    before = api(*then)
    there = tools_json(before) if text is None else text
    assert tools_json(api(*now), (before, there)) == tools_json(api(*now))
    assert json.loads(tools_json(api(*now)))["tools"] == [wire_tool(each) for each in now]
