"""Operations and arguments that can have no value, and tools that no test can call."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import run
from openapi_reading import OK, one, read_document

from mcpgen.samples.satisfiable import nothing_fits

TEXT: dict[str, Any] = {"type": "string"}
NEVER = {"type": "integer", "enum": ["a"]}
LEFT = "no value at all fits its required argument"


@pytest.mark.parametrize(
    "schema",
    [
        False,
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
        {"anyOf": [False, {"$ref": "#/$defs/Never"}]},
    ],
)  # fmt: skip
def test_a_schema_that_no_value_fits(schema: Any) -> None:
    pool: dict[str, Any] = {
        "Word": TEXT,
        "Never": {"allOf": [{"$ref": "#/$defs/Word"}, {"type": "null"}]},
    }
    assert nothing_fits(schema, pool)  # fmt: skip


@pytest.mark.parametrize(
    "schema",
    [
        True,
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
        {"$ref": "#/$defs/Loop"},
    ],
)  # fmt: skip
def test_a_schema_that_some_value_fits(schema: Any) -> None:
    loop = {"type": "object", "required": ["a"], "properties": {"a": {"$ref": "#/$defs/Loop"}}}
    assert not nothing_fits(schema, {"Loop": loop})


@pytest.mark.parametrize("place", ["query", "header", "cookie", "path"])
def test_an_operation_is_left_out_if_a_required_argument_has_no_value(
    tmp_path: Path, place: str
) -> None:
    parameter = {"name": "a", "in": place, "required": True, "schema": NEVER}
    path = "/a/{a}" if place == "path" else "/a"
    document = one({"parameters": [parameter]}, path=path)
    document["paths"]["/good"] = {"get": {"responses": OK}}
    found = read_document(document, tmp_path)
    assert [skipped.reason for skipped in found.api.skipped] == [f"{LEFT} `a`"]
    assert len(found.api.tools) == 1
    assert found.pointers("skipped") == [f"/paths/{path.replace('/', '~1')}/get/parameters/0"]


@pytest.mark.parametrize("media_type", ["application/json", "multipart/form-data"])
def test_an_operation_is_left_out_if_its_body_has_no_value(tmp_path: Path, media_type: str) -> None:
    inner = {"type": "object", "required": ["b"], "properties": {"b": NEVER}}
    schema = {"type": "object", "required": ["a"], "properties": {"a": inner, "c": TEXT}}
    body = {"required": True, "content": {media_type: {"schema": schema}}}
    document = one({"requestBody": body}, method="post")
    document["paths"]["/good"] = {"get": {"responses": OK}}
    assert [s.reason for s in read_document(document, tmp_path).api.skipped] == [f"{LEFT} `a`"]


def test_an_optional_argument_that_has_no_value_is_left_out(tmp_path: Path) -> None:
    parameters = [
        {"name": name, "in": "query", "schema": {"a": NEVER, "b": TEXT}[name]} for name in "ab"
    ]
    body = {
        "content": {
            "application/json": {"schema": {"type": "array", "minItems": 1, "items": NEVER}}
        }
    }
    found = read_document(
        one({"parameters": parameters, "requestBody": body}, method="post"), tmp_path
    )
    assert [argument.name for argument in found.tool.arguments] == ["b"]
    assert found.tool.call.body is None
    assert [d.message for d in found.diagnostics.warnings if d.code == "argument"] == [
        f"no value at all fits the argument `{name}`; it is left out" for name in ("a", "body")
    ]  # fmt: skip


def test_a_number_below_a_negative_limit_is_an_argument(tmp_path: Path) -> None:
    schema = {"type": "integer", "maximum": -5}
    parameter = {"name": "depth", "in": "query", "required": True, "schema": schema}
    found = read_document(one({"parameters": [parameter]}), tmp_path)
    assert [argument.name for argument in found.tool.arguments] == ["depth"]


def test_a_tool_that_no_sample_can_call_is_told(tmp_path: Path) -> None:
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


def test_a_property_that_may_not_be_given_is_named_where_others_may(tmp_path: Path) -> None:
    properties = {"a": TEXT, "nothing": False}
    schema = {"type": "object", "properties": properties, "additionalProperties": True}
    for extra, names in ((True, ["a", "nothing"]), (False, ["a"])):
        given = {**schema, "additionalProperties": extra}
        body = {"required": True, "content": {"application/json": {"schema": given}}}
        tool = read_document(one({"requestBody": body}, method="post"), tmp_path).tool
        assert [argument.name for argument in tool.arguments] == names
