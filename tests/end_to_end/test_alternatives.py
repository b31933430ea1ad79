"""Values that fit none of several forms: what each of them lacks is named."""

import json
from typing import Any

import pytest
from tables import table

from .servers import Server, openapi, packaged

TEXT, INTEGER = {"type": "string"}, {"type": "integer"}


def part(name: str, schema: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A schema that requires a property and declares it."""
    return {"required": [name], "properties": {name: schema}, **more}


def closed(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    return part(name, schema, type="object", additionalProperties=False)


def tagged(kind: str, name: str, schema: dict[str, Any]) -> dict[str, Any]:
    members = {"kind": {"const": kind}, name: schema}
    return {**closed("kind", {}), "required": ["kind", name], "properties": members}


CONTACT = {"type": "object", "properties": {"email": TEXT, "phone": TEXT}}
BARE = [{"required": ["email"]}, {"required": ["phone"]}]
BODIES: dict[str, dict[str, Any]] = {
    "parts": {**part("id", INTEGER, type="object"), "oneOf": [part("a", TEXT), part("b", TEXT)]},
    "bare": {**CONTACT, "oneOf": BARE},
    "any_bare": {**CONTACT, "anyOf": BARE},
    "whole": {"oneOf": [part("name", TEXT, type="object"), part("code", INTEGER, type="object")]},
    "named": {"oneOf": [{"$ref": "#/components/schemas/A"}, {"$ref": "#/components/schemas/B"}]},
    "listed": {"type": "array", "items": {"anyOf": [closed("x", INTEGER), closed("y", INTEGER)]}},
    "tagged": part("t", {"oneOf": [tagged("num", "n", INTEGER), tagged("str", "s", TEXT)]}),
    "many": {"anyOf": [closed(f"k{number}", TEXT) for number in range(12)]},
    "dependent": {**CONTACT, "dependentRequired": {"email": ["phone"]}},
    "not_both": {**CONTACT, "not": {"required": ["email", "phone"]}},
}


def operation(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    body = {"content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}}
    responses = {"204": {"description": "Done"}}
    return {
        "post": {
            "operationId": name,
            "requestBody": {"required": True, **body},
            "responses": responses,
        }
    }


@pytest.fixture(scope="module")
def either(upstream, tmp_path_factory):
    named = {"A": part("a", INTEGER, type="object"), "B": part("b", TEXT, type="object")}
    paths: dict[str, Any] = {f"/{name}": operation(name, each) for name, each in BODIES.items()}
    shape = {"oneOf": [closed("x", INTEGER), closed("y", INTEGER)]}
    place = {"name": "f", "in": "query", "style": "deepObject", "schema": shape}
    responses = {"204": {"description": "Done"}}
    paths["/query"] = {
        "get": {"operationId": "query", "parameters": [place], "responses": responses}
    }
    document = openapi("Either", paths, components={"schemas": {**BODIES, **named}})
    return packaged(document, tmp_path_factory.mktemp("either"), upstream)


def given(server: Server, tool: str, value: Any) -> dict[str, Any]:
    """The arguments by which a tool takes a body or its query."""
    names = [*server.arguments(tool)]
    return {names[0]: value} if names in (["body"], ["f"]) else dict(value)


@table(
    "tool, value, told",
    ("parts", {"id": 1}, "`body` must have `a` or `b`"),
    ("bare", {}, "must have `email` or `phone`"),
    ("any_bare", {}, "must have `email` or `phone`"),
    ("whole", {}, "`body` must have `name` or `code`"),
    ("named", {}, "`body` must have `a` or `b`"),
    ("listed", [{"x": 1}, {}], "`body[1]` must have `x` or `y`"),
    ("tagged", {"t": {}}, "`t` must have `kind` and `n` or `kind` and `s`"),
    ("query", {}, "`f` must have `x` or `y`"),
    ("many", {}, "`k6` or `k7` or what 4 other forms need"),
)
def test_each_form_says_what_it_lacks(either, tool, value, told):
    assert told in either.call(tool, given(either, tool, value)).refused


@table(
    "tool, value, told",
    ("whole", {"code": "x"}, "`body.code` must be an integer"),
    ("tagged", {"t": {"kind": "num"}}, "`t.n` is required"),
    ("query", {"x": "much"}, "`f.x` must be an integer"),
    ("bare", {"email": "a", "phone": "b"}, "must have only one of `email` or `phone`"),
    ("dependent", {"email": "a"}, "`body.phone` is required with `email`"),
    ("not_both", {"email": "a", "phone": "b"}, "must not"),
)
def test_a_form_that_the_value_comes_near_is_the_one_that_is_told(either, tool, value, told):
    assert told in either.call(tool, given(either, tool, value)).refused


@table(
    "tool, value",
    ("parts", {"id": 1, "b": "x"}),
    ("bare", {"phone": "1"}),
    ("any_bare", {"email": "a", "phone": "1"}),
    ("whole", {"code": 3}),
    ("listed", [{"x": 1}, {"y": 2}]),
    ("tagged", {"t": {"kind": "str", "s": "x"}}),
    ("dependent", {"email": "a", "phone": "1"}),
    ("not_both", {"email": "a"}),
)
def test_what_fits_one_form_is_sent(either, tool, value):
    assert json.loads(either.call(tool, given(either, tool, value)).request.body) == value


def test_an_object_in_a_query_fits_one_form_too(either):
    assert either.call("query", {"f": {"y": 2}}).request.query == [("f[y]", "2")]
