"""Bodies whose `readOnly` properties are required, listed or what tells alternatives apart."""

from __future__ import annotations

from typing import Any

import pytest

from .servers import openapi, packaged

TEXT = {"type": "string"}
ID = {"type": "integer", "readOnly": True}
OK = {"200": {"description": "ok"}}


def thing(required: list[str], closed: bool = False, **properties: Any) -> dict[str, Any]:
    """An object schema."""
    schema = {"type": "object", "required": required, "properties": properties}
    return {**schema, "additionalProperties": False} if closed else schema


LISTED = {**thing([], id=ID, n=TEXT), "enum": [{"id": 1, "n": "a"}, {"id": 2, "n": "b"}]}
SCHEMAS = {
    "ById": thing(["id"], id=ID, x=TEXT),
    "ByName": thing(["name"], name=TEXT),
    "Made": {**thing([], z=TEXT), "readOnly": True},
    "RoA": thing(["kind"], kind={**TEXT, "readOnly": True, "enum": ["RoA"]}, a=TEXT),
    "RoB": thing(["kind"], kind={**TEXT, "readOnly": True, "enum": ["RoB"]}, b=TEXT),
    "Listed": LISTED,
}


def of(*names: str) -> list[dict[str, str]]:
    return [{"$ref": f"#/components/schemas/{name}"} for name in names]


BODIES: dict[str, dict[str, Any]] = {
    "either": {"oneOf": of("ById", "ByName")},
    "told": {"oneOf": of("RoA", "RoB"), "discriminator": {"propertyName": "kind"}},
    "made": thing(["o", "s"], o=of("Made")[0], s=TEXT),
    "all_made": thing(["id"], closed=True, id=ID),
    "rows": {"type": "array", "items": thing(["id", "n"], closed=True, id=ID, n=TEXT)},
    "listed": thing(["p"], p=LISTED),
    "named": thing(["p"], p={"allOf": of("Listed")}),
    "fixed": thing(["p"], p={**thing([], id=ID, n=TEXT), "const": {"id": 1, "n": "a"}}, q=TEXT),
    "casing": thing(["Id", "Name"], closed=True, id=ID, name=TEXT),
    "ghost": thing(["name", "gone"], closed=True, name=TEXT),
}


@pytest.fixture(scope="module")
def read_only(upstream, tmp_path_factory):
    paths: dict[str, Any] = {
        f"/{name}": {
            "post": {
                "operationId": name,
                "requestBody": {"content": {"application/json": {"schema": schema}}},
                "responses": OK,
            }
        }
        for name, schema in BODIES.items()
    }
    query = {"name": "q", "in": "query", "required": True, "schema": {**TEXT, "readOnly": True}}
    paths["/q"] = {"get": {"operationId": "query", "parameters": [query], "responses": OK}}
    document = openapi("Read only", paths, components={"schemas": SCHEMAS})
    document["openapi"] = "3.0.3"
    return packaged(document, tmp_path_factory.mktemp("read_only"), upstream)


@pytest.mark.parametrize(
    ("tool", "value"),
    [
        ("either", {"x": "a"}),
        ("either", {"name": "a"}),
        ("told", {"a": "x"}),
        ("made", {"s": "x"}),
        ("all_made", {}),
        ("rows", [{"n": "x"}]),
        ("listed", {"p": {"n": "a"}}),
        ("named", {"p": {"n": "b"}}),
        ("fixed", {"p": {"n": "a"}, "q": "x"}),
        ("casing", {"name": "x"}),
        ("ghost", {"name": "x"}),
    ],
)
def test_what_only_answers_have_is_not_needed(read_only, tool, value):
    given = {"body": value} if "body" in read_only.arguments(tool) else value
    assert read_only.call(tool, given).request.json == value


@pytest.mark.parametrize(
    ("tool", "given", "told"),
    [
        ("made", {"o": {}, "s": "x"}, "`o` is unknown"),
        ("rows", {"body": [{"id": 1, "n": "x"}]}, "`body[0].id` is unknown"),
        ("listed", {"p": {"n": "c"}}, '{"n": "a"}'),
        ("named", {"p": {"id": 1, "n": "a"}}, '{"n": "a"}'),
        ("casing", {"Name": "x"}, "`Name` is unknown"),
    ],
)
def test_what_only_answers_have_is_refused(read_only, tool, given, told):
    assert told in read_only.call(tool, given).refused


def test_a_parameter_is_sent_whatever_its_schema_says_of_answers(read_only):
    assert read_only.call("query", {"q": "x"}).request.target == "/q?q=x"
