"""Documents of mixed versions: what only another version of OpenAPI has is read as meant there."""

import json
from base64 import b64encode
from typing import Any

import pytest

from .servers import Server, packaged
from .upstream import Answer, Upstream

TEXT = {"type": "string"}
BYTES = {"type": "string", "format": "binary"}
OK = {"200": {"description": "ok"}}
REFERENCE = {"$ref": "#/definitions/Thing"}
THING = {"type": "object", "required": ["a"], "properties": {"a": TEXT}}
LIST = {"type": "array", "items": TEXT}


def parameter(place: str, name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "in": place, **more}


def operation(name: str, *parameters: Any, **more: Any) -> dict[str, Any]:
    return {"operationId": name, "parameters": [*parameters], "responses": OK, **more}


NEW = {
    "openapi": "3.0.0",
    "info": {"title": "Old ways", "version": "1"},
    "paths": {
        "/body": {"post": operation("body", {"$ref": "#/components/parameters/Thing"})},
        "/form": {
            "post": operation(
                "form",
                parameter(
                    "formData",
                    "file",
                    required=True,
                    type="file",
                    schema={"type": "string", "format": "binary"},
                ),
                parameter("formData", "note", type="string"),
            )
        },
        "/plain": {"post": operation("plain", parameter("formData", "tags", schema=LIST))},
        "/typed/{id}": {
            "get": operation(
                "typed",
                parameter("path", "id", required=True, type="integer"),
                parameter("query", "tags", type="array", items=TEXT, collectionFormat="pipes"),
                parameter("query", "n", type="int"),
                parameter("header", "X-On", type="Boolean"),
                responses={"200": {"description": "ok", "schema": THING}},
            )
        },
        "/both": {
            "post": operation(
                "both",
                parameter("body", "old", schema=TEXT),
                requestBody={"content": {"application/json": {"schema": THING}}},
            )
        },
        "/nowhere": {"get": operation("nowhere", parameter("session", "user", required=True))},
        "/nameless": {"get": operation("nameless", {"in": "query", "required": True})},
    },
    "components": {
        "parameters": {"Thing": parameter("body", "thing", required=True, schema=THING)}
    },
}
OLD = {
    "swagger": "2.0",
    "info": {"title": "New ways", "version": "1"},
    "paths": {
        "/body": {
            "post": operation(
                "body",
                requestBody={"required": True, "content": {"application/json": {"schema": THING}}},
                responses={
                    "200": {
                        "description": "ok",
                        "content": {"application/json": {"schema": REFERENCE}},
                    }
                },
            )
        },
        "/typed": {
            "get": operation(
                "typed",
                parameter("query", "tags", schema=LIST),
                parameter("query", "n", schema={"type": "integer"}),
            )
        },
        "/text": {"post": operation("text", parameter("body", "t", required=True, type="string"))},
    },
    "definitions": {"Thing": THING},
}


@pytest.fixture(scope="module")
def new(upstream: Upstream, tmp_path_factory: pytest.TempPathFactory) -> Server:
    return packaged(NEW, tmp_path_factory.mktemp("old_ways"), upstream)


@pytest.fixture(scope="module")
def old(upstream: Upstream, tmp_path_factory: pytest.TempPathFactory) -> Server:
    return packaged(OLD, tmp_path_factory.mktemp("new_ways"), upstream)


def test_a_body_among_the_parameters_of_3_x_is_sent(new):
    assert new.tools["body"].input_schema["required"] == ["a"]
    request = new.call("body", {"a": "x"}).request
    assert (request.header("Content-Type"), json.loads(request.body)) == (
        "application/json",
        {"a": "x"},
    )


def test_the_fields_of_a_form_among_the_parameters_of_3_x_are_sent(new):
    file, note = new.call("form", {"file": b64encode(b"\0\1").decode(), "note": "n"}).request.parts
    assert (file.name, file.content) == ("file", b"\0\1")
    assert (note.name, note.content) == ("note", b"n")
    assert new.call("plain", {"tags": ["a", "b"]}).request.form == [("tags", "a,b")]


def test_a_type_beside_the_place_of_a_parameter_is_its_schema(new):
    arguments = new.arguments("typed")
    assert [arguments[name]["type"] for name in ("id", "tags", "n", "X-On")] == [
        "integer",
        "array",
        "integer",
        "boolean",
    ]
    call = new.call(
        "typed", {"id": 1, "tags": ["a", "b"], "n": 2, "X-On": True}, Answer(b'{"a":""}')
    )
    assert call.request.target == "/typed/1?tags=a%7Cb&n=2"
    assert call.request.header("X-On") == "true"
    assert call.data == {"a": ""}
    assert "a" in json.dumps(new.tools["typed"].output_schema)
    assert "n" in new.call("typed", {"id": 1, "n": {"x": 1}}).refused


def test_a_request_body_in_2_0_is_sent(old):
    assert json.loads(old.call("body", {"a": "x"}).request.body) == {"a": "x"}
    assert "a" in json.dumps(old.tools["body"].output_schema)


def test_a_schema_of_a_parameter_in_2_0_is_its_own(old):
    assert old.arguments("typed")["n"]["type"] == "integer"
    assert old.call("typed", {"tags": ["a", "b"], "n": 1}).request.target == "/typed?tags=a,b&n=1"
    assert old.call("text", {"body": "x"}).request.body == b'"x"'


def told(server: Server, *codes: str) -> list[str]:
    return [each["message"] for each in server.summary["diagnostics"] if each["code"] in codes]


def test_what_another_version_has_is_told(new, old):
    assert {each.partition(" is ")[0] for each in told(new, "mixed-versions")} == {
        "`in: body`",
        "`in: formData`",
        "`type`",
        "`schema`",
    }
    assert {each.partition(" is ")[0] for each in told(old, "mixed-versions")} == {
        "`requestBody`",
        "`content`",
        "`schema`",
    }
    assert "the operation has a `requestBody`; what stands beside it is left out" in told(
        new, "body"
    )


def test_an_operation_is_left_out_that_lacks_what_it_requires(new):
    assert {"nowhere", "nameless"}.isdisjoint(new.tools)
    assert told(new, "skipped") == [
        "GET /nowhere is left out: it requires `user`, and does not say where that goes",
        "GET /nameless is left out: it requires a parameter without a name",
    ]
    assert new.call("both", {"a": "x"}).request.body == b'{"a":"x"}'
