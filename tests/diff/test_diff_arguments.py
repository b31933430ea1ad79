"""`mcpgen diff`: what arguments need beside them."""

from __future__ import annotations

import pytest

from mcpgen.diff.tool_changes import ToolList, compare

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
