"""What breaks the specification is a located warning, within bounds."""

from typing import Any, NamedTuple

import pytest
from openapi_reading import OK, one, read_document
from tables import table

from mcpgen.readers import validate
from mcpgen.text.pointer import join


class Told(NamedTuple):
    """A violation in words."""

    path: list[str | int]
    message: str
    hint: str


def findings(document: Any, version: str) -> list[Told]:
    """What is said of a document, place by place."""
    found = validate.findings(document, version)
    return [Told(list(each.path), *validate.in_words(each, version)) for each in found]


def whole(version: str, paths: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A document of a version."""
    key = "swagger" if version == "2.0" else "openapi"
    return {key: version, "info": {"title": "T", "version": "1"}, "paths": paths, **more}


@table(
    "parameter, name, message",
    ({"in": "path", "required": False}, "required", "`required` must be `true`"),
    (
        {"in": "cookie", "schema": {"type": "x"}},
        "in",
        "`in` must be one of body, header, formData, query, path",
    ),
)
def test_the_place_of_a_2_0_parameter_tells_what_it_is_meant_as(parameter, name, message):
    operation = {"parameters": [{"name": "p", "type": "string", **parameter}], "responses": OK}
    document = whole("2.0", {"/a/{p}": {"get": operation}})
    [found] = findings(document, "2.0")
    assert (found.path[-1], found.message) == (name, message)


@table(
    "version, kinds",
    ("2.0", ["basic", "apiKey", "oauth2"]),
    ("3.0", ["apiKey", "http", "oauth2", "openIdConnect"]),
    ("3.1", ["apiKey", "http", "mutualTLS", "oauth2", "openIdConnect"]),
)
def test_constants_of_all_alternatives_are_named(version, kinds):
    schemes = {"a": {"type": "HTTP"}}
    document = {"info": {"title": "T", "version": "1"}, "paths": {}}
    if version == "2.0":
        document |= {"swagger": version, "securityDefinitions": schemes}
    else:
        document |= {"openapi": f"{version}.0", "components": {"securitySchemes": schemes}}
    [found] = [each for each in findings(document, version) if each.path[-1] == "type"]
    assert found.message == f"`type` must be one of {', '.join(kinds)}"


@table(
    "schema, pointer, message",
    ({"oneOf": [{"type": "string"}, {"type": "null"}]}, "/oneOf/1/type", "`type` must be one of"),
    ({"$ref": 5}, "/$ref", "`$ref` must be a string, found a number"),
    ({"type": "string", "examples": ["a"]}, "/examples", "OpenAPI 3.0 has no `examples` here"),
)
def test_a_3_0_schema_is_no_reference_unless_it_has_one(schema, pointer, message):
    document = whole("3.0.3", {}, components={"schemas": {"S": schema}})
    [found] = findings(document, "3.0")
    assert join("", *found.path) == f"/components/schemas/S{pointer}"
    assert found.message.startswith(message)


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0", "3.2.0"])
def test_fields_of_a_path_item_may_stand_beside_its_reference(version):
    item: dict[str, Any] = {"$ref": "a.yaml", "summary": "A", "get": {"responses": OK}, "x-mcp": {}}
    document = whole(version, {"/a": item})
    assert findings(document, version[:3]) == []
    item["pots"] = {}
    assert [each.path for each in findings(document, version[:3])] == [["paths", "/a", "pots"]]


@pytest.mark.parametrize("version", ["2.0", "3.0.3", "3.1.0", "3.2.0"])
def test_what_an_operation_refers_to_lacks_nothing_here(version):
    paths = {"/a": {"get": {"$ref": "a.yaml"}}}
    document = whole(version, paths)
    assert [each.path[-1] for each in findings(document, version[:3])] == ["$ref"]


def test_fields_beside_a_reference_are_told_to_be_ignored():
    parameter = {"$ref": "#/components/parameters/P", "description": "P", "name": "p"}
    paths = {"/a": {"get": {"parameters": [parameter], "responses": OK}}}
    document = whole("3.1.0", paths)
    [found] = findings(document, "3.1")
    assert (found.path[-1], found.hint) == ("name", "Beside `$ref` it is ignored.")


@pytest.mark.parametrize("version", ["2.0", "3.0.3", "3.1.0", "3.2.0"])
@table(
    "change, pointer, meant",
    ({"operationid": "x"}, "/operationid", "operationId"),
    ({"parameters": [{"Name": "p"}]}, "/parameters/0/Name", "name"),
    ({"responses": {"200": {"headres": {}}}}, "/responses/200/headres", "headers"),
    ({"responses": {"OK": {"description": ""}}}, "/responses/OK", ""),
)
def test_a_member_that_is_not_expected_is_told_at_its_place_with_what_was_meant(
    version, change, pointer, meant
):
    item = {"get": {"responses": OK, **change}, "pots": {}}
    document = whole(version, {"/a": item})
    found = {join("", *each.path): each for each in findings(document, version[:3])}
    told = found[f"/paths/~1a/get{pointer}"]
    assert told.message == f"OpenAPI {version[:3]} has no `{pointer.rpartition('/')[2]}` here"
    assert told.hint == (f"Did you mean `{meant}`?" if meant else "")
    assert found["/paths/~1a/pots"].hint == "Did you mean `post`?"


@pytest.mark.parametrize("version", ["3.0", "3.1", "3.2"])
@table(
    "change, key, hint",
    ({"required": "false"}, "required", "Write true or false, without quotes."),
    ({"required": "no"}, "required", "Write `false`: in YAML 1.2 `no` is text."),
    ({"description": 1.5}, "description", "Write it in quotes."),
    ({"in": "Query"}, "in", "Did you mean `query`?"),
    ({"in": "elsewhere"}, "in", ""),
    ({"deprecated": 5}, "deprecated", ""),
)
def test_a_value_that_is_nearly_right_is_told_with_how_to_write_it(version, change, key, hint):
    parameter = {"name": "p", "in": "query", "schema": {}, **change}
    item = {"get": {"parameters": [parameter], "responses": OK}}
    document = whole(f"{version}.0", {"/a": item})
    hints = {each.path[-1]: each.hint for each in findings(document, version)}
    assert hints[key] == hint


@pytest.mark.parametrize("name", ["200", "0200", "+5", "-1", "00", "18446744073709551616"])
def test_a_name_of_digits_is_found_as_it_is_written(name):
    properties = {name: {"maxLength": "5"}}
    document = whole("3.0.3", {}, components={"schemas": {"S": {"properties": properties}}})
    below = ["components", "schemas", "S", "properties", name]
    [found] = findings(document, "3.0")
    assert found.path == [*below, "maxLength"]
    properties[name] = {"maxlength": "5"}
    [found] = findings(document, "3.0")
    assert found.path == [*below, "maxlength"]


def test_what_is_wrong_below_an_empty_name_is_found():
    document = whole(
        "3.0.3", {}, components={"schemas": {"S": {"properties": {"": {"maxLength": "5"}}}}}
    )
    [found] = findings(document, "3.0")
    assert found.path == ["components", "schemas", "S", "properties", "", "maxLength"]


def test_a_keyword_of_schemas_belongs_into_the_schema():
    item = {"get": {"parameters": [{"name": "p", "in": "query", "type": "string"}]}}
    document = whole("3.1.0", {"/a": item})
    hints = {each.path[-1]: each.hint for each in findings(document, "3.1")}
    assert hints["type"] == "It is a keyword of schemas: write it in `schema`."


@table(
    "parameter, told",
    ({"in": "header", "allowEmptyValue": True}, {"allowEmptyValue": "has no"}),
    ({"in": "query", "style": "label", "odd": 1}, {"style": "must be one of", "odd": "has no"}),
)
def test_members_that_would_be_expected_were_another_right_are_not_told(parameter, told):
    item = {"get": {"parameters": [{"name": "p", "schema": {"type": "string"}, **parameter}]}}
    document = whole("3.1.0", {"/a": item})
    found = {each.path[-1]: each.message for each in findings(document, "3.1")}
    assert found.keys() == told.keys()
    assert all(told[member] in message for member, message in found.items())


def test_a_large_document_is_checked_to_its_end(tmp_path):
    paths = {f"/p{i}": {"get": {"responses": OK}} for i in range(500)}
    paths["/p499"]["get"]["summary"] = 5
    assert read_document({"paths": paths}, tmp_path).pointers("specification") == [
        "/paths/~1p499/get/summary"
    ]


def test_many_findings_are_listed_in_part(tmp_path):
    paths = {f"/p{i}": {"get": {"responses": OK, "summary": 5}} for i in range(2001)}
    read = read_document({"paths": paths}, tmp_path)
    assert len(read.pointers("specification")) == 51
    assert "the rest is not listed" in read.diagnostics.notes[-1].message


def test_a_deep_document_does_no_harm(tmp_path):
    deep: dict[str, Any] = {"type": "object"}
    for _ in range(100):
        deep = {"type": "object", "properties": {"a": deep}}
    body = {"content": {"application/json": {"schema": deep}}}
    assert read_document(one({"requestBody": body}, method="post"), tmp_path).codes == []


def test_what_is_as_deep_as_a_text_may_be_hides_nothing(tmp_path):
    deep: Any = 5
    for _ in range(251):
        deep = [deep]
    document = one({}, components={"schemas": {"Deep": {"default": deep}}}, tags=[5])
    assert read_document(document, tmp_path).pointers("specification") == ["/tags/0"]
