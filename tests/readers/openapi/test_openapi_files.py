"""Files in forms: what is bytes, how it goes out, and what an agent is told of it."""

from pathlib import Path
from typing import Any

import pytest
from openapi_bodies import posted
from openapi_reading import Reading, argument, one, read_document, sent, sent_parts
from tables import table

TEXT = {"type": "string"}
BINARY = {"type": "string", "format": "binary"}
RAW = {"type": "string", "contentMediaType": "application/octet-stream"}
NULL = {"type": "null"}
PNG = "iVBORw0KGgo="
BYTES = b"\x89PNG\r\n\x1a\n"
OCTETS = "application/octet-stream"
HINT = "base64, a data: URI (`data:text/csv;name=a.csv,...` names the file) or a file:// URI."


def form(
    folder: Path,
    schema: dict[str, Any],
    encoding: dict[str, Any] | None = None,
    media_type: str = "multipart/form-data",
    version: str = "3.1.1",
) -> Reading:
    """A document whose only operation takes a form."""
    entry = {"schema": schema, **({"encoding": encoding} if encoding else {})}
    body = {"required": True, "content": {media_type: entry}}
    return read_document(one({"requestBody": body}, method="post", openapi=version), folder)


def field(folder: Path, schema: Any, content_type: str = "", version: str = "3.1.1") -> Reading:
    """A document whose only operation takes a form of one field, `f`."""
    encoding = {"f": {"contentType": content_type}} if content_type else None
    properties = {"type": "object", "properties": {"f": schema}}
    return form(folder, properties, encoding, version=version)


@table(
    "schema",
    {"type": "array", "items": BINARY},
    {"anyOf": [{"type": "array", "items": BINARY}, NULL]},
    {"oneOf": [{"type": "array", "items": {"anyOf": [BINARY, NULL]}}, NULL]},
    {"allOf": [{"$ref": "#/components/schemas/Files"}], "description": "All."},
    {"type": "array", "prefixItems": [BINARY, BINARY], "items": False},
    {"anyOf": [{"type": "array", "items": RAW}, NULL]},
)
def test_each_file_of_an_array_is_a_part(tmp_path, schema):
    files = {"schemas": {"Files": {"type": "array", "items": BINARY}}}
    body = {"type": "object", "properties": {"f": schema}}
    content = {"multipart/form-data": {"schema": body}}
    read = posted(tmp_path, content, components=files)
    part = ("f", "f", OCTETS, BYTES)
    assert sent_parts(read, {"f": [PNG, PNG]}) == [part, part]
    assert HINT in argument(read.tool, "f").description


@pytest.mark.parametrize("schema", [{}, {"description": "A pen."}, TEXT])
@pytest.mark.parametrize("version", ["3.0.3", "3.1.1"])
def test_a_media_type_of_bytes_makes_a_file(tmp_path, schema, version):
    for whole in (schema, {"type": "array", "items": schema}):
        read = field(tmp_path, whole, "image/png, image/jpeg", version)
        assert sent_parts(read, {"f": PNG}) == [("f", "f.png", "image/png", BYTES)]
        taken = read.tool.input_schema["properties"]["f"]
        taken = taken.get("items", taken)
        assert (taken["type"], taken["contentEncoding"]) == ("string", "base64")


@pytest.mark.parametrize("more", [{}, {"type": "string"}, {"contentMediaType": "image/png"}])
@pytest.mark.parametrize("wrap", [lambda each: each, lambda each: {"type": "array", "items": each}])
def test_no_encoding_is_raw_bytes(tmp_path, more, wrap):
    """RFC 2045, 6.2: `binary` says that nothing is encoded; JSON cannot hold that."""
    raw = {"contentEncoding": "binary", **more}
    base64 = {**more, "type": "string", "contentEncoding": "base64"}
    read = field(tmp_path, wrap(raw))
    found = read.tool.input_schema["properties"]["f"]
    assert {**found.get("items", found), "description": ""} == {**base64, "description": ""}
    given = {"f": [PNG] if "items" in found else PNG}
    assert sent_parts(read, given) == [("f", "f", OCTETS, BYTES)]
    whole = posted(tmp_path, {"image/png": {"schema": raw}})
    assert whole.tool.input_schema["properties"]["body"]["contentEncoding"] == "base64"
    assert sent(whole, {"body": PNG}) == ("image/png", BYTES)


@table("media_type", "text/html", "application/json", "application/xml", "application/yaml")
def test_a_text_that_says_its_media_type_is_no_file(tmp_path, media_type):
    schema = {"type": "string", "contentMediaType": media_type}
    read = field(tmp_path, schema)
    assert sent_parts(read, {"f": "abcd"}) == [("f", "", "", b"abcd")]
    assert argument(read.tool, "f").schema == schema
    fields = {"type": "object", "properties": {"f": schema}}
    encoded = form(tmp_path, fields, None, "application/x-www-form-urlencoded")
    assert argument(encoded.tool, "f").schema == schema
    whole = posted(tmp_path, {"text/html": {"schema": schema}})
    assert sent(whole, {"body": "abcd"}) == ("text/html", b"abcd")
