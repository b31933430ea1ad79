"""Reading resources, templates and prompts: what is served how, and every problem at its place."""

from __future__ import annotations

import pytest

from mcpgen.readers.tool_file.uri_templates import variables


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("a:{b}", {"b": True}),
        ("a://{+path}.txt", {"path": True}),
        ("a://x{/b}/{c,d}{?e,f}{&g}", {"b": True, "c": True, "d": True} | dict.fromkeys("efg")),
    ],
)
def test_templates(template: str, expected: dict[str, bool | None]) -> None:
    assert {v.name: v.required or None for v in variables(template)} == expected
