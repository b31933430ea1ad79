"""Documents of mixed versions: what only another version of OpenAPI has is read as meant there."""

import json
from base64 import b64encode
from typing import Any

from .servers import Server, of_document
from .upstream import Answer

OK = {"200": {"description": "ok"}}


def parameter(place: str, name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "in": place, **more}


def operation(name: str, *parameters: Any, **more: Any) -> dict[str, Any]:
    return {"operationId": name, "parameters": [*parameters], "responses": OK, **more}


new = of_document("mixed-3.0")
old = of_document("mixed-2.0")


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


def test_bodies_and_schemas_of_parameters_in_2_0(old):
    assert json.loads(old.call("body", {"a": "x"}).request.body) == {"a": "x"}
    assert "a" in json.dumps(old.tools["body"].output_schema)
    assert old.arguments("typed")["n"]["type"] == "integer"
    assert old.call("typed", {"tags": ["a", "b"], "n": 1}).request.target == "/typed?tags=a,b&n=1"
    assert old.call("text", {"body": "x"}).request.body == b'"x"'


def told(server: Server, *codes: str) -> list[str]:
    return [each["message"] for each in server.summary["diagnostics"] if each["code"] in codes]


def test_what_another_version_has_is_told(new, old):
    assert {each.partition(" belongs ")[0] for each in told(new, "mixed-versions")} == {
        "`in: body`",
        "`in: formData`",
        "`type`",
        "`schema`",
    }
    assert {each.partition(" belongs ")[0] for each in told(old, "mixed-versions")} == {
        "`requestBody`",
        "`content`",
        "`schema`",
    }
    assert "the operation has a `requestBody`; other bodies beside it are left out" in told(
        new, "body"
    )


def test_bodies_and_forms_among_the_parameters_of_3_x_are_sent(new):
    assert new.tools["body"].input_schema["required"] == ["a"]
    request = new.call("body", {"a": "x"}).request
    assert (request.header("Content-Type"), json.loads(request.body)) == (
        "application/json",
        {"a": "x"},
    )
    file, note = new.call("form", {"file": b64encode(b"\0\1").decode(), "note": "n"}).request.parts
    assert (file.name, file.content) == ("file", b"\0\1")
    assert (note.name, note.content) == ("note", b"n")
    assert new.call("plain", {"tags": ["a", "b"]}).request.form == [("tags", "a,b")]
    assert {"nowhere", "nameless"}.isdisjoint(new.tools)
    assert told(new, "skipped") == [
        "GET /nowhere is left out: it requires `user`, but does not say where that goes",
        "GET /nameless is left out: it requires a parameter without a name",
    ]
    assert new.call("both", {"a": "x"}).request.body == b'{"a":"x"}'
