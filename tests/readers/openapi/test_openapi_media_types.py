"""Request bodies: the media type that is sent, and how a whole body is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_bodies import BINARY, PLAIN, ROWS, TEXT, body_of, body_tool, posted
from openapi_reading import argument, one, read_document, sent

from mcpgen.api import Encoding, In
from mcpgen.plan import calls


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (["application/xml", "application/json"], "application/json"),
        (["application/x-www-form-urlencoded", "application/json"], "application/json"),
        (["text/plain", "application/vnd.a+json"], "application/vnd.a+json"),
        (["application/vnd.a+json", "application/json"], "application/json"),
        (["text/json", "application/vnd.a+json"], "application/vnd.a+json"),
        (["multipart/form-data", "application/x-www-form-urlencoded"],
         "application/x-www-form-urlencoded"),
        (["application/octet-stream", "text/csv"], "text/csv"),
        (["application/octet-stream", "application/xml"], "application/xml"),
        (["*/*"], "application/json"),
        (["a/b\r\nX: y", "", "application/json"], "application/json"),
        (["application/json; charset=utf-8"], "application/json; charset=utf-8"),
        (["application/json-patch+json", "application/merge-patch+json"],
         "application/merge-patch+json"),
        (["application/*+json"], "application/json"),
        (["application/vnd.acme.*+json"], "application/json"),
        (["application/vnd.acme.*+xml"], "application/xml"),
    ],
)  # fmt: skip
def test_the_best_media_type(tmp_path: Path, offered: list[str], chosen: str) -> None:
    tool = body_tool(tmp_path, dict.fromkeys(offered, PLAIN))
    assert body_of(tool).media_type == chosen
    assert body_of(tool).offered == ()


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (["application/json", "application/octet-stream"], "application/octet-stream"),
        (
            ["application/json", "image/png", "text/plain", "image/gif"],
            "image/png, image/gif, text/plain",
        ),
        (["application/json"], "application/json"),
        (["application/json", "text/plain"], "application/json"),
        (["text/csv", "application/octet-stream"], "application/octet-stream, text/csv"),
    ],
)
def test_bytes_are_not_sent_as_json_where_more_is_offered(
    tmp_path: Path, offered: list[str], chosen: str
) -> None:
    body = body_of(body_tool(tmp_path, dict.fromkeys(offered, BINARY)))
    assert (body.media_type, body.binary) == (chosen, chosen != "application/json")


def test_files_need_a_multipart_form(tmp_path: Path) -> None:
    with_file = {"type": "object", "properties": {"a": TEXT, "f": BINARY}}
    types = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"]
    tool = body_tool(tmp_path, dict.fromkeys(types, with_file))
    assert body_of(tool).media_type == "multipart/form-data"
    assert body_of(tool).encoding == {"f": Encoding(binary=True)}
    assert "file://" in argument(tool, "f").description


def test_a_media_type_that_carries_more_is_offered(tmp_path: Path) -> None:
    with_file = {"type": "object", "properties": {"a": TEXT, "f": BINARY}}
    tool = body_tool(tmp_path, {"application/json": PLAIN, "multipart/form-data": with_file})
    body = body_of(tool)
    assert (body.media_type, body.offered) == ("application/json", ("multipart/form-data",))
    assert body.encoding == {"f": Encoding(binary=True)}
    assert [(a.name, a.location) for a in tool.arguments] == [
        ("body", In.BODY),
        ("content_type", In.CONTENT_TYPE),
    ]
    assert len(tool.input_schema["properties"]["body"]["anyOf"]) == 2
    assert tool.input_schema["properties"]["content_type"]["enum"] == [
        "application/json",
        "multipart/form-data",
    ]


def test_another_form_for_files_is_offered_too(tmp_path: Path) -> None:
    forms = {
        f"multipart/{kind}": {"type": "object", "properties": {kind: BINARY}}
        for kind in ("form-data", "related")
    }
    body = body_of(body_tool(tmp_path, forms))
    assert (body.media_type, body.offered) == ("multipart/form-data", ("multipart/related",))


@pytest.mark.parametrize(
    ("schema", "text", "may_fit_both"),
    [
        ({}, TEXT, True),
        ({}, {"type": "integer"}, True),
        ({"type": "number"}, {"type": "integer"}, True),
        ({"type": "integer"}, {"type": "number"}, True),
        (ROWS, TEXT, False),
        ({"type": "number"}, TEXT, False),
        (False, TEXT, False),
    ],
)
def test_a_call_says_which_is_meant_where_a_value_may_fit_both(
    tmp_path: Path, schema: Any, text: Any, may_fit_both: bool
) -> None:
    tool = body_tool(tmp_path, {"application/json": {"schema": schema}, "text/plain": text})
    assert ("content_type" in tool.input_schema["properties"]) == may_fit_both


@pytest.mark.parametrize(
    ("media_type", "schema", "expected"),
    [
        ("application/octet-stream", BINARY, BINARY),
        ("application/pdf", {}, {"type": "string", "contentEncoding": "base64"}),
        ("image/*", PLAIN, {"type": "string", "contentEncoding": "base64"}),
        (
            "application/octet-stream",
            {"type": "string", "format": "Stream"},
            {"type": "string", "format": "Stream", "contentEncoding": "base64"},
        ),
    ],
)
def test_a_binary_body(
    tmp_path: Path, media_type: str, schema: dict[str, Any], expected: dict[str, Any]
) -> None:
    tool = body_tool(tmp_path, {media_type: schema})
    assert (body_of(tool).binary, body_of(tool).media_type) == (True, media_type)
    found = dict(tool.input_schema["properties"]["body"])
    assert "data:" in found.pop("description")
    assert found == expected


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


@pytest.mark.parametrize(
    ("media_type", "schema", "expected"),
    [
        ("text/plain", TEXT, TEXT),
        ("application/xml", PLAIN, {**written("application/xml"), "contentSchema": PLAIN}),
        ("application/xml", {"type": "object"}, written("application/xml")),
        ("application/xml", {}, written("application/xml")),
        ("text/csv", PLAIN, {**written("text/csv"), "contentSchema": PLAIN}),
        ("application/x-ndjson", TEXT, TEXT),
        ("text/csv", ROWS, {**written("text/csv"), "contentSchema": ROWS}),
        (
            "text/event-stream",
            ROWS,
            {**written("text/event-stream"), "contentSchema": ROWS},
        ),
        (
            "text/event-stream",
            PLAIN,
            {**written("text/event-stream"), "contentSchema": PLAIN},
        ),
        ("text/plain", {"type": "integer"}, {"type": "integer"}),
        ("text/plain", PLAIN, PLAIN),
        ("text/plain; charset=utf-8", ROWS, ROWS),
        ("text/plain", {"type": ["object", "string"]}, written("text/plain")),
        (
            "application/stream+json",
            PLAIN,
            {**written("application/stream+json"), "contentSchema": PLAIN},
        ),
    ],
)
def test_a_text_body(
    tmp_path: Path, media_type: str, schema: dict[str, Any], expected: dict[str, Any]
) -> None:
    tool = body_tool(tmp_path, {media_type: schema})
    assert tool.input_schema["properties"]["body"] == expected
    assert not body_of(tool).binary


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


@pytest.mark.parametrize("entry", [PLAIN, {"$ref": "#/components/schemas/Plain"}])
def test_a_schema_in_the_place_of_a_media_type_is_its_schema(tmp_path: Path, entry: Any) -> None:
    content = {"application/json": entry}
    operation = {
        "requestBody": {"required": True, "content": content},
        "responses": {"200": {"description": "ok", "content": content}},
    }
    document = one(operation, method="post", components={"schemas": {"Plain": PLAIN}})
    read = read_document(document, tmp_path)
    assert list(read.tool.input_schema["properties"]) == ["a", "b"]
    assert read.tool.input_schema["required"] == ["a"]
    assert read.tool.output_schema is not None
    told = [each for each in read.diagnostics.warnings if each.code == "media-type"]
    message = "`application/json` holds a schema, and should have it as its `schema`; it is read so"
    assert [(e.message, e.hint) for e in told] == [(message, "Write `schema:` above it.")] * 2


def test_a_blank_media_type_is_any(tmp_path: Path) -> None:
    read = posted(tmp_path, {"": {"schema": {"type": "array", "items": TEXT}}})
    assert sent(read, {"body": ["a"]}) == ("application/json", b'["a"]')
    said = [item.message for item in read.diagnostics.warnings]
    assert said == ["'' is no media type; it is read as `*/*`"]


def test_no_usable_media_type(tmp_path: Path) -> None:
    body = {"content": {"nonsense": {"schema": PLAIN}}}
    paths = {"/a": {"post": {"requestBody": body}}, "/b": {"get": {}}}
    read = read_document({"paths": paths}, tmp_path)
    assert [s.reason for s in read.api.skipped] == [
        "its request body has no media type that can be sent"
    ]


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("application/json;", "application/json"),
        (" application/json; charset", "application/json"),
        ("application/ld+json;application/json", "application/ld+json"),
        ("application/merge-patch+json:", "application/merge-patch+json"),
        ("text/plain, text/csv", "text/plain"),
    ],
)
def test_a_key_that_is_more_than_a_media_type(tmp_path: Path, key: str, name: str) -> None:
    content = {key: {"schema": TEXT}}
    answer = {"200": {"description": "ok", "content": content}}
    body = {"requestBody": {"content": content}, "responses": answer}
    read = read_document(one(body, method="post"), tmp_path)
    assert (body_of(read.tool).media_type, read.tool.http.accept) == (name, (name,))
    assert read.codes == ["media-type"] * 2


def test_a_media_type_that_stands_alone_goes_first(tmp_path: Path) -> None:
    both = {"application/json;": TEXT, "application/json": PLAIN}
    tool = body_tool(tmp_path, both)
    assert [argument.name for argument in tool.arguments] == ["a", "b"]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("aplication/json", "application/json"),
        ("Aplication/json", "application/json"),
        ("txt/plain", "text/plain"),
        ("texts/plain", "text/plain"),
        ("application/x-own", ""),
        ("Application/JSON", ""),
        ("chemical/x-pdb", ""),
        ("*/*", ""),
    ],
)
def test_a_misspelt_type_of_media_is_told(tmp_path: Path, name: str, meant: str) -> None:
    read = posted(tmp_path, {name: {"schema": {"type": "string"}}}, required=False)
    hints = [each.hint for each in read.diagnostics.warnings if each.code == "media-type"]
    assert hints == ([f"Did you mean `{meant}`?"] if meant else [])
