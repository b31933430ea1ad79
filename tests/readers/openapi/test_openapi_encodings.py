"""Request bodies: how the fields of forms, and parts in order, are written."""

from __future__ import annotations

import email
from pathlib import Path
from typing import Any

import pytest
from openapi_bodies import posted
from openapi_reading import one, read_document, sent


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
