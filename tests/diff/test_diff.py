"""`mcpgen diff`: more than a hundred changes of a tool, each of the class its label says."""

import copy
import json
from typing import Any

import pytest
from diff_risk import worst_of
from tables import table

from mcpgen.diff.changes import Risk
from mcpgen.diff.tool_changes import ToolList, compare

B, R, H = Risk.BREAKING, Risk.RISKY, Risk.HARMLESS
GONE = object()

INPUT = {
    "type": "object",
    "properties": {
        "id": {"type": "integer", "minimum": 1, "maximum": 100, "description": "The number."},
        "name": {"type": "string", "minLength": 1, "maxLength": 20},
        "mail": {"type": "string", "format": "email"},
        "code": {"type": "string", "pattern": "^[a-z]+$"},
        "sort": {"type": "string", "enum": ["new", "old"], "default": "new"},
        "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 5},
        "size": {"type": "number", "multipleOf": 0.5},
        "note": {"type": ["string", "null"]},
        "kind": {"const": "a"},
        "either": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        "shape": {"oneOf": [{"$ref": "#/$defs/Round"}, {"$ref": "#/$defs/Square"}]},
        "one": {"oneOf": [{"type": "object", "properties": {"a": {"type": "string"}}}]},
        "any": {},
        "pair": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]},
        "part": {"$ref": "#/$defs/Part"},
        "joined": {"allOf": [{"$ref": "#/$defs/Part"}, {"required": ["y"]}]},
        "map": {"type": "object", "additionalProperties": {"type": "integer"}},
        "open": {"type": "object", "properties": {"p": {"type": "string"}}},
        "closed": {
            "type": "object",
            "properties": {"p": {"type": "string"}, "q": {"type": "string"}},
            "required": ["p"],
            "additionalProperties": False,
        },
    },
    "required": ["id", "name"],
    "additionalProperties": False,
    "$defs": {
        "Part": {
            "type": "object",
            "properties": {"x": {"type": "integer"}, "y": {"type": "string"}},
            "required": ["x"],
        },
        "Round": {
            "type": "object",
            "properties": {"kind": {"const": "round"}, "width": {"type": "integer"}},
        },
        "Square": {
            "type": "object",
            "properties": {"kind": {"const": "square"}, "side": {"type": "integer"}},
        },
    },
}
OUTPUT = {
    "type": "object",
    "anyOf": [
        {
            "type": "object",
            "properties": {
                "id": {"type": "integer"},
                "state": {"type": "string", "enum": ["on", "off"]},
                "items": {"type": "array", "items": {"$ref": "#/$defs/Item"}},
                "maybe": {"type": ["string", "null"]},
                "text": {"type": "string", "maxLength": 10, "description": "A text."},
                "form": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
            },
            "required": ["id", "state"],
        },
        {"type": "object"},
    ],
    "$defs": {
        "Item": {"type": "object", "properties": {"sku": {"type": "string"}}},
        "Other": {"type": "object", "properties": {"name": {"type": "string"}}},
    },
}
TOOL = {
    "name": "get",
    "title": "Get",
    "description": "Get it.",
    "inputSchema": INPUT,
    "outputSchema": OUTPUT,
    "annotations": {
        "readOnlyHint": True,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": True,
    },
}
I = "inputSchema properties "  # noqa: E741
O = "outputSchema anyOf 0 properties "  # noqa: E741

LABELLED: list[tuple[Risk | None, str, Any]] = [
    # Types of arguments
    (B, I + "id type", "string"),
    (H, I + "id type", "number"),
    (H, I + "id type", ["integer", "null"]),
    (B, I + "size type", "integer"),
    (B, I + "note type", "string"),
    (B, I + "note type", "null"),
    (H, I + "note type", ["string", "null", "integer"]),
    (H, I + "note type", GONE),
    (B, I + "any", {"type": "string"}),
    (B, I + "any", {"enum": ["a"]}),
    (H, I + "name type", ["string", "integer"]),
    (B, I + "tags type", "string"),
    (B, I + "part", {"type": "string"}),
    (B, I + "name", False),
    # Values
    (B, I + "sort enum", ["new"]),
    (H, I + "sort enum", ["new", "old", "best"]),
    (B, I + "sort enum", ["new", "best"]),
    (H, I + "sort enum", GONE),
    (B, I + "name enum", ["a", "b"]),
    (B, I + "kind const", "b"),
    (H, I + "kind", {"enum": ["a", "b"]}),
    (None, I + "kind", {"enum": ["a"]}),
    (None, I + "sort enum", ["old", "new"]),
    (R, I + "sort default", "old"),
    (R, I + "sort default", GONE),
    (R, I + "name default", "x"),
    # Limits
    (B, I + "id minimum", 2),
    (H, I + "id minimum", 0),
    (H, I + "id minimum", GONE),
    (B, I + "id maximum", 99),
    (H, I + "id maximum", 101),
    (H, I + "id maximum", GONE),
    (B, I + "id exclusiveMaximum", 100),
    (B, I + "id exclusiveMinimum", 1),
    (B, I + "id multipleOf", 2),
    (B, I + "name minLength", 2),
    (H, I + "name minLength", 0),
    (B, I + "name maxLength", 19),
    (H, I + "name maxLength", GONE),
    (B, I + "mail maxLength", 100),
    (B, I + "name pattern", "^a"),
    (B, I + "code pattern", "^[a-c]+$"),
    (H, I + "code pattern", GONE),
    (R, I + "mail format", "idn-email"),
    (R, I + "mail format", GONE),
    (R, I + "name format", "uri"),
    (B, I + "tags minItems", 2),
    (H, I + "tags minItems", GONE),
    (B, I + "tags maxItems", 4),
    (H, I + "tags maxItems", 6),
    (B, I + "tags uniqueItems", True),
    (None, I + "tags uniqueItems", False),
    (B, I + "size multipleOf", 1),
    (H, I + "size multipleOf", 0.25),
    (H, I + "size multipleOf", GONE),
    (B, I + "map minProperties", 1),
    (B, I + "map maxProperties", 3),
    # Below arguments
    (B, I + "tags items type", "integer"),
    (B, I + "tags items", {"type": "string", "enum": ["a"]}),
    (H, I + "tags items", {}),
    (B, I + "tags items maxLength", 3),
    (B, I + "pair prefixItems 0 type", "integer"),
    (B, I + "pair prefixItems", [{"type": "string"}]),
    (B, "inputSchema $defs Part properties x type", "string"),
    (B, "inputSchema $defs Part required", ["x", "y"]),
    (H, "inputSchema $defs Part required", []),
    (H, "inputSchema $defs Part properties z", {"type": "string"}),
    (R, "inputSchema $defs Part properties y", GONE),
    (B, "inputSchema $defs Part additionalProperties", False),
    (B, I + "map additionalProperties type", "string"),
    (H, I + "map additionalProperties", True),
    (B, I + "map additionalProperties", False),
    (R, I + "open properties p", GONE),
    (B, I + "open additionalProperties", False),
    (B, I + "closed properties q", GONE),
    (H, I + "closed properties r", {"type": "string"}),
    (H, I + "closed additionalProperties", GONE),
    (B, I + "closed required", ["p", "q"]),
    (H, I + "closed required", GONE),
    (B, I + "either anyOf", [{"type": "string"}]),
    (H, I + "either anyOf", [{"type": "string"}, {"type": "integer"}, {"type": "boolean"}]),
    (None, I + "either anyOf", [{"type": "integer"}, {"type": "string"}]),
    (B, I + "either anyOf", [{"type": "string"}, {"type": "boolean"}]),
    (H, I + "either", {}),
    (B, I + "either", {"type": "string"}),
    (B, I + "either", {"type": "object"}),
    (None, I + "note", {"anyOf": [{"type": "string"}, {"type": "null"}]}),
    (B, I + "note", {"anyOf": [{"type": "string", "maxLength": 9}, {"type": "null"}]}),
    (H, I + "note", {"oneOf": [{"type": "string"}, {"type": "null"}, {"type": "array"}]}),
    (H, I + "either", {"type": ["string", "integer", "null"]}),
    (H, I + "name", {"anyOf": [{"type": "string"}, {"type": "null"}]}),
    (
        H,
        I + "sort",
        {"anyOf": [{"enum": ["new", "old", "best"]}, {"type": "integer"}], "default": "new"},
    ),
    (B, I + "sort", {"anyOf": [{"enum": ["new"]}, {"type": "null"}], "default": "new"}),
    (B, I + "closed", {"oneOf": [{"$ref": "#/$defs/Part"}, {"type": "null"}]}),
    (H, I + "shape oneOf 2", {"$ref": "#/$defs/Part"}),
    (B, I + "shape oneOf 1", GONE),
    (B, I + "shape oneOf 1", {"$ref": "#/$defs/Part"}),
    (B, I + "shape", {"$ref": "#/$defs/Square"}),
    (H, I + "part", {"oneOf": [{"$ref": "#/$defs/Round"}, {"$ref": "#/$defs/Part"}]}),
    (B, "inputSchema $defs Round properties width type", "string"),
    (H, "inputSchema $defs Round properties height", {"type": "integer"}),
    (B, I + "one oneOf 0 properties a type", "integer"),
    (B, I + "one oneOf 0 required", ["a"]),
    (B, I + "name not", {"const": "x"}),
    (B, I + "name if", {"minLength": 3}),
    (B, I + "tags contains", {"const": "x"}),
    (B, I + "joined allOf 1", {"required": ["y"], "properties": {"y": {"enum": ["a"]}}}),
    (B, I + "joined allOf 1", {"required": ["y"], "properties": {"y": {"type": "null"}}}),
    (None, I + "joined allOf 1", {"required": ["y"], "properties": {"y": {"type": "string"}}}),
    (None, I + "part", {**INPUT["$defs"]["Part"]}),  # type: ignore[index,dict-item]
    (None, I + "joined", {**INPUT["$defs"]["Part"], "required": ["x", "y"]}),  # type: ignore[index,dict-item]
    # Arguments themselves
    (B, I + "mail", GONE),
    (H, I + "extra", {"type": "string"}),
    (B, "inputSchema required", ["id", "name", "mail"]),
    (H, "inputSchema required", ["id"]),
    (B, "inputSchema dependentRequired", {"mail": ["code"]}),
    (None, "inputSchema dependentRequired", {"mail": ["name"]}),
    (B, I + "closed dependentRequired", {"p": ["q"]}),
    (H, "inputSchema additionalProperties", True),
    (H, I + "id description", "Its number."),
    (H, I + "name description", "A name."),
    # Answers
    (B, O + "id", GONE),
    (B, O + "id type", "string"),
    (B, O + "id type", ["integer", "string"]),
    (R, O + "id type", ["integer", "null"]),
    (H, O + "maybe type", "string"),
    (B, O + "text", GONE),
    (H, O + "more", {"type": "string"}),
    (R, O + "state enum", ["on", "off", "idle"]),
    (H, O + "state enum", ["on"]),
    (R, O + "state enum", GONE),
    (H, O + "text enum", ["a"]),
    (R, "outputSchema anyOf 0 required", ["id"]),
    (H, "outputSchema anyOf 0 required", ["id", "state", "text"]),
    (H, "outputSchema anyOf 0 dependentRequired", {"text": ["maybe"]}),
    (B, "outputSchema $defs Item properties sku type", "integer"),
    (B, "outputSchema $defs Item properties sku", GONE),
    (H, "outputSchema $defs Item properties price", {"type": "integer"}),
    (B, O + "items type", "object"),
    (R, O + "items items", GONE),
    (R, "outputSchema $defs Item", {"type": "object"}),
    (None, O + "text description", GONE),
    (B, O + "form anyOf", [{"type": "string"}, {"type": "boolean"}]),
    (H, O + "form anyOf", [{"type": "string"}]),
    (R, O + "text", {"anyOf": [{"type": "string"}, {"type": "null"}], "description": "A text."}),
    (B, O + "maybe", {"anyOf": [{"enum": ["a"]}, {"type": "null"}, {"type": "object"}]}),
    (H, O + "maybe", {"anyOf": [{"enum": ["a"]}, {"type": "null"}]}),
    (H, O + "form", {"type": "integer"}),
    (None, O + "form anyOf", [{"type": "string"}, {"type": "integer"}, {"enum": [1]}]),
    (R, O + "items items", {"oneOf": [{"$ref": "#/$defs/Item"}, {"$ref": "#/$defs/Other"}]}),
    (H, O + "text description", "Text."),
    (None, O + "text maxLength", 20),
    (R, "outputSchema", GONE),
    # The tool
    (R, "description", "Get that."),
    (H, "title", "Get it"),
    (R, "annotations readOnlyHint", False),
    (R, "annotations destructiveHint", True),
    (R, "annotations idempotentHint", False),
    (R, "annotations openWorldHint", False),
]


def changed(path: str, value: Any) -> dict[str, Any]:
    tool: Any = copy.deepcopy(TOOL)
    *steps, last = path.split()
    at = tool
    for step in steps:
        at = at[int(step) if isinstance(at, list) else step]
    if value is GONE:
        del at[int(last) if isinstance(at, list) else last]
    elif isinstance(at, list):
        at[int(last) : int(last) + 1] = [value]
    else:
        at[last] = value
    return json.loads(json.dumps(tool))  # type: ignore[no-any-return]


@pytest.mark.parametrize(("risk", "path", "value"), LABELLED)
def test_a_labelled_change(risk, path, value):
    result = compare(ToolList("old", [TOOL]), ToolList("new", [changed(path, value)]))
    assert worst_of(result.changes) is risk, result.changes
    assert result.changes


def test_there_are_enough_of_them():
    assert len(LABELLED) >= 100
    assert sum(risk is B for risk, _, _ in LABELLED) >= 50


@pytest.mark.parametrize(("path", "value"), [each for risk, *each in LABELLED if risk])
def test_a_tool_is_the_same_as_itself(path, value):
    tool = changed(path, value)
    assert compare(ToolList("a", [tool]), ToolList("b", [tool])).changes == ()


def test_an_argument_that_is_gone_is_not_said_to_be_optional_as_well():
    """An optional body spread: each of its properties requires the others that it has to have."""

    def tool(*names: str) -> dict[str, Any]:
        rules = {name: [other for other in names if other != name] for name in names}
        schema = {"type": "object", "dependentRequired": rules, "additionalProperties": False}
        return {
            "name": "add",
            "inputSchema": {**schema, "properties": {name: {"type": "string"} for name in names}},
        }

    old, new = ToolList("", [tool("name", "sort", "size")]), ToolList("", [tool("name", "size")])
    assert {(c.code, c.where) for c in compare(old, new).changes} == {("argument-removed", "sort")}
    found = {(change.code, change.where) for change in compare(new, old).changes}
    assert found == {("argument-added", "sort"), ("argument-required", "sort")}


@table(
    "more, code",
    ({"_meta": {"a": 1}}, "tool-changed"),
    ({"annotations": {"title": "Get"}}, "title-changed"),
    ({"annotations": {"other": True}}, "annotation-changed"),
    ({"inputSchema": {"type": "object", "title": "Given"}}, "schema-rewritten"),
)
def test_nothing_of_a_tool_changes_untold(more, code):
    tool = {"name": "t", "inputSchema": {"type": "object"}}
    (change,) = compare(ToolList("", [tool]), ToolList("", [{**tool, **more}])).changes
    assert change.code == code


def test_arguments_in_another_order_are_told():
    def tools(**properties: Any) -> ToolList:
        return ToolList("", [{"name": "t", "inputSchema": {"properties": properties}}])

    old, nested = tools(a={}, b={}), {"properties": {"x": {}, "y": {}}}
    assert [c.code for c in compare(old, tools(b={}, a={})).changes] == ["order-changed"]
    assert compare(tools(a=nested), tools(a=json.loads(json.dumps(nested)))).changes == ()
    found = compare(old, tools(b={}, c={}, a={"type": "null"})).changes
    assert {c.code for c in found} == {"order-changed", "argument-added", "input-narrowed"}


@table(
    "form, told",
    ({"$ref": "#/$defs/Square"}, "with `Square`"),
    ({"title": "Flat", "properties": {"depth": {"type": "integer"}}}, "with `Flat`"),
    ({"properties": {"kind": {"const": "flat"}}}, 'with `kind` "flat"'),
    ({"enum": ["none", "any"]}, 'with "any" or "none"'),
    ({"properties": {"radius": {}, "angle": {}}}, "with object of `radius`, `angle`"),
    ({"type": "object", "required": ["width", "height"]}, "with object that has `width`, `height`"),
    ({"type": "array"}, "with array"),
)
def test_a_form_is_named(form, told):
    any_string = {"type": "string", "pattern": "^[0-9]+$"}
    choices = [{"$ref": "#/$defs/Round"}, any_string, {"type": "array", "maxItems": 1}]
    tools = (changed(I + "shape oneOf", [*choices, *more]) for more in ([], [form]))
    (change,) = compare(*(ToolList("", [tool]) for tool in tools)).changes
    assert (change.code, change.where, change.detail) == ("input-widened", "shape", told)


@table(
    "limit, told",
    ({"maxLength": 7}, "maxLength none -> 7"),
    ({"type": "array", "uniqueItems": True}, "uniqueItems none -> true"),
    ({"pattern": "^a+$"}, "pattern none -> ^a+$"),
    ({"minimum": 0.5, "exclusiveMaximum": 9}, "minimum none -> 0.5"),
)
def test_a_limit_is_told_as_it_is_written(limit, told):
    kind = {"type": "number" if "minimum" in limit else limit.get("type", "string")}
    schemas = (
        {**TOOL["inputSchema"], "properties": {"a": {**kind, **more}}} for more in ({}, limit)
    )
    tools = (ToolList("", [{**TOOL, "inputSchema": schema}]) for schema in schemas)
    assert compare(*tools).changes[0].detail == told
