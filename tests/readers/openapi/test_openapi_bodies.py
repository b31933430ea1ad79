"""Request bodies: which arguments they make, and what is said of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_bodies import PLAIN, TEXT, body_of, body_tool, posted
from openapi_reading import one, read_document

from mcpgen.api import In
from mcpgen.catalogue.tools_json import wire_tool
from mcpgen.diagnostics import GenerationError


def test_a_required_plain_object_is_spread(tmp_path: Path) -> None:
    tool = body_tool(tmp_path, {"application/json": PLAIN})
    assert [(a.name, a.location, a.required) for a in tool.arguments] == [
        ("a", In.PROPERTY, True),
        ("b", In.PROPERTY, False),
    ]
    assert tool.input_schema["additionalProperties"] is False
    assert (body_of(tool).spread, body_of(tool).extra) == (True, False)


@pytest.mark.parametrize("body", [{}, {"content": None}, {"content": {}}, {"content": []}, 5])
def test_a_body_without_content_is_not_sent(tmp_path: Path, body: Any) -> None:
    read = read_document(one({"requestBody": body}, method="post"), tmp_path)
    assert read.tool.call.body is None
    assert {"body", "wrong-type"} & {*read.codes}


@pytest.mark.parametrize("said", [True, {}])
def test_additional_properties_stay_open_where_the_document_says_so(
    tmp_path: Path, said: Any
) -> None:
    """The empty schema says what `true` does: generators of documents write it so."""
    tool = body_tool(tmp_path, {"application/json": {**PLAIN, "additionalProperties": said}})
    assert (body_of(tool).spread, body_of(tool).extra) == (True, True)
    assert tool.input_schema["additionalProperties"] is True


@pytest.mark.parametrize(
    "changed",
    [
        {"allOf": [{"type": "object"}]},
        {"oneOf": [{"required": ["a"]}]},
        {"patternProperties": {"^x": TEXT}},
        {"additionalProperties": TEXT},
        {"minProperties": 1},
        {"required": ["undeclared"]},
        {"type": ["object", "null"]},
        {"properties": {}},
    ],
)
@pytest.mark.parametrize("required", [True, False])
def test_what_is_no_plain_object_is_one_argument(
    tmp_path: Path, changed: dict[str, Any], required: bool
) -> None:
    tool = body_tool(tmp_path, {"application/json": {**PLAIN, **changed}}, required)
    expected = [("body", In.BODY, required)]
    assert [(a.name, a.location, a.required) for a in tool.arguments] == expected


def test_an_optional_plain_object_is_spread_and_none_of_it_required(tmp_path: Path) -> None:
    tool = body_tool(tmp_path, {"application/json": PLAIN}, required=False)
    assert [(a.name, a.location, a.required) for a in tool.arguments] == [
        ("a", In.PROPERTY, False),
        ("b", In.PROPERTY, False),
    ]
    assert (body_of(tool).required, body_of(tool).needed) == (False, ("a",))
    assert tool.input_schema["dependentRequired"] == {"b": ["a"]}
    assert "required" not in tool.input_schema


@pytest.mark.parametrize(
    ("required", "needed", "told"),
    [
        (False, ["a"], "Give `a`, unless there is no request body at all."),
        (False, ["b", "a"], "Give `b`, `a`, unless there is no request body at all."),
        (False, [], ""),
        (True, ["a", "b"], ""),
    ],
)
def test_what_an_optional_body_needs_is_said_in_words_too(
    tmp_path: Path, required: bool, needed: list[str], told: str
) -> None:
    """Clients leave `dependentRequired` out for models whose APIs refuse it."""
    content = {"application/json": {**PLAIN, "required": needed}}
    tool = body_tool(tmp_path, content, required, summary="Add a pet")
    assert wire_tool(tool)["description"] == "\n\n".join(filter(None, ["Add a pet", told]))


def test_an_optional_body_of_many_needs_names_some(tmp_path: Path) -> None:
    names = [f"n{number}" for number in range(25)]
    schema = {"type": "object", "required": names, "properties": dict.fromkeys(names, TEXT)}
    tool = body_tool(tmp_path, {"application/json": schema}, required=False)
    assert wire_tool(tool)["description"].endswith(
        "`n18`, `n19` and 5 more, unless there is no request body at all."
    )


def test_a_name_brings_nothing_hidden_into_a_description(tmp_path: Path) -> None:
    names = ["a\u202eb", "x\n\ny\x07", "größe"]
    schema = {"type": "object", "required": names, "properties": dict.fromkeys(names, TEXT)}
    tool = body_tool(tmp_path, {"application/json": schema}, required=False)
    said = wire_tool(tool)["description"].rpartition("\n")[2]
    assert said == "Give `ab`, `x_y`, `grosse`, unless there is no request body at all."


def test_what_an_optional_body_needs_is_not_what_is_read_only(tmp_path: Path) -> None:
    properties = {**PLAIN["properties"], "id": {"type": "string", "readOnly": True}}
    schema = {**PLAIN, "required": ["id", "a", "b"], "properties": properties}
    tool = body_tool(tmp_path, {"application/json": schema}, required=False)
    needed = tool.input_schema["dependentRequired"]
    assert needed == {"id": ["a"], "a": ["b"], "b": ["a"]}


def test_a_property_named_like_a_parameter(tmp_path: Path) -> None:
    parameters = [
        {"name": "a", "in": "query", "schema": TEXT},
        {"name": "body", "in": "query", "schema": TEXT},
    ]
    tool = body_tool(tmp_path, {"application/json": PLAIN}, parameters=parameters)
    assert [(a.name, a.location.value) for a in tool.arguments] == [
        ("a", "query"),
        ("body_query", "query"),
        ("body", "body"),
    ]


def test_read_only_properties_are_left_out_everywhere(tmp_path: Path) -> None:
    schema = {
        "type": "object",
        "required": ["id", "a"],
        "properties": {
            "id": {"type": "integer", "readOnly": True},
            "a": {"type": "object", "properties": {"at": {"readOnly": True}, "b": TEXT}},
        },
    }
    body = {"required": True, "content": {"application/json": {"schema": schema}}}
    document = {"openapi": "3.0.3", **one({"requestBody": body}, method="post")}
    tool = read_document(document, tmp_path).tool
    assert tool.input_schema["properties"] == {"a": {"type": "object", "properties": {"b": TEXT}}}
    assert tool.input_schema["required"] == ["a"]


def test_what_is_required_and_read_only_in_3_1_may_be_sent(tmp_path: Path) -> None:
    """There `readOnly` is an annotation, and `required` holds in both directions."""
    key = {"type": "string", "readOnly": True}
    thing = {
        "type": "object",
        "required": ["id", "a"],
        "properties": {"id": key, "a": TEXT, "at": key},
    }
    whole = {
        **thing,
        "properties": {**thing["properties"], "in": {"$ref": "#/components/schemas/T"}},
    }
    body = {"required": True, "content": {"application/json": {"schema": whole}}}
    document = one({"requestBody": body}, method="post", components={"schemas": {"T": thing}})
    root = read_document(document, tmp_path).tool.input_schema
    inner = {"type": "object", "required": ["a"], "properties": {"id": key, "a": TEXT}}
    assert root["properties"] == {"id": key, "a": TEXT, "in": {"$ref": "#/$defs/T"}}
    assert root["required"] == ["a"]
    assert root["$defs"] == {"T": inner}


NOWHERE = {"$ref": "#/components/schemas/Nope"}
INSIDE = {"type": "object", "properties": {"x": NOWHERE}}


@pytest.mark.parametrize("media_type", ["application/json", "application/merge-patch+json"])
def test_a_part_of_json_may_be_anything_where_its_schema_dangles(
    tmp_path: Path, media_type: str
) -> None:
    schema = {"type": "object", "properties": {"a": TEXT, "b": NOWHERE}}
    read = posted(tmp_path, {media_type: {"schema": schema}})
    assert [a.name for a in read.tool.arguments] == ["a", "b"]
    assert all(schema == {} for schema in read.api.schemas.values())
    assert [d.code for d in read.diagnostics.warnings] == ["dangling-reference"]


def test_a_whole_json_body_may_be_anything_where_its_schema_dangles(tmp_path: Path) -> None:
    assert [a.name for a in body_tool(tmp_path, {"application/json": NOWHERE}).arguments] == [
        "body"
    ]


@pytest.mark.parametrize("form", ["multipart/form-data", "application/x-www-form-urlencoded"])
def test_a_form_is_not_sent_where_its_schema_dangles(tmp_path: Path, form: str) -> None:
    schema = {"type": "object", "properties": {"a": TEXT, "b": NOWHERE}}
    alone = {form: {"schema": schema}}
    document = one({"requestBody": {"content": alone}}, method="post")
    document["paths"]["/fine"] = {
        "post": {"requestBody": {"content": {**alone, "application/json": {"schema": schema}}}}
    }
    read = read_document(document, tmp_path)
    assert "leads nowhere" in read.api.skipped[0].reason
    assert [t.http.path for t in read.api.tools] == ["/fine"]
    assert (body_of(read.tool).media_type, body_of(read.tool).offered) == ("application/json", ())
    codes = [d.code for d in read.diagnostics.warnings]
    assert sorted(codes) == [*["dangling-reference"] * 3, "media-type", "skipped"]


@pytest.mark.parametrize("form", ["multipart/form-data", "application/x-www-form-urlencoded"])
@pytest.mark.parametrize("field", [INSIDE, {"type": "array", "items": INSIDE}])
def test_what_is_inside_a_field_of_a_form_may_be_anything_where_its_schema_dangles(
    tmp_path: Path, form: str, field: dict[str, Any]
) -> None:
    schema = {"type": "object", "properties": {"a": field, "b": TEXT}}
    read = posted(tmp_path, {form: {"schema": schema}})
    assert [a.name for a in read.tool.arguments] == ["a", "b"]
    assert [d.code for d in read.diagnostics.warnings] == ["dangling-reference"]


@pytest.mark.parametrize(
    "field",
    [{"type": "array", "items": NOWHERE}, {"anyOf": [TEXT, NOWHERE]}, {"allOf": [INSIDE, NOWHERE]}],
)
def test_a_form_is_not_sent_where_what_dangles_could_be_a_file(
    tmp_path: Path, field: dict[str, Any]
) -> None:
    schema = {"type": "object", "properties": {"a": field}}
    with pytest.raises(GenerationError, match="leads nowhere"):
        posted(tmp_path, {"multipart/form-data": {"schema": schema}}, required=False)


def test_a_form_within_a_form_is_not_sent_where_its_schema_dangles(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"a": INSIDE}}
    inner = {"contentType": "multipart/mixed", "encoding": {"x": {"contentType": "text/plain"}}}
    media = {"schema": schema, "encoding": {"a": inner}}
    with pytest.raises(GenerationError, match="leads nowhere"):
        posted(tmp_path, {"multipart/form-data": media}, required=False, version="3.2.0")


def test_a_body_without_a_schema_takes_anything(tmp_path: Path) -> None:
    tool = body_tool(tmp_path, {"application/json": {"schema": {}, "example": {"x": 1}}})
    body = tool.input_schema["properties"]["body"]
    assert body.pop("type") == ["string", "number", "boolean", "object", "array", "null"]
    assert body == {"examples": [{"x": 1}], "items": {}}
    assert tool.sample_arguments == {"body": {"x": 1}}
