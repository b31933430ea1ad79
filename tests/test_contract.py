"""`tools.json`, compared as text."""

from __future__ import annotations

from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from mcpgen.contract import differing
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
