"""Responses: what is a success, what the tool gives back, what it asks for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_reading import one, read_document

from mcpgen.api import Tool
from mcpgen.cases.requests import Requests

PET = {"type": "object", "properties": {"name": {"type": "string"}}}
LIST = {"type": "array", "items": PET}
BINARY = {"type": "string", "format": "binary"}
NOWHERE = "pets_get_200_application_json_items__ref"


def answer(media_type: str, schema: Any = None, description: str = "ok", **rest: Any) -> Any:
    """A Response Object with one media type."""
    entry = {**({} if schema is None else {"schema": schema}), **rest}
    return {"description": description, "content": {media_type: entry}}


def tool_of(tmp_path: Path, responses: dict[str, Any]) -> Tool:
    """The tool of a GET with these responses."""
    return read_document(one({"responses": responses}), tmp_path).tool


@pytest.mark.parametrize(
    ("declared", "statuses"),
    [
        (["200", "404"], ("200",)),
        (["201", "200", "default"], ("200", "201")),
        (["2xx", "202"], ("202", "2XX")),
        (["404", "default"], ("default",)),
        (["302", "400"], ("302",)),
        (["302", "default"], ("default",)),
        (["400"], ("2XX",)),
        ([], ("2XX",)),
    ],
)
def test_statuses(tmp_path: Path, declared: list[str], statuses: tuple[str, ...]) -> None:
    responses = {status: {"description": "x"} for status in declared}
    assert tool_of(tmp_path, responses).http.statuses == statuses


@pytest.mark.parametrize(
    ("declared", "accept"),
    [
        (["application/json;charset=UTF-8"], ("application/json",)),
        (["application/json", "application/json; charset=utf-8"], ("application/json",)),
        (['text/csv; header=present; Charset="utf-8"'], ("text/csv; header=present",)),
        (["application/json; stream=watch"], ("application/json; stream=watch",)),
    ],
)
def test_no_charset_is_asked_for(
    tmp_path: Path, declared: list[str], accept: tuple[str, ...]
) -> None:
    """Frameworks that compare parameters would answer 406."""
    content = {name: {"schema": {}} for name in declared}
    tool = tool_of(tmp_path, {"200": {"description": "ok", "content": content}})
    assert (tool.http.accept, tool.http.declared) == (accept, ())


@pytest.mark.parametrize("place", ["#/x-shared", "#/nowhere"])
def test_responses_elsewhere_with_others_beside_their_reference(tmp_path: Path, place: str) -> None:
    shared = {"200": answer("application/json", PET), "404": {"description": "none"}}
    own = {"202": answer("application/json", LIST)}
    document = one({"responses": {"$ref": place, **own}}, **{"x-shared": shared})
    read = read_document(document, tmp_path)
    if place == "#/nowhere":
        assert read.tool.http.statuses == ("202",)
        assert "dangling-reference" in read.codes
    else:
        assert read.tool.http.statuses == ("200", "202")
        assert read.tool.result == {"anyOf": [PET, LIST]}


@pytest.mark.parametrize(
    ("description", "result"),
    [
        ("Unexpected error", True),
        ("An error occurred.", True),
        ("Success or error", PET),
        ("The errand", PET),
    ],
)
@pytest.mark.parametrize("version", ["2.0", "3.1"])
def test_a_default_of_errors_says_nothing_of_a_success(
    tmp_path: Path, version: str, description: str, result: Any
) -> None:
    default = answer("application/json", PET, description)
    document = one({"responses": {"default": default}})
    if version == "2.0":
        document = one({"responses": {"default": {"description": description, "schema": PET}}})
        document = {"swagger": "2.0", "produces": ["application/json"], **document}
    tool = read_document(document, tmp_path).tool
    assert (tool.result, tool.http.accept) == (result, ("application/json",))
    assert (description in tool.description) == (result == PET)


@pytest.mark.parametrize(
    ("media_type", "schema", "result", "result_type"),
    [
        ("application/json", PET, PET, "application/json"),
        ("application/hal+json; a=b", PET, PET, "application/hal+json; a=b"),
        ("application/json", None, True, "application/json"),
        ("*/*", PET, PET, "application/json"),
        ("*/*", BINARY, None, "application/octet-stream"),
        ("*/*", {"type": "string"}, None, "text/plain"),
        ("*/*", None, None, "*/*"),
        ("text/csv", {"type": "string"}, None, "text/csv"),
        ("application/stream+json", PET, None, "application/stream+json"),
        ("image/png", BINARY, None, "image/png"),
        ("application/xml", PET, None, "application/xml"),
    ],
)
def test_the_result(
    tmp_path: Path, media_type: str, schema: Any, result: Any, result_type: str
) -> None:
    tool = tool_of(tmp_path, {"200": answer(media_type, schema)})
    assert (tool.result, tool.result_media_type) == (result, result_type)
    assert tool.http.accept == (media_type,)
    assert (tool.output_schema is None) == (result in (None, True))


def test_json_is_asked_for_where_there_is_json(tmp_path: Path) -> None:
    content = {"text/csv": {}, "application/problem+json": {}, "application/json": {"schema": PET}}
    tool = tool_of(tmp_path, {"200": {"description": "", "content": content}})
    assert tool.http.accept == ("application/json",)
    assert tool.http.declared == ("text/csv",)


@pytest.mark.parametrize(
    ("schema", "accept"),
    [
        (BINARY, ("image/png",)),
        ({"$ref": "#/components/schemas/Photo"}, ("image/png",)),
        (PET, ("application/json",)),
        (None, ("application/json",)),
    ],
)
def test_bytes_are_asked_for_where_json_would_have_to_hold_them(
    tmp_path: Path, schema: Any, accept: tuple[str, ...]
) -> None:
    content = answer("application/json", schema)["content"] | {"image/png": {"schema": BINARY}}
    operation = {"responses": {"200": {"description": "", "content": content}}}
    document = one(operation, components={"schemas": {"Photo": BINARY}})
    assert read_document(document, tmp_path).tool.call.accept == accept


@pytest.mark.parametrize(
    "beside", [{}, {"text/csv": {}}, {"application/hal+json": {"schema": BINARY}}]
)
def test_bytes_of_which_only_json_is_said_may_be_of_any_type(
    tmp_path: Path, beside: dict[str, Any]
) -> None:
    """So converters from OpenAPI 2.0 and frameworks write a file to download."""
    content = {"application/json": {"schema": BINARY}, **beside}
    tool = tool_of(tmp_path, {"200": {"description": "", "content": content}})
    assert tool.call.accept == ("*/*",)
    assert (tool.result, tool.output_schema) == (None, None)
    assert tool.result_media_type == "application/octet-stream"


@pytest.mark.parametrize("other", ["text/csv", "application/pdf"])
def test_all_is_asked_for_where_there_is_no_json(tmp_path: Path, other: str) -> None:
    content = {other: {}, "image/png": {"schema": BINARY}}
    tool = tool_of(tmp_path, {"200": {"description": "", "content": content}})
    assert {*tool.call.accept} == {other, "image/png"}


def test_each_type_of_json_may_come(tmp_path: Path) -> None:
    content = {"application/hal+json": {"schema": PET}, "application/vnd.b+json": {"schema": LIST}}
    tool = tool_of(tmp_path, {"200": {"description": "", "content": content}})
    assert tool.result == {"anyOf": [PET, LIST]}
    assert tool.http.accept == tuple(content)


def test_several_success_answers(tmp_path: Path) -> None:
    other = {"type": "object", "properties": {"job": {"type": "string"}}}
    responses = {
        "200": answer("application/json", PET),
        "201": answer("application/json", PET),
        "202": answer("application/json", other),
        "203": answer("text/plain"),
        "204": {"description": "nothing"},
    }
    tool = tool_of(tmp_path, responses)
    assert tool.result == {"anyOf": [PET, other]}
    assert tool.http.accept == ("application/json", "text/plain")
    assert tool.http.declared == ()
    assert tool.http.statuses == ("200", "201", "202", "203", "204")


def test_no_content(tmp_path: Path) -> None:
    tool = tool_of(tmp_path, {"204": {"description": "Gone for good."}})
    assert (tool.result, tool.result_media_type, tool.http.accept) == (None, None, ("*/*",))
    assert "Returns: Gone for good." in tool.description


def test_several_success_answers_are_told_by_their_status(tmp_path: Path) -> None:
    """An agent that was told of one of them only would take each for that one."""

    def told(**responses: str) -> str:
        declared = {
            f"{status[1:]}": answer("application/json", PET, text)
            for status, text in responses.items()
        }
        return tool_of(tmp_path, declared).description.removeprefix("Reads /pets.").strip()

    late = "Not ready yet: ask again later."
    assert told(_200="Success", _202=late) == f"Status 202: {late}"
    assert told(_200="A duplicate", _201="The new pet.") == (
        "Status 200: A duplicate\n\nStatus 201: The new pet."
    )
    assert told(_200="Returns a pet", _202=late) == (
        f"Status 200: Returns a pet\n\nStatus 202: {late}"
    )
    assert told(_200="The pet", _201="The pet", _202=late) == (
        f"Status 200, 201: The pet\n\nStatus 202: {late}"
    )
    assert told(_200="The pet", _201="The pet") == "Returns: The pet"
    assert told(_200="Playing now", _204="Nothing plays") == (
        "Status 200: Playing now\n\nStatus 204: Nothing plays"
    )
    assert told(_200="OK", _201="Created", _202="Accepted") == ""


def test_several_answers_of_bytes_are_told_with_their_type(tmp_path: Path) -> None:
    responses = {
        "200": answer("image/png", description="The picture"),
        "202": {"description": "Wait"},
    }
    assert tool_of(tmp_path, responses).description == (
        "Reads /pets.\n\nReturns: image/png\n\nStatus 200: The picture\n\nStatus 202: Wait"
    )


def test_examples(tmp_path: Path) -> None:
    shown = answer("application/json", PET, example={"name": "a"}, examples={})
    several = answer(
        "application/json",
        PET,
        examples={
            "x": {"value": {"name": "b"}},
            "y": {"$ref": "#/none"},
            "z": {"externalValue": "z"},
        },
    )
    tool = tool_of(tmp_path, {"200": shown, "201": several})
    assert [(e.status, e.value) for e in tool.examples] == [
        (200, {"name": "a"}),
        (201, {"name": "b"}),
    ]
    image = tool_of(tmp_path, {"200": answer("image/png", BINARY, example={"not": "bytes"})})
    assert image.examples == ()


def test_examples_of_text_are_shown_as_they_are_sent(tmp_path: Path) -> None:
    """OpenAPI 3.2.0, Example Object."""
    shown = {"e": {"dataValue": {"a": "b"}, "serializedValue": "<a>b</a>"}}
    content = {"application/xml": {"schema": {"type": "object"}, "examples": shown}}
    operation = {"requestBody": {"content": content}, "responses": {"200": {"content": content}}}
    document = one(operation, method="post", openapi="3.2.0")
    tool = read_document(document, tmp_path).tool
    assert tool.sample_arguments == {"body": "<a>b</a>"}
    assert [example.value for example in tool.examples] == ["<a>b</a>"]
    assert read_document(one({"responses": {"200": {"content": {"text/csv": 5}}}}), tmp_path).tool


def test_write_only_properties_are_not_in_the_output_schema(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}, "pw": {"writeOnly": True}}}
    tool = tool_of(tmp_path, {"200": answer("application/json", schema)})
    assert tool.output_schema is not None
    assert "pw" not in tool.output_schema["anyOf"][0]["properties"]


@pytest.mark.parametrize("mode", ["open", "strict", "none"])
def test_the_mode_of_the_output_schema(tmp_path: Path, mode: str) -> None:
    document = one({"responses": {"200": answer("application/json", PET)}})
    schema = read_document(document, tmp_path, output_schema=mode).tool.output_schema
    assert (schema is None) == (mode == "none")
    assert (schema is not None and "anyOf" in schema) == (mode == "open")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("OK", False),
        ("successful operation", False),
        ("A successful response.", False),
        ("200 OK", False),
        ("The pet.", True),
        ("default", False),
        ("no error", False),
        ("Success, no content", False),
        ("Typical success response", False),
        ("Document created, URL follows.", False),
        ("OK - the request has succeeded.", False),
        (
            "Created - the request has been fulfilled and has resulted in one or more new "
            "resources being created.",
            False,
        ),
        ("200 response for op", False),
        ("Response from the GET /pets endpoint.", False),
        ("The operation was accepted by the owner", True),
        ("OK. (https://tools.ietf.org/html/rfc7231#section-6.3.1)", False),
        ("Successful case", False),
        ("Deleted", False),
        ("n/a", False),
        ("XXX", False),
        ("Returned if the request is successful.", False),
        ("Retrieved entities", False),
        ("If a pet was found", True),
        ("successful creation", False),
        ("Resource updated", False),
        ("The resource and its owner", True),
        (" " * 100_000 + "x", True),
    ],
)
def test_descriptions_that_say_nothing(tmp_path: Path, text: str, kept: bool) -> None:
    tool = tool_of(tmp_path, {"200": answer("application/json", PET, description=text)})
    assert ("Returns" in tool.description) == kept


@pytest.mark.parametrize(("method", "status"), [("head", "200"), ("get", "204")])
def test_answers_that_never_have_content(tmp_path: Path, method: str, status: str) -> None:
    document = one({"responses": {status: answer("application/json", PET)}}, method=method)
    tool = read_document(document, tmp_path).tool
    assert (tool.result, tool.result_media_type, tool.output_schema) == (None, None, None)


@pytest.mark.parametrize(
    ("response", "result"),
    [
        ({"$ref": "#/components/responses/Nope"}, None),
        ({"description": "ok", "content": {"application/json": {"$ref": "#/nope"}}}, True),
        (
            answer("application/json", {"type": "array", "items": {"$ref": "#/nope"}}),
            {"type": "array", "items": {"$ref": f"#/$defs/{NOWHERE}"}},
        ),
    ],
)
def test_an_answer_may_be_anything_where_its_description_dangles(
    tmp_path: Path, response: Any, result: Any
) -> None:
    read = read_document({**one({"responses": {"200": response}}), "openapi": "3.2.0"}, tmp_path)
    assert read.api.skipped == ()
    assert read.tool.http.statuses == ("200",)
    assert read.tool.result == result
    assert all(schema == {} for schema in read.api.schemas.values())
    assert [d.code for d in read.diagnostics.warnings] == ["dangling-reference"]


def test_a_swagger_answer_may_be_anything_where_its_schema_dangles(tmp_path: Path) -> None:
    response = {"description": "ok", "schema": {"$ref": "#/definitions/Nope"}}
    document = {
        "swagger": "2.0",
        "info": {"title": "t", "version": "1"},
        "host": "api.example.com",
        "paths": {"/x": {"get": {"responses": {"200": response}}}},
    }
    read = read_document(document, tmp_path)
    assert (read.tool.http.path, read.api.skipped) == ("/x", ())


BYTES = {"schema": {"type": "string", "format": "binary"}}
FILE = {"schema": {"type": "object", "format": "file"}}
PROBLEM = {"application/problem+json": {"schema": {"type": "object"}}}


@pytest.mark.parametrize(
    ("content", "asked"),
    [
        (
            {"application/zip": BYTES, "application/json": {}},
            "application/json, application/zip;q=0.5",
        ),
        ({"application/pdf": BYTES, **PROBLEM}, "application/pdf, application/json;q=0.1"),
        ({"text/csv": {}, **PROBLEM}, "text/csv, application/json;q=0.1"),
        ({"application/xml": {}, **PROBLEM}, "application/xml, application/json;q=0.1"),
        (PROBLEM, "application/problem+json"),
        ({"application/*+json": {"schema": {"type": "object"}}}, "application/json"),
        ({"application/hal+json": {}}, "application/hal+json"),
        ({"image/*": {}}, "image/*, application/json;q=0.1"),
        ({"application/zip": FILE}, "application/zip, application/json;q=0.1"),
    ],
)
def test_every_success_that_is_declared_is_asked_for(
    tmp_path: Path, content: dict[str, Any], asked: str
) -> None:
    answer = {"200": {"description": "", "content": content}}
    read = read_document(one({"responses": answer}), tmp_path)
    assert Requests(read.api, {}).expected(read.tool, {})["headers"]["accept"] == asked
