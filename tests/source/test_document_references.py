"""References that are refused, loop or are none."""

import json
import re
from typing import Any

import pytest
from documents import at, errors, load_value, schemas
from openapi_reading import one, read_document
from tables import table

from mcpgen.diagnostics import Diagnostics, GenerationError, render
from mcpgen.source.document import ReferenceProblem


def test_loops_are_reported_once_with_their_chain(tmp_path):
    value = schemas(
        A={"$ref": "#/components/schemas/A"},
        B={"$ref": "#/components/schemas/C"},
        C={"$ref": "#/components/schemas/B", "description": "no content"},
        D={"$ref": "#/components/schemas/B"},
        E={"properties": {"e": {"$ref": "#/components/schemas/E"}}},
        F={"allOf": [{"$ref": "#/components/schemas/F"}]},
    )
    found = Diagnostics()
    load_value(tmp_path, value, found)
    messages = [item.message.partition("; what uses them is left out")[0] for item in found.items]
    assert [message.partition(": ")[2] for message in messages] == [
        "#/components/schemas/A -> #/components/schemas/A",
        "#/components/schemas/B -> #/components/schemas/C -> #/components/schemas/B",
    ]
    assert {item.code for item in found.warnings} == {"reference-loop"}
    assert "api.json:1:" in render(found.items[0])


def test_a_long_loop(tmp_path):
    count = 1500
    value = schemas(
        **{f"S{i}": {"$ref": f"#/components/schemas/S{(i + 1) % count}"} for i in range(count)}
    )
    found = Diagnostics()
    load_value(tmp_path, value, found)
    [loop] = found.warnings
    assert "more ..." in loop.message
    assert len(loop.message) < 1000


def test_loops_across_files(tmp_path):
    (tmp_path / "b.yaml").write_text("$ref: c.yaml#/x\n", encoding="utf-8")
    (tmp_path / "c.yaml").write_text("x: {$ref: b.yaml}\n", encoding="utf-8")
    found = Diagnostics()
    load_value(tmp_path, schemas(A={"$ref": "b.yaml"}), found)
    [loop] = found.warnings
    assert re.search(r"b\.yaml# -> .*c\.yaml#/x -> .*b\.yaml#;", loop.message)


@pytest.mark.parametrize(("text", "is_whole"), [({"type": "string"}, True), ({"": {}}, False)])
def test_a_lone_slash_behind_a_file_names_all_of_it(tmp_path, text, is_whole):
    """Strictly it is the member with the empty name, which no file of a document has."""
    (tmp_path / "a.json").write_text(json.dumps(text))
    document = load_value(tmp_path, schemas(A={"$ref": "a.json#/"}))
    found = at(document, "/components/schemas/A").target()
    assert (found.value == text) is is_whole


def test_a_place_that_only_the_first_file_has(tmp_path):
    """Some tools paste the files of a document into one, and only then read such references."""
    texts = {
        "a.json": {"properties": {"b": {"$ref": "#/components/schemas/B"}}},
        "own.json": {"$ref": "#/components/schemas/B", "components": {"schemas": {"B": {}}}},
        "lost.json": {"$ref": "#/components/schemas/b"},
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(json.dumps(text))
    references = {name[0].upper(): {"$ref": name} for name in ("a.json", "own.json", "lost.json")}
    found = Diagnostics()
    document = load_value(tmp_path, schemas(**references, B={"type": "string"}), found)
    assert [item.code for item in found.items] == ["reference-to-first-file"]
    assert found.items[0].pointer == "/properties/b/$ref"
    a, own, lost = (at(document, f"/components/schemas/{key}").target() for key in "AOL")
    assert a["properties"]["b"].resolve() == at(document, "/components/schemas/B")
    assert own.resolve().file == own.file
    with pytest.raises(ReferenceProblem) as caught:
        lost.resolve()
    assert caught.value.diagnostic.hint == "Did you mean '#/components/schemas/B'?"


@table(
    "reference, meant",
    ("#/components/schemas/NewPett", "#/components/schemas/NewPet"),
    ("#/components/schema/NewPet", "#/components/schemas/NewPet"),
    ("#/component/schema/newpet", "#/components/schemas/NewPet"),
    ("#/definitions/NewPet", "#/components/schemas/NewPet"),
    ("components/schemas/NewPet", "#/components/schemas/NewPet"),
    ("NewPet", "#/components/schemas/NewPet"),
    ("#/components/schemas/Order", ""),
    ("#/paths/~2", ""),
    ("Order", ""),
)
def test_what_a_reference_that_leads_nowhere_means(tmp_path, reference, meant):
    document = load_value(tmp_path, schemas(A={"$ref": reference}, NewPet={}))
    with pytest.raises(ReferenceProblem) as caught:
        at(document, "/components/schemas/A").resolve()
    expected = f"Did you mean '{meant}'?" if meant else "Check the reference's spelling."
    assert caught.value.diagnostic.hint == expected


def test_what_a_reference_that_leads_out_means(tmp_path):
    with pytest.raises(GenerationError) as caught:
        load_value(tmp_path, schemas(A={"$ref": "/components/schemas/B"}, B={}))
    assert caught.value.diagnostics[0].hint == "Did you mean '#/components/schemas/B'?"


@table(
    "parameter, told",
    ({"$ref": "#/components/schemas/S"}, "leads to a schema, but should lead to a parameter"),
    (
        {"name": "a", "in": "query", "schema": {"$ref": "#/components/requestBodies/B"}},
        "leads to a request body, but should lead to a schema",
    ),
    ({"$ref": "#/components/parameters/P"}, ""),
    ({"name": "a", "in": "query", "schema": {"$ref": "#/components/schemas/S"}}, ""),
    ({"name": "a", "in": "query", "schema": {"$ref": "#/components/parameters/P/schema"}}, ""),
)
def test_a_reference_to_a_component_of_another_kind(tmp_path, parameter, told):
    components = {
        "schemas": {"S": {"type": "string"}},
        "parameters": {"P": {"name": "p", "in": "query", "schema": {"type": "string"}}},
        "requestBodies": {"B": {"content": {}}},
    }
    read = read_document(one({"parameters": [parameter]}, components=components), tmp_path)
    found = [each for each in read.diagnostics.items if each.code == "reference-kind"]
    assert [told in each.message for each in found] == [True] * bool(told)
    assert all(each.pointer.endswith("/$ref") for each in found)


@pytest.mark.parametrize("reference", ["#", "", "api.json", "#/"])
def test_a_component_that_is_the_whole_document(tmp_path, reference):
    found = Diagnostics()
    load_value(tmp_path, schemas(D={"$ref": reference}), found)
    told = [] if reference == "#/" else ["reference-to-document"]
    assert [item.code for item in found.warnings] == told


def test_the_whole_document_in_a_property(tmp_path):
    found = Diagnostics()
    load_value(tmp_path, schemas(D={"properties": {"d": {"$ref": "#"}}}), found)
    assert [item.code for item in found.items] == ["reference-to-document"]


def test_chains_and_doubling(tmp_path):
    count = 2000
    named: dict[str, Any] = {
        f"S{i}": {"$ref": f"#/components/schemas/S{i + 1}"} for i in range(count)
    }
    named[f"S{count}"] = {}
    for i in range(64):
        inner = {"$ref": f"#/components/schemas/T{i + 1}"}
        named[f"T{i}"] = {"properties": {"l": inner, "r": inner}}
    named["T64"] = {}
    document = load_value(tmp_path, schemas(**named))
    assert at(document, "/components/schemas/S0").resolve().key == f"S{count}"


def test_a_reference_through_itself_is_dangling(tmp_path):
    document = load_value(
        tmp_path,
        schemas(
            A={"$ref": "#/components/schemas/A/properties/x"},
            **{f"S{i}": {"$ref": f"#/components/schemas/S{i + 1}/x"} for i in range(200)},
        ),
    )
    for name in ("A", "S0"):
        with pytest.raises(ReferenceProblem):
            at(document, f"/components/schemas/{name}").resolve()


REMOTE = "http://169.254.169.254/x"


@table(
    "value",
    schemas(A={"properties": {"$ref": {"type": "string"}, "$id": {}, "$defs": {}}}),
    schemas(A={"properties": {"$anchor": {"type": "string"}}}),
    schemas(A={"example": {"$ref": REMOTE}, "default": {"$ref": REMOTE}}),
    schemas(A={"enum": [{"$ref": REMOTE}], "const": {"$ref": REMOTE}}),
    schemas(A={"examples": [{"$ref": REMOTE}], "x-y": {"$ref": REMOTE}}),
    {"paths": {"/a": {"get": {"parameters": [{"example": {"$ref": REMOTE}}]}}}},
    {"components": {"examples": {"e": {"value": {"$ref": REMOTE}}}}},
    {"components": {"examples": {"e": {"externalValue": REMOTE}}}},
    {"components": {"responses": {"r": {"links": {"l": {"operationRef": REMOTE}}}}}},
    {"paths": {"x-a": {"$ref": REMOTE}}, "x-topics": [{"$ref": "./docs/a.md"}]},
    {"externalDocs": {"url": REMOTE}, "servers": [{"url": REMOTE}]},
    {"components": {"securitySchemes": {"s": {"openIdConnectUrl": REMOTE}}}},
    schemas(A={"$schema": REMOTE, "$id": REMOTE}),
    schemas(A={"discriminator": {"propertyName": "t", "mapping": {"a": "A", "b": "B.C"}}}),
)
def test_what_is_data_is_no_reference(tmp_path, value):
    found = Diagnostics()
    load_value(tmp_path, value, found)
    assert not found.items


@table(
    "value",
    {"paths": {"/a": {"$ref": REMOTE}}},
    {"webhooks": {"a": {"$ref": REMOTE}}},
    {"paths": {"$ref": REMOTE}},
    {"components": {"schemas": {"$ref": REMOTE}}},
    {"paths": {"/a": {"parameters": [{"$ref": REMOTE}]}}},
    {"paths": {"/a": {"query": {"requestBody": {"$ref": REMOTE}}}}},
    {"paths": {"/a": {"additionalOperations": {"COPY": {"responses": {"200": {"$ref": REMOTE}}}}}}},
    {"components": {"responses": {"r": {"headers": {"h": {"$ref": REMOTE}}}}}},
    {"components": {"responses": {"r": {"links": {"l": {"$ref": REMOTE}}}}}},
    {"components": {"callbacks": {"c": {"{$url}": {"$ref": REMOTE}}}}},
    {"components": {"securitySchemes": {"s": {"$ref": REMOTE}}}},
    {"components": {"mediaTypes": {"m": {"itemSchema": {"$ref": REMOTE}}}}},
    {"components": {"pathItems": {"p": {"post": {"callbacks": {"c": {"$ref": REMOTE}}}}}}},
    {"definitions": {"D": {"items": {"$ref": REMOTE}}}},
    {"parameters": {"P": {"schema": {"$ref": REMOTE}}}},
    {"responses": {"R": {"schema": {"additionalProperties": {"$ref": REMOTE}}}}},
    schemas(A={"discriminator": {"propertyName": "t", "mapping": {"a": REMOTE}}}),
    schemas(A={"discriminator": {"propertyName": "t", "defaultMapping": REMOTE}}),
    schemas(A={"properties": {"default": {"$ref": REMOTE}, "x-y": {}}}),
    schemas(A={"properties": {"x-y": {"$ref": REMOTE}}}),
    schemas(A={"patternProperties": {"a": {"$ref": REMOTE}}}),
    schemas(A={"$dynamicRef": REMOTE}),
    schemas(A={"items": [{"not": {"if": {"$ref": REMOTE}}}]}),
    schemas(A={"properties": {"$ref": REMOTE}}),
    {"paths": {"/a": {"get": {"$ref": REMOTE}}}},
    {"info": {"description": {"$ref": REMOTE}}},
    {"tags": [{"description": {"$ref": REMOTE}}]},
    {**schemas(A={"$ref": "#/x-shared/B"}), "x-shared": {"B": {"allOf": [{"$ref": REMOTE}]}}},
)
def test_remote_references_are_refused_wherever_they_are(tmp_path, value):
    assert errors(tmp_path, value) == ["remote-reference"]


@pytest.mark.parametrize("reference", [REMOTE, "../../../a/b.json", "file:/etc/passwd"])
@pytest.mark.parametrize("through_components", [False, True])
def test_an_example_that_is_refused_is_left_out(tmp_path, reference, *, through_components):
    inner = {"$ref": "#/components/examples/e"} if through_components else {"$ref": reference}
    parameter = {"name": "a", "in": "query", "schema": {}, "examples": {"x": inner}}
    value = {
        **one({"parameters": [parameter]}),
        "components": {"examples": {"e": {"$ref": reference}}},
    }
    found = Diagnostics()
    tool = read_document(value, tmp_path, found).tool
    assert "examples" not in tool.arguments[0].schema
    assert not found.errors
    assert "; the example is left out" in found.warnings[0].message


@pytest.mark.parametrize("name", ["App\\Entity\\Pet", "\\App\\Pet"])
def test_the_name_of_a_class_is_a_reference_that_leads_nowhere(tmp_path, name):
    found = Diagnostics()
    answer = {"description": "ok", "content": {"application/json": {"schema": {"$ref": name}}}}
    tool = read_document(one({"responses": {"200": answer}}), tmp_path, found).tool
    assert (tool.name, found.errors) == ("op", ())
    assert "it is the name of a class" in found.warnings[0].message


def test_refusals_are_collected_and_bounded(tmp_path):
    refused = {f"S{i}": {"$ref": f"{REMOTE}{i}"} for i in range(1000)}
    with pytest.raises(GenerationError) as caught:
        load_value(tmp_path, schemas(**refused))
    found = caught.value.diagnostics
    assert 100 < len(found) < 1000
    assert found[3].pointer == "/components/schemas/S3/$ref"
    assert REMOTE in found[3].message
