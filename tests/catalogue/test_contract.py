"""`tools.json`, compared as text."""

import json
from itertools import permutations
from typing import Any

import pytest
from api_building import api, tool
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from mcpgen.catalogue.tools_json import differing, encoded, wire_tool
from mcpgen.text.literals import json_data

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
def test_tools_that_differ_are_those_that_are_not_in_both(one, other):
    found = differing(json_data({"tools": one}), json_data({"tools": other}))
    assert found[0] == [tool for tool in one if tool not in other]
    assert found[1] == [tool for tool in other if tool not in one]


LONG, SMALL, PLAIN = (
    replace(tool(name), input_schema={"type": "object", "properties": {"a": {"default": value}}})
    for name, value in (("long", 1 << 70), ("small", 0.00001), ("plain", 1))
)


@pytest.mark.parametrize("tools", list(permutations((LONG, SMALL, PLAIN))))
def test_how_a_tool_is_written_depends_on_no_other(tools):
    """Encoders of JSON differ in how they write floats, and few write long integers."""
    whole = encoded(api(*tools))
    for each in tools:
        assert encoded(api(each)).split(b"\n", 2)[2].removesuffix(b"\n  ]\n}\n") in whole


AUTHORED = replace(tool("authored"), written={"description": "First.", "name": "authored"})


@pytest.mark.parametrize("tools", [(), (PLAIN,), (PLAIN, AUTHORED), (AUTHORED, PLAIN, SMALL)])
def test_the_list_is_json_whatever_an_authors_tool_begins_with(tools):
    assert json.loads(encoded(api(*tools)))["tools"] == [wire_tool(each) for each in tools]
