"""The types of arguments that are properties of a named schema: named after where they stand."""

from pathlib import Path
from typing import Any

from api_building import decide
from openapi_reading import one, read_document

from mcpgen.api import Api
from mcpgen.diagnostics import Diagnostics
from mcpgen.python_names import KnownNames
from mcpgen.readers.combine import Part, combine

TREE = {
    "type": "object",
    "properties": {
        "id": {"type": "integer", "readOnly": True},
        "place": {"type": "object", "properties": {"row": {"type": "integer"}}},
        "fruit": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"name": {"type": "string"}, "at": {"type": "string"}},
            },
        },
    },
}


def planting(tmp_path: Path, tree: dict[str, Any], **media: Any) -> Api:
    """A tool that takes a tree's properties, and answers with the tree."""
    content = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Tree"}}}}
    sent = {"application/json": {**content["content"]["application/json"], **media}}
    operation = {
        "requestBody": {"required": True, "content": sent},
        "responses": {"200": {"description": "The tree.", **content}},
    }
    document = one(operation, method="post", components={"schemas": {"Tree": tree}})
    return read_document(document, tmp_path).api


def test_the_parts_of_a_named_body_have_one_type_with_those_of_the_answer(tmp_path):
    classes = decide(planting(tmp_path, TREE)).classes
    assert set(classes.values()) == {"Tree", "TreePlace", "TreeFruitItem"}


def test_an_example_changes_no_types(tmp_path):
    shown = {"place": {"row": 3}, "fruit": [{"name": "pear"}]}
    api = planting(tmp_path, TREE, example=shown)
    told = [api.tools[0].input_schema["properties"][name].get("examples") for name in shown]
    assert told == [[shown["place"]], [shown["fruit"]]]
    plain = decide(planting(tmp_path, TREE))
    assert decide(api).classes == plain.classes
    assert decide(api).lifted.schemas == plain.lifted.schemas


def test_a_part_that_cannot_be_sent_whole_has_a_type_of_its_own(tmp_path):
    tree: dict[str, Any] = {"type": "object", "properties": {**TREE["properties"]}}
    hidden = {"name": {"type": "string"}, "at": {"type": "string", "readOnly": True}}
    tree["properties"]["fruit"] = {"type": "array", "items": {"properties": hidden}}
    names = decide(planting(tmp_path, tree))
    assert set(names.classes.values()) == {"Tree", "TreePlace", "TreeFruitItem", "OpFruitItem"}
    own = names.lifted.schemas["~tool/op/fruit/Item"]
    assert list(own["properties"]) == ["name"]


def test_a_type_that_the_lock_knows_stays_the_argument_s(tmp_path):
    before = KnownNames(classes={"~tool/op/fruit/Item": "OpFruitItem"})
    classes = decide(planting(tmp_path, TREE), known=before).classes
    assert classes["~tool/op/fruit/Item"] == "OpFruitItem"
    assert classes["Tree/fruit/Item"] == "TreeFruitItem"
    assert "~tool/op/place" not in classes


def test_two_sources_with_a_schema_of_one_name_have_types_of_their_own(tmp_path):
    place = {"type": "object", "properties": {"shelf": {"type": "string"}}}
    other = {"type": "object", "properties": {"place": place}}
    parts = [
        Part("garden", planting(tmp_path, TREE), is_first=True),
        Part("shop", planting(tmp_path, other)),
    ]
    api = combine(parts, {}, Diagnostics())
    classes = decide(api).classes
    assert [argument.of for tool in api.tools for argument in tool.arguments] == [
        "Tree",
        "Tree",
        "shop.Tree",
    ]
    assert {"Tree/place", "shop.Tree/place"} <= set(classes)
    assert not [key for key in classes if key.startswith("~tool")]
