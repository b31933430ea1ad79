"""Settings of arguments that make a body: a body that may be left out asks for none of them."""

from pathlib import Path
from typing import Any

import pytest
from openapi_reading import one, read_document
from tables import table

from mcpgen.adjusting import overrides
from mcpgen.catalogue.tools_json import wire_tool
from mcpgen.diagnostics import Diagnostics
from mcpgen.plan.calls import send_arguments

TEXT = {"type": "string"}


def with_optional_body(tmp_path: Path, **arguments: Any) -> tuple[dict[str, Any], str, list[str]]:
    """The input schema, the request and the problems where a body of `a`, `b`, `c` is optional."""
    schema = {"type": "object", "required": ["a", "b"], "properties": dict.fromkeys("abc", TEXT)}
    body = {"content": {"application/json": {"schema": schema}}}
    api = read_document(one({"requestBody": body}, method="post"), tmp_path).api
    problems = Diagnostics()
    (tool,) = overrides.apply(api, {"op": {"arguments": arguments}}, problems).tools
    words = {argument.name: argument.name for argument in tool.arguments}
    request = ", ".join(send_arguments(tool, words, None, {}))
    kept = {k: v for k, v in tool.input_schema.items() if k in ("required", "dependentRequired")}
    kept["properties"] = list(tool.input_schema["properties"])
    told = "unless there is no request body" in wire_tool(tool)["description"]
    assert told is ("dependentRequired" in kept)
    return kept, request.partition("accept")[0], [item.message for item in problems.items]


@table(
    "schema, parsed",
    ({"type": "integer"}, True),
    ({"type": ["integer", "null"]}, True),
    ({"$ref": "#/components/schemas/Shelf"}, True),
    ({"enum": [1, 2]}, True),
    ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, True),
    ({"properties": {"a": TEXT}}, True),
    (TEXT, False),
    ({"type": ["string", "integer"]}, False),
    ({"enum": ["1", 2]}, False),
    ({}, False),
)
def test_a_variable_holds_json_where_no_text_fits(tmp_path, schema, *, parsed):
    body = {"type": "object", "properties": {"shelf": schema, "row": TEXT}}
    asked = {"requestBody": {"content": {"application/json": {"schema": body}}}}
    shared = {"schemas": {"Shelf": {"type": "integer"}}}
    api = read_document(one(asked, method="post", components=shared), tmp_path).api
    tables = {"op": {"arguments": {"shelf": {"env": "SHELF"}}}}
    (tool,) = overrides.apply(api, tables, Diagnostics()).tools
    assert [fixed.parsed for fixed in tool.fixed] == [parsed]
    sent = "from_env('SHELF', parsed=True)" if parsed else "from_env('SHELF')"
    assert f"'shelf': {sent}" in ", ".join(send_arguments(tool, {"row": "row"}, None, {}))


def test_a_parameter_that_is_always_sent_makes_no_body_required(tmp_path):
    size = {"name": "size", "in": "query", "schema": TEXT}
    schema = {"type": "object", "required": ["a", "b"], "properties": dict.fromkeys("ab", TEXT)}
    body = {"content": {"application/json": {"schema": schema}}}
    document = one({"parameters": [size], "requestBody": body}, method="post")
    api = read_document(document, tmp_path).api
    table = {"op": {"arguments": {"size": {"value": "x"}}}}
    (tool,) = overrides.apply(api, table, Diagnostics()).tools
    assert "required" not in tool.input_schema
    assert tool.input_schema["dependentRequired"] == ALL_OR_NONE


def test_what_chooses_the_media_type_goes_with_its_body_alone(tmp_path):
    size = {"name": "size", "in": "query", "schema": TEXT}
    file = {"type": "string", "format": "binary"}
    kinds = {
        "application/json": {"schema": {"type": "object", "properties": {"a": TEXT}}},
        "multipart/form-data": {"schema": {"type": "object", "properties": {"f": file}}},
    }
    document = one({"parameters": [size], "requestBody": {"content": kinds}}, method="post")
    api = read_document(document, tmp_path).api
    assert len(api.tools[0].arguments) == 3
    table = {"op": {"arguments": {"body": {"hidden": True}}}}
    (tool,) = overrides.apply(api, table, Diagnostics()).tools
    assert list(tool.input_schema["properties"]) == ["size"]


ALL_OR_NONE = {"a": ["b"], "b": ["a"]}


@table(
    "arguments, schema, request_",
    (
        {"c": {"hidden": True}},
        {"properties": ["a", "b"], "dependentRequired": ALL_OR_NONE},
        "json=if_given({'a': a, 'b': b})",
    ),
    (
        {"c": {"description": "See."}},
        {"properties": ["a", "b", "c"], "dependentRequired": {**ALL_OR_NONE, "c": ["a"]}},
        "json=if_given({'a': a, 'b': b, 'c': c})",
    ),
    (
        {"c": {"value": "x"}},
        {"properties": ["a", "b"], "required": ["a", "b"]},
        "json={'a': a, 'b': b, 'c': 'x'}",
    ),
    (
        {"a": {"env": "A"}},
        {"properties": ["b", "c"], "required": ["b"]},
        "json={'b': b, 'c': c, 'a': from_env('A', required=True)}",
    ),
    (
        {"c": {"hidden": True}, "b": {"default": "x"}},
        {"properties": ["a", "b"], "required": ["a"]},
        "json={'a': a, 'b': 'x' if b is UNSET else b}",
    ),
    (
        {"a": {"value": "x"}, "b": {"value": "y"}},
        {"properties": ["c"]},
        "json={'c': c, 'a': 'x', 'b': 'y'}",
    ),
    ({key: {"hidden": True} for key in "abc"}, {"properties": []}, ""),
)
def test_settings_of_a_body_that_may_be_left_out(tmp_path, arguments, schema, request_):
    """What is always sent makes the body one that always is: then it has to be whole."""
    found, sent, problems = with_optional_body(tmp_path, **arguments)
    assert found == schema
    assert sent.removeprefix("'POST', '/pets', ").rstrip(", ") == request_.rstrip(", ")
    assert not problems


@table(
    "arguments",
    {"a": {"hidden": True}},
    {"a": {"hidden": True}, "c": {"value": "x"}},
    {"c": {"value": "x"}, "a": {"hidden": True}},
)
def test_what_a_body_needs_is_not_hidden(tmp_path, arguments):
    assert with_optional_body(tmp_path, **arguments)[2] == [
        "mcpgen.toml: `a` of `op` is hidden, but every call needs it"
    ]


@pytest.mark.parametrize("schema", [{"type": "object"}, {"minLength": 1}])
def test_a_whole_body_that_may_be_left_out_can_be_hidden(tmp_path, schema):
    """Of the second an argument says which media type is meant: it goes with the body."""
    content = {"application/json": {"schema": schema}, "text/plain": {"schema": TEXT}}
    document = one({"requestBody": {"content": content}}, method="post")
    api = read_document(document, tmp_path).api
    hidden = {"op": {"arguments": {"body": {"hidden": True}}}}
    (tool,) = overrides.apply(api, hidden, Diagnostics()).tools
    assert (tool.arguments, tool.call.body) == ((), None)
