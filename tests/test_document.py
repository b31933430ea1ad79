"""References, and cursors over a document."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpgen import pointer, source
from mcpgen.diagnostics import Diagnostics, GenerationError, render
from mcpgen.document import Document, Node, ReferenceProblem


def load(path: Path, found: Diagnostics | None = None) -> Document:
    return source.load(str(path), diagnostics=found if found is not None else Diagnostics())


def load_value(folder: Path, value: Any, found: Diagnostics | None = None) -> Document:
    path = folder / "api.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return load(path, found)


def schemas(**named: Any) -> dict[str, Any]:
    return {"openapi": "3.1.0", "components": {"schemas": named}}


def at(document: Document, path: str) -> Node:
    return document.node(document.root.file, path)


def errors(folder: Path, value: Any) -> list[str]:
    with pytest.raises(GenerationError) as caught:
        load_value(folder, value)
    return [item.code for item in caught.value.diagnostics]


def test_cursor(tmp_path: Path) -> None:
    root = load_value(tmp_path, {"a/b": [1, {"~": None}], "e": {}}).root
    assert (root.pointer, root.key, root.is_ref) == ("", "", False)
    element = root["a/b"][1]["~"]
    assert (element.pointer, element.key, element.value) == ("/a~1b/1/~0", "~", None)
    assert root.get("x") is None
    assert root["a/b"].get(2) is None
    assert root["a/b"].get("01") is None
    assert root["a/b"].get("0") == root["a/b"][0]
    assert root["a/b"][0].get("x") is None
    assert [(key, node.pointer) for key, node in root.items()] == [("a/b", "/a~1b"), ("e", "/e")]
    assert [node.pointer for node in root["a/b"].elements()] == ["/a~1b/0", "/a~1b/1"]
    assert list(root["e"].elements()) == list(root["a/b"].items()) == []
    assert "e" in root
    assert len({root["e"], root["e"], root["a/b"]}) == 2
    for missing in (lambda: root["x"], lambda: root["a/b"][7], lambda: root["a/b"][0]["x"]):
        with pytest.raises(KeyError):
            missing()


PETS = """\
openapi: 3.1.0
info: {title: t, version: 1.10}
components:
  schemas:
    Pet:
      type: object
      properties:
        name: &name {type: string}
        nick: *name
"""


@pytest.mark.parametrize(
    ("place", "line", "column", "value_column"),
    [
        ("/openapi", 1, 1, 10),
        ("/components/schemas/Pet", 5, 5, 7),
        ("/components/schemas/Pet/properties/name/type", 8, 22, 28),
        ("/components/schemas/Pet/properties/nick", 9, 9, 15),
        ("/components/schemas/Pet/properties/nick/type", 9, 9, 9),
    ],
)
def test_locations(tmp_path: Path, place: str, line: int, column: int, value_column: int) -> None:
    path = tmp_path / "pets.yaml"
    path.write_text(PETS, encoding="utf-8")
    node = at(load(path), place)
    assert (node.location.line, node.location.column) == (line, column)
    assert node.value_location.column == value_column
    assert node.location.file == str(path)


def test_a_number_as_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "pets.yaml"
    path.write_text(PETS, encoding="utf-8")
    assert at(load(path), "/info/version").written == "1.10"
    document = load_value(tmp_path, {"a": [1.5, True, None]})
    assert [node.written for node in document.root["a"].elements()] == ["1.5", "true", "null"]


@pytest.mark.parametrize(
    ("reference", "place"),
    [
        ("#/components/schemas/Plain", "/components/schemas/Plain"),
        ("#/components/schemas/a~1b", "/components/schemas/a~1b"),
        ("#/components/schemas/a%7E1b", "/components/schemas/a~1b"),
        ("#/components/schemas/t~0t", "/components/schemas/t~0t"),
        ("#/components/schemas/sp%20ace", "/components/schemas/sp ace"),
        ("#/components/schemas/sp ace", "/components/schemas/sp ace"),
        ("#/components/schemas/%C3%A9", "/components/schemas/é"),
        ("#/components/schemas/100%25", "/components/schemas/100%"),
        ("#/components/schemas/a%2520b", "/components/schemas/a%20b"),
        ("#%2Fcomponents%2Fschemas%2FPlain", "/components/schemas/Plain"),
        ("#/components/schemas/Plain/properties/x", "/components/schemas/Plain/properties/x"),
        ("#/components/schemas/Plain/allOf/0", "/components/schemas/Plain/allOf/0"),
        ("#/paths/~1p~1%7Bid%7D/get/responses/200", "/paths/~1p~1{id}/get/responses/200"),
        ("#here", "/components/schemas/Plain/allOf/0"),
        ("#there", "/components/schemas/Named"),
        ("https://example.com/named", "/components/schemas/Named"),
        ("https://example.com/named#/properties/y", "/components/schemas/Named/properties/y"),
        ("#/components/schemas/Alias/properties/x", "/components/schemas/Plain/properties/x"),
        ("api.json#/components/schemas/Plain", "/components/schemas/Plain"),
        ("./api.json#there", "/components/schemas/Named"),
    ],
)
def test_targets(tmp_path: Path, reference: str, place: str) -> None:
    value = schemas(
        **{
            "Plain": {"properties": {"x": {}}, "allOf": [{"$anchor": "here"}]},
            "Named": {
                "$id": "https://example.com/named",
                "$dynamicAnchor": "there",
                "properties": {"y": {}},
            },
            "Alias": {"$ref": "#/components/schemas/Plain"},
            "a/b": {},
            "t~t": {},
            "sp ace": {},
            "é": {},
            "100%": {},
            "a%20b": {},
            "Ref": {"$ref": reference, "description": "kept"},
        }
    )
    value["paths"] = {"/p/{id}": {"get": {"responses": {"200": {"description": "ok"}}}}}
    document = load_value(tmp_path, value)
    node = at(document, "/components/schemas/Ref")
    assert node.reference == reference
    assert node.value["description"] == "kept"
    assert node.target() == at(document, place)
    assert node.resolve() == at(document, place)


def test_a_reference_to_a_reference(tmp_path: Path) -> None:
    document = load_value(
        tmp_path,
        schemas(
            A={"$ref": "#/components/schemas/B"},
            B={"$ref": "#/components/schemas/C", "title": "b"},
            C={},
        ),
    )
    a = at(document, "/components/schemas/A")
    assert a.target().pointer == "/components/schemas/B"
    assert a.resolve().pointer == "/components/schemas/C"
    assert a.resolve().resolve() == a.resolve() == a.resolve().target()


def test_ids_are_bases_for_what_lies_below(tmp_path: Path) -> None:
    document = load_value(
        tmp_path,
        schemas(
            Tree={
                "$id": "https://example.com/tree/",
                "$defs": {"node": {"$id": "node", "$anchor": "n"}},
                "properties": {
                    "root": {"$ref": "#/$defs/node"},
                    "relative": {"$ref": "node#n"},
                    "lenient": {"$ref": "#/components/schemas/Other"},
                },
            },
            Other={"$ref": "https://example.com/tree/node"},
        ),
    )
    tree = "/components/schemas/Tree"
    for name in ("root", "relative"):
        node = at(document, f"{tree}/properties/{name}")
        assert node.target().pointer == f"{tree}/$defs/node"
    lenient = at(document, f"{tree}/properties/lenient")
    assert lenient.resolve().pointer == f"{tree}/$defs/node"


def test_self_names_the_document(tmp_path: Path) -> None:
    value = schemas(A={"$ref": "https://example.com/api#/components/schemas/B"}, B={})
    document = load_value(tmp_path, {**value, "$self": "https://example.com/api"})
    assert at(document, "/components/schemas/A").target().key == "B"


def test_references_that_are_followed_on_demand(tmp_path: Path) -> None:
    document = load_value(
        tmp_path, {**schemas(A={"$dynamicAnchor": "meta"}), "paths": {"/a": {"get": {}}}}
    )
    assert document.root.follow("#meta").key == "A"
    assert document.root.follow("#/paths/~1a/get").key == "get"
    assert document.root.follow("").pointer == document.root.follow("#").pointer == ""


@pytest.mark.parametrize(
    ("reference", "says", "hint"),
    [
        ("#/components/schemas/Pett", "nothing at", "'#/components/schemas/Pet'"),
        ("#/components/schema/Pet", "nothing at", "'#/components/schemas'"),
        ("#/components/schemas/Pet/allOf/0", "nothing at", "spelling"),
        ("#/components/schemas/~3", "nothing at", "spelling"),
        ("#nowhere", "no $anchor 'nowhere'", "spelling"),
        ("missing.yaml", "no such file", "path"),
        ("readme.md", "does not end in", "spelling"),
        ("Pet", "does not end in", "spelling"),
    ],
)
def test_dangling(tmp_path: Path, reference: str, says: str, hint: str) -> None:
    (tmp_path / "readme.md").write_text("# hi", encoding="utf-8")
    document = load_value(tmp_path, schemas(Pet={}, Ref={"$ref": reference}))
    node = at(document, "/components/schemas/Ref")
    for follow in (node.target, node.resolve):
        with pytest.raises(ReferenceProblem) as caught:
            follow()
    found = caught.value.diagnostic
    assert (found.code, found.severity) == ("dangling-reference", "warning")
    assert found.pointer == "/components/schemas/Ref/$ref"
    assert says in found.message
    assert repr(reference) in found.message
    assert hint in found.hint
    assert found.location is not None


def test_loops_are_reported_once_with_their_chain(tmp_path: Path) -> None:
    value = schemas(
        A={"$ref": "#/components/schemas/A"},
        B={"$ref": "#/components/schemas/C"},
        C={"$ref": "#/components/schemas/B", "description": "no content"},
        D={"$ref": "#/components/schemas/B"},
        E={"properties": {"e": {"$ref": "#/components/schemas/E"}}},
        F={"allOf": [{"$ref": "#/components/schemas/F"}]},
    )
    with pytest.raises(GenerationError) as caught:
        load_value(tmp_path, value)
    messages = [item.message for item in caught.value.diagnostics]
    assert [message.partition(": ")[2] for message in messages] == [
        "#/components/schemas/A -> #/components/schemas/A",
        "#/components/schemas/B -> #/components/schemas/C -> #/components/schemas/B",
    ]
    assert {item.code for item in caught.value.diagnostics} == {"reference-loop"}
    assert "api.json:1:" in render(caught.value.diagnostics[0])


def test_a_long_loop(tmp_path: Path) -> None:
    count = 3000
    value = schemas(
        **{f"S{i}": {"$ref": f"#/components/schemas/S{(i + 1) % count}"} for i in range(count)}
    )
    with pytest.raises(GenerationError) as caught:
        load_value(tmp_path, value)
    [found] = caught.value.diagnostics
    assert "more ..." in found.message
    assert len(found.message) < 1000


def test_loops_across_files(tmp_path: Path) -> None:
    (tmp_path / "b.yaml").write_text("$ref: c.yaml#/x\n", encoding="utf-8")
    (tmp_path / "c.yaml").write_text("x: {$ref: b.yaml}\n", encoding="utf-8")
    assert errors(tmp_path, schemas(A={"$ref": "b.yaml"})) == ["reference-loop"]


@pytest.mark.parametrize("reference", ["#", "", "api.json", "#/"])
def test_a_component_that_is_the_whole_document(tmp_path: Path, reference: str) -> None:
    value = schemas(D={"$ref": reference})
    if reference == "#/":
        load_value(tmp_path, value)
    else:
        assert errors(tmp_path, value) == ["reference-loop"]


def test_the_whole_document_in_a_property(tmp_path: Path) -> None:
    found = Diagnostics()
    load_value(tmp_path, schemas(D={"properties": {"d": {"$ref": "#"}}}), found)
    assert [item.code for item in found.items] == ["reference-to-document"]


def test_chains_and_doubling(tmp_path: Path) -> None:
    count = 5000
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


def test_a_reference_through_itself_is_dangling(tmp_path: Path) -> None:
    document = load_value(
        tmp_path,
        schemas(
            A={"$ref": "#/components/schemas/A/properties/x"},
            **{f"S{i}": {"$ref": f"#/components/schemas/S{i + 1}/x"} for i in range(500)},
        ),
    )
    for name in ("A", "S0"):
        with pytest.raises(ReferenceProblem):
            at(document, f"/components/schemas/{name}").resolve()


REMOTE = "http://169.254.169.254/x"


@pytest.mark.parametrize(
    "value",
    [
        schemas(A={"properties": {"$ref": {"type": "string"}, "$id": {}, "$defs": {}}}),
        schemas(A={"properties": {"$ref": REMOTE}}),
        schemas(A={"example": {"$ref": REMOTE}, "default": {"$ref": REMOTE}}),
        schemas(A={"enum": [{"$ref": REMOTE}], "const": {"$ref": REMOTE}}),
        schemas(A={"examples": [{"$ref": REMOTE}], "x-y": {"$ref": REMOTE}}),
        {"paths": {"/a": {"get": {"parameters": [{"example": {"$ref": REMOTE}}]}}}},
        {"components": {"examples": {"e": {"value": {"$ref": REMOTE}}}}},
        {"paths": {"x-a": {"$ref": REMOTE}}, "x-topics": [{"$ref": "./docs/a.md"}]},
        {"info": {"$ref": REMOTE}, "externalDocs": {"url": REMOTE}, "servers": [{"url": REMOTE}]},
        {"components": {"securitySchemes": {"s": {"openIdConnectUrl": REMOTE}}}},
        schemas(A={"$schema": REMOTE, "$id": REMOTE}),
        schemas(A={"discriminator": {"propertyName": "t", "mapping": {"a": "A", "b": "B.C"}}}),
    ],
)
def test_what_is_data_is_no_reference(tmp_path: Path, value: Any) -> None:
    found = Diagnostics()
    load_value(tmp_path, value, found)
    assert not found.items


@pytest.mark.parametrize(
    "value",
    [
        {"paths": {"/a": {"$ref": REMOTE}}},
        {"webhooks": {"a": {"$ref": REMOTE}}},
        {"paths": {"$ref": REMOTE}},
        {"components": {"schemas": {"$ref": REMOTE}}},
        {"paths": {"/a": {"parameters": [{"$ref": REMOTE}]}}},
        {"paths": {"/a": {"query": {"requestBody": {"$ref": REMOTE}}}}},
        {
            "paths": {
                "/a": {"additionalOperations": {"COPY": {"responses": {"200": {"$ref": REMOTE}}}}}
            }
        },
        {"components": {"responses": {"r": {"headers": {"h": {"$ref": REMOTE}}}}}},
        {"components": {"responses": {"r": {"links": {"l": {"operationRef": REMOTE}}}}}},
        {"components": {"examples": {"e": {"externalValue": REMOTE}}}},
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
        {**schemas(A={"$ref": "#/x-shared/B"}), "x-shared": {"B": {"allOf": [{"$ref": REMOTE}]}}},
    ],
)
def test_remote_references_are_refused_wherever_they_are(tmp_path: Path, value: Any) -> None:
    assert errors(tmp_path, value) == ["remote-reference"]


def test_refusals_are_collected_and_bounded(tmp_path: Path) -> None:
    refused = {f"S{i}": {"$ref": f"{REMOTE}{i}"} for i in range(1000)}
    with pytest.raises(GenerationError) as caught:
        load_value(tmp_path, schemas(**refused))
    found = caught.value.diagnostics
    assert 100 < len(found) < 1000
    assert found[3].pointer == "/components/schemas/S3/$ref"
    assert REMOTE in found[3].message


def test_many_files(tmp_path: Path) -> None:
    (tmp_path / "paths").mkdir()
    (tmp_path / "schemas").mkdir()
    (tmp_path / "openapi.yaml").write_text(
        "openapi: 3.1.0\npaths:\n  /pets: {$ref: paths/pets.yaml}\n"
        "components:\n  schemas: {$ref: 'schemas/index.yaml'}\n",
        encoding="utf-8",
    )
    (tmp_path / "paths" / "pets.yaml").write_text(
        "get:\n  responses:\n    '200':\n      content:\n        application/json:\n"
        "          schema: {$ref: '../schemas/index.yaml#/Pet'}\n",
        encoding="utf-8",
    )
    (tmp_path / "schemas" / "index.yaml").write_text(
        "Pet: {properties: {tag: {$ref: '#/Tag'}, owner: {$ref: 'my%20owner.json'}}}\nTag: {}\n",
        encoding="utf-8",
    )
    (tmp_path / "schemas" / "my owner.json").write_text('{"type": "object"}', encoding="utf-8")
    document = load(tmp_path / "openapi.yaml")
    assert [Path(name).name for name in document.files] == [
        "openapi.yaml",
        "pets.yaml",
        "index.yaml",
        "my owner.json",
    ]
    item = document.root["paths"]["/pets"].resolve()
    schema = item["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    pet = schema.resolve()
    assert (pet.pointer, pet.location.line) == ("/Pet", 1)
    assert pet.file == str(tmp_path / "schemas" / "index.yaml")
    assert pet["properties"]["tag"].resolve().pointer == "/Tag"
    assert pet["properties"]["owner"].resolve().value == {"type": "object"}
    assert document.root["components"]["schemas"].resolve()["Pet"] == pet


def test_the_hash_covers_every_file_and_no_folder(tmp_path: Path) -> None:
    def build(folder: Path, tag: str, order: str) -> str:
        folder.mkdir()
        (folder / "a.yaml").write_text(f"type: {tag}", encoding="utf-8")
        (folder / "b.yaml").write_text("type: string", encoding="utf-8")
        value = schemas(**{name: {"$ref": f"{name}.yaml"} for name in order})
        (folder / "api.json").write_text(json.dumps(value, sort_keys=True), encoding="utf-8")
        return load(folder / "api.json").sha256

    one = build(tmp_path / "one", "integer", "ab")
    assert one == build(tmp_path / "two", "integer", "ba")
    assert one != build(tmp_path / "three", "number", "ab")


def test_the_hash_of_one_file_is_its_own(tmp_path: Path) -> None:
    document = load_value(tmp_path, {"openapi": "3.1.0"})
    data = (tmp_path / "api.json").read_bytes()
    assert document.sha256 == hashlib.sha256(data).hexdigest()


names = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@settings(max_examples=50, deadline=None)
@given(st.lists(names, min_size=1, max_size=5))
def test_any_pointer_is_found_again(
    tmp_path_factory: pytest.TempPathFactory, path: list[str]
) -> None:
    value: Any = {"leaf": True}
    for token in reversed(path):
        value = {token: value}
    document = load_value(tmp_path_factory.mktemp("doc"), {"x": value})
    place = pointer.join("/x", *path)
    node = at(document, place)
    assert node.pointer == place
    assert node.value == {"leaf": True}
    assert document.root.follow("#" + quote(place, safe="/")) == node
