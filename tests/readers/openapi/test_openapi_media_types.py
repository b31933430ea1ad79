"""Request bodies: the media type that is sent, and how a whole body is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_bodies import BINARY, TEXT, posted
from openapi_reading import one, read_document, sent

from mcpgen.plan import calls


@pytest.mark.parametrize(
    ("version", "schema", "text"),
    [
        ("3.1.1", {"type": "string", "contentEncoding": "base64"}, "aGk="),
        ("3.1.1", {"$ref": "#/components/schemas/Cover"}, "aGk="),
        ("3.2.0", {"type": "string", "contentEncoding": "base16"}, "6869"),
        ("3.0.3", {"type": "string", "format": "base64"}, "aGk="),
    ],
)
def test_bytes_that_are_carried_as_text_go_out_as_that_text(
    tmp_path: Path, version: str, schema: dict[str, Any], text: str
) -> None:
    cover = {"type": "string", "contentMediaType": "image/jpeg", "contentEncoding": "base64"}
    content = {name: {"schema": schema} for name in ("image/jpeg", "image/png")}
    document = one({"requestBody": {"required": True, "content": content}}, method="post")
    components = {"schemas": {"Cover": cover}}
    read = read_document({**document, "openapi": version, "components": components}, tmp_path)
    assert sent(read, {"body": text}) == ("image/jpeg", text.encode())
    assert calls.body_kind(read.tool.call.body) == ("text", "text/plain")
    assert "description" not in read.tool.input_schema["properties"]["body"]


@pytest.mark.parametrize("schema", [BINARY, {"type": "string", "contentEncoding": "binary"}])
def test_bytes_that_are_carried_as_they_are_go_out_as_bytes(
    tmp_path: Path, schema: dict[str, Any]
) -> None:
    content = {"image/jpeg": {"schema": schema}}
    read = posted(tmp_path, content)
    assert sent(read, {"body": "aGk="}) == ("image/jpeg", b"hi")


def written(media_type: str) -> dict[str, Any]:
    """The schema of a text of that media type."""
    return {"type": "string", "contentMediaType": media_type}


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
def test_what_a_text_holds_is_told_as_it_is_asked_for(tmp_path: Path, version: str) -> None:
    """A caller writes XML itself, and knows nothing of it but what its schema says.

    What is only read may be sent in 3.1, where it is required; a request never has to hold it.
    """
    read_only = {"type": "string", "readOnly": True}
    properties = {"id": read_only, "name": {"type": "string"}}
    pet = {"type": "object", "required": ["id", "name"], "properties": properties}
    reference = {"$ref": "#/components/schemas/Pet"}
    body = {"required": True, "content": {"application/xml": {"schema": reference}}}
    components = {"schemas": {"Pet": pet}}
    document = one({"requestBody": body}, method="post", components=components, openapi=version)
    read = read_document(document, tmp_path)
    schema = read.tool.input_schema
    assert schema["properties"]["body"]["contentSchema"] == {"$ref": "#/$defs/Pet"}
    sendable = {"name": {"type": "string"}} if version == "3.0.3" else properties
    told = {"type": "object", "required": ["name"], "properties": sendable}
    assert schema["$defs"] == {"Pet": told}
    assert sent(read, {"body": "<Pet><name>Ada</name></Pet>"}) == (
        "application/xml",
        b"<Pet><name>Ada</name></Pet>",
    )


@pytest.mark.parametrize(
    ("media_type", "expected"),
    [
        ("application/jsonl", b"1\n2\n"),
        ("text/x-ndjson", b"1\n2\n"),
        ("application/json-seq", b"\x1e1\n\x1e2\n"),
        ("application/geo+json-seq", b"\x1e1\n\x1e2\n"),
    ],
)
def test_a_sequence_of_items_of_3_2(tmp_path: Path, media_type: str, expected: bytes) -> None:
    shown = {"serializedValue": "3\n", "dataValue": [3]}
    entry = {"itemSchema": {"type": "integer"}, "examples": {"one": shown}}
    read = posted(tmp_path, {media_type: entry}, version="3.2.0")
    assert read.tool.input_schema["properties"]["body"] == {
        "type": "array",
        "items": {"type": "integer"},
        "examples": [[3]],
    }
    assert sent(read, {"body": [1, 2]}) == (media_type, expected)


def test_a_stream_of_events_is_written_by_the_caller(tmp_path: Path) -> None:
    """OpenAPI 3.2.0, "Server-Sent Event Streams"; no known API takes one as a request."""
    read = posted(
        tmp_path, {"text/event-stream": {"itemSchema": {"type": "object"}}}, version="3.2.0"
    )
    assert sent(read, {"body": "data: 1\n\n"}) == ("text/event-stream", b"data: 1\n\n")


def test_an_old_name_of_json_is_json(tmp_path: Path) -> None:
    read = posted(tmp_path, {"application/x-json": {"schema": TEXT}})
    assert sent(read, {"body": "abcd"}) == ("application/x-json", b'"abcd"')


@pytest.mark.parametrize("entry", [None, "Pet", []])
def test_a_media_type_that_is_no_object_says_nothing(tmp_path: Path, entry: Any) -> None:
    """YAML reads a key with nothing below it as null."""
    content = {"application/json": entry}
    answer = {"200": {"description": "ok", "content": content}}
    read = read_document(
        one({"requestBody": {"content": content}, "responses": answer}, method="post"), tmp_path
    )
    assert sent(read, {"body": ["a"]}) == ("application/json", b'["a"]')
    assert read.tool.call.accept == ("application/json",)
    assert [item.message.partition(";")[0] for item in read.diagnostics.warnings] == [
        "a media type must be an object"
    ] * 2


def test_a_blank_media_type_is_any(tmp_path: Path) -> None:
    read = posted(tmp_path, {"": {"schema": {"type": "array", "items": TEXT}}})
    assert sent(read, {"body": ["a"]}) == ("application/json", b'["a"]')
    said = [item.message for item in read.diagnostics.warnings]
    assert said == ["'' is no media type; it is read as `*/*`"]
