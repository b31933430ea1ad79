"""The texts of arguments, as the document and the settings have them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_reading import OK, read_document

LONG = "The name. People like it. It must be short."
GIST = "The name. It must be short."
AS_IT_IS = "Give it as it is: it is encoded for you."


def document(place: str = "query", text: str = LONG) -> dict[str, Any]:
    name = {"name": "name", "in": place, "required": True, "description": text}
    inner = {"type": "object", "properties": {"deep": {"type": "string", "description": LONG}}}
    body = {"type": "object", "properties": {"of": {"$ref": "#/components/schemas/Inner"}}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "paths": {
            "/a/{name}" if place == "path" else "/a": {
                "put": {
                    "description": LONG,
                    "parameters": [{**name, "schema": {"type": "string"}}],
                    "requestBody": {"content": {"application/json": {"schema": body}}},
                    "responses": OK,
                }
            }
        },
        "components": {"schemas": {"Inner": inner}},
    }


def texts(tool: Any) -> list[str]:
    defs = tool.input_schema["$defs"]
    deep = next(each["properties"]["deep"] for each in defs.values())
    return [tool.input_schema["properties"]["name"]["description"], deep["description"]]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, LONG),
        ({"argument_texts": "first"}, GIST),
        ({"argument_texts": "first", "input_schema_bytes": 5000}, GIST),
        ({"argument_texts": "first", "input_schema_bytes": 520}, GIST),
    ],
)
def test_first_sentences_and_rules_are_kept(
    tmp_path: Path, settings: dict[str, Any], expected: str
) -> None:
    tool = read_document(document(), tmp_path, **settings).tool
    assert texts(tool) == [expected, expected]
    assert tool.description.startswith(LONG)
    assert next(a.description for a in tool.arguments if a.name == "name") == LONG


@pytest.mark.parametrize(
    ("place", "text", "is_said"),
    [
        ("path", "The name must be URL encoded.", True),
        ("path", "It should be url-encoded, with `%2F` for a slash.", True),
        ("path", "Needs to be percent-encoded", True),
        ("path", "Each part has to be percent-encoded", True),
        ("path", "What it is called, url encoded by us.", False),
        ("query", "The name must be URL encoded.", False),
    ],
)
def test_what_is_encoded_for_agents_they_give_as_it_is(
    tmp_path: Path, place: str, text: str, is_said: bool
) -> None:
    tool = read_document(document(place, text), tmp_path).tool
    assert tool.input_schema["properties"]["name"]["description"] == (
        f"{text} {AS_IT_IS}" if is_said else text
    )
