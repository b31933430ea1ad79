"""What agents are told of the names in an XML body (OpenAPI, XML Object)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_reading import one, read_document

TEXT = {"type": "string"}
LIST = {"type": "array", "items": TEXT}


def described(tmp_path: Path, schema: dict[str, Any], **others: Any) -> str:
    """The description of the body of the schema `Shelf`."""
    content = {"application/xml": {"schema": {"$ref": "#/components/schemas/Shelf"}}}
    document = one({"requestBody": {"content": content}}, method="put")
    document |= {"components": {"schemas": {"Shelf": schema, **others}}}
    tool = read_document(document, tmp_path).tool
    found = tool.input_schema["properties"]["body"].get("description", "")
    return str(found)


@pytest.mark.parametrize(
    ("schema", "drawn"),
    [
        ({"properties": {"a": TEXT}}, "<Shelf><a>string</a></Shelf>"),
        (
            {"properties": {"a": TEXT}, "xml": {"name": "shelf", "namespace": "urn:s"}},
            '<shelf xmlns="urn:s"><a>string</a></shelf>',
        ),
        (
            {"properties": {"a": TEXT}, "xml": {"prefix": "s", "namespace": "urn:s"}},
            '<s:Shelf xmlns:s="urn:s"><a>string</a></s:Shelf>',
        ),
        (
            {"properties": {"a": {"type": "integer", "xml": {"attribute": True, "name": "nr"}}}},
            '<Shelf nr="integer"></Shelf>',
        ),
        (
            {"properties": {"a": {**TEXT, "xml": {"nodeType": "attribute"}},
                            "b": {**TEXT, "xml": {"nodeType": "text"}}}},
            '<Shelf a="string">string</Shelf>',
        ),
        ({"properties": {"a": LIST}}, "<Shelf><a>string</a></Shelf>"),
        (
            {"properties": {"a": {**LIST, "xml": {"name": "b"}}}},
            "<Shelf><a>string</a></Shelf>",
        ),
        (
            {"properties": {"a": {**LIST, "xml": {"wrapped": True, "name": "b"}}}},
            "<Shelf><b><b>string</b></b></Shelf>",
        ),
        (
            {"properties": {"a": {"type": "array", "items": {**TEXT, "xml": {"name": "i"}},
                                  "xml": {"wrapped": True}}}},
            "<Shelf><a><i>string</i></a></Shelf>",
        ),
        (
            {"allOf": [{"properties": {"a": TEXT}}, {"$ref": "#/components/schemas/More"}]},
            "<Shelf><a>string</a><m>number</m></Shelf>",
        ),
        ({"properties": {"<b>": TEXT, "c": {**TEXT, "xml": {"name": "d e"}}}}, "<Shelf></Shelf>"),
    ],
)  # fmt: skip
def test_names_attributes_wrapping_and_namespaces(
    tmp_path: Path, schema: dict[str, Any], drawn: str
) -> None:
    more = {"properties": {"m": {"type": "number"}}}
    assert described(tmp_path, {"type": "object", **schema}, More=more) == f"XML such as `{drawn}`."


def test_what_holds_itself_ends(tmp_path: Path) -> None:
    loop = {"$ref": "#/components/schemas/Shelf"}
    nested = {"type": "object", "properties": {"inner": loop, "list": {"type": "array"}}}
    nested["properties"]["list"]["items"] = loop
    text = described(tmp_path, nested)
    assert text.startswith("XML such as `<Shelf><inner>")
    assert len(text) < 3000
    assert described(tmp_path, {"type": "array", "items": loop})


def test_openapi_2_and_a_second_media_type(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"id": {"type": "integer"}}}
    body = {"name": "b", "in": "body", "schema": {"$ref": "#/definitions/Shelf"}}
    operation = {"parameters": [body], "consumes": ["application/xml"]}
    document = {"swagger": "2.0", **one(operation, method="put"), "definitions": {"Shelf": schema}}
    described_body = read_document(document, tmp_path).tool.input_schema["properties"]["body"]
    assert "<Shelf><id>integer</id></Shelf>" in described_body["description"]


def test_text_is_drawn_as_nothing(tmp_path: Path) -> None:
    assert described(tmp_path, TEXT) == ""
