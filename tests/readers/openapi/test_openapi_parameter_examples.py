"""Examples of parameters are told as values that an agent can send, and none twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_parameters import TEXT, param
from openapi_reading import one, read_document


def test_flags_content_description_and_examples(tmp_path: Path) -> None:
    parameters = [
        param(
            "query",
            "a",
            allowReserved=True,
            allowEmptyValue=True,
            deprecated=True,
            description="What\u200b it is.",
            example="x",
            schema={"$ref": "#/components/schemas/A"},
        ),
        param(
            "query",
            "b",
            content={
                "application/json": {
                    "schema": {"type": "object"},
                    "examples": {"e": {"value": {"c": 1}}},
                }
            },
        ),
        param("query", "c", schema=TEXT),
    ]
    document = one(
        {"parameters": parameters},
        components={"schemas": {"A": {"type": "string", "default": "d"}}},
    )
    tool = read_document(document, tmp_path).tool
    a, b, c = tool.arguments
    assert (a.allow_reserved, a.allow_empty_value, a.deprecated) == (True, True, True)
    assert (c.allow_reserved, c.allow_empty_value, c.deprecated) == (False, False, False)
    assert tool.input_schema["properties"]["a"] == {
        "$ref": "#/$defs/A",
        "description": "What it is.",
        "deprecated": True,
        "examples": ["x"],
    }
    assert b.media_type == "application/json"
    assert tool.sample_arguments == {"a": "x", "b": {"c": 1}}


def test_an_example_that_stands_there_often_is_shown_once(tmp_path: Path) -> None:
    values = ["+15550100", True, "+15550100", 1, {"a": [1]}, {"a": [1]}]
    examples = {f"case {n}": {"value": value} for n, value in enumerate(values)}
    parameter = {"name": "to", "in": "query", "schema": {}, "examples": examples}
    tool = read_document(one({"parameters": [parameter]}), tmp_path).tool
    shown = tool.input_schema["properties"]["to"]["examples"]
    assert [repr(each) for each in shown] == ["'+15550100'", "True", "1", "{'a': [1]}"]


@pytest.mark.parametrize(
    ("example", "shown"),
    [
        (["a", "b"], None),
        (["b", "a"], None),
        (["b"], [["b"]]),
    ],
)
@pytest.mark.parametrize("values", [{"enum": ["a", "b"]}, {"$ref": "#/components/schemas/Field"}])
def test_an_example_of_all_values_of_an_enum_only_repeats_it(
    tmp_path: Path, values: dict[str, Any], example: list[str], shown: list[Any] | None
) -> None:
    schema = {"type": "array", "items": values}
    parameter = {"name": "fields", "in": "query", "schema": schema, "example": example}
    components = {"schemas": {"Field": {"type": "string", "enum": ["a", "b"]}}}
    tool = read_document(one({"parameters": [parameter]}, components=components), tmp_path).tool
    assert tool.input_schema["properties"]["fields"].get("examples") == shown
    assert tool.sample_arguments == {"fields": example}


def test_examples_are_what_can_be_sent(tmp_path: Path) -> None:
    spans = "a=1,\n  b=2\n"
    parameters = [
        param("header", "Signed", example=spans, schema=TEXT),
        param("header", "Sealed", schema={"type": "string", "example": spans}),
        param("query", "said", example=spans, schema=TEXT),
        param("query", "none", example=None, schema=TEXT),
    ]
    tool = read_document(one({"parameters": parameters}), tmp_path).tool
    shown = {name: of.get("examples") for name, of in tool.input_schema["properties"].items()}
    assert shown == {"Signed": ["a=1, b=2"], "Sealed": ["a=1, b=2"], "said": [spans], "none": None}
    assert tool.sample_arguments == {"Signed": "a=1, b=2", "said": spans}


@pytest.mark.parametrize(
    ("location", "more", "example", "shown"),
    [
        ("query", {}, "a%20b/%C3%A9", "a b/é"),
        ("path", {}, "group%2Fproject", "group/project"),
        ("query", {}, "100% of a b%20c", "100% of a b%20c"),
        ("query", {}, "%", "%"),
        ("query", {}, "%ff", "%ff"),
        ("query", {"allowReserved": True}, "a%2Fb", "a%2Fb"),
        ("query", {"x-ms-skip-url-encoding": True}, "a%2Fb", "a%2Fb"),
        ("header", {}, "a%20b", "a%20b"),
        ("path", {}, "a%1Fb", None),
    ],
)
def test_an_example_that_is_written_as_in_a_url_is_told_as_its_value(
    tmp_path: Path, location: str, more: dict[str, Any], example: str, shown: str | None
) -> None:
    """An agent that passes it on as it is written would have it escaped twice."""
    for given in ({"example": example}, {"examples": {"e": {"value": example}}}):
        parameters = [param(location, "a", schema=TEXT, **given, **more)]
        document = one({"parameters": parameters}, path="/{a}" if location == "path" else "/b")
        tool = read_document(document, tmp_path).tool
        told = tool.input_schema["properties"]["a"].get("examples")
        assert told == (None if shown is None else [shown])
        assert tool.sample_arguments == ({} if shown is None else {"a": shown})
    data = {"examples": {"e": {"dataValue": example}}}
    document = one({"parameters": [param("query", "a", schema=TEXT, **data)]}, openapi="3.2.0")
    tool = read_document(document, tmp_path).tool
    assert tool.input_schema["properties"]["a"]["examples"] == [example]


@pytest.mark.parametrize(
    ("schema", "example"),
    [
        ({"enum": ["a%20b", "c"]}, "a%20b"),
        ({"$ref": "#/components/schemas/Escaped"}, "a%2Fb"),
        ({"type": "string"}, "https://e.test/a%20b?to=%26"),
    ],
)
def test_an_example_whose_escapes_are_its_own_keeps_them(
    tmp_path: Path, schema: dict[str, Any], example: str
) -> None:
    pool = {"schemas": {"Escaped": {"type": "string", "pattern": "^[a-z%0-9A-F]+$"}}}
    parameters = [param("query", "a", schema=schema, example=example)]
    document = one({"parameters": parameters}, components=pool)
    tool = read_document(document, tmp_path).tool
    assert tool.input_schema["properties"]["a"]["examples"] == [example]
    assert tool.sample_arguments == {"a": example}


@pytest.mark.parametrize(
    ("schema", "example", "shown"),
    [
        ({"type": "array", "items": TEXT}, "a,b", False),
        ({"type": "array", "items": TEXT}, ["a", "b"], True),
        ({"type": "object"}, "R,100", False),
        ({"type": "number"}, 7, True),
        (TEXT, ["a"], False),
        ({}, "a,b", True),
        ({"$ref": "#/components/schemas/Words"}, "a b", False),
    ],
)
def test_an_example_that_is_written_as_it_is_sent_is_no_value(
    tmp_path: Path, schema: Any, example: Any, shown: bool
) -> None:
    """OpenAPI 3.2.0, "JSON-Compatible and `value`-Safe Examples"."""
    words = {"Words": {"type": "array", "items": TEXT}}
    for given in ({"example": example}, {"examples": {"e": {"value": example}}}):
        parameters = [param("query", "a", schema=schema, **given)]
        document = one({"parameters": parameters}, components={"schemas": words})
        tool = read_document(document, tmp_path).tool
        assert tool.input_schema["properties"]["a"].get("examples") == (
            [example] if shown else None
        )
        assert tool.sample_arguments == ({"a": example} if shown else {})
