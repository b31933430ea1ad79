"""Request bodies: how the fields of forms, and parts in order, are written."""

from __future__ import annotations

import email
from pathlib import Path
from typing import Any

import pytest
from openapi_bodies import BINARY, FILE, TEXT, body_of, body_tool, posted
from openapi_reading import OK, one, read_document, sent

from mcpgen.api import Encoding


def test_encodings(tmp_path: Path) -> None:
    schema = {
        "type": "object",
        "properties": {
            "photo": {"type": "string", "contentMediaType": "image/png"},
            "many": {"type": "array", "items": BINARY},
            "ids": {"type": "array", "items": TEXT},
            "meta": {"type": "object"},
            "x-amz-meta-tag": TEXT,
        },
    }
    encoding = {
        "x-amz-meta-tag": {"contentType": "text/csv"},
        "photo": {"contentType": "image/png, image/jpeg"},
        "ids": {"style": "pipeDelimited", "explode": False, "allowReserved": True},
        "meta": {"contentType": "bad\r\n"},
        "other": {"contentType": "a/b"},
        "many": None,
    }
    content = {"multipart/form-data": {"schema": schema, "encoding": encoding}}
    body = body_of(body_tool(tmp_path, content))
    assert body.encoding == {
        "photo": Encoding(content_type="image/png, image/jpeg", binary=True),
        "many": Encoding(binary=True),
        "ids": Encoding(style="pipeDelimited", explode=False, allow_reserved=True),
        "x-amz-meta-tag": Encoding(content_type="text/csv"),
    }


def test_a_required_header_of_a_part_is_missed(tmp_path: Path) -> None:
    needed = {"required": True, "schema": TEXT}
    headers = {"x-a": needed, "X-B": {"schema": TEXT}, "Content-Type": needed, "X-C": 5}
    schema = {"type": "object", "properties": {"a": TEXT}}
    content = {"multipart/form-data": {"schema": schema, "encoding": {"a": {"headers": headers}}}}
    read = posted(tmp_path, content, required=False)
    (place,) = read.pointers("part-header")
    assert place.endswith("/encoding/a/headers/x-a")


@pytest.mark.parametrize(
    ("version", "media_type", "style"),
    [
        ("3.0.3", "multipart/related", None),
        ("3.2.0", "multipart/mixed", None),
        ("3.0.3", "multipart/form-data", None),
        ("3.1.1", "multipart/form-data", "form"),
        ("3.0.3", "application/x-www-form-urlencoded", "form"),
    ],
)
def test_where_the_style_of_a_part_counts(
    tmp_path: Path, version: str, media_type: str, style: str | None
) -> None:
    said = {"contentType": "application/json", "style": "form"}
    schema = {"type": "object", "properties": {"meta": {"type": "object"}}}
    content = {media_type: {"schema": schema, "encoding": {"meta": said}}}
    body = body_of(posted(tmp_path, content, required=False, version=version).tool)
    assert body.encoding == {"meta": Encoding("application/json", style)}


def test_bytes_beside_a_form_are_explained(tmp_path: Path) -> None:
    form = {"type": "object", "properties": {"a": TEXT}}
    tool = body_tool(tmp_path, {"multipart/form-data": form, "application/pdf": BINARY})
    assert body_of(tool).offered == ("application/pdf",)
    body = tool.input_schema["properties"]["body"]
    assert body["anyOf"] == [form, BINARY]
    assert body["description"] == "application/pdf: base64, a data: URI or a file:// URI."


def test_the_files_of_a_whole_form_are_explained(tmp_path: Path) -> None:
    bytes_ = {"enum": ["*.jpg"], "pattern": "^.{1,9}$", "minLength": 1, "maxLength": 9}
    told = {"description": "A photo.", "examples": ["@mars.jpg", "aGk="]}
    image = {**BINARY, **bytes_, **told}
    form = {"type": "object", "properties": {"a": TEXT, "image": image}, "minProperties": 1}
    document = {
        "openapi": "3.1.0",
        **one(
            {"requestBody": {"content": {"multipart/form-data": {"schema": form}}}}, method="post"
        ),
    }
    body = read_document(document, tmp_path).tool.input_schema["properties"]["body"]
    assert body["properties"] == {
        "a": TEXT,
        "image": {
            **BINARY,
            "description": f"A photo: {FILE}",
        },
    }


@pytest.mark.parametrize("kept", [[], ["aGk="]])
def test_an_example_that_would_be_refused_goes_with_its_reference(
    tmp_path: Path, kept: list[str]
) -> None:
    form = {"type": "object", "properties": {"image": {"$ref": "#/components/schemas/Image"}}}
    document = {
        "openapi": "3.1.0",
        "components": {"schemas": {"Image": {**BINARY, "examples": ["<image>", *kept]}}},
        **one(
            {
                "requestBody": {
                    "required": True,
                    "content": {"multipart/form-data": {"schema": form}},
                }
            },
            method="post",
        ),
    }
    image = read_document(document, tmp_path).tool.input_schema["properties"]["image"]
    described = {**BINARY, "description": f"Bytes: {FILE}"}
    assert image == {**described, **({"examples": kept} if kept else {})}


PARTS = {"type": "array", "items": {}}


@pytest.mark.parametrize("entry", [{"schema": PARTS}, {"itemSchema": TEXT}])
def test_parts_without_names_stand_in_order(tmp_path: Path, entry: Any) -> None:
    parts = {"multipart/mixed": entry}
    both = {**parts, "application/json": {"schema": PARTS}}
    paths = {
        path: {"post": {"requestBody": {"content": content}, "responses": OK}}
        for path, content in {"/parts": parts, "/both": both}.items()
    }
    read = read_document({"openapi": "3.2.0", "paths": paths}, tmp_path)
    bodies = [tool.http.body for tool in read.api.tools if tool.http is not None]
    assert [b and (b.media_type, b.spread) for b in bodies] == [
        ("multipart/mixed", False),
        ("application/json", False),
    ]
    assert read.codes == []


@pytest.mark.parametrize("place", ["#/components/x-own", "#/nowhere"])
def test_an_encoding_elsewhere(tmp_path: Path, place: str) -> None:
    schema = {"type": "object", "properties": {"a": TEXT}}
    content = {"multipart/form-data": {"schema": schema, "encoding": {"a": {"$ref": place}}}}
    document = one({"requestBody": {"content": content}}, method="post")
    document["components"] = {"x-own": {"contentType": "text/csv"}}
    read = read_document(document, tmp_path)
    if place == "#/nowhere":
        assert "dangling-reference" in read.codes
    else:
        assert body_of(read.tool).encoding == {"a": Encoding(content_type="text/csv")}


def test_an_encoding_by_name_is_for_no_position(tmp_path: Path) -> None:
    """OpenAPI 3.2.0, "Encoding By Name": what has no property is ignored."""
    encoding = {"999999999": {"contentType": "image/png"}}
    content = {"multipart/mixed": {"itemSchema": TEXT, "encoding": encoding}}
    read = posted(tmp_path, content, required=False)
    assert read.tool.input_schema["properties"]["body"] == {"type": "array", "items": TEXT}
    assert body_of(read.tool).encoding == {}


def test_an_encoding_by_position_of_no_bytes_leaves_the_schema_as_it_is(tmp_path: Path) -> None:
    encoding = {"prefixEncoding": [{"contentType": "text/html"}]}
    content = {"multipart/mixed": {"itemSchema": TEXT, **encoding}}
    read = posted(tmp_path, content, required=False)
    assert read.tool.input_schema["properties"]["body"] == {"type": "array", "items": TEXT}


def test_fields_with_names_have_no_positions(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"0": TEXT, "*": TEXT}}
    html = {"contentType": "text/html"}
    whole = {"schema": schema, "prefixEncoding": [html], "itemEncoding": html}
    body = body_of(body_tool(tmp_path, {"multipart/form-data": whole}))
    assert body.encoding == {}


def test_encodings_that_a_reference_makes_endless(tmp_path: Path) -> None:
    place = "#/paths/~1pets/post/requestBody/content/multipart~1mixed/itemEncoding"
    encoding = {"contentType": "multipart/mixed", "itemEncoding": {"$ref": place}}
    content = {"multipart/mixed": {"itemSchema": {"type": "array"}, "itemEncoding": encoding}}
    read = posted(tmp_path, content, required=False)
    content_type, body = sent(read, {"body": [[["deep"]]]})
    assert content_type.startswith("multipart/mixed; boundary=")
    assert body.count(b"Content-Type: multipart/mixed; boundary=") == 1
    assert b'Content-Type: application/json\r\n\r\n["deep"]' in body
    assert "encoding" in read.codes


def test_encodings_that_references_multiply(tmp_path: Path) -> None:
    each = {"contentType": "multipart/mixed", "encoding": {"$ref": "#/components/x-each"}}
    content = {"multipart/form-data": {"schema": {"type": "object"}, "encoding": {"a": each}}}
    document = one({"requestBody": {"content": content}}, method="post")
    document["components"] = {"x-each": {f"p{number}": each for number in range(30)}}
    assert "encoding" in read_document(document, tmp_path).codes


@pytest.mark.parametrize(
    ("form", "schema"),
    [
        ("multipart/form-data", TEXT),
        ("multipart/form-data", BINARY),
        ("multipart/form-data", {"type": "array", "items": BINARY}),
        ("application/x-www-form-urlencoded", {"type": "array", "items": TEXT}),
    ],
)
def test_a_form_whose_fields_have_no_names_has_those_of_a_call(
    tmp_path: Path, form: str, schema: Any
) -> None:
    tool = body_tool(tmp_path, {form: schema})
    body = tool.input_schema["properties"]["body"]
    assert body["type"] == "object"
    assert body["additionalProperties"]["type"] == schema["type"]
    files = {name for name, each in body_of(tool).encoding.items() if each.binary}
    assert files == ({"*"} if BINARY in (schema, schema.get("items")) else set())


def test_urlencoded_text_is_one_argument(tmp_path: Path) -> None:
    tool = body_tool(tmp_path, {"application/x-www-form-urlencoded": TEXT})
    assert tool.input_schema["properties"]["body"] == TEXT


@pytest.mark.parametrize(
    ("given", "contents"),
    [("a", [b"a"]), (["a", "b"], [b"a", b"b"]), ([["a", "b"]], [b"a", b"b"])],
)
def test_a_part_that_is_multipart_itself_holds_even_a_single_item(
    tmp_path: Path, given: Any, contents: list[bytes]
) -> None:
    """RFC 2046 5.1.1 asks for a boundary, and for a part at least."""
    schema = {"type": "object", "properties": {"inner": {}}}
    encoding = {"inner": {"contentType": "multipart/mixed", "itemEncoding": {}}}
    content = {"multipart/form-data": {"schema": schema, "encoding": encoding}}
    operation = {"requestBody": {"required": True, "content": content}}
    read = read_document({"openapi": "3.2.0", **one(operation, method="put")}, tmp_path)
    kind, body = sent(read, {"inner": given})
    whole = email.message_from_bytes(f"Content-Type: {kind}\r\n\r\n".encode() + body)
    nested = whole.get_payload()
    assert all(each.get_content_type() == "multipart/mixed" for each in nested)
    assert all(each.get_boundary() for each in nested)
    inside = [part for each in nested for part in each.get_payload()]
    assert [part.get_payload(decode=True) for part in inside] == contents
