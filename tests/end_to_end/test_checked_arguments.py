"""What of an argument the server checks before it is sent, and what it leaves to the API."""

import json
from typing import Any

import generated_tests
import pytest
from tables import table

from .servers import openapi, packaged
from .upstream import Answer

NUMBER, INTEGER, TEXT = {"type": "number"}, {"type": "integer"}, {"type": "string"}
PLACE = {"type": "object", "properties": {"quay": TEXT}, "required": ["quay"]}
AMOUNT = {"oneOf": [NUMBER, INTEGER]}
BY_ID = {"type": "object", "properties": {"id": INTEGER}, "required": ["id"]}
BY_NAME = {"type": "object", "properties": {"name": TEXT}, "required": ["name"]}
BODY = {
    "type": "object",
    "properties": {
        "weight": AMOUNT,
        "to": {"oneOf": [PLACE, {**PLACE, "description": "Where it waits"}]},
        "ship": {"oneOf": [BY_ID, BY_NAME]},
        "value": {"description": "Anything at all."},
    },
}
HURRY = {"name": "hurry", "in": "query", "schema": {"type": "boolean"}}
SINCE = {"name": "X-Since", "in": "header", "schema": {"type": "string", "format": "date"}}
SEAL = {"allOf": [{"$ref": "#/components/schemas/Base"}, BY_NAME]}


def post(name: str, schema: dict[str, Any], required: bool = True, **more: Any) -> dict[str, Any]:
    """A POST of that body."""
    body = {"content": {"application/json": {"schema": schema}}, "required": required}
    responses = {"204": {"description": "Done"}}
    return {"post": {"operationId": name, "requestBody": body, "responses": responses, **more}}


@pytest.fixture(scope="module")
def freight(upstream, tmp_path_factory):
    parameters = [{"name": "crates", "in": "query", "schema": AMOUNT}, HURRY, SINCE]
    load = post("load", BODY, required=False, parameters=parameters)
    components = {"schemas": {"Base": {**BY_ID, "additionalProperties": False}}}
    paths = {"/loads": load, "/seals": post("seal", SEAL)}
    document = openapi("Freight", paths, components=components)
    folder = tmp_path_factory.mktemp("freight")
    return packaged(document, folder, upstream, "--closed-objects", "whole")


@table("body", {"weight": 3}, {"weight": 2.5}, {"to": {"quay": "north"}}, {"ship": {"name": "Ida"}})
def test_what_fits_forms_that_are_the_same_to_a_caller_is_sent(freight, body):
    request = freight.call("load", {"crates": 4, **body}).request
    assert request.target == "/loads?crates=4"
    assert json.loads(request.body) == body


def test_members_that_nobody_declares_are_sent_and_told(freight):
    """At the top they are refused; inside, a schema that says nothing of them takes them."""
    body = {"to": {"quay": "north", "quai": 1}, "ship": {"id": 1, "nam": 2}, "value": {"a": 1}}
    call = freight.call("load", body)
    assert json.loads(call.request.body) == body
    assert call.texts[-1] == (
        "Not declared, and passed on as given: `to.quai`, `ship.nam` (did you mean `name`?)."
    )
    assert "Not declared" not in freight.call("load", {"to": {"quay": "north"}}).text
    gone = freight.call("load", body, Answer(status=400, body=b"{}"))
    assert "`to.quai`" in gone.failed
    assert "`quai` is unknown" in freight.call("load", {"quai": 1}).refused


def test_examples_and_required_members_that_nothing_declares(upstream, tmp_path):
    """Figma's webhooks require a `team_id` without a schema; Xero's examples have more members."""
    hook = {"type": "object", "required": ["team"], "properties": {"url": {"type": "string"}}}
    item = {"type": "object", "properties": {"name": {"type": "string"}}}
    items = {"type": "array", "items": item}
    body = {"type": "object", "properties": {"hook": hook, "items": items}}
    media = {"schema": body, "example": {"hook": {"team": "x"}, "items": [{"name": "a", "odd": 1}]}}
    operation = {
        "operationId": "hang",
        "requestBody": {"required": True, "content": {"application/json": media}},
        "responses": {"204": {"description": "Done."}},
    }
    document = openapi("Hooks", {"/hooks": {"post": operation}})
    server = packaged(document, tmp_path, upstream, "--package", "hooks_examples")
    assert "Not declared" not in server.call("hang", {"hook": {"team": "x"}}).text
    assert "`items[0].odd`" in server.call("hang", {"items": [{"odd": 1}]}).text
    done = generated_tests.run(server.folder)
    assert done.returncode == 0, done.stdout


def test_what_is_cut_from_a_long_schema_is_left_to_the_api(upstream, tmp_path):
    crane = {"type": "object", "properties": {"reach": BODY}}
    part = {"type": "object", "properties": {"crane": crane}, "required": ["crane"]}
    document = openapi("Cranes", {"/cranes": post("build", part)})
    cranes = packaged(document, tmp_path, upstream, "--input-schema-bytes", "200")
    schema = cranes.tools["build"].input_schema
    assert len(json.dumps(schema, separators=(",", ":"))) <= 200
    assert schema["properties"]["crane"]["properties"] == {"reach": {"type": "object"}}
    deep = {"crane": {"reach": {"weight": "much"}}}
    assert json.loads(cranes.call("build", deep).request.body) == deep
    flat = {"crane": {"reach": 7}}
    assert "`crane.reach` must be an object" in cranes.call("build", flat).refused
    assert "`crane` is required" in cranes.call("build", {}).refused


def test_what_is_taken_and_told(freight):
    refused = freight.call("load", {"ship": {"id": 1, "name": "Ida"}}).refused
    assert "`ship` fits several forms" in refused
    members = freight.tools["load"].input_schema["properties"]
    assert "oneOf" in members["weight"]
    assert "anyOf" in members["to"]  # no value fits just one of the two
    # A closed base that another object extends: by the letter, no call could be made.
    body = {"id": 7, "name": "Ida"}
    assert json.loads(freight.call("seal", {"body": body}).request.body) == body
    assert "colour" in freight.call("seal", {"body": {**body, "colour": "red"}}).refused
    given = {"crates": "2047948614742839297", "hurry": "true", "ship": {"id": "7"}}
    request = freight.call("load", given).request
    assert request.target == "/loads?crates=2047948614742839297&hurry=true"
    assert json.loads(request.body) == {"ship": {"id": 7}}
    given = {"crates": None, "hurry": "", "X-Since": "", "weight": 1}
    request = freight.call("load", given).request
    assert request.target == "/loads"
    assert "x-since" not in request.headers
    assert "`weight` must be" in freight.call("load", {"weight": None}).refused
    schema = freight.arguments("load")["value"]
    assert sorted(schema["type"]) == ["array", "boolean", "null", "number", "object", "string"]
    assert schema["items"] == {}
    for value in ({"a": 1}, [1], None, 2.5, False, "10"):
        assert json.loads(freight.call("load", {"value": value}).request.body) == {"value": value}
