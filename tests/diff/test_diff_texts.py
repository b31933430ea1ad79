"""What a diff says of texts that changed, of arguments that were renamed, and what these need."""

from typing import Any

from mcpgen.diff import report
from mcpgen.diff.tool_changes import Diff, ToolList, compare


def tool(arguments: dict[str, Any], *required: str, **more: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": arguments, "required": list(required)}
    schema["additionalProperties"] = False
    return {"name": "list", "description": "Lists.", "inputSchema": schema, **more}


def diff(old: dict[str, Any], new: dict[str, Any]) -> Diff:
    return compare(ToolList("", [old]), ToolList("", [new]))


def test_texts_are_shown_old_and_new():
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
