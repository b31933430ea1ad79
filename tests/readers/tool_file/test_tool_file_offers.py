"""Reading resources, templates and prompts: what is served how, and every problem at its place."""

from tables import table

from mcpgen.readers.tool_file.uri_templates import variables


@table(
    "template, expected",
    ("a:{b}", {"b": True}),
    ("a://{+path}.txt", {"path": True}),
    ("a://x{/b}/{c,d}{?e,f}{&g}", {"b": True, "c": True, "d": True} | dict.fromkeys("efg")),
)
def test_templates(template, expected):
    assert {v.name: v.required or None for v in variables(template)} == expected
