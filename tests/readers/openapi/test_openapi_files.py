"""Files in forms: what is bytes, how it goes out, and what an agent is told of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from openapi_bodies import posted
from openapi_reading import Reading, argument, one, read_document, sent, sent_parts

TEXT = {"type": "string"}
BINARY = {"type": "string", "format": "binary"}
RAW = {"type": "string", "contentMediaType": "application/octet-stream"}
NULL = {"type": "null"}
PNG = "iVBORw0KGgo="
BYTES = b"\x89PNG\r\n\x1a\n"
OCTETS = "application/octet-stream"
HINT = "base64, a data: URI (`data:text/csv;name=a.csv,...` names the file) or a file:// URI."
OR_TEXT = "A data: URI or a file:// URI is sent as a file, anything else as text."


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


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array", "items": BINARY},
        {"anyOf": [{"type": "array", "items": BINARY}, NULL]},
        {"oneOf": [{"type": "array", "items": {"anyOf": [BINARY, NULL]}}, NULL]},
        {"allOf": [{"$ref": "#/components/schemas/Files"}], "description": "All."},
        {"type": "array", "prefixItems": [BINARY, BINARY], "items": False},
        {"anyOf": [{"type": "array", "items": RAW}, NULL]},
    ],
)
def test_each_file_of_an_array_is_a_part(tmp_path: Path, schema: dict[str, Any]) -> None:
    files = {"schemas": {"Files": {"type": "array", "items": BINARY}}}
    body = {"type": "object", "properties": {"f": schema}}
    content = {"multipart/form-data": {"schema": body}}
    read = posted(tmp_path, content, components=files)
    part = ("f", "f", OCTETS, BYTES)
    assert sent_parts(read, {"f": [PNG, PNG]}) == [part, part]
    assert HINT in argument(read.tool, "f").description


@pytest.mark.parametrize(
    ("about", "told"),
    [
        ("", f"Bytes: {HINT}"),
        ("A photo.", f"A photo: {HINT}"),
        ("A photo. JPEG or PNG.", f"A photo. JPEG or PNG. Give {HINT}"),
        ("A photo\n\n- of a cat", f"A photo\n\n- of a cat. Give {HINT}"),
    ],
)
def test_an_agent_is_told_how_to_give_a_file_and_its_name(
    tmp_path: Path, about: str, told: str
) -> None:
    read = field(tmp_path, {**BINARY, **({"description": about} if about else {})})
    assert argument(read.tool, "f").description == told
    given = {"f": "data:text/csv;name=a.csv,1"}
    assert sent_parts(read, given) == [("f", "a.csv", "text/csv", b"1")]


@pytest.mark.parametrize("keyword", ["anyOf", "oneOf"])
def test_the_fields_of_alternatives_have_their_encodings(tmp_path: Path, keyword: str) -> None:
    options = [
        {"type": "object", "required": ["file"], "properties": {"file": BINARY, "meta": TEXT}},
        {"type": "object", "required": ["url"], "properties": {"url": TEXT}},
    ]
    encoding = {"file": {"contentType": "image/png"}, "meta": {"contentType": "application/json"}}
    read = form(tmp_path, {keyword: options}, encoding)
    assert sent_parts(read, {"body": {"file": PNG, "meta": "x"}}) == [
        ("file", "file.png", "image/png", BYTES),
        ("meta", "", "application/json", b'"x"'),
    ]
    first, second = read.tool.input_schema["properties"]["body"][keyword]
    assert first["properties"]["file"]["description"] == f"Bytes: {HINT}"
    assert second == options[1]


def test_the_styles_of_alternatives_count(tmp_path: Path) -> None:
    options = [
        {"type": "object", "properties": {"d": {"type": "object"}}},
        {"type": "object", "properties": {"p": {"type": "array", "items": TEXT}}},
    ]
    encoding = {"d": {"style": "deepObject"}, "p": {"explode": False}}
    read = form(tmp_path, {"oneOf": options}, encoding, "application/x-www-form-urlencoded")
    body = {"d": {"k": "v"}, "p": ["a", "b"]}
    assert sent(read, {"body": body})[1] == b"d%5Bk%5D=v&p=a,b"


@pytest.mark.parametrize("keyword", ["additionalProperties", "patternProperties"])
def test_files_of_any_name(tmp_path: Path, keyword: str) -> None:
    others = BINARY if keyword == "additionalProperties" else {"^x": BINARY}
    read = form(tmp_path, {"type": "object", "properties": {"a": TEXT}, keyword: others})
    assert sent_parts(read, {"body": {"a": "x", "x1": PNG}}) == [
        ("a", "", "", b"x"),
        ("x1", "x1", OCTETS, BYTES),
    ]
    assert HINT in str(read.tool.input_schema["properties"]["body"][keyword])


@pytest.mark.parametrize("schema", [{}, {"description": "A pen."}, TEXT])
@pytest.mark.parametrize("version", ["3.0.3", "3.1.1"])
def test_a_media_type_of_bytes_makes_a_file(
    tmp_path: Path, schema: dict[str, Any], version: str
) -> None:
    for whole in (schema, {"type": "array", "items": schema}):
        read = field(tmp_path, whole, "image/png, image/jpeg", version)
        assert sent_parts(read, {"f": PNG}) == [("f", "f.png", "image/png", BYTES)]
        taken = read.tool.input_schema["properties"]["f"]
        taken = taken.get("items", taken)
        assert (taken["type"], taken["contentEncoding"]) == ("string", "base64")


@pytest.mark.parametrize("schema", [{}, {"type": "array", "items": {}}])
def test_a_part_without_a_type_may_be_a_file_from_3_1_on(
    tmp_path: Path, schema: dict[str, Any]
) -> None:
    read = field(tmp_path, schema)
    assert sent_parts(read, {"f": f"data:image/png;base64,{PNG}"}) == [
        ("f", "f.png", "image/png", BYTES)
    ]
    assert sent_parts(read, {"f": "abcd"}) == [("f", "", "", b"abcd")]
    assert sent_parts(read, {"f": {"a": 1}}) == [("f", "", "application/json", b'{"a":1}')]
    assert argument(read.tool, "f").description == OR_TEXT
    older = field(tmp_path, schema, version="3.0.3")
    assert argument(older.tool, "f").schema == schema


@pytest.mark.parametrize(
    "schema",
    [
        {"anyOf": [BINARY, TEXT], "description": "A photo."},
        {"type": "array", "items": {"oneOf": [BINARY, TEXT]}, "description": "A photo"},
    ],
)
def test_a_file_or_a_text(tmp_path: Path, schema: dict[str, Any]) -> None:
    read = field(tmp_path, schema)
    uri = f"DATA:image/png;base64,{PNG}"
    assert sent_parts(read, {"f": uri}) == [("f", "f.png", "image/png", BYTES)]
    assert sent_parts(read, {"f": "abcd"}) == [("f", "", "", b"abcd")]
    assert argument(read.tool, "f").description == f"A photo. {OR_TEXT}"


def test_a_file_or_an_object(tmp_path: Path) -> None:
    read = field(tmp_path, {"oneOf": [BINARY, {"type": "object"}]})
    assert sent_parts(read, {"f": PNG}) == [("f", "f", OCTETS, BYTES)]
    assert sent_parts(read, {"f": {"a": 1}}) == [("f", "", "application/json", b'{"a":1}')]


@pytest.mark.parametrize("wrap", [lambda each: each, lambda each: {"type": "array", "items": each}])
def test_bytes_that_only_their_media_type_tells_are_given_as_text(
    tmp_path: Path, wrap: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    """3.1.1, "Working with Binary Data": raw bytes have a `contentMediaType` and no `type`."""
    read = field(tmp_path, wrap({"contentMediaType": "image/png", "title": "Photo"}))
    found = read.tool.input_schema["properties"]["f"]
    leaf = found.get("items", found)
    assert (leaf["type"], leaf["contentEncoding"]) == ("string", "base64")
    assert leaf["contentMediaType"] == "image/png"
    given = {"f": [PNG] if "items" in found else PNG}
    assert sent_parts(read, given) == [("f", "f", OCTETS, BYTES)]


@pytest.mark.parametrize("more", [{}, {"type": "string"}, {"contentMediaType": "image/png"}])
@pytest.mark.parametrize("wrap", [lambda each: each, lambda each: {"type": "array", "items": each}])
def test_no_encoding_is_raw_bytes(
    tmp_path: Path, more: dict[str, Any], wrap: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
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


@pytest.mark.parametrize(
    "media_type", ["text/html", "application/json", "application/xml", "application/yaml"]
)
def test_a_text_that_says_its_media_type_is_no_file(tmp_path: Path, media_type: str) -> None:
    schema = {"type": "string", "contentMediaType": media_type}
    read = field(tmp_path, schema)
    assert sent_parts(read, {"f": "abcd"}) == [("f", "", "", b"abcd")]
    assert argument(read.tool, "f").schema == schema
    fields = {"type": "object", "properties": {"f": schema}}
    encoded = form(tmp_path, fields, None, "application/x-www-form-urlencoded")
    assert argument(encoded.tool, "f").schema == schema
    whole = posted(tmp_path, {"text/html": {"schema": schema}})
    assert sent(whole, {"body": "abcd"}) == ("text/html", b"abcd")


@pytest.mark.parametrize(
    ("schema", "value", "texts"),
    [
        ({"type": "object", "description": "M."}, "<a/>", [b"<a/>"]),
        ({"type": "array", "items": {"type": "object"}}, ["<a/>", "<b/>"], [b"<a/>", b"<b/>"]),
    ],
)
def test_a_part_of_xml_is_given_as_its_text(
    tmp_path: Path, schema: dict[str, Any], value: Any, texts: list[bytes]
) -> None:
    read = field(tmp_path, schema, "application/xml")
    taken = read.tool.input_schema["properties"]["f"]
    assert taken.get("items", taken)["type"] == "string"
    assert taken.get("description") == schema.get("description")
    found = sent_parts(read, {"f": value})
    assert found == [("f", "", "application/xml", text) for text in texts]
    mixed = field(tmp_path, schema, "application/json, application/xml")
    assert mixed.tool.input_schema["properties"]["f"] == schema


PICTURES = {name: {"schema": BINARY} for name in ("image/jpeg", "image/png", "application/pdf")}


@pytest.mark.parametrize(
    ("body", "media_type"),
    [
        (PNG, "image/png"),
        (f"data:application/pdf;base64,{PNG}", "application/pdf"),
        (f"data:image/gif;base64,{PNG}", "image/png"),
        ("data:image/gif;base64,AAAA", "image/jpeg"),
        ("AAAA", "image/jpeg"),
    ],
)
def test_bytes_say_which_of_several_media_types_they_are(
    tmp_path: Path, body: str, media_type: str
) -> None:
    read = posted(tmp_path, PICTURES)
    assert sent(read, {"body": body})[0] == media_type
    assert "image/jpeg, image/png, application/pdf" in argument(read.tool, "body").description


@pytest.mark.parametrize(
    ("body", "media_type"),
    [
        ("/9j/4AAQ", "image/jpeg"),
        ("data:image/webp;base64,AAAA", "image/webp"),
        ("AAAA", "application/pdf"),
        ({"a": "x"}, "application/json"),
    ],
)
def test_bytes_beside_json_say_which_media_type_they_are(
    tmp_path: Path, body: Any, media_type: str
) -> None:
    document = {"type": "object", "properties": {"a": TEXT}}
    types = {"application/json": document, "image/*": BINARY, "application/pdf": BINARY}
    content = {name: {"schema": schema} for name, schema in types.items()}
    read = posted(tmp_path, content)
    assert sent(read, {"body": body})[0] == media_type
    assert [a.name for a in read.tool.arguments] == ["body"]


@pytest.mark.parametrize("version", ["3.0.3", "3.1.1", "3.2.0"])
def test_a_field_that_is_a_form_itself(tmp_path: Path, version: str) -> None:
    """Its text is what its Content-Type says (3.2.0, "Nested Encoding")."""
    kind = "application/x-www-form-urlencoded"
    schema = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "array"}}}
    inner = {"b": {"style": "form", "explode": False}}
    encoding = {name: {"contentType": kind, "encoding": inner} for name in ("f", "g")}
    properties = {"f": schema, "g": {"type": "string"}}
    read = form(tmp_path, {"type": "object", "properties": properties}, encoding, version=version)
    assert sent_parts(read, {"f": {"a": "1 &", "b": [1, 2]}, "g": "x=y"}) == [
        ("f", "", kind, b"a=1+%26&b=1,2"),
        ("g", "", kind, b"x=y"),
    ]
    url = form(tmp_path, {"type": "object", "properties": properties}, encoding, kind)
    assert sent(url, {"f": {"a": "1 &"}})[1] == b"f=a%3D1%2B%2526"
