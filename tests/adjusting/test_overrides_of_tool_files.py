"""Settings of hand-written tools: what a table does not name stays as it was written."""

import json

import pytest
from command_line import run
from tables import table
from tool_file_reading import described, read

from mcpgen.adjusting import overrides
from mcpgen.catalogue.tools_json import wire_tool
from mcpgen.diagnostics import Diagnostics

TEXT = {"type": "string"}


BEDS = {"Bed": TEXT, "Row": {"type": "array", "items": {"$ref": "#/$defs/Bed"}}}
BED, ROW = {"$ref": "#/$defs/Bed"}, {"$ref": "#/$defs/Row"}
DRAFT_7 = {"$schema": "http://json-schema.org/draft-07/schema#"}
HIDDEN = {"arguments": {"a": {"hidden": True}}}


@table(
    "schema, table, expected",  # Words that no other dialect has, at the root and below
    ({"nullable": True, "properties": {"a": {"nullable": True}}, "x-a": 1}, {"title": "T"}, {}),
    (
        {"properties": {"a": {"$ref": "#/definitions/a"}}, "definitions": {"a": TEXT}},
        {"name": "u", "annotations": {"readOnlyHint": False}},
        {},
    ),
    (
        {"properties": {"a": {"nullable": True}}, "required": ["a"]},
        {"arguments": {"a": {"default": "x", "description": "A."}}},
        {"properties": {"a": {"nullable": True, "default": "x", "description": "A."}}},
    ),
    (
        {"properties": {"a": ROW, "b": BED, "c": {"nullable": True}}, "$defs": BEDS},
        HIDDEN,
        {"properties": {"b": BED, "c": {"nullable": True}}, "$defs": {"Bed": TEXT}},
    ),
    (
        {**DRAFT_7, "properties": {"a": TEXT, "b": {"items": [TEXT]}}},
        {"arguments": {"b": {"description": "B."}}},
        {**DRAFT_7, "properties": {"a": TEXT, "b": {"items": [TEXT], "description": "B."}}},
    ),
    (
        {**DRAFT_7, "properties": {"a": TEXT, "b": {"items": [TEXT]}}},
        HIDDEN,
        {"properties": {"b": {"prefixItems": [TEXT]}}},
    ),
    (
        {"properties": {"a": TEXT, "b": {"$ref": "#/properties/a"}}, "nullable": True},
        HIDDEN,
        {"properties": {"b": {"$ref": "#/$defs/t_a"}}, "$defs": {"t_a": TEXT}},
    ),
)
def test_a_table_leaves_the_rest_of_a_hand_written_schema_as_it_is(
    tmp_path, schema, table, expected
):
    whole = {"type": "object", **schema}
    api = read(tmp_path, {"tools": [described({"inputSchema": whole})]})
    (tool,) = overrides.apply(api, {"t": table}, Diagnostics()).tools
    found = wire_tool(tool)["inputSchema"]
    left = {k: v for k, v in whole.items() if k not in ("required", "nullable", "$schema")}
    assert found == ({**left, **expected} if expected else whole)


def test_a_hint_of_a_hand_written_tool_is_the_settings(tmp_path):
    api = read(tmp_path, {"tools": [described({"http": "POST /x"})]})
    table = {"t": {"annotations": {"readOnlyHint": True, "openWorldHint": True}}}
    (tool,) = overrides.apply(api, table, Diagnostics()).tools
    said = {"readOnlyHint": True, "destructiveHint": True, "idempotentHint": False}
    assert wire_tool(tool)["annotations"] == {**said, "openWorldHint": True}


@table(
    "table, place, told",
    ("poll = {}", "5:1", "`poll` of `name` does nothing: that tool sends no request"),
    ("enabled = false", None, "mcpgen.toml disables every tool"),
)
def test_a_table_that_leaves_nothing_to_do(tmp_path, table, place, told):
    (tmp_path / "tools.json").write_text(json.dumps({"tools": [described({"name": "name"})]}))
    toml = "source = '../tools.json'\nreader = 'tools'\nname = 'fixed'\n[tools.name]\n"
    (tmp_path / "server").mkdir()
    (tmp_path / "server" / "mcpgen.toml").write_text(toml + table)
    done = run("update", str(tmp_path / "server"))
    assert done.exit_code == 1
    assert told in done.output
    assert place is None or f"mcpgen.toml:{place}\n" in done.output


@pytest.mark.parametrize(("key", "value"), [("value", "x"), ("env", "BED")])
def test_a_tool_in_python_is_sent_nothing_and_that_is_said(tmp_path, key, value):
    schema = {"type": "object", "properties": {"bed": TEXT}, "required": ["bed"]}
    tool = {"name": "dig", "description": "Dig.", "inputSchema": schema}
    (tmp_path / "tools.json").write_text(
        json.dumps({"server": {"name": "fixed-beds"}, "tools": [tool]})
    )
    server = tmp_path / "server"

    def update(table: str) -> tuple[int, str]:
        said = f"{key} = {json.dumps(value)}" if table else "hidden = true"
        asked = f"[tools.{table or 'dig'}.arguments.bed]\n{said}\n"
        (server / "mcpgen.toml").write_text(f"{settings}\n{asked}")
        done = run("update", str(server))
        return done.exit_code, done.output

    asked = ("from-schema", str(tmp_path / "tools.json"), "-o", str(server))
    assert run(*asked, "--runtime", "package").exit_code == 0
    settings = (server / "mcpgen.toml").read_text()
    told = f"the {key} of `bed` of `dig` is not sent: that tool sends no request"
    code, output = update("dig")
    assert code == 1
    assert f"error[settings-unsent]: {told}" in output
    assert "`hidden = true`" in output
    code, output = update('"*"')
    assert code == 0, output
    assert f"warning[settings-unsent]: {told}" in output
    assert update("")[0] == 0
    assert (
        "async def dig(ctx: Context) ->"
        in (server / "fixed_beds_mcp/handlers/tools.py").read_text()
    )
    assert run("check", str(server), "--full").exit_code == 0
