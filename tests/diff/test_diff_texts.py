"""What a diff says of texts that changed, of arguments that were renamed, and what these need."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.diff import report
from mcpgen.diff.tool_changes import Diff, ToolList, compare

LIMIT = {"type": "integer", "maximum": 50, "description": "How many."}


def tool(arguments: dict[str, Any], *required: str, **more: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": arguments, "required": list(required)}
    schema["additionalProperties"] = False
    return {"name": "list", "description": "Lists.", "inputSchema": schema, **more}


def diff(old: dict[str, Any], new: dict[str, Any]) -> Diff:
    return compare(ToolList("", [old]), ToolList("", [new]))


def codes(old: dict[str, Any], new: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(each.code, each.where, each.detail) for each in diff(old, new).changes]


def test_an_argument_that_has_another_name_is_told_as_such() -> None:
    renamed = [("argument-renamed", "limit", "now size")]
    assert codes(tool({"limit": LIMIT}), tool({"size": LIMIT})) == renamed
    titled = {**LIMIT, "title": "Size"}
    assert codes(tool({"limit": LIMIT}, "limit"), tool({"size": titled}, "size")) == renamed


def test_a_renamed_argument_that_is_required_now_is_told_as_both() -> None:
    found = codes(tool({"limit": LIMIT}), tool({"size": LIMIT}, "size"))
    assert {code for code, _, _ in found} == {"argument-renamed", "argument-required"}


def test_arguments_that_two_could_be_are_not_guessed() -> None:
    found = codes(tool({"a": LIMIT, "b": LIMIT}), tool({"c": LIMIT, "d": LIMIT}))
    assert "argument-renamed" not in {code for code, _, _ in found}
    other = codes(tool({"a": LIMIT}), tool({"c": {"type": "string"}}))
    assert {code for code, _, _ in other} == {"argument-removed", "argument-added"}


def test_texts_are_shown_old_and_new() -> None:
    old = tool({}, title="Old", description=f"{'Same. ' * 60}Then one thing.")
    new = tool({}, title="New", description=f"{'Same. ' * 60}Then another.")
    found = diff(old, new)
    lines = list(report.as_text(found))
    assert '  list: title-changed: "Old" -> "New"' in lines
    [line] = [each for each in lines if "description-changed" in each]
    assert line.endswith('Then one thing." -> "...Same. Same. Same. Same. Then another."')
    assert len(line) < 250
    whole = report.as_markdown(found)
    assert old["description"] in whole
    assert new["description"] in whole
    [told] = [each for each in report.as_json(found)["changes"] if each["code"] == "title-changed"]
    assert (told["old"], told["new"]) == ("Old", "New")


OF_A_BODY = {"a": ["b"], "b": ["c"], "c": ["b"]}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
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
    expected: set[tuple[str, str]],
) -> None:
    def needing(rules: dict[str, list[str]] | list[str]) -> dict[str, Any]:
        whole = tool(dict.fromkeys(["a", "b", "c", *rules], True))
        key = "required" if isinstance(rules, list) else "dependentRequired"
        return {**whole, "inputSchema": {**whole["inputSchema"], key: rules}}

    changes = codes(needing(old), needing(new))
    assert {(code, where) for code, where, _ in changes} == expected
