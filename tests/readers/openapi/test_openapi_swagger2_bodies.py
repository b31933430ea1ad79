"""Bodies and forms of Swagger 2.0, which are parameters there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi_bodies import body_of
from openapi_reading import read_document, sent, sent_parts
from swagger_reading import swagger, tool_of

TEXT = {"type": "string"}


@pytest.mark.parametrize(
    ("outer", "inner", "form"),
    [
        ("pipes", "csv", b"p=1%2C2%7C3"),
        ("multi", "csv", b"p=1%2C2&p=3"),
        (None, "pipes", b"p=1%7C2,3"),
        ("multi", "ssv", b"p=1+2&p=3"),
        ("csv", None, b"p=%5B%5B1%2C2%5D%2C%5B3%5D%5D"),
    ],
)
def test_arrays_within_an_array_of_a_form(
    tmp_path: Path, outer: str | None, inner: str | None, form: bytes
) -> None:
    items = {"type": "array", "items": {"type": "integer"}, "collectionFormat": inner}
    whole = {"name": "p", "in": "formData", "type": "array", "items": items}
    read = read_document(swagger({"parameters": [{**whole, "collectionFormat": outer}]}), tmp_path)
    assert sent(read, {"p": [[1, 2], [3]]}) == ("application/x-www-form-urlencoded", form)


def test_a_part_of_json_may_be_anything_where_its_schema_dangles(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"a": {"$ref": "#/definitions/Nope"}}}
    body = {"name": "pet", "in": "body", "required": True, "schema": schema}
    tool = tool_of(tmp_path, {"parameters": [body]}, consumes=["text/plain", "application/json"])
    assert body_of(tool).media_type == "application/json"
    assert [a.name for a in tool.arguments] == ["a"]


@pytest.mark.parametrize(
    ("said", "media_type", "value", "body"),
    [
        ({"schema": {"type": "string", "format": "binary"}}, "image/png", "aGk=", b"hi"),
        ({"schema": {"$ref": "#/definitions/Photo"}}, "image/png", "aGk=", b"hi"),
        ({"schema": {"$ref": "#/definitions/Name"}}, "application/json", "aGk=", b'"aGk="'),
        ({}, "application/json", {"a": [1]}, b'{"a":[1]}'),
    ],
)
def test_the_schema_of_a_body_says_whether_it_is_bytes(
    tmp_path: Path, said: dict[str, Any], media_type: str, value: Any, body: bytes
) -> None:
    parameter = {"name": "photo", "in": "body", **said}
    consumes = ["application/json", "image/png"]
    definitions = {"Photo": {"type": "string", "format": "binary"}, "Name": TEXT}
    document = swagger({"parameters": [parameter]}, consumes=consumes, definitions=definitions)
    read = read_document(document, tmp_path)
    assert Draft202012Validator(read.tool.input_schema).is_valid({"body": value})
    assert sent(read, {"body": value}) == (media_type, body)


def test_an_array_of_files_needs_a_multipart_form(tmp_path: Path) -> None:
    files = {"name": "f", "in": "formData", "type": "array", "items": {"type": "file"}}
    read = read_document(swagger({"parameters": [files]}), tmp_path)
    part = ("f", "f", "application/octet-stream", b"hi")
    assert sent_parts(read, {"f": ["aGk=", "aGk="]}) == [part, part]


def test_an_example_that_is_the_text_of_its_json_is_what_it_spells(tmp_path: Path) -> None:
    answer = {
        "description": "ok",
        "schema": {"type": "object"},
        "examples": {"application/json": '{"a": 1}'},
    }
    tool = tool_of(tmp_path, {"responses": {"200": answer}})
    assert tool.examples[0].value == {"a": 1}
