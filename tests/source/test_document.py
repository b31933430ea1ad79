"""Cursors over a document, and where references lead."""

import hashlib
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from documents import at, load, load_value, schemas
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import table

from mcpgen.source.document import ReferenceProblem
from mcpgen.text import pointer


def test_cursor(tmp_path):
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
    assert root.nearest(["a/b", 0, "x", "y"]) == root["a/b"][0]
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


@table(
    "place, line, column, value_column",
    ("/openapi", 1, 1, 10),
    ("/components/schemas/Pet", 5, 5, 7),
    ("/components/schemas/Pet/properties/name/type", 8, 22, 28),
    ("/components/schemas/Pet/properties/nick", 9, 9, 15),
    ("/components/schemas/Pet/properties/nick/type", 9, 9, 9),
)
def test_locations(tmp_path, place, line, column, value_column):
    path = tmp_path / "pets.yaml"
    path.write_text(PETS, encoding="utf-8")
    node = at(load(path), place)
    assert (node.location.line, node.location.column) == (line, column)
    assert node.value_location.column == value_column
    assert node.location.file == str(path)


def test_a_number_as_it_is_written(tmp_path):
    path = tmp_path / "pets.yaml"
    path.write_text(PETS, encoding="utf-8")
    assert at(load(path), "/info/version").written == "1.10"
    document = load_value(tmp_path, {"a": [1.5, True, None]})
    assert [node.written for node in document.root["a"].elements()] == ["1.5", "true", "null"]


@table(
    "reference, place",
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
)
def test_targets(tmp_path, reference, place):
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


def test_a_reference_to_a_reference(tmp_path):
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


def test_ids_are_bases_for_what_lies_below(tmp_path):
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
            Named={"$id": "https://example.com/n", "$ref": "#/components/schemas/Other"},
        ),
    )
    tree = "/components/schemas/Tree"
    for name in ("root", "relative"):
        node = at(document, f"{tree}/properties/{name}")
        assert node.target().pointer == f"{tree}/$defs/node"
    lenient = at(document, f"{tree}/properties/lenient")
    assert lenient.resolve().pointer == f"{tree}/$defs/node"
    assert at(document, "/components/schemas/Named").target().key == "Other"


def test_an_id_with_a_fragment_is_an_anchor(tmp_path):
    names = {"a": "#plain", "b": "https://x.test/d7#full", "c": "https://x.test/other#own"}
    document = load_value(
        tmp_path,
        schemas(
            D7={
                "$id": "https://x.test/d7",
                "definitions": {
                    **{key: {"$id": name} for key, name in names.items()},
                    "in": {"$id": "#in", "properties": {"x": {"$ref": "#/definitions/a"}}},
                },
                "allOf": [{"$ref": name} for name in ("#plain", "#full", "d7#full", "other#own")],
            }
        ),
    )
    d7 = "/components/schemas/D7"
    led = [at(document, f"{d7}/allOf/{index}").target().key for index in range(4)]
    assert led == ["a", "b", "b", "c"]
    inner = at(document, f"{d7}/definitions/in/properties/x")
    assert inner.target().pointer == f"{d7}/definitions/a"


def test_an_id_that_is_no_uri_names_nothing_else(tmp_path):
    named = {"$id": "https://[", "properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {"b": {}}}
    document = load_value(tmp_path, schemas(A=named, B={"$ref": "https://[#/$defs/b"}))
    inner = "/components/schemas/A/$defs/b"
    assert at(document, "/components/schemas/A/properties/a").target().pointer == inner
    assert at(document, "/components/schemas/B").target().pointer == inner


@pytest.mark.parametrize("part", ["properties", "schemas", "responses", "parameters", "headers"])
@pytest.mark.parametrize("name", ["default", "value"])
def test_what_has_the_name_of_data_is_read_for_anchors(tmp_path, part, name):
    value = {"components": {part: {name: {"allOf": [{"$anchor": "here"}]}}}}
    document = load_value(tmp_path, value)
    assert document.root.follow("#here").pointer == f"/components/{part}/{name}/allOf/0"


def test_self_names_the_document(tmp_path):
    value = schemas(A={"$ref": "https://example.com/api#/components/schemas/B"}, B={})
    document = load_value(tmp_path, {**value, "$self": "https://example.com/api"})
    assert at(document, "/components/schemas/A").target().key == "B"


def test_references_that_are_followed_on_demand(tmp_path):
    document = load_value(
        tmp_path, {**schemas(A={"$dynamicAnchor": "meta"}), "paths": {"/a": {"get": {}}}}
    )
    assert document.root.follow("#meta").key == "A"
    assert document.root.follow("#/paths/~1a/get").key == "get"
    assert document.root.follow("").pointer == document.root.follow("#").pointer == ""


@table(
    "reference, says, hint",
    ("#/components/schemas/Pett", "nothing at", "'#/components/schemas/Pet'"),
    ("#/components/schemas/Pet/allOf/0", "nothing at", "spelling"),
    ("#/components/schemas/Ref/$ref/0", "nothing at", "spelling"),
    ("#/components/schemas/Ref/maximum/0", "nothing at", "spelling"),
    ("#/components/schemas/~3", "nothing at", "spelling"),
    ("#nowhere", "no $anchor 'nowhere'", "spelling"),
    ("missing.yaml", "no such file", "path"),
    ("readme.md", "does not end in", "spelling"),
)
def test_dangling(tmp_path, reference, says, hint):
    (tmp_path / "readme.md").write_text("# hi", encoding="utf-8")
    document = load_value(tmp_path, schemas(Pet={}, Ref={"$ref": reference, "maximum": 1}))
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


def test_many_files(tmp_path):
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


def test_the_hash_covers_every_file_and_no_folder(tmp_path):
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


def test_the_hash_of_one_file_is_its_own(tmp_path):
    document = load_value(tmp_path, {"openapi": "3.1.0"})
    data = (tmp_path / "api.json").read_bytes()
    assert document.sha256 == hashlib.sha256(data).hexdigest()


names = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@settings(max_examples=25, deadline=None)
@given(st.lists(names, min_size=1, max_size=5))
def test_any_pointer_is_found_again(tmp_path_factory, path):
    value: Any = {"leaf": True}
    for token in reversed(path):
        value = {token: value}
    document = load_value(tmp_path_factory.mktemp("doc"), {"x": value})
    place = pointer.join("/x", *path)
    node = at(document, place)
    assert node.pointer == place
    assert node.value == {"leaf": True}
    assert document.root.follow("#" + quote(place, safe="/")) == node
