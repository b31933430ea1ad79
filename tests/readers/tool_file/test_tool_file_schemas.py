"""Tool files whose schemas name their own parts, and tests that take them as they are written."""

import json
from pathlib import Path
from typing import Any

from documents import load_value
from tables import table

from mcpgen import cases
from mcpgen.api import Api
from mcpgen.diagnostics import Diagnostics
from mcpgen.python_names import decide
from mcpgen.readers import tool_file
from mcpgen.runtime.schemas.validation import ArgumentValidator, misfit

LEAF = {"type": "integer"}
NODE = {
    "$id": "node",
    "type": "object",
    "properties": {"value": {"$ref": "#/$defs/leaf"}, "up": {"$ref": "tree#top"}},
    "required": ["value"],
    "$defs": {"leaf": LEAF},
}
TREE = {
    "$id": "https://schemas.example/tree",
    "$anchor": "top",
    "type": "object",
    "properties": {"node": {"$ref": "node"}, "leaf": {"$ref": "/node#/$defs/leaf"}},
    "required": ["node"],
    "$defs": {"node": NODE, "leaf": {"type": "string"}},
}
PAGE = {
    "$id": "https://schemas.example/page",
    "type": "object",
    "properties": {"item": {"$dynamicRef": "#item"}},
    "required": ["item"],
    "$defs": {"any": {"$dynamicAnchor": "item", "type": "string"}},
}
NUMBERS = {
    "type": "object",
    "properties": {
        "page": {
            "$id": "https://schemas.example/numbers",
            "$ref": "page",
            "$defs": {"item": {"$dynamicAnchor": "item", "type": "number"}, "page": PAGE},
        }
    },
    "required": ["page"],
}
META = "https://json-schema.org/draft/2020-12/schema"
DESCRIBED = {"type": "object", "properties": {"schema": {"$ref": META}}, "required": ["schema"]}
COUNTS = {"type": "object", "properties": {"a": LEAF}, "additionalProperties": LEAF}
SHORT = {"type": "object", "properties": {"a": LEAF}, "propertyNames": {"maxLength": 3}}
SHORT |= {"additionalProperties": True}
NOTHING = {"type": "object", "properties": {"choice": {"enum": []}}, "required": ["choice"]}


def read(folder: Path, schema: dict[str, Any]) -> tuple[Api, Diagnostics]:
    """A tool that takes and one that gives what a schema says."""
    found = Diagnostics()
    put = {"name": "put", "description": "d", "inputSchema": schema, "http": "POST /trees"}
    get = {"name": "get", "description": "d", "inputSchema": {"type": "object"}}
    get |= {"outputSchema": schema, "http": "GET /trees"}
    server = {"name": "forest", "baseUrl": "https://api.example.com"}
    return tool_file.read(load_value(folder, {"server": server, "tools": [put, get]}), found), found


@table(
    "schema, tested",
    *((TREE, True), (COUNTS, True), (SHORT, True)),
    *((DESCRIBED, False), (NUMBERS, False), (NOTHING, False)),
)
def test_cases_are_judged_by_the_schema_as_it_is_written(tmp_path, schema, tested):
    api, _ = read(tmp_path, schema)
    made = json.loads(cases.to_json(cases.build(api, decide(api))))
    validator = ArgumentValidator(schema)
    for case in made["cases"]:
        if case["tool"] == "put":
            assert validator.fits(case["arguments"]) is (case["kind"] != "invalid"), case
        elif case["kind"] == "full":
            assert misfit(schema, case["answer"]["json"]) is None
    assert set(made["untested"]) == (set() if tested else {"put", "get"})
