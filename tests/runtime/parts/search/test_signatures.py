"""Tools as agents read them: types, bounds, literals and outlines."""

from typing import Any

import pytest
from tables import listed, table

from mcpgen.runtime.parts.search.signatures import at_path, described, in_line, outline, tokens_in


def tool(schema: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "name": "do",
        "description": "Do it.",
        "inputSchema": {"type": "object", **schema},
        **more,
    }


def argument(schema: Any, **more: Any) -> str:
    """How one argument is described."""
    text = described(tool({"properties": {"a": schema}, **more}), "write", 2000)
    return text.partition("arguments: {\n")[2].rpartition("\n}\nanswers")[0].strip()


@listed("schema, expected", __file__, "types and what is said beside them")
def test_types_and_what_is_said_beside_them(schema, expected):
    assert argument(schema) == expected


@table(
    "loop",
    {"properties": {"next": {"$ref": "#/$defs/A"}}},
    {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]},
    {"allOf": [{"$ref": "#/$defs/A"}]},
    {"$ref": "#/$defs/A"},
    {"type": "array", "items": {"$ref": "#/$defs/A"}},
)
def test_a_schema_that_leads_to_itself_ends(loop):
    schema = {"properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": loop}}
    output = {"type": "object", **schema}
    assert described(tool(schema, outputSchema=output), "read", 2000).startswith("do [read]")
    assert in_line({"type": "object", **schema}).startswith("a?")
    assert outline(output)


def test_descriptions_and_outlines_fit_and_tell_literals():
    forms = [
        {"type": "object", "required": ["kind"], "properties": {"kind": {"const": kind}}}
        for kind in ("card", "bank")
    ]
    text = argument({"oneOf": forms})
    assert 'kind: "card"' in text
    assert 'kind: "bank"' in text
    deep = {"type": "string", "description": "word " * 100}
    for _ in range(5):
        deep = {"type": "object", "properties": {f"member{n}": deep for n in range(6)}}
    text = described(tool({"properties": {"a": deep}}), "write", 2000)
    assert tokens_in(text) <= 2000
    assert "{…}" in text
    wide = {f"member{n}": {"type": "string"} for n in range(500)}
    text = described(tool({"properties": wide}), "write", 2000)
    assert tokens_in(text) <= 2000
    assert "more lines: describe_tools with `path` shows a part" in text
    row = {"type": "object", "properties": {"id": {"type": "integer"}, "tags": {"items": {}}}}
    schema = {"type": "object", "properties": {"rows": {"type": "array", "items": row}}}
    assert outline(schema) == "{rows: [{id, tags: [value]}]}"
    wide = {"type": "object", "properties": {f"member{n}": row for n in range(60)}}
    assert outline(wide).startswith("{member0: {…}, ")


def test_parts_are_found_by_paths():
    row = {"type": "object", "properties": {"id": {"type": "integer"}}}
    root = {"properties": {"rows": {"type": "array", "items": {"$ref": "#/$defs/row"}}}}
    root["$defs"] = {"row": row}
    for path in ("rows[].id", "rows[*].id", "rows.id", "$.rows[*].id"):
        assert at_path(root, path) == {"type": "integer"}
    with pytest.raises(ValueError, match=r"`rows\.x` has no `x`; it has: `id`"):
        at_path(root, "rows.x")
    body = {"properties": {"tools": {"items": {"type": "integer"}}}}
    alone = {"properties": {"body": body}}
    for path in ("tools[]", "body.tools[]"):
        assert at_path(alone, path) == {"type": "integer"}
    with pytest.raises(ValueError, match=r"there is no argument `data`; arguments: `body`$"):
        at_path(alone, "data")
    with pytest.raises(ValueError, match=r"there is no argument `tools`; arguments: `body`, `id`$"):
        at_path({"properties": {"body": body, "id": {}}}, "tools[]")
    with pytest.raises(ValueError, match=r"`\$\.tools` has no `tools`"):
        at_path(alone, "$.tools")
