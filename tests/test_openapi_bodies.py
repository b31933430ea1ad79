"""Request bodies: which media type, what is spread, what is a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_reading import OK, argument, one, read_document, sent

from mcpgen.api import Encoding, In, Tool
from mcpgen.contract import wire_tool
from mcpgen.plan import calls

TEXT = {"type": "string"}
BINARY = {"type": "string", "format": "binary"}
PLAIN = {"type": "object", "required": ["a"], "properties": {"a": TEXT, "b": {"type": "integer"}}}


FILE = "base64, a data: URI (`data:text/csv;name=a.csv,...` names the file) or a file:// URI."
ROWS = {"type": "array", "items": PLAIN}


def body_tool(
    tmp_path: Path, content: dict[str, Any], required: bool = True, **operation: Any
) -> Tool:
    """The tool of a POST with a request body."""
    entries = {name: {"schema": s} if "schema" not in s else s for name, s in content.items()}
    body = {"required": required, "content": entries}
    return read_document(one({"requestBody": body, **operation}, method="post"), tmp_path).tool


def test_a_required_plain_object_is_spread(tmp_path: Path) -> None:
    tool = body_tool(tmp_path, {"application/json": PLAIN})
    assert [(a.name, a.location, a.required) for a in tool.arguments] == [
        ("a", In.PROPERTY, True),
        ("b", In.PROPERTY, False),
    ]
    assert tool.input_schema["additionalProperties"] is False
    assert tool.http.body is not None
    assert (tool.http.body.spread, tool.http.body.extra) == (True, False)


def test_additional_properties_stay_open_where_the_document_says_so(tmp_path: Path) -> None:
    tool = body_tool(tmp_path, {"application/json": {**PLAIN, "additionalProperties": True}})
    assert tool.http.body is not None
    assert (tool.http.body.spread, tool.http.body.extra) == (True, True)
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
    assert tool.http.body is not None
    assert (tool.http.body.required, tool.http.body.needed) == (False, ("a",))
    assert tool.input_schema["dependentRequired"] == {"b": ["a"]}
    assert "required" not in tool.input_schema


@pytest.mark.parametrize(
    ("required", "needed", "told"),
    [
        (False, ["a"], "Required with any part of the request body: `a`."),
        (False, ["b", "a"], "Required with any part of the request body: `b`, `a`."),
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
    assert wire_tool(tool)["description"].endswith("`n18`, `n19` and 5 more.")


def test_a_name_brings_nothing_hidden_into_a_description(tmp_path: Path) -> None:
    names = ["a\u202eb", "x\n\ny\x07", "größe"]
    schema = {"type": "object", "required": names, "properties": dict.fromkeys(names, TEXT)}
    tool = body_tool(tmp_path, {"application/json": schema}, required=False)
    said = wire_tool(tool)["description"].rpartition("\n")[2]
    assert said == (
        r"Required with any part of the request body: `a\u202eb`, `x\n\ny\u0007`, `größe`."
    )


def test_what_an_optional_body_needs_is_not_what_is_read_only(tmp_path: Path) -> None:
    properties = {**PLAIN["properties"], "id": {"type": "string", "readOnly": True}}
    schema = {**PLAIN, "required": ["id", "a", "b"], "properties": properties}
    tool = body_tool(tmp_path, {"application/json": schema}, required=False)
    assert tool.input_schema["dependentRequired"] == {"a": ["b"], "b": ["a"]}


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
    tool = body_tool(tmp_path, {"application/json": schema})
    assert tool.input_schema["properties"] == {"a": {"type": "object", "properties": {"b": TEXT}}}
    assert tool.input_schema["required"] == ["a"]


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (["application/xml", "application/json"], "application/json"),
        (["application/x-www-form-urlencoded", "application/json"], "application/json"),
        (["text/plain", "application/vnd.a+json"], "application/vnd.a+json"),
        (["application/vnd.a+json", "application/json"], "application/json"),
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
    assert tool.http.body is not None
    assert tool.http.body.media_type == chosen
    assert tool.http.body.offered == ()


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (["application/json", "application/octet-stream"], "application/octet-stream"),
        (["application/json", "image/png", "text/plain", "image/gif"], "image/png, image/gif"),
        (["application/json"], "application/json"),
        (["application/json", "text/plain"], "application/json"),
        (["text/csv", "application/octet-stream"], "text/csv"),
    ],
)
def test_bytes_are_not_sent_as_json_where_more_is_offered(
    tmp_path: Path, offered: list[str], chosen: str
) -> None:
    body = body_tool(tmp_path, dict.fromkeys(offered, BINARY)).http.body
    assert body is not None
    assert (body.media_type, body.binary) == (chosen, chosen != "application/json")


def test_files_need_a_multipart_form(tmp_path: Path) -> None:
    with_file = {"type": "object", "properties": {"a": TEXT, "f": BINARY}}
    types = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"]
    tool = body_tool(tmp_path, dict.fromkeys(types, with_file))
    assert tool.http.body is not None
    assert tool.http.body.media_type == "multipart/form-data"
    assert tool.http.body.encoding == {"f": Encoding(binary=True)}
    assert "file://" in argument(tool, "f").description


def test_a_media_type_that_carries_more_is_offered(tmp_path: Path) -> None:
    with_file = {"type": "object", "properties": {"a": TEXT, "f": BINARY}}
    tool = body_tool(tmp_path, {"application/json": PLAIN, "multipart/form-data": with_file})
    body = tool.http.body
    assert body is not None
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


def test_encodings(tmp_path: Path) -> None:
    schema = {
        "type": "object",
        "properties": {
            "photo": {"type": "string", "contentMediaType": "image/png"},
            "many": {"type": "array", "items": BINARY},
            "ids": {"type": "array", "items": TEXT},
            "meta": {"type": "object"},
        },
    }
    encoding = {
        "photo": {"contentType": "image/png, image/jpeg"},
        "ids": {"style": "pipeDelimited", "explode": False, "allowReserved": True},
        "meta": {"contentType": "bad\r\n"},
        "other": {"contentType": "a/b"},
    }
    content = {"multipart/form-data": {"schema": schema, "encoding": encoding}}
    body = body_tool(tmp_path, content).http.body
    assert body is not None
    assert body.encoding == {
        "photo": Encoding(content_type="image/png, image/jpeg", binary=True),
        "many": Encoding(binary=True),
        "ids": Encoding(style="pipeDelimited", explode=False, allow_reserved=True),
    }


def test_a_required_header_of_a_part_is_missed(tmp_path: Path) -> None:
    needed = {"required": True, "schema": TEXT}
    headers = {"X-A": needed, "X-B": {"schema": TEXT}, "Content-Type": needed}
    schema = {"type": "object", "properties": {"a": TEXT}}
    content = {"multipart/form-data": {"schema": schema, "encoding": {"a": {"headers": headers}}}}
    read = read_document(one({"requestBody": {"content": content}}, method="post"), tmp_path)
    (place,) = read.pointers("part-header")
    assert place.endswith("/encoding/a/headers/X-A")


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
    document = one({"requestBody": {"content": content}}, method="post", openapi=version)
    body = read_document(document, tmp_path).tool.http.body
    assert body is not None
    assert body.encoding == {"meta": Encoding("application/json", style)}


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
    assert tool.http.body is not None
    assert (tool.http.body.binary, tool.http.body.media_type) == (True, media_type)
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
    body = {"requestBody": {"required": True, "content": content}}
    read = read_document(one(body, method="post"), tmp_path)
    assert sent(read, {"body": "aGk="}) == ("image/jpeg", b"hi")


@pytest.mark.parametrize(
    ("media_type", "schema", "expected"),
    [
        ("text/plain", TEXT, TEXT),
        ("application/xml", PLAIN, {"type": "string", "contentMediaType": "application/xml"}),
        ("text/csv", PLAIN, {"type": "string", "contentMediaType": "text/csv"}),
        ("application/x-ndjson", TEXT, TEXT),
        ("text/csv", ROWS, {"type": "string", "contentMediaType": "text/csv"}),
        ("text/event-stream", ROWS, ROWS),
        ("text/event-stream", PLAIN, {"type": "string", "contentMediaType": "text/event-stream"}),
        ("text/plain", {"type": "integer"}, {"type": "integer"}),
        ("text/plain", PLAIN, PLAIN),
        ("text/plain; charset=utf-8", ROWS, ROWS),
        (
            "text/plain",
            {"type": ["object", "string"]},
            {"type": "string", "contentMediaType": "text/plain"},
        ),
        (
            "application/stream+json",
            PLAIN,
            {"type": "string", "contentMediaType": "application/stream+json"},
        ),
    ],
)
def test_a_text_body(
    tmp_path: Path, media_type: str, schema: dict[str, Any], expected: dict[str, Any]
) -> None:
    tool = body_tool(tmp_path, {media_type: schema})
    assert tool.input_schema["properties"]["body"] == expected
    assert tool.http.body is not None
    assert not tool.http.body.binary


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
    body = {"required": True, "content": {media_type: {"itemSchema": {"type": "integer"}}}}
    document = one({"requestBody": body}, method="post", openapi="3.2.0")
    read = read_document(document, tmp_path)
    assert read.tool.input_schema["properties"]["body"] == {
        "type": "array",
        "items": {"type": "integer"},
    }
    assert sent(read, {"body": [1, 2]}) == (media_type, expected)


def test_events_of_3_2(tmp_path: Path) -> None:
    """OpenAPI 3.2.0, "Server-Sent Event Streams": each is an object of its fields."""
    event = {
        "type": "object",
        "required": ["data"],
        "properties": {"event": TEXT, "data": TEXT, "id": TEXT, "retry": {"type": "integer"}},
    }
    body = {"required": True, "content": {"text/event-stream": {"itemSchema": event}}}
    document = one({"requestBody": body}, method="post", openapi="3.2.0")
    read = read_document(document, tmp_path)
    data = "This data is formatted\nacross two lines"
    first = {"event": "addString", "data": data, "retry": 5}
    second = {"event": "addJSON", "data": '{"foo": 42}'}
    lines = [
        *("event: addString", "data: This data is formatted", "data: across two lines", "retry: 5"),
        *("", "event: addJSON", 'data: {"foo": 42}', "", ""),
    ]
    expected = ("text/event-stream", "\n".join(lines).encode())
    assert sent(read, {"body": [first, second]}) == expected


def test_an_old_name_of_json_is_json(tmp_path: Path) -> None:
    body = {"required": True, "content": {"application/x-json": {"schema": TEXT}}}
    read = read_document(one({"requestBody": body}, method="post"), tmp_path)
    assert sent(read, {"body": "abcd"}) == ("application/x-json", b'"abcd"')


def test_a_blank_media_type_is_any(tmp_path: Path) -> None:
    body = {"required": True, "content": {"": {"schema": {"type": "array", "items": TEXT}}}}
    read = read_document(one({"requestBody": body}, method="post"), tmp_path)
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


NOWHERE = {"$ref": "#/components/schemas/Nope"}


@pytest.mark.parametrize("media_type", ["application/json", "application/merge-patch+json"])
def test_a_part_of_json_may_be_anything_where_its_schema_dangles(
    tmp_path: Path, media_type: str
) -> None:
    schema = {"type": "object", "properties": {"a": TEXT, "b": NOWHERE}}
    body = {"required": True, "content": {media_type: {"schema": schema}}}
    read = read_document(one({"requestBody": body}, method="post"), tmp_path)
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
    assert read.tool.http.body is not None
    assert (read.tool.http.body.media_type, read.tool.http.body.offered) == ("application/json", ())
    codes = [d.code for d in read.diagnostics.warnings]
    assert sorted(codes) == [*["dangling-reference"] * 3, "media-type", "skipped"]


def test_a_body_without_a_schema_takes_anything(tmp_path: Path) -> None:
    tool = body_tool(tmp_path, {"application/json": {"schema": {}, "example": {"x": 1}}})
    assert tool.input_schema["properties"] == {"body": {}}
    assert tool.sample_arguments == {"body": {"x": 1}}


def test_descriptions_of_bodies_are_kept(tmp_path: Path) -> None:
    body = {
        "required": True,
        "description": "The pet to add.",
        "content": {"application/json": {"schema": PLAIN}},
    }
    spread = read_document(one({"requestBody": body}, method="post"), tmp_path).tool
    assert "Request body: The pet to add." in spread.description
    body["content"] = {"application/json": {"schema": {**PLAIN, "minProperties": 1}}}
    whole = read_document(one({"requestBody": body}, method="post"), tmp_path).tool
    assert whole.input_schema["properties"]["body"]["description"] == "The pet to add."
    assert "The pet to add." not in whole.description


@pytest.mark.parametrize(
    "said",
    [
        "Request body",
        "request payload.",
        "The body of the request",
        "Request for POST https://api.example.com/v1/pets",
    ],
)
def test_a_description_that_says_only_that_there_is_a_body_is_not_told(
    tmp_path: Path, said: str
) -> None:
    content = {"application/json": {"schema": PLAIN}}
    body = {"required": True, "description": said, "content": content}
    tool = read_document(one({"requestBody": body, "summary": "Add"}, method="post"), tmp_path).tool
    assert tool.description == "Add"


def test_a_body_without_words_has_those_of_its_schema(tmp_path: Path) -> None:
    schema = {**PLAIN, "description": "A pet and\nits owner.\n\nMore."}
    tool = body_tool(tmp_path, {"application/json": {"schema": schema}})
    assert "Request body: A pet and its owner." in tool.description
    assert "More." not in tool.description


def test_bytes_beside_a_form_are_explained(tmp_path: Path) -> None:
    form = {"type": "object", "properties": {"a": TEXT}}
    tool = body_tool(tmp_path, {"multipart/form-data": form, "application/pdf": BINARY})
    assert tool.http.body is not None
    assert tool.http.body.offered == ("application/pdf",)
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
            "examples": ["aGk="],
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


@pytest.mark.parametrize("entry", [{"schema": {"type": "array"}}, {"itemSchema": TEXT}])
def test_parts_without_names_stand_in_order(tmp_path: Path, entry: Any) -> None:
    parts = {"multipart/mixed": entry}
    both = {**parts, "application/json": {"schema": {"type": "array"}}}
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


def test_an_encoding_by_name_is_for_no_position(tmp_path: Path) -> None:
    """OpenAPI 3.2.0, "Encoding By Name": what has no property is ignored."""
    encoding = {"999999999": {"contentType": "image/png"}}
    content = {"multipart/mixed": {"itemSchema": TEXT, "encoding": encoding}}
    read = read_document(one({"requestBody": {"content": content}}, method="post"), tmp_path)
    assert read.tool.input_schema["properties"]["body"] == {"type": "array", "items": TEXT}
    assert read.tool.http is not None
    assert read.tool.http.body is not None
    assert read.tool.http.body.encoding == {}


def test_an_encoding_by_position_of_no_bytes_leaves_the_schema_as_it_is(tmp_path: Path) -> None:
    encoding = {"prefixEncoding": [{"contentType": "text/html"}]}
    content = {"multipart/mixed": {"itemSchema": TEXT, **encoding}}
    read = read_document(one({"requestBody": {"content": content}}, method="post"), tmp_path)
    assert read.tool.input_schema["properties"]["body"] == {"type": "array", "items": TEXT}


def test_encodings_that_a_reference_makes_endless(tmp_path: Path) -> None:
    place = "#/paths/~1pets/post/requestBody/content/multipart~1mixed/itemEncoding"
    encoding = {"contentType": "multipart/mixed", "itemEncoding": {"$ref": place}}
    content = {"multipart/mixed": {"itemSchema": {"type": "array"}, "itemEncoding": encoding}}
    read = read_document(one({"requestBody": {"content": content}}, method="post"), tmp_path)
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
    assert tool.http.body is not None
    files = {name for name, each in tool.http.body.encoding.items() if each.binary}
    assert files == ({"*"} if BINARY in (schema, schema.get("items")) else set())


def test_urlencoded_text_is_one_argument(tmp_path: Path) -> None:
    tool = body_tool(tmp_path, {"application/x-www-form-urlencoded": TEXT})
    assert tool.input_schema["properties"]["body"] == TEXT


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
    assert read.tool.http.body is not None
    assert (read.tool.http.body.media_type, read.tool.http.accept) == (name, (name,))
    assert read.codes == ["media-type"] * 2


def test_a_media_type_that_stands_alone_goes_first(tmp_path: Path) -> None:
    both = {"application/json;": TEXT, "application/json": PLAIN}
    tool = body_tool(tmp_path, both)
    assert [argument.name for argument in tool.arguments] == ["a", "b"]
