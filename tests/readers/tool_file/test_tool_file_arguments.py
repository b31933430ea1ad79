"""Arguments in tool files: what no call can give and what is never sent is told at its place."""

from typing import Any

import pytest
from tool_file_reading import ANY, of_tool


@pytest.mark.usefixtures("usual_depth")
def test_a_schema_may_be_as_deep_as_a_text(tmp_path):
    schema: dict[str, Any] = {"type": "text"}
    for _ in range(240):
        schema = {"items": schema}
    told = of_tool(tmp_path, {"inputSchema": {**ANY, "properties": {"a": schema}}})
    assert told == [("not-json-schema", f"/inputSchema/properties/a{'/items' * 240}/type")]
