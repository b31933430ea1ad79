"""Text that nobody sees is taken out and reported, and text that looks like an attack is too."""

from __future__ import annotations

from pathlib import Path

import pytest
from openapi_reading import one, read_document

from mcpgen.readers.openapi import agent_text


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("plain", "plain"),
        ('quotes " and \\ and `code` and {braces} {{ }}', None),
        ("a\r\nb\rc\u2028d\u0085e", "a\nb\nc\nd\ne"),
        ("a\u202eb\u2066c\u200bd\ufeff", "abcd"),
        ("\x1b[2J\x1b]0;title\x07red\x1b[0m", "red"),
        ("nul\x00 del\x7f bell\x07", "nul del bell"),
        ("tag\U000e0069\U000e0067s", "tags"),
        ("soft\u00adhyphen", "softhyphen"),
        ("family \U0001f468\u200d\U0001f469\u200d\U0001f467", None),
        ("\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", None),
        ("in\u200dvisible", "invisible"),
        ("tabs\tstay", None),
        ("heart \u2764\ufe0f", None),
        ("joined \u200b\u200d\ufeff", "joined "),
        ("\u65e5\u200d\u200c\u200d\u672c", "\u65e5\u200d\u672c"),
        ("a\ufe0f\ufe01\ufe02b", "ab"),
        ("fill\u3164\u2800er", "filler"),
    ],
)
def test_strip_hidden(given: str, kept: str | None) -> None:
    assert agent_text.strip_hidden(given) == (given if kept is None else kept)


def test_hidden_text_is_reported_where_it_is(tmp_path: Path) -> None:
    document = one(
        {
            "summary": "a\u202eb",
            "description": "line\r\nends are fine",
            "parameters": [
                {
                    "name": "q",
                    "in": "query",
                    "description": "c\u200bd",
                    "schema": {"type": "string"},
                }
            ],
            "responses": {
                "200": {
                    "description": "ok",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}},
                }
            },
        },
        components={"schemas": {"A": {"type": "object", "description": "e\u2066f"}}},
    )
    read = read_document(document, tmp_path)
    assert read.pointers("hidden-characters") == [
        "/paths/~1pets/get/summary",
        "/paths/~1pets/get/parameters/0/description",
        "/components/schemas/A",
    ]
    assert (read.tool.title, read.tool.arguments[0].description) == ("ab", "cd")
    assert read.api.schemas["A"] == {"type": "object", "description": "ef"}


def test_names_and_values_are_never_touched(tmp_path: Path) -> None:
    schema = {"type": "string", "enum": ["\u202ea"], "default": "\u202ea"}
    parameter = {"name": "q\u200b", "in": "query", "schema": schema}
    tool = read_document(one({"parameters": [parameter]}), tmp_path).tool
    assert tool.arguments[0].wire_name == "q\u200b"
    assert tool.input_schema["properties"] == {"q": schema}


def test_hidden_text_beside_a_reference_is_reported(tmp_path: Path) -> None:
    parameters = {"Word": {"in": "query", "name": "word", "schema": {}}}
    given = {"$ref": "#/components/parameters/Word", "description": "Mi\u200bne."}
    document = one({"parameters": [given]}, components={"parameters": parameters})
    reading = read_document(document, tmp_path)
    assert reading.tool.arguments[0].description == "Mine."
    assert reading.codes == ["hidden-characters"]
    assert reading.pointers("hidden-characters") == ["/paths/~1pets/get/parameters/0/description"]


def test_hidden_text_in_the_examples_of_parameters_and_bodies_is_reported(tmp_path: Path) -> None:
    plain = {"name": "q", "in": "query", "schema": {}, "example": "a\r\nb\tc"}
    content = {"application/json": {"schema": {}, "example": {"a": [{"b": "x\u202ey"}]}}}
    for said in (
        {"parameters": [{**plain, "example": "x\u200by"}]},
        {"parameters": [{**plain, "example": "x\u3164y"}]},
        {"parameters": [{**plain, "example": {"x\u200by": 1}}]},
        {"parameters": [plain], "requestBody": {"content": content}},
        {"parameters": [{"name": "q", "in": "query", "content": content}]},
    ):
        reading = read_document(one(said, method="post"), tmp_path)
        assert reading.pointers("hidden-characters") == ["/paths/~1pets/post"]
    assert read_document(one({"parameters": [plain]}), tmp_path).codes == []
