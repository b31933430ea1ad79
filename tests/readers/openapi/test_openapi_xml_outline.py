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
