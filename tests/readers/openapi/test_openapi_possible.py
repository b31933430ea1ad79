"""Operations and arguments that can have no value, and tools that no test can call."""

import json
from typing import Any

from command_line import run
from openapi_reading import one
from tables import table

from mcpgen.samples.satisfiable import nothing_fits

TEXT: dict[str, Any] = {"type": "string"}


@table("schema", False,
        {"not": {}},
        {"type": "string", "minLength": 2, "maxLength": 1},
        {"type": "integer", "minimum": 2, "maximum": 1},
        {"type": "number", "allOf": [{"minimum": 2}, {"maximum": -1}]},
        {"allOf": [TEXT, {"type": "boolean"}]},
        {"allOf": [{"$ref": "#/$defs/Word"}, {"const": 5}]},
        {"enum": ["ab", "abc"], "maxLength": 1},
        {"type": "array", "minItems": 1, "items": {"not": {}}},
        {"type": "object", "required": ["a"], "properties": {"a": False}},
        {"type": "object", "required": ["b"], "additionalProperties": False},
        {"type": "object", "required": ["a"], "properties": {"a": {"$ref": "#/$defs/Never"}}},
        {"anyOf": [False, {"$ref": "#/$defs/Never"}]},)  # fmt: skip
def test_a_schema_that_no_value_fits(schema):
    pool: dict[str, Any] = {
        "Word": TEXT,
        "Never": {"allOf": [{"$ref": "#/$defs/Word"}, {"type": "null"}]},
    }
    assert nothing_fits(schema, pool)  # fmt: skip


@table("schema", True,
        {},
        TEXT,
        {"type": "integer", "minLength": 2, "maxLength": 1},
        {"type": ["string", "null"], "minLength": 2, "maxLength": 1},
        {"minimum": 2, "maximum": 1},
        {"type": "integer", "maximum": -5},
        {"required": ["b"], "additionalProperties": False},
        {"type": "object", "properties": {"a": False}},
        {"type": "array", "items": False},
        {
            "type": "object",
            "required": ["a"],
            "patternProperties": {"a": {}},
            "additionalProperties": False,
        },
        {"oneOf": [False, TEXT]},
        {"$ref": "#/$defs/Loop"},)  # fmt: skip
def test_a_schema_that_some_value_fits(schema):
    loop = {"type": "object", "required": ["a"], "properties": {"a": {"$ref": "#/$defs/Loop"}}}
    assert not nothing_fits(schema, {"Loop": loop})


def test_a_tool_that_no_sample_can_call_is_told(tmp_path):
    odd = {"type": "string", "minLength": 1, "not": {"type": "string", "pattern": "^."}}
    parameter = {"name": "a", "in": "query", "required": True, "schema": odd}
    document = {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}}
    (tmp_path / "api.json").write_text(json.dumps({**document, **one({"parameters": [parameter]})}))
    given = ["from-openapi", str(tmp_path / "api.json"), "-o", str(tmp_path / "server"), "--json"]
    told, *others = json.loads(run(*given).stdout)["diagnostics"]
    assert (told["code"], told["pointer"]) == ("untested", "/paths/~1pets/get")
    assert told["message"].startswith("no generated test calls `op`: ")
    assert all(each["severity"] == "note" for each in others)
    assert run(*given, "--strict").exit_code == 1
